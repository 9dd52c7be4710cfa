"""A test voice: vowel-like tones drawn from the text, plainly not speech.

For tests whose bytes must be the same on every machine: oscillators in whole numbers alone, 16 bits.
Each letter becomes a tone, with gaps between words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vgsynth.plan.model import Setting
from vgsynth.voices.catalogue import TONE_VOICES
from vgsynth.voices.protocol import Utterance
from vgsynth.voices.settings import Rules, check_settings, did_you_mean, voice_error

SAMPLE_RATE_HZ = 24_000
SETTINGS: Rules = {}
_TABLE_BITS = 10
_F0_HZ = {"bass": 92, "tenor": 131, "reed": 163, "alto": 196, "soprano": 247, "bell": 311}
_LETTER_SAMPLES = 1_680
"""70 ms."""
_GAP_SAMPLES = 960
_EDGE_SAMPLES = 2_400
"""Silence at both ends, so that trimming has something to do."""
_RAMP_SAMPLES = 240


class ToneEngine:
    """The test voice."""

    deterministic = True

    def fingerprint(self, voice: str, settings: Mapping[str, Setting]) -> str:
        """The version of this arithmetic."""
        _check(voice, settings)
        return "tone 1"

    def speak(self, text: str, voice: str, settings: Mapping[str, Setting]) -> Utterance:
        """24 kHz, 16-bit values, peak at -6 dBFS or below."""
        _check(voice, settings)
        edge = np.zeros(_EDGE_SAMPLES, dtype=np.int64)
        gap = np.zeros(_GAP_SAMPLES, dtype=np.int64)
        pieces = [edge]
        for word in text.split():
            pieces += [*(_tone(voice, letter) for letter in word if letter.isalnum()), gap]
        pieces.append(edge)
        samples = np.concatenate(pieces)
        return Utterance((samples / 32_768).astype(np.float32), SAMPLE_RATE_HZ)


def _check(voice: str, settings: Mapping[str, Setting]) -> None:
    check_settings(f"tone/{voice}", settings, SETTINGS)
    if voice not in _F0_HZ:
        raise voice_error(f"tone/{voice}", "there is no such voice", did_you_mean(voice, TONE_VOICES))


@lru_cache(maxsize=512)
def _tone(voice: str, letter: str) -> NDArray[np.int64]:
    """One letter, shape (1680,), in 16-bit steps: eight harmonics, weighted by a hash of voice and letter."""
    seed = hashlib.sha256(f"{voice}/{letter}".encode()).digest()
    f0_hz = _F0_HZ[voice] * (96 + seed[0] % 9) // 100
    n = np.arange(_LETTER_SAMPLES, dtype=np.int64)
    total = np.zeros(_LETTER_SAMPLES, dtype=np.int64)
    weights = [(1 + seed[harmonic] % 16) * 16 // harmonic for harmonic in range(1, 9)]
    table = _sine_table()
    for harmonic, weight in enumerate(weights, start=1):
        phase = n * f0_hz * harmonic * (1 << _TABLE_BITS) // SAMPLE_RATE_HZ
        total += weight * table[phase & ((1 << _TABLE_BITS) - 1)]
    ramp = np.minimum(np.minimum(n + 1, n[::-1] + 1), _RAMP_SAMPLES)
    loudness = 8_192 + 32 * seed[31]  # of 16384
    return np.asarray(total * ramp // _RAMP_SAMPLES * loudness // (16_384 * sum(weights)))


@lru_cache(maxsize=1)
def _sine_table() -> NDArray[np.int64]:
    """One period of a near sine, 1024 values in [-16384, 16384], by whole numbers alone.

    Bhaskara's approximation, sin(pi x) ~ 16 x (1 - x) / (5 - 4 x (1 - x)) on [0, 1], within 0.2 %.
    """
    half = 1 << (_TABLE_BITS - 1)
    n = np.arange(half, dtype=np.int64)
    hump = n * (half - n)
    first = 16_384 * 16 * hump // (5 * half * half - 4 * hump)
    return np.concatenate([first, -first])
