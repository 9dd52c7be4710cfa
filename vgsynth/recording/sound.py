"""What a take sounds like: measured, judged against its text, and converted."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vgsynth.plan.model import Trim
from vgsynth.render.levels import rms, to_db
from vgsynth.render.pcm import quantise
from vgsynth.voices.protocol import Audio, Utterance
from vgsynth.voices.recordings import Channels
from vgsynth.voices.store import resampled
from vgsynth.voices.text import normalise_text, spoken_seconds_estimate
from vgsynth.voices.trimming import FRAME_S, frame_power, trim

RATE_HZ = 16_000
"""Of what is kept."""
SPEECH_WITHIN_DB = 30.0
"""Speech begins and ends with frames no more than this below the loudest one."""
SILENT_DBFS = -60.0
QUIET_DBFS = -45.0
NOISY_SNR_DB = 20.0
CUT_WITHIN_DB = 20.0
CUT_ABOVE_DB = 10.0
"""A take is cut off where its first or last frame lies no more than CUT_WITHIN_DB below its loudest one, and
CUT_ABOVE_DB above its noise."""
CANCEL_DB = 6.0
"""What averaging may take away: 3 dB where one channel of two is empty, more where they cancel."""
CLIPPED_AT = 0.9995
CLIPPED_RUN = 3
"""So many samples at full scale in a row are clipped; one or two may be a peak."""
SHORTEST, LONGEST, LONGER_S = 0.5, 2.0, 1.0
"""Speech lasts between half of what is expected and twice that and a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """A take in figures."""

    sample_rate_hz: int
    channels: int
    duration_s: float
    speech_s: float
    """From the first to the last frame of speech."""
    level_dbfs: float
    """RMS of the speech; full scale is 1.0."""
    peak_dbfs: float
    """Of the loudest channel."""
    noise_dbfs: float | None
    """RMS of the quietest tenth of all 10 ms frames; None where they are digital silence."""
    clipped_samples: int
    lost_db: float
    """Level that averaging the channels takes away."""
    loudest_dbfs: float
    first_dbfs: float
    last_dbfs: float
    """RMS of the loudest, first and last 10 ms frame."""


def measure(channels: Channels, *, name: str) -> Sound:
    """Measure a take. Raises InputError, with ``name`` as its place, where there is no sound in it."""
    frames, rate = channels.frames, channels.sample_rate_hz
    mono = channels.mono().samples
    cut = trim(mono, rate, Trim(threshold_db=SPEECH_WITHIN_DB, pad_samples=0), name=name)
    power = frame_power(mono, max(1, round(FRAME_S * rate)))
    quietest = np.sort(power)[: max(1, power.size // 10)]
    return Sound(
        sample_rate_hz=rate,
        channels=frames.shape[1],
        duration_s=mono.size / rate,
        speech_s=cut.samples.size / rate,
        level_dbfs=_db(rms(cut.samples)),
        peak_dbfs=_db(float(np.abs(frames).max())),
        noise_dbfs=to_db(math.sqrt(quietest.mean())),
        clipped_samples=sum(_in_runs(np.abs(frames[:, c]) >= CLIPPED_AT) for c in range(frames.shape[1])),
        lost_db=_db(rms(frames)) - _db(rms(mono)),
        loudest_dbfs=_db(math.sqrt(power.max())),
        first_dbfs=_db(math.sqrt(power[0])),
        last_dbfs=_db(math.sqrt(power[-1])),
    )


def is_silent(sound: Sound) -> bool:
    """Whether there is nothing to hear."""
    return sound.peak_dbfs < SILENT_DBFS


def faults(sound: Sound, text: str) -> tuple[str, ...]:
    """What is to be looked at, each in a few words."""
    expected_s = spoken_seconds_estimate(_spoken(text))
    snr_db = None if sound.noise_dbfs is None else sound.level_dbfs - sound.noise_dbfs
    said = f"{sound.speech_s:.1f} s of speech, about {expected_s:.1f} s expected"
    found = {
        f"clipped: {sound.clipped_samples} samples": sound.clipped_samples > 0,
        f"too short: {said}": sound.speech_s < SHORTEST * expected_s,
        f"too long: {said}": sound.speech_s > LONGEST * expected_s + LONGER_S,
        f"quiet: {sound.level_dbfs:.1f} dBFS": sound.level_dbfs < QUIET_DBFS,
        f"noisy: {snr_db or 0.0:.1f} dB of speech over noise": snr_db is not None and snr_db < NOISY_SNR_DB,
        "starts in mid-speech": _is_cut(sound, sound.first_dbfs),
        "ends in mid-speech": _is_cut(sound, sound.last_dbfs),
        f"low sample rate: {sound.sample_rate_hz} Hz": sound.sample_rate_hz < RATE_HZ,
        f"channels cancel: {sound.lost_db:.1f} dB lost": sound.lost_db > CANCEL_DB,
    }
    return tuple(fault for fault, holds in found.items() if holds)


def converted(channels: Channels, *, name: str) -> NDArray[np.int16]:
    """16 kHz, mono, 16 bits, shape (n,): channels averaged, scaled down where the result would clip."""
    mono: Audio = resampled(Utterance(channels.mono().samples, channels.sample_rate_hz), RATE_HZ)
    return quantise(mono, dither_seed=None, limit="scale", item_id=name).samples


def _spoken(text: str) -> str:
    try:
        return normalise_text(text)
    except ValueError:  # nothing speakable
        return text


def _in_runs(holds: NDArray[np.bool_]) -> int:
    """How many values hold in runs of CLIPPED_RUN and more."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], holds.astype(np.int8), [0]))))
    lengths = edges[1::2] - edges[::2]
    return int(lengths[lengths >= CLIPPED_RUN].sum())


def _db(amplitude: float) -> float:
    return to_db(max(amplitude, 1e-10)) or 0.0


def _is_cut(sound: Sound, edge_dbfs: float) -> bool:
    over_noise = sound.noise_dbfs is None or edge_dbfs > sound.noise_dbfs + CUT_ABOVE_DB
    return over_noise and edge_dbfs > sound.loudest_dbfs - CUT_WITHIN_DB
