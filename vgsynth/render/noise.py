"""Noise beds and dither. Made from seeds that the plan carries, by arithmetic that is written out here.

numpy promises the bits of its Philox generator for ever, but not what ``Generator`` makes of them; so bits
alone are taken from it. The same seed starts with the same samples, however many of them are asked for.
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vgsynth.contract.problems import InputError
from vgsynth.plan.model import NoisePlan

NOISE_STREAM, DITHER_STREAM = 1, 2
"""Second halves of the generator's key: a noise bed and a dither with one seed share no bits."""
PINK_FROM_HZ = 10.0
PINK_RATIO = 2.0**0.5
"""Poles at 10 Hz times powers of 2, a zero half-way to the next one: -3 dB an octave, within 0.1 dB."""
PINK_WARM_UP_S = 0.5

Wave = NDArray[np.float64]


def noise_bed(plan: NoisePlan, length: int, sample_rate_hz: int, root: Path) -> Wave:
    """Noise of any level, shape (length,). ``root`` is where the path of a noise file begins.

    A file is read from a place that the seed chooses, and starts again at its end.
    Raises InputError where the file is missing, cannot be decoded, has changed, or is silent there.
    """
    if plan.kind == "white":
        return white_noise(plan.seed, length)
    if plan.kind == "pink":
        return pink_noise(plan.seed, length, sample_rate_hz)
    if plan.path is None or plan.sha256 is None:
        raise ValueError("a noise plan of kind 'file' has a path and a SHA-256")
    recording = _recording(root, plan.path, plan.sha256, sample_rate_hz)
    start = plan.seed % recording.size
    repeats = -(-(start + length) // recording.size)
    bed: Wave = np.tile(recording, repeats)[start : start + length]
    if not bed.any():
        raise InputError.at(plan.path, "the noise is silent where it was read", "choose another file")
    return bed


def white_noise(seed: int, length: int) -> Wave:
    """White, zero-mean noise of unit variance, near to a normal distribution (excess kurtosis -0.3).

    Each sample is the sum of four uniform 16-bit numbers.
    """
    quarters = _bits(seed, NOISE_STREAM, length).view("<u2").reshape(length, 4)
    total = quarters.sum(axis=1, dtype=np.int64) - 2 * 0xFFFF
    noise: Wave = total / math.sqrt(4.0 * (2.0**32 - 1.0) / 12.0)
    return noise


def pink_noise(seed: int, length: int, sample_rate_hz: int) -> Wave:
    """White noise through a filter that falls by 3 dB an octave from 10 Hz on."""
    from scipy.signal import sosfilt

    warm_up = int(PINK_WARM_UP_S * sample_rate_hz)
    filtered: Wave = sosfilt(_pinking(sample_rate_hz), white_noise(seed, warm_up + length))
    return filtered[warm_up:]


def tpdf_dither(seed: int, length: int) -> Wave:
    """Triangular dither in steps of the quantiser: within -1 and 1, zero mean, variance 1/6."""
    halves = _bits(seed, DITHER_STREAM, length).view("<u4").reshape(length, 2).astype(np.float64)
    return (halves[:, 0] - halves[:, 1]) * 2.0**-32


def _bits(seed: int, stream: int, count: int) -> NDArray[np.uint64]:
    key = np.array([seed % 2**64, stream], dtype=np.uint64)
    bits: NDArray[np.uint64] = np.random.Philox(key=key).random_raw(count)
    return bits.astype("<u8", copy=False)


@lru_cache(maxsize=4)
def _pinking(sample_rate_hz: int) -> NDArray[Any]:
    from scipy.signal import zpk2sos

    octaves = int(np.log2(sample_rate_hz / 2.0 / PINK_FROM_HZ)) + 1
    poles_hz = PINK_FROM_HZ * 2.0 ** np.arange(octaves)
    poles, zeros = (np.exp(-2.0 * np.pi * f / sample_rate_hz) for f in (poles_hz, poles_hz * PINK_RATIO))
    return np.asarray(zpk2sos(zeros, poles, 1.0))


@lru_cache(maxsize=4)
def _recording(root: Path, path: str, sha256: str, sample_rate_hz: int) -> Wave:
    import soxr

    from vgsynth.voices.recordings import read_audio

    audio = read_audio(root / path, expected_sha256=sha256, name=path)
    samples = audio.samples.astype(np.float64)
    if audio.sample_rate_hz != sample_rate_hz:
        samples = soxr.resample(samples, audio.sample_rate_hz, sample_rate_hz, quality="VHQ")
    if not samples.any() or not np.isfinite(samples).all():
        raise InputError.at(path, "the noise is silent, or holds NaN", "choose another file")
    samples.setflags(write=False)
    return samples
