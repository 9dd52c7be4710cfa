"""Cut silence off both ends of speech, before its level is measured."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vgsynth.contract.problems import InputError
from vgsynth.plan.model import Trim
from vgsynth.voices.protocol import Audio

FRAME_S = 0.010


@dataclass(frozen=True, slots=True, kw_only=True)
class Trimmed:
    """What is left, and how many samples went at each end."""

    samples: Audio
    start_samples: int
    end_samples: int


def trim(samples: Audio, sample_rate_hz: int, rule: Trim, *, name: str = "audio") -> Trimmed:
    """Cut leading and trailing frames (10 ms) that lie ``threshold_db`` or more below the loudest frame.

    ``samples`` has shape (n,); the last frame may be shorter. The threshold is relative.
    Raises InputError, with ``name`` as its place, where the samples are digital silence or none.
    """
    refuse_silence(samples, name=name)
    frame = max(1, round(FRAME_S * sample_rate_hz))
    power = frame_power(samples, frame)
    loud = np.flatnonzero(power > power.max() * 10.0 ** (-rule.threshold_db / 10.0))
    first, last = (loud[0], loud[-1]) if loud.size else (power.argmax(), power.argmax())
    start = max(0, int(first) * frame - rule.pad_samples)
    end = min(samples.size, (int(last) + 1) * frame + rule.pad_samples)
    return Trimmed(samples=samples[start:end], start_samples=start, end_samples=samples.size - end)


def frame_power(samples: Audio, frame: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Mean square of each frame, in float64, shape (ceil(n / frame),)."""
    starts = np.arange(0, samples.size, frame)
    sums = np.add.reduceat(np.square(samples, dtype=np.float64), starts)
    return np.asarray(sums / np.diff(np.append(starts, samples.size)))


def refuse_silence(samples: Audio, *, name: str) -> None:
    """Raises InputError where there is no sample, one that is no number, or none other than zero."""
    if not samples.size:
        raise InputError.at(name, "there is no audio in it", "give a source with speech")
    if not np.isfinite(samples).all():
        raise InputError.at(name, "some of its samples are not finite numbers", "give a source without NaN")
    if not samples.any():
        raise InputError.at(name, "it is digital silence", "give a source with speech")
