"""Envelope and coarse spectrogram of a clip."""

from __future__ import annotations

import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vgsynth.report.preview import (
    BANDS,
    CEILING_DBFS,
    FLOOR_DBFS,
    MAX_COLUMNS,
    envelope,
    preview,
    spectrogram_dbfs,
)

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


@given(arrays(np.int16, st.integers(1, 400)), st.integers(1, 300))
def test_the_envelope_bounds_its_stretch(pcm: np.ndarray, columns: int) -> None:
    low, high = envelope(pcm, columns)
    for column in range(columns):
        start = column * pcm.size // columns
        end = max(start + 1, (column + 1) * pcm.size // columns)
        assert low[column] * 32768 == pcm[start:end].min()
        assert high[column] * 32768 == pcm[start:end].max()


@given(arrays(np.int16, st.integers(0, 3000)), st.sampled_from([8_000, 16_000, 22_050, 48_000]))
def test_a_preview_is_whole_and_within_bounds(pcm: np.ndarray, rate_hz: int) -> None:
    made = preview(pcm, rate_hz)
    assert 1 <= made["columns"] <= MAX_COLUMNS
    assert len(made["spectrogram"]) == made["columns"] * BANDS
    assert set(made["spectrogram"]) <= set(DIGITS)
    pairs = np.frombuffer(base64.b64decode(made["envelope"]), dtype=np.int8).reshape(-1, 2)
    assert len(pairs) == made["columns"]
    assert (pairs[:, 0] <= pairs[:, 1]).all()


def test_the_envelope_survives_its_quantisation() -> None:
    rng = np.random.default_rng(0)
    pcm = (rng.standard_normal(16_000) * 300).astype(np.int16)
    made = preview(pcm, 16_000)
    assert made["columns"] == 50
    pairs = np.frombuffer(base64.b64decode(made["envelope"]), dtype=np.int8).reshape(-1, 2)
    blocks = pcm.reshape(50, 320) / 32768
    step = made["peak"] / 127
    assert pairs * step == pytest.approx(
        np.stack([blocks.min(axis=1), blocks.max(axis=1)], axis=1), abs=step / 2 + 1e-6
    )


@pytest.mark.parametrize(("frequency_hz", "amplitude"), [(1_062.5, 0.5), (62.5, 0.01), (7_937.5, 1.0)])
def test_a_tone_has_its_level_in_its_band(frequency_hz: float, amplitude: float) -> None:
    t = np.arange(16_000) / 16_000
    pcm = np.round(32767 * amplitude * np.sin(2 * np.pi * frequency_hz * t)).astype(np.int16)
    levels = spectrogram_dbfs(pcm, 16_000, 10)
    assert levels.shape == (10, BANDS)
    # 4 bins of 31.25 Hz a band. A Hann window puts the tone's power, 1.5 times it, into three of them.
    expected = 20 * np.log10(amplitude) + 10 * np.log10(1.5 / 4)
    assert levels[1:-1].argmax(axis=1).tolist() == [int(frequency_hz // 125)] * 8
    assert levels[5].max() == pytest.approx(expected, abs=0.15)


def test_levels_become_digits_evenly() -> None:
    silence = preview(np.zeros(3200, np.int16), 16_000)
    assert set(silence["spectrogram"]) == {"A"}
    t = np.arange(3200) / 16_000
    loud = preview(np.round(32767 * np.sin(2 * np.pi * 1062.5 * t)).astype(np.int16), 16_000)
    assert max(map(DIGITS.index, loud["spectrogram"])) == 63
    middle_dbfs = (FLOOR_DBFS + CEILING_DBFS) / 2
    amplitude = 10 ** ((middle_dbfs - 10 * np.log10(1.5 / 4)) / 20)
    soft = preview(np.round(32767 * amplitude * np.sin(2 * np.pi * 1062.5 * t)).astype(np.int16), 16_000)
    digits = [DIGITS.index(d) for d in soft["spectrogram"]]
    assert digits[5 * BANDS + 8] in (31, 32)


def test_long_clips_have_no_more_columns() -> None:
    assert preview(np.zeros(16_000 * 60, np.int16), 16_000)["columns"] == MAX_COLUMNS
