"""Whether a rectangular room can be what a spec asks of it: plain arithmetic, before anything is computed.

What is let through here, the solver in ``vgsynth.acoustics.shoebox`` can meet within 10 %: its tests sweep
the bounds.
"""

from __future__ import annotations

import math

from vgsynth.plan.model import ShoeboxRoom

SPEED_OF_SOUND_M_S = 343.0
TAIL_RT60S = 1.5
"""An impulse response is summed for this many RT60s behind the direct sound, before its silent end is cut."""
MAX_IMAGES = 8_000_000
"""Image sources summed for one response: at most about ten seconds, once."""
MIN_CROSSINGS = 7.0
"""How often sound must cross the longest side within the RT60, behind the direct sound.

With fewer, what the room gives is a handful of echoes and not a decay, and no absorption makes it one.
"""
CROSSINGS_PER_ASPECT = 1.25
"""Crossings that a long or flat room needs, for each time that its shortest side goes into its longest one.

In such a room two decays run side by side, and the bend between them must come late enough.
"""
MAX_DRR_DB = 22.0
"""With more direct sound than that, too little of the decay lies within the range that it is read from."""
MIN_DISTANCE_M = 0.1

Fault = tuple[str, str, str]
"""Field, what is wrong, what would be right."""


def room_problems(room: ShoeboxRoom) -> tuple[Fault, ...]:
    """Everything that is wrong with a room: sizes, positions, and an RT60 that it cannot have. Empty if
    nothing.

    Faults of sizes and positions come alone: an RT60 is judged only in a room that is sound otherwise.
    """
    return (*_size_faults(room),) or (*_position_faults(room),) or (*_rt60_faults(room),)


def rt60_range_s(room: ShoeboxRoom) -> tuple[float, float]:
    """The shortest and the longest RT60 that can be simulated in a room; empty (low > high) in a corridor."""
    longest = max(room.size_m)
    crossings = max(MIN_CROSSINGS, CROSSINGS_PER_ASPECT * longest / min(room.size_m))
    reach_m = (MAX_IMAGES * math.prod(room.size_m) * 3.0 / (4.0 * math.pi)) ** (1.0 / 3.0)
    direct_m = math.dist(room.source_m, room.mic_m)
    return (
        (crossings * longest + direct_m) / SPEED_OF_SOUND_M_S,
        (reach_m - direct_m) / (TAIL_RT60S * SPEED_OF_SOUND_M_S),
    )


def expected_drr_db(room: ShoeboxRoom) -> float:
    """Direct-to-reverberant ratio in a diffuse field: R / (16 pi d^2), with R = S a / (1 - a)."""
    x, y, z = room.size_m
    constant_m2 = 2.0 * (x * y + y * z + z * x) * math.expm1(decay_exponent(room.size_m, room.rt60_s))
    return 10.0 * math.log10(constant_m2 / (16.0 * math.pi * math.dist(room.source_m, room.mic_m) ** 2))


def reflection_order(room: ShoeboxRoom, rt60_s: float) -> int:
    """The highest number of walls that any image met whose sound arrives within the response."""
    reach_m = TAIL_RT60S * rt60_s * SPEED_OF_SOUND_M_S + math.dist(room.source_m, room.mic_m)
    return math.ceil(reach_m * math.sqrt(sum(side**-2 for side in room.size_m)))


def decay_exponent(size_m: tuple[float, float, float], rt60_s: float) -> float:
    """Eyring's absorption exponent -ln(1 - a) for an RT60: 24 ln(10) V / (c S T), with all walls alike.

    C. F. Eyring, "Reverberation time in 'dead' rooms", JASA 1 (1930).
    """
    x, y, z = size_m
    surface = 2.0 * (x * y + y * z + z * x)
    return 24.0 * math.log(10.0) * x * y * z / (SPEED_OF_SOUND_M_S * surface * rt60_s)


def _size_faults(room: ShoeboxRoom) -> list[Fault]:
    faults: list[Fault] = []
    if not all(math.isfinite(side) and side > 0.0 for side in room.size_m):
        sides = " x ".join(f"{side:g}" for side in room.size_m)
        faults.append(("size_m", f"a room of {sides} m has no inside", "give three lengths above 0 m"))
    if not (math.isfinite(room.reference_m) and room.reference_m > 0.0):
        faults.append(
            ("reference_m", f"{room.reference_m:g} m is no distance", "give one above 0 m, like 1.0")
        )
    return faults


def _position_faults(room: ShoeboxRoom) -> list[Fault]:
    faults: list[Fault] = []
    for name, what, position in (
        ("source_m", "the source", room.source_m),
        ("mic_m", "the microphone", room.mic_m),
    ):
        for axis, at, side in zip("xyz", position, room.size_m, strict=True):
            if not 0.0 < at < side:
                where = "on a wall" if at in (0.0, side) else "outside the room"
                faults.append(
                    (name, f"{what} is {where}: {axis} = {at:g} m", f"{axis} lies between 0 and {side:g} m")
                )
    distance_m = math.dist(room.source_m, room.mic_m)
    if not faults and distance_m < MIN_DISTANCE_M:
        faults.append(
            (
                "mic_m",
                f"source and microphone are {100.0 * distance_m:.3g} cm apart",
                "keep them at least 10 cm apart",
            )
        )
    return faults


def _rt60_faults(room: ShoeboxRoom) -> list[Fault]:
    low, high = rt60_range_s(room)
    if low <= room.rt60_s <= high:
        drr_db = expected_drr_db(room)
        if drr_db <= MAX_DRR_DB:
            return []
        why = (
            f"at {math.dist(room.source_m, room.mic_m):.2g} m the direct sound hides the decay: it is about "
            f"{drr_db:.0f} dB above the reverberation, and an RT60 can be read up to {MAX_DRR_DB:.0f} dB"
        )
        return [("mic_m", why, "move the microphone away from the source, or use a dry room")]
    possible = f"this room can have {_up(low):.2f} s to {_down(high):.2f} s"
    if _up(low) > _down(high):
        possible = "no RT60 can be simulated in a room this long and narrow: change its size"
    if not room.rt60_s >= low:
        why = (
            f"an RT60 of {room.rt60_s:g} s is too short for a room {max(room.size_m):g} m long: its walls "
            f"would have to swallow nearly all sound, and a few echoes make no decay"
        )
    else:
        reach_m = TAIL_RT60S * room.rt60_s * SPEED_OF_SOUND_M_S + math.dist(room.source_m, room.mic_m)
        images = 4.0 / 3.0 * math.pi * reach_m**3 / math.prod(room.size_m)
        why = (
            f"an RT60 of {room.rt60_s:g} s needs reflections up to order "
            f"{reflection_order(room, room.rt60_s)}, {images / 1e6:.0f} million image sources; "
            f"the budget is {MAX_IMAGES // 1_000_000} million"
        )
    return [("rt60_s", why, possible)]


def _up(seconds: float) -> float:
    return math.ceil(seconds * 100.0) / 100.0


def _down(seconds: float) -> float:
    return math.floor(seconds * 100.0) / 100.0
