"""Changed copies of a clip. The original always stays beside them: a change may take a cue away."""

from __future__ import annotations

import numpy as np
from scipy import signal

from vgeval.methods.operators.clip import FLOOR_DBFS, Clip, dbfs

_LOUDEST = 0.99
_QUIETEST = 0.1


def louder(clip: Clip, *, level_dbfs: float = -20.0) -> Clip:
    """The clip at an RMS level, or as near to it as its peak allows. Silence stays as it is."""
    level = dbfs(clip.samples)
    if level <= FLOOR_DBFS:
        return clip
    gain = min(10 ** ((level_dbfs - level) / 20), _LOUDEST / float(np.abs(clip.samples).max()))
    return Clip(samples=clip.samples * gain, rate_hz=clip.rate_hz)


def band_pass(clip: Clip, *, low_hz: float, high_hz: float) -> Clip:
    """The clip between two frequencies: a Butterworth filter of order 4, forward and back, without delay.

    Raises ValueError for limits that are not 0 < low < high < half the sampling rate.
    """
    if not 0 < low_hz < high_hz < clip.rate_hz / 2:
        raise ValueError(f"band limits have to be 0 < low_hz < high_hz < {clip.rate_hz / 2:g}")
    sections = signal.butter(4, (low_hz, high_hz), "bandpass", fs=clip.rate_hz, output="sos")
    if len(clip.samples) <= 3 * (2 * len(sections) + 1):
        raise ValueError("the clip is too short to be filtered")
    return Clip(samples=signal.sosfiltfilt(sections, clip.samples), rate_hz=clip.rate_hz)


def denoise(clip: Clip, *, over_noise_db: float = 6.0, floor_db: float = -20.0) -> Clip:
    """The clip behind a spectral gate: bins under ``over_noise_db`` over the noise get ``floor_db``.

    The noise of each frequency is taken from its quietest tenth of frames: of stationary noise, whose power
    is distributed exponentially, that quantile is -ln(0.9) of the mean. Raises ValueError for a clip that is
    too short to have some.
    """
    length = 512
    if len(clip.samples) < 4 * length:
        raise ValueError("the clip is too short to tell noise from speech")
    _, _, bins = signal.stft(clip.samples, clip.rate_hz, nperseg=length)
    power = np.abs(bins) ** 2
    noise = np.quantile(power, _QUIETEST, axis=1, keepdims=True) / -np.log(1 - _QUIETEST)
    gain = np.where(power > noise * 10 ** (over_noise_db / 10), 1.0, 10 ** (floor_db / 20))
    gain = signal.convolve2d(gain, np.full((3, 3), 1 / 9), mode="same", boundary="symm")
    _, cleaned = signal.istft(bins * gain, clip.rate_hz, nperseg=length)
    return Clip(samples=cleaned[: len(clip.samples)], rate_hz=clip.rate_hz)
