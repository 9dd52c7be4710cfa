"""Trimming: where speech begins and ends, by 10 ms frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vgsynth.contract.problems import InputError
from vgsynth.plan.model import Trim
from vgsynth.voices.trimming import trim

RATE_HZ = 16_000
FRAME = 160


def clip(*parts: tuple[float, int]) -> Any:
    """Square waves, whose RMS is their amplitude: (amplitude, samples) each."""
    waves = [amplitude * np.where(np.arange(n) % 2, -1.0, 1.0) for amplitude, n in parts]
    return np.concatenate(waves).astype(np.float32)


@pytest.mark.parametrize(
    ("parts", "threshold_db", "pad", "start", "end"),
    [
        # Silence around speech goes to the frame.
        ([(0.0, 1600), (0.5, 3200), (0.0, 800)], 40, 0, 1600, 800),
        # What is kept of it, as far as there is any.
        ([(0.0, 1600), (0.5, 3200), (0.0, 800)], 40, 200, 1400, 600),
        ([(0.0, 1600), (0.5, 3200), (0.0, 800)], 40, 5000, 0, 0),
        # Below the threshold goes, above it stays: 0.5 -> 0.006 is -38.4 dB, 0.004 is -41.9 dB.
        ([(0.006, 1600), (0.5, 1600), (0.004, 1600)], 40, 0, 0, 1600),
        # A level exactly at the threshold goes too; of equals, one frame is always left.
        ([(0.5, 320)], 0, 0, 0, 160),
        # Quiet in the middle stays.
        ([(0.0, 160), (0.5, 160), (0.0, 16000), (0.5, 160), (0.0, 160)], 40, 0, 160, 160),
        # The threshold is relative: the same cut 60 dB lower.
        ([(0.0, 1600), (0.0005, 3200), (0.0, 800)], 40, 0, 1600, 800),
        # A short last frame counts by its own mean, so that it is not taken for quiet.
        ([(0.0, 160), (0.5, 160), (0.5, 7)], 3, 0, 160, 0),
        ([(0.5, 5)], 40, 0, 0, 0),
    ],
)
def test_what_goes(
    parts: list[tuple[float, int]], threshold_db: float, pad: int, start: int, end: int
) -> None:
    samples = clip(*parts)
    cut = trim(samples, RATE_HZ, Trim(threshold_db=threshold_db, pad_samples=pad))
    assert (cut.start_samples, cut.end_samples) == (start, end)
    assert cut.samples.tobytes() == samples[start : samples.size - end].tobytes()


@pytest.mark.parametrize(
    ("samples", "words"),
    [
        (np.zeros(1600, dtype=np.float32), "digital silence"),
        (np.zeros(0, dtype=np.float32), "no audio"),
        (np.array([0.1, np.nan], dtype=np.float32), "finite"),
        (np.array([0.1, np.inf], dtype=np.float32), "finite"),
    ],
)
def test_silence_is_refused(samples: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        trim(samples, RATE_HZ, Trim(threshold_db=40, pad_samples=0), name="a.wav")


@given(
    st.integers(1, 2000),
    st.integers(0, 600),
    st.floats(0.0, 90.0),
    st.integers(0, 2**32 - 1),
    st.sampled_from([8_000, 16_000, 22_050, 44_100]),
)
def test_invariants(n: int, pad: int, threshold_db: float, seed: int, rate_hz: int) -> None:
    rng = np.random.default_rng(seed)
    samples = (rng.standard_normal(n) * rng.random(n) ** 8).astype(np.float32)
    samples[rng.integers(n)] = 0.25
    rule = Trim(threshold_db=threshold_db, pad_samples=pad)
    cut = trim(samples, rate_hz, rule)
    assert cut.start_samples + cut.samples.size + cut.end_samples == n
    assert cut.samples.size >= 1
    assert np.abs(cut.samples).max() > 0.0
    louder = trim(samples * np.float32(0.5), rate_hz, rule)  # halving is exact in floats
    assert (louder.start_samples, louder.end_samples) == (cut.start_samples, cut.end_samples)
