"""Impulse responses of rectangular rooms that have the reverberation time asked for.

The image source method, with pyroomacoustics' fractional-delay builder, on one thread: the same room gives
the same bytes. No ray tracing (it differs from run to run) and no air absorption; all walls absorb alike.

Two things differ from ``pyroomacoustics.Room.compute_rir``, both on purpose.

* All delays are shifted together by less than a sample, so that the direct sound is one impulse at a whole
  sample; and nothing precedes it (the builder's constant delay is taken off, and with it the pre-ringing of
  reflections within the first 2.5 ms). A label that points at the speech's first sample stays right.
* Reflections are all positive, so that late ones pile up to a swell below 10 Hz that no real room has: 65 %
  of the energy at 0.8 s in 6 x 5 x 3 m. The usual cure is a high-pass filter over the whole response, run
  forwards and backwards; here it runs forwards only, and over the reflections alone, so that the direct
  sound stays an impulse.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from vgsynth.acoustics.decay import measure_decay
from vgsynth.acoustics.images import Images, images_within
from vgsynth.contract.problems import InputError, Place, Problem
from vgsynth.plan.model import ShoeboxRoom
from vgsynth.plan.rooms import SPEED_OF_SOUND_M_S, TAIL_RT60S, decay_exponent, room_problems

ALGORITHM = 1
"""Raise it when the same room would give other samples: cached responses are then made anew."""
KERNEL = 81
"""Taps of the fractional-delay filter, a Hann-windowed sinc: the value that pyroomacoustics uses."""
SINC_STEPS = 20
"""Steps per tap of its look-up table, between which it interpolates."""
HIGHPASS_HZ = 20.0
END_DB = -80.0
"""The response ends where less than this share of its energy is still to come."""
SOLVED_WITHIN = 0.01
ACCEPTED_WITHIN = 0.1
MAX_TRIES = 12
MAX_EXPONENT = 12.0
"""Of the walls' absorption, -ln(1 - a): nothing is left of a reflection."""


def shoebox_impulse(room: ShoeboxRoom, sample_rate_hz: int) -> tuple[NDArray[np.float32], int]:
    """The room's impulse response, float32 of shape (n,), and the sample of its direct sound.

    The direct sound has unit gain at ``room.reference_m``, and falls with 1 / distance. It lies at sample
    0, or, with ``keep_travel``, at its travel time rounded to a sample. Images are summed out to 1.5 times
    the asked RT60; the end is cut where the decay has fallen below -80 dB.

    Raises InputError where :func:`vgsynth.plan.rooms.room_problems` finds a fault, or where no absorption
    brings the measured RT60 within 10 % of the asked one.
    """
    problems = room_problems(room)
    if problems:
        raise InputError(
            Problem(place=Place(file=room.name), path=name, message=message, fix=fix)
            for name, message, fix in problems
        )
    response, rt60_s = _solve(room, sample_rate_hz)
    if abs(rt60_s / room.rt60_s - 1.0) > ACCEPTED_WITHIN:
        raise InputError.at(
            room.name,
            f"cannot have an RT60 of {room.rt60_s:g} s: the nearest that was found is {rt60_s:.3g} s",
            "ask for that, or change the room",
        )
    travel = round(_direct_m(room) / SPEED_OF_SOUND_M_S * sample_rate_hz) if room.keep_travel else 0
    return np.concatenate([np.zeros(travel), _cut(response)]).astype(np.float32), travel


def shoebox_response(
    images: Iterable[Images], room: ShoeboxRoom, exponent: float, sample_rate_hz: int
) -> NDArray[np.float64]:
    """Sum of the images' sounds, shape (n,): the direct sound at sample 0, 1.5 RT60s in all.

    ``exponent`` is that of the walls' absorption, -ln(1 - a): a reflection keeps exp(-exponent) of the
    energy.
    """
    from pyroomacoustics import libroom
    from scipy.signal import butter, sosfilt

    margin = KERNEL // 2
    direct_m = _direct_m(room)
    length = int(TAIL_RT60S * room.rt60_s * sample_rate_hz) + 1
    built = np.zeros(length + 2 * margin + 2)
    for distances, counts in images:
        delays = np.maximum(distances - direct_m, 0.0) / SPEED_OF_SOUND_M_S + margin / sample_rate_hz
        gains = np.exp(-0.5 * exponent * counts) * (room.reference_m / distances)
        gains[counts == 0] = 0.0  # the direct sound is set below, exactly
        libroom.rir_builder(built, delays, gains, sample_rate_hz, KERNEL, SINC_STEPS, 1)
    highpass = butter(2, HIGHPASS_HZ, "highpass", fs=sample_rate_hz, output="sos")
    response: NDArray[np.float64] = sosfilt(highpass, built[margin : margin + length])
    response[0] += room.reference_m / direct_m
    return response


def _solve(room: ShoeboxRoom, sample_rate_hz: int) -> tuple[NDArray[np.float64], float]:
    """The response whose measured RT60 is nearest to the asked one, and that RT60 in seconds.

    Eyring's formula starts the search. It misses by up to a half in rooms like these, whose sound field is
    not diffuse; so the absorption exponent, to which the decay rate is nearly proportional, is corrected by
    what was measured until the RT60 is right within 1 %.
    """
    reach_m = _direct_m(room) + TAIL_RT60S * room.rt60_s * SPEED_OF_SOUND_M_S
    images = list(images_within(room.size_m, room.source_m, room.mic_m, reach_m))
    exponent = decay_exponent(room.size_m, room.rt60_s)
    best: tuple[NDArray[np.float64], float] | None = None
    known: list[tuple[float, float]] = []
    for _ in range(MAX_TRIES):
        response = shoebox_response(images, room, exponent, sample_rate_hz)
        rt60_s = _measured_s(response, sample_rate_hz)
        if best is None or abs(rt60_s - room.rt60_s) < abs(best[1] - room.rt60_s):
            best = response, rt60_s
        ratio = rt60_s / room.rt60_s
        if abs(ratio - 1.0) <= SOLVED_WITHIN:
            break
        known.append((exponent, ratio))
        exponent = _next_exponent(known)
    assert best is not None
    return best


def _next_exponent(known: list[tuple[float, float]]) -> float:
    """Between the nearest two tries that lie on either side, else by proportion from the last one."""
    too_long = max((k for k in known if k[1] > 1.0), default=None)
    too_short = min((k for k in known if k[1] < 1.0), default=None)
    if too_long is None or too_short is None:
        exponent, ratio = known[-1]
        return min(MAX_EXPONENT, exponent * min(2.0, max(0.5, ratio)))
    (x0, y0), (x1, y1) = too_long, too_short
    share = math.log(y0) / (math.log(y0) - math.log(y1))
    return x0 + (x1 - x0) * min(0.9, max(0.1, share))


def _measured_s(response: NDArray[np.float64], sample_rate_hz: int) -> float:
    """The RT60; where it cannot be read, a guess on the right side: too long to be seen, or none at all."""
    decay = measure_decay(response, sample_rate_hz)
    if decay is not None:
        return decay.rt60_s
    power = np.square(response)
    still_rings = power[9 * power.size // 10 :].sum() > 1e-6 * power.sum()
    return (2.0 if still_rings else 0.1) * response.size / sample_rate_hz


def _cut(response: NDArray[np.float64]) -> NDArray[np.float64]:
    left = np.cumsum(np.square(response)[::-1])[::-1]
    return response[: int(np.count_nonzero(left > left[0] * 10.0 ** (END_DB / 10.0)))]


def _direct_m(room: ShoeboxRoom) -> float:
    return math.dist(room.source_m, room.mic_m)
