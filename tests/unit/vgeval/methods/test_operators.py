"""Operators against signals whose values are known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vgeval.methods.operators.clip import Clip, dbfs, read_clip, write_clip
from vgeval.methods.operators.measures import (
    activity,
    decay_s,
    pitch_hz,
    similarity,
    snr_db,
    spectrum_hz,
)
from vgeval.methods.operators.registry import OPERATORS, run_operator
from vgeval.methods.operators.transforms import band_pass, denoise, louder

RATE = 16_000


def clip(*samples: np.ndarray) -> Clip:
    return Clip(samples=np.concatenate(samples), rate_hz=RATE)


def silence(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * RATE))


def tone(hz: float, seconds: float, level_dbfs: float = -23.0) -> np.ndarray:
    """A sine of a known RMS level."""
    t = np.arange(round(seconds * RATE)) / RATE
    return 10 ** (level_dbfs / 20) * math.sqrt(2) * np.sin(2 * np.pi * hz * t)


def voice(hz: float, seconds: float, brightness: float = 1.0, seed: int = 0) -> np.ndarray:
    """Harmonics of a fundamental that fall with frequency: a buzz with a pitch and a colour."""
    t = np.arange(round(seconds * RATE)) / RATE
    phases = np.random.default_rng(seed).uniform(0, 2 * np.pi, 60)
    harmonics = [
        k**-brightness * np.sin(2 * np.pi * hz * k * t + phases[k]) for k in range(1, 60) if hz * k < RATE / 2
    ]
    buzz = np.sum(harmonics, axis=0)
    return 0.07 * buzz / np.sqrt(np.mean(buzz**2))


def noise(seconds: float, level_dbfs: float, seed: int = 1) -> np.ndarray:
    return 10 ** (level_dbfs / 20) * np.random.default_rng(seed).standard_normal(round(seconds * RATE))


def test_clips_survive_writing_and_reading() -> None:
    samples = np.round(tone(440, 0.1) * 32768) / 32768
    assert np.array_equal(read_clip(write_clip(clip(samples))).samples, samples)
    loud = read_clip(write_clip(clip(np.array([2.0, -2.0]))))
    assert loud.samples.tolist() == [32767 / 32768, -1.0]


@pytest.mark.parametrize("data", [b"", b"RIFF", b"\0" * 100])
def test_what_is_no_wav_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a PCM WAV file"):
        read_clip(data)


def test_levels() -> None:
    assert dbfs(tone(1000, 1, -23.0)) == pytest.approx(-23.0, abs=0.01)
    assert dbfs(np.ones(10)) == 0.0
    assert dbfs(np.zeros(10)) == dbfs(np.zeros(0)) == -120.0


def test_activity_finds_the_stretches() -> None:
    found = activity(clip(silence(0.5), tone(300, 1.0), silence(0.6), tone(300, 0.8, -35.0), silence(0.4)))
    assert [(s.start_s, s.end_s) for s in found] == [
        (pytest.approx(0.5, abs=0.03), pytest.approx(1.5, abs=0.03)),
        (pytest.approx(2.1, abs=0.03), pytest.approx(2.9, abs=0.03)),
    ]
    assert [s.level_dbfs for s in found] == [pytest.approx(-23, abs=0.3), pytest.approx(-35, abs=0.3)]
    bridged = activity(clip(tone(300, 0.5), silence(0.2), tone(300, 0.5)))
    assert len(bridged) == 1
    assert activity(clip(silence(1))) == activity(clip(silence(0.001))) == ()


@pytest.mark.parametrize("snr", [10.0, 20.0, 30.0])
def test_snr(snr: float) -> None:
    background = noise(3, -20.0 - snr)
    background[RATE : 2 * RATE] += tone(500, 1.0, -20.0)
    # Noise lies under the tone too: 10 log10(1 + 10^(-SNR/10)) on top.
    expected = snr + 10 * math.log10(1 + 10 ** (-snr / 10))
    assert snr_db(clip(background)) == pytest.approx(expected, abs=1.0)
    assert snr_db(clip(tone(500, 1.0))) is None
    assert snr_db(clip(silence(1))) is None


@settings(deadline=None, max_examples=25)
@given(st.floats(80, 350), st.floats(0.5, 1.5))
def test_pitch(hz: float, brightness: float) -> None:
    assert np.median(pitch_hz(clip(voice(hz, 0.5, brightness)))) == pytest.approx(hz, rel=0.03)


def test_noise_has_no_pitch() -> None:
    assert len(pitch_hz(clip(noise(0.5, -20)))) < 5
    assert len(pitch_hz(clip(silence(0.01)))) == 0


def test_spectrum() -> None:
    found = spectrum_hz(clip(tone(1000, 1.0)))
    assert found == (pytest.approx(1000, abs=2), pytest.approx(1000, abs=2))
    flat = spectrum_hz(clip(noise(2.0, -20)))
    assert flat == (pytest.approx(4000, rel=0.03), pytest.approx(7600, rel=0.02))
    assert spectrum_hz(clip(silence(1))) is None


@pytest.mark.parametrize("rt60", [0.3, 0.5, 0.8])
def test_decay_of_noise_that_decays_exponentially(rt60: float) -> None:
    t = np.arange(round(1.5 * RATE)) / RATE
    tail = noise(1.5, -20, seed=2) * 10 ** (-3 * t / rt60)
    assert decay_s(clip(silence(0.3), noise(0.5, -20), tail)) == pytest.approx(rt60, rel=0.2)


def test_what_stops_at_once_decays_at_once() -> None:
    found = decay_s(clip(silence(0.3), noise(0.5, -20), silence(0.5)))
    assert found is None or found < 0.1
    assert decay_s(clip(silence(1))) is None


def test_a_voice_is_more_like_itself_than_like_another() -> None:
    one, again = clip(voice(120, 1.0, 0.8)), clip(voice(130, 1.0, 0.8, seed=3))
    other = clip(voice(220, 1.0, 1.8, seed=4))
    assert similarity(one, one) == pytest.approx(1.0)
    assert similarity(one, again) > similarity(one, other) + 0.02


def test_louder_has_its_level_and_does_not_clip() -> None:
    assert dbfs(louder(clip(tone(500, 0.5, -40)), level_dbfs=-20).samples) == pytest.approx(-20, abs=0.01)
    peaky = clip(np.r_[tone(500, 0.5, -40), 0.5])
    assert np.abs(louder(peaky, level_dbfs=0.0).samples).max() == pytest.approx(0.99)
    assert not louder(clip(silence(0.1))).samples.any()


def test_band_pass_keeps_what_is_inside() -> None:
    both = clip(tone(200, 1.0, -20) + tone(1000, 1.0, -20))
    kept = band_pass(both, low_hz=500, high_hz=2000)
    spectrum = np.abs(np.fft.rfft(kept.samples)) / len(kept.samples) * 2
    assert 20 * np.log10(spectrum[1000] / (math.sqrt(2) * 0.1)) == pytest.approx(0, abs=0.2)
    assert 20 * np.log10(spectrum[200] / (math.sqrt(2) * 0.1)) < -40


def test_denoising_raises_the_snr() -> None:
    noisy = noise(3, -40.0)
    noisy[RATE : 2 * RATE] += voice(150, 1.0)
    before, after = snr_db(clip(noisy)), snr_db(denoise(clip(noisy)))
    assert before is not None
    assert after is not None
    assert after > before + 8
    assert len(denoise(clip(noisy)).samples) == len(noisy)


SPEECH = clip(silence(0.3), voice(120, 0.8), silence(0.6), 0.3 * voice(200, 0.8, 1.5), silence(0.3))


@pytest.mark.parametrize("name", OPERATORS)
def test_every_operator_works_on_a_part_and_on_the_whole(name: str) -> None:
    arguments = {"start_s": 0.3, "end_s": 1.1}
    if name == "similarity":
        arguments |= {"other_start_s": 1.7, "other_end_s": 2.5}
    for given_arguments in (arguments, {}):
        result = run_operator(SPEECH, name, given_arguments)
        assert "failed" not in result.text
        if result.clip is not None:
            assert read_clip(write_clip(result.clip)).duration_s > 0
            expected = 0.8 if given_arguments else SPEECH.duration_s
            assert result.clip.duration_s == pytest.approx(expected, abs=0.01)


def test_results_say_what_was_measured() -> None:
    assert run_operator(SPEECH, "activity", {}).text.startswith(
        "Speech or other sound: 0.29 to 1.11 s at -23."
    )
    assert "median 120 Hz" in run_operator(SPEECH, "pitch", {"start_s": 0.3, "end_s": 1.1}).text
    # Times are those of the recording, not of the part.
    assert "1.69 to" in run_operator(SPEECH, "activity", {"start_s": 1.2}).text


BAD_CALLS = [
    ("loudness", {}, "There is no operator 'loudness'. There are: activity, level"),
    ("level", {"speed": 1}, "level takes no 'speed', but end_s, start_s"),
    ("level", {"start_s": "now"}, "start_s has to be a number"),
    ("level", {"start_s": True}, "start_s has to be a number"),
    ("level", {"start_s": math.nan}, "start_s has to be a number"),
    ("level", {"start_s": 1e300}, "There is no such part: the recording lasts 2.80 s"),
    ("level", {"start_s": 2.0, "end_s": 1.0}, "There is no such part"),
    ("level", {"start_s": -5, "end_s": -1}, "There is no such part"),
    ("band_pass", {"low_hz": 900, "high_hz": 100}, "band_pass failed: band limits have to be"),
    ("denoise", {"start_s": 0, "end_s": 0.06}, "denoise failed: the clip is too short"),
    ("similarity", {"start_s": 0.0, "end_s": 1.0}, "similarity needs"),
    ("part", {"start_s": [1]}, "start_s has to be a number"),
]


@pytest.mark.parametrize(("name", "arguments", "message"), BAD_CALLS)
def test_bad_calls_are_answered(name: str, arguments: dict[str, object], message: str) -> None:
    result = run_operator(SPEECH, name, arguments)
    assert result.text.startswith(message)
    assert result.clip is None


@settings(deadline=None, max_examples=200)
@given(
    st.sampled_from([SPEECH, clip(silence(1)), clip(np.ones(2000)), clip(np.r_[silence(0.2), 1.0])]),
    st.sampled_from(sorted(OPERATORS)),
    st.dictionaries(
        st.sampled_from(["start_s", "end_s", "other_start_s", "other_end_s", "low_hz", "level_dbfs", "x"]),
        st.floats(-1e6, 1e6) | st.integers(-3, 3) | st.none(),
        max_size=4,
    ),
)
def test_no_call_raises(heard: Clip, name: str, arguments: dict[str, object]) -> None:
    assert run_operator(heard, name, arguments).text
