"""The operators by name: what a system is told about each, and what happens when it calls one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from vgeval.methods.operators import measures, transforms
from vgeval.methods.operators.clip import FLOOR_DBFS, Clip, dbfs

Arguments = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What an operator gives back: words, and a changed clip where it makes one."""

    text: str
    clip: Clip | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """One operator."""

    about: str
    arguments: tuple[str, ...]
    """Names of its numbers, beside ``start_s`` and ``end_s``, which every operator takes."""
    apply: Callable[[Clip, Arguments], Result]


def run_operator(clip: Clip, name: str, arguments: Mapping[str, Any]) -> Result:
    """Call an operator on the part between ``start_s`` and ``end_s``, or on the whole clip.

    Whatever is wrong with a call is said in the result, in words that a system can act on.
    """
    operator = OPERATORS.get(name)
    if operator is None:
        return Result(text=f"There is no operator {name[:40]!r}. There are: {', '.join(OPERATORS)}.")
    allowed = {"start_s", "end_s", *operator.arguments}
    for key, value in arguments.items():
        if key not in allowed:
            return Result(text=f"{name} takes no {key[:40]!r}, but {', '.join(sorted(allowed))}.")
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return Result(text=f"{key} has to be a number.")
    part = clip.part(arguments.get("start_s", 0.0), arguments.get("end_s", clip.duration_s))
    if part.duration_s < 0.05:
        return Result(text=f"There is no such part: the recording lasts {clip.duration_s:.2f} s.")
    try:
        return operator.apply(part if name != "similarity" else clip, arguments)
    except ValueError as error:
        return Result(text=f"{name} failed: {error}.")


def _activity(clip: Clip, arguments: Arguments) -> Result:
    offset = max(0.0, arguments.get("start_s", 0.0))
    found = [
        f"{offset + s.start_s:.2f} to {offset + s.end_s:.2f} s at {s.level_dbfs:.1f} dBFS"
        for s in measures.activity(clip)
    ]
    return Result(text=f"Speech or other sound: {'; '.join(found) or 'none'}.")


def _level(clip: Clip, arguments: Arguments) -> Result:
    level, peak = dbfs(clip.samples), float(np.abs(clip.samples).max())
    if level <= FLOOR_DBFS:
        return Result(text="Silence.")
    snr = measures.snr_db(clip)
    told = "no background to measure" if snr is None else f"{snr:.1f} dB over the background"
    return Result(text=f"RMS {level:.1f} dBFS, peak {20 * math.log10(peak):.1f} dBFS, {told}.")


def _pitch(clip: Clip, arguments: Arguments) -> Result:
    found = measures.pitch_hz(clip)
    if len(found) < 3:
        return Result(text="No voiced speech.")
    low, middle, high = np.quantile(found, (0.1, 0.5, 0.9))
    return Result(text=f"Fundamental frequency: median {middle:.0f} Hz, mostly {low:.0f} to {high:.0f} Hz.")


def _spectrum(clip: Clip, arguments: Arguments) -> Result:
    found = measures.spectrum_hz(clip)
    if found is None:
        return Result(text="Silence.")
    return Result(
        text=f"Spectral centroid {found[0]:.0f} Hz; 95 % of the power lies under {found[1]:.0f} Hz."
    )


def _reverberation(clip: Clip, arguments: Arguments) -> Result:
    found = measures.decay_s(clip)
    if found is None:
        return Result(text="No decay can be measured.")
    return Result(text=f"After the sound ends, the level falls by 60 dB in about {found:.2f} s.")


def _similarity(clip: Clip, arguments: Arguments) -> Result:
    other = [arguments.get(name) for name in ("start_s", "end_s", "other_start_s", "other_end_s")]
    if any(value is None for value in other):
        return Result(text="similarity needs start_s, end_s, other_start_s and other_end_s.")
    start, end, other_start, other_end = (float(value) for value in other if value is not None)
    first, second = clip.part(start, end), clip.part(other_start, other_end)
    if min(first.duration_s, second.duration_s) < 0.05:
        return Result(text=f"There is no such part: the recording lasts {clip.duration_s:.2f} s.")
    found = measures.similarity(first, second)
    return Result(
        text=f"Similarity of the spectral envelopes: {found:.2f} (1 is the same; rooms change it too)."
    )


def _part(clip: Clip, arguments: Arguments) -> Result:
    return Result(text=f"The part, {clip.duration_s:.2f} s long.", clip=clip)


def _louder(clip: Clip, arguments: Arguments) -> Result:
    changed = transforms.louder(clip, level_dbfs=arguments.get("level_dbfs", -20.0))
    return Result(text=f"The part at {dbfs(changed.samples):.1f} dBFS.", clip=changed)


def _denoise(clip: Clip, arguments: Arguments) -> Result:
    return Result(text="The part behind a spectral gate.", clip=transforms.denoise(clip))


def _band_pass(clip: Clip, arguments: Arguments) -> Result:
    low, high = arguments.get("low_hz", 300.0), arguments.get("high_hz", 3400.0)
    changed = transforms.band_pass(clip, low_hz=low, high_hz=high)
    return Result(text=f"The part between {low:g} and {high:g} Hz.", clip=changed)


OPERATORS: dict[str, Operator] = {
    "activity": Operator(about="when there is sound, and how loud", arguments=(), apply=_activity),
    "level": Operator(about="RMS and peak level, and level over the background", arguments=(), apply=_level),
    "pitch": Operator(about="fundamental frequency of the voice", arguments=(), apply=_pitch),
    "spectrum": Operator(about="spectral centroid and roll-off", arguments=(), apply=_spectrum),
    "reverberation": Operator(about="how slowly sound decays", arguments=(), apply=_reverberation),
    "similarity": Operator(
        about="how alike two parts sound", arguments=("other_start_s", "other_end_s"), apply=_similarity
    ),
    "part": Operator(about="hear a part again", arguments=(), apply=_part),
    "louder": Operator(about="hear a part at another level", arguments=("level_dbfs",), apply=_louder),
    "denoise": Operator(about="hear a part with its noise reduced", arguments=(), apply=_denoise),
    "band_pass": Operator(
        about="hear a part between two frequencies", arguments=("low_hz", "high_hz"), apply=_band_pass
    ),
}
