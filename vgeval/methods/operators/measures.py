"""What can be measured on a clip."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vgeval.methods.operators.clip import FLOOR_DBFS, Clip, Samples, dbfs, frames

_FRAME_S, _STEP_S = 0.02, 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A stretch of activity."""

    start_s: float
    end_s: float
    level_dbfs: float


def _levels(clip: Clip) -> Samples:
    """Level of each 10 ms step, in dBFS."""
    length, step = round(_FRAME_S * clip.rate_hz), round(_STEP_S * clip.rate_hz)
    power = np.mean(frames(clip.samples, length, step) ** 2, axis=1)
    levels: Samples = np.maximum(FLOOR_DBFS, 10 * np.log10(np.maximum(power, 1e-12)))
    return levels


def activity(
    clip: Clip, *, below_peak_db: float = 40.0, above_floor_db: float = 10.0, bridge_s: float = 0.25
) -> tuple[Stretch, ...]:
    """Stretches that are louder than the background, pauses of up to ``bridge_s`` included.

    A frame is active within ``below_peak_db`` of the loudest one and ``above_floor_db`` over the quietest
    tenth. Stretches of less than 0.1 s are left out.
    """
    levels = _levels(clip)
    if not len(levels) or levels.max() <= FLOOR_DBFS:
        return ()
    floor = float(np.quantile(levels, 0.1))
    threshold = max(levels.max() - below_peak_db, min(floor + above_floor_db, levels.max() - 1))
    active = np.flatnonzero(levels >= threshold)
    breaks = np.flatnonzero(np.diff(active) > round(bridge_s / _STEP_S))
    starts, ends = active[np.r_[0, breaks + 1]], active[np.r_[breaks, len(active) - 1]]
    found = []
    for first, last in zip(starts, ends, strict=True):
        start_s, end_s = first * _STEP_S, min(clip.duration_s, last * _STEP_S + _FRAME_S)
        if end_s - start_s >= 0.1:
            level = dbfs(clip.part(start_s, end_s).samples)
            found.append(Stretch(start_s=float(start_s), end_s=float(end_s), level_dbfs=level))
    return tuple(found)


def snr_db(clip: Clip) -> float | None:
    """Level of the active stretches over the level of the rest; None where either is missing or silent."""
    inside = np.zeros(len(clip.samples), dtype=bool)
    for stretch in activity(clip):
        inside[round(stretch.start_s * clip.rate_hz) : round(stretch.end_s * clip.rate_hz)] = True
    speech, rest = dbfs(clip.samples[inside]), dbfs(clip.samples[~inside])
    return None if FLOOR_DBFS in (speech, rest) else speech - rest


def pitch_hz(clip: Clip, *, lowest_hz: float = 70.0, highest_hz: float = 400.0) -> Samples:
    """Fundamental frequency of each voiced frame of 40 ms, by normalised autocorrelation; may be empty.

    A frame is voiced where the autocorrelation at the best lag is at least half of that at lag 0.
    """
    length, step = round(0.04 * clip.rate_hz), round(_STEP_S * clip.rate_hz)
    cut = frames(clip.samples, length, step)
    if not len(cut):
        return np.empty(0)
    cut = cut - cut.mean(axis=1, keepdims=True)
    spectrum = np.fft.rfft(cut, 2 * length, axis=1)
    # Harmonics over 1 kHz turn within less than a sample of lag, and would blur the peaks.
    spectrum[:, np.fft.rfftfreq(2 * length, 1 / clip.rate_hz) > 1000.0] = 0.0
    correlation = np.fft.irfft(np.abs(spectrum) ** 2, axis=1)[:, :length]
    # A lag has fewer products the longer it is: made up for, or low pitches would lose.
    correlation = correlation / (length - np.arange(length))
    least, most = round(clip.rate_hz / highest_hz), min(length - 1, round(clip.rate_hz / lowest_hz))
    energy = correlation[:, 0]
    window = correlation[:, least : most + 1]
    best = window.max(axis=1, keepdims=True)
    # The shortest lag that is nearly as good as the best one: multiples of the period are as good as itself.
    lag = least + np.argmax(_peaks(window) & (window >= 0.9 * best), axis=1)
    loud = energy > 1e-3 * energy.max()
    voiced = loud & (best[:, 0] >= 0.5 * energy) & (best[:, 0] > 0)
    found: Samples = clip.rate_hz / lag[voiced]
    return found


def _peaks(rows: Samples) -> np.ndarray:
    """Where a value is at least as large as its neighbours, row by row."""
    padded = np.pad(rows, ((0, 0), (1, 1)), mode="edge")
    return (rows >= padded[:, :-2]) & (rows >= padded[:, 2:])


def spectrum_hz(clip: Clip) -> tuple[float, float] | None:
    """Spectral centroid, and the frequency under which 95 % of the power lies; None for silence."""
    power = np.abs(np.fft.rfft(clip.samples)) ** 2
    total = float(power.sum())
    if total <= 0:
        return None
    hz = np.fft.rfftfreq(len(clip.samples), 1 / clip.rate_hz)
    rolloff = float(hz[int(np.searchsorted(np.cumsum(power), 0.95 * total))])
    return float((hz * power).sum() / total), rolloff


def decay_s(clip: Clip) -> float | None:
    """Seconds in which the level would fall by 60 dB after the clip's stretches end: an estimate of RT60.

    A line is fitted to the level from 5 dB under the stretch's last peak for as long as it falls, to 30 dB
    under it; the longest of the stretches' estimates counts, since dry speech stops at once. None where
    nothing decays.
    """
    levels = _levels(clip)
    found = []
    for stretch in activity(clip, below_peak_db=25.0, bridge_s=0.15):
        end = min(len(levels) - 1, round(stretch.end_s / _STEP_S))
        from_ = max(0, end - 30)
        peak = from_ + int(np.argmax(levels[from_ : end + 1]))
        fall = levels[peak : peak + 150] - levels[peak]
        below = np.flatnonzero(fall <= -30)
        stop = int(below[0]) + 1 if len(below) else len(fall)
        times = np.flatnonzero((fall[:stop] <= -5) & (fall[:stop] > FLOOR_DBFS / 2))
        if len(times) < 3 or fall[times[-1]] > -15:
            continue
        slope = float(np.polyfit(times * _STEP_S, fall[times], 1)[0])
        if slope < 0:
            found.append(-60.0 / slope)
    return max(found, default=None)


def envelope(clip: Clip, *, bands: int = 24) -> Samples:
    """Mean log energy of the active frames in mel bands, its own mean taken off: shape (bands,).

    The long-term spectral envelope, which differs between voices, and between rooms and distances too.
    """
    length, step = round(0.025 * clip.rate_hz), round(_STEP_S * clip.rate_hz)
    cut = frames(clip.samples, length, step)
    if not len(cut):
        return np.zeros(bands)
    power = np.abs(np.fft.rfft(cut * np.hanning(length), axis=1)) ** 2
    energy = power.sum(axis=1)
    power = power[energy > 1e-3 * energy.max()] if energy.max() > 0 else power
    hz = np.fft.rfftfreq(length, 1 / clip.rate_hz)
    mel = 2595 * np.log10(1 + hz / 700)
    centres = np.linspace(mel[1], mel[-1], bands + 2)
    weights = np.maximum(0, 1 - np.abs(mel[:, None] - centres[None, 1:-1]) / (centres[1] - centres[0]))
    logs = np.log(power @ weights + 1e-10).mean(axis=0)
    return np.asarray(logs - logs.mean())


def similarity(first: Clip, second: Clip) -> float:
    """Cosine of two clips' spectral envelopes, -1 to 1. A coarse measure: rooms change it as voices do."""
    one, two = envelope(first), envelope(second)
    size = float(np.linalg.norm(one) * np.linalg.norm(two))
    return float(one @ two) / size if size > 0 else 0.0
