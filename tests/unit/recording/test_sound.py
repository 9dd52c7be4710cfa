"""Measures of takes whose sound is known, and their conversion."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.unit.recording.made import babble
from vgsynth.contract.problems import InputError
from vgsynth.recording.sound import converted, faults, is_silent, measure
from vgsynth.voices.recordings import Channels
from vgsynth.voices.text import spoken_seconds_estimate

TEXT = "Set a timer for four minutes."
SPOKEN_S = spoken_seconds_estimate(TEXT)
"""1.6 s or so."""


def take(*channels: NDArray[np.float64], rate_hz: int = 16_000) -> Channels:
    """Channels side by side."""
    return Channels(np.stack(channels, axis=1).astype(np.float32), rate_hz)


def hiss(size: int, rms: float) -> NDArray[np.float64]:
    """White noise."""
    return np.random.default_rng(1).normal(0.0, rms, size)


def test_figures_of_a_tone() -> None:
    sound = measure(take(babble(2.0, 48_000, amplitude=0.5), rate_hz=48_000), name="x")
    assert (sound.sample_rate_hz, sound.channels, sound.clipped_samples) == (48_000, 1, 0)
    assert sound.duration_s == pytest.approx(3.0)
    assert sound.speech_s == pytest.approx(2.0, abs=0.01)
    assert sound.peak_dbfs == pytest.approx(20 * math.log10(0.5), abs=0.01)
    assert sound.level_dbfs == pytest.approx(20 * math.log10(0.5 / math.sqrt(2)), abs=0.05)
    assert sound.noise_dbfs is None
    assert sound.lost_db == pytest.approx(0.0, abs=1e-6)


def test_noise_between_the_words() -> None:
    tone = babble(2.0)
    sound = measure(take(tone + hiss(tone.size, 0.01)), name="x")
    assert sound.noise_dbfs == pytest.approx(-40.0, abs=1.5)


TONE = babble(SPOKEN_S)
LOUD = np.clip(babble(SPOKEN_S, amplitude=1.5), -1.0, 1.0)


@pytest.mark.parametrize(
    ("channels", "expected"),
    [
        pytest.param(take(TONE), [], id="as it should be"),
        pytest.param(take(TONE, np.zeros_like(TONE)), [], id="one channel is empty"),
        pytest.param(take(TONE, hiss(TONE.size, 1e-4)), [], id="one channel has hiss"),
        pytest.param(take(LOUD), ["clipped"], id="clipped"),
        pytest.param(take(TONE, LOUD), ["clipped"], id="clipped in one channel"),
        pytest.param(take(babble(0.4 * SPOKEN_S)), ["too short"], id="too short"),
        pytest.param(take(babble(2 * SPOKEN_S + 1.2)), ["too long"], id="too long"),
        pytest.param(take(babble(0.6 * SPOKEN_S)), [], id="quick"),
        pytest.param(take(babble(2 * SPOKEN_S)), [], id="slow"),
        pytest.param(take(TONE * 0.02), ["quiet"], id="quiet"),
        pytest.param(take(TONE + hiss(TONE.size, 0.02)), ["noisy"], id="17 dB over noise"),
        pytest.param(take(TONE + hiss(TONE.size, 0.005)), [], id="29 dB over noise"),
        pytest.param(take(TONE[8000:]), ["starts in mid-speech"], id="cut at the start"),
        pytest.param(take(TONE[:-8000]), ["ends in mid-speech"], id="cut at the end"),
        pytest.param(take(babble(SPOKEN_S, 8000), rate_hz=8000), ["low sample rate"], id="8 kHz"),
        pytest.param(take(TONE, -0.8 * TONE), ["channels cancel"], id="opposite phases"),
    ],
)
def test_what_is_to_be_looked_at(channels: Channels, expected: list[str]) -> None:
    found = faults(measure(channels, name="x"), TEXT)
    assert [fault.partition(":")[0] for fault in found] == expected


def test_a_peak_at_full_scale_is_not_clipped() -> None:
    """Two samples in a row may be a peak, three are flat."""
    tone = TONE.copy()
    tone[10_000:10_002] = 1.0
    assert measure(take(tone), name="x").clipped_samples == 0
    tone[10_002] = 1.0
    assert measure(take(tone), name="x").clipped_samples == 3


def test_silence() -> None:
    assert is_silent(measure(take(hiss(16_000, 1e-4)), name="x"))
    assert not is_silent(measure(take(TONE), name="x"))
    with pytest.raises(InputError, match="digital silence"):
        measure(take(np.zeros(16_000)), name="x")
    with pytest.raises(InputError, match="not finite"):
        measure(take(np.full(16_000, np.nan)), name="x")


@pytest.mark.parametrize("rate_hz", [8000, 16_000, 22_050, 44_100, 48_000, 96_000])
def test_conversion_keeps_time_pitch_and_level(rate_hz: int) -> None:
    n = np.arange(rate_hz)
    samples = converted(take(0.5 * np.sin(2 * np.pi * 1000 * n / rate_hz), rate_hz=rate_hz), name="x")
    assert samples.dtype == np.dtype("<i2")
    assert abs(samples.size - 16_000) <= 1
    middle = samples[2000:14_000].astype(np.float64) / 32768
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(middle.size)))
    assert spectrum.argmax() * 16_000 / middle.size == pytest.approx(1000, abs=2)
    assert np.sqrt(np.mean(middle**2)) == pytest.approx(0.5 / math.sqrt(2), rel=0.005)


def test_what_16_khz_cannot_hold_is_filtered_out() -> None:
    """10 kHz would fold to 6 kHz."""
    n = np.arange(48_000)
    samples = converted(take(0.5 * np.sin(2 * np.pi * 10_000 * n / 48_000), rate_hz=48_000), name="x")
    assert np.abs(samples[2000:14_000]).max() <= 3


def test_channels_are_averaged_and_what_would_wrap_is_scaled() -> None:
    n = np.arange(16_000)
    tone = np.sin(2 * np.pi * 100 * n / 16_000)
    assert np.abs(converted(take(0.8 * tone, 0.2 * tone), name="x")).max() == pytest.approx(
        0.5 * 32768, abs=2
    )
    loud = converted(take(1.5 * tone), name="x")
    assert np.abs(loud.astype(int)).max() == 32767
    np.testing.assert_allclose(loud / 32767, tone, atol=1e-4)
