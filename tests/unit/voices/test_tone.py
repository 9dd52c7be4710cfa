"""The test voice: the same bytes on every machine."""

from __future__ import annotations

import numpy as np
import pytest

from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.problems import InputError
from vgsynth.voices.catalogue import TONE_VOICES
from vgsynth.voices.tone import ToneEngine, _sine_table

ENGINE = ToneEngine()


def test_its_bytes_never_change() -> None:
    said = ENGINE.speak("Set a timer.", "alto", {})
    assert said.sample_rate_hz == 24_000
    assert (
        sha256_hex(said.samples.astype("<f4").tobytes())
        == "c3b7c46ff36fbd7ab7bfe46b387469b19b0a806ce7b93621aa660277b577674a"
    )


def test_sixteen_bits_and_no_clipping() -> None:
    for voice in TONE_VOICES:
        steps = ENGINE.speak("the quick brown fox jumps over 13 lazy dogs", voice, {}).samples * 32_768
        assert np.array_equal(steps, np.round(steps))
        assert 4_000 < np.abs(steps).max() <= 16_384


def test_length_follows_from_the_letters() -> None:
    # Two edges of 100 ms; seven letters of 70 ms; a gap of 40 ms behind each of two words.
    assert ENGINE.speak("Hi, there", "bass", {}).samples.size == 2 * 2_400 + 7 * 1_680 + 2 * 960


def test_voices_and_words_differ() -> None:
    said = {
        sha256_hex(ENGINE.speak(text, voice, {}).samples.tobytes())
        for voice in TONE_VOICES
        for text in ("ab", "ba")
    }
    assert len(said) == 2 * len(TONE_VOICES)


def test_the_table_is_near_a_sine() -> None:
    exact = 16_384 * np.sin(2 * np.pi * np.arange(1024) / 1024)
    assert np.abs(_sine_table() - exact).max() < 0.002 * 16_384


@pytest.mark.parametrize(
    ("voice", "settings", "words"), [("altoo", {}, "did you mean 'alto'"), ("alto", {"x": 1}, "'x'")]
)
def test_refusals(voice: str, settings: dict[str, int], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ENGINE.speak("a", voice, settings)
