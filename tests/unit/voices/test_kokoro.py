"""Kokoro: how long texts are cut; and, where its files are, real speech."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.problems import InputError
from vgsynth.voices import assets, kokoro_model
from vgsynth.voices.catalogue import DEFAULT_EIGHT
from vgsynth.voices.kokoro import MAX_PHONEMES, KokoroEngine, phonemes, split_phonemes

ENGINE = KokoroEngine()
SENTENCE = "Set a timer for ten minutes."


@pytest.mark.parametrize(
    ("text", "limit", "pieces"),
    [
        ("ab cd", 5, ["ab cd"]),
        ("ab. cd, ef", 8, ["ab.", "cd, ef"]),  # at a sentence's end rather than at the later comma
        ("ab cd, ef gh", 8, ["ab cd,", "ef gh"]),
        ("ab cd ef gh", 8, ["ab cd ef", "gh"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("a. bcdefgh ijk lm", 14, ["a. bcdefgh ijk", "lm"]),  # a very early end is no place to cut
        ("ab? cd! ef", 6, ["ab?", "cd! ef"]),
        ("abcd .... efgh", 5, ["abcd", "efgh"]),  # a piece without a sound is dropped
        ("", 5, []),
        ("...", 5, []),
    ],
)
def test_long_texts_are_cut_where_a_speaker_pauses(text: str, limit: int, pieces: list[str]) -> None:
    assert split_phonemes(text, limit) == pieces


@given(st.text(alphabet="abə .,!?", max_size=300), st.integers(8, 60))
def test_pieces_are_short_enough_and_lose_no_sound(text: str, limit: int) -> None:
    pieces = split_phonemes(text, limit)
    assert all(0 < len(piece) <= limit for piece in pieces)
    sounds = [c for c in text if c.isalpha()]
    assert [c for piece in pieces for c in piece if c.isalpha()] == sounds


def test_missing_files_name_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VGSYNTH_ASSETS", str(tmp_path))
    with pytest.raises(InputError, match="is not here; run: vgsynth voices fetch"):
        KokoroEngine().fingerprint("af_kore", {})
    with pytest.raises(InputError, match="did you mean 'af_kore'"):
        KokoroEngine().fingerprint("af_koree", {})


def say(text: str = SENTENCE, voice: str = "af_aoede", **settings: float) -> bytes:
    return ENGINE.speak(text, voice, settings).samples.tobytes()


@pytest.mark.speech
def test_real_speech() -> None:
    said = ENGINE.speak(SENTENCE, "af_aoede", {})
    assert said.sample_rate_hz == 24_000
    assert said.samples.dtype == np.float32
    assert 1.0 < said.samples.size / 24_000 < 3.5
    assert 0.05 < np.abs(said.samples).max() <= 1.5
    # Speech has most of its power below 4 kHz.
    power = np.abs(np.fft.rfft(said.samples)) ** 2
    hertz = np.fft.rfftfreq(said.samples.size, 1 / 24_000)
    assert power[hertz < 4_000].sum() > 0.9 * power.sum()


@pytest.mark.speech
def test_the_same_bytes_again_in_other_processes_and_with_more_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = say()
    assert say() == here
    monkeypatch.setenv("VGSYNTH_SPEECH_THREADS", "2")
    for method in ("spawn", "fork"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            assert pool.apply(say) == here


@pytest.mark.speech
def test_the_prepared_model_says_the_same_as_the_original(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = kokoro_model.prepared_model(assets.model_asset().path())
    if prepared is None:
        pytest.skip("no prepared model on this machine: the original is used")
    quick = [say(voice=voice) for voice in ("am_eric", "bf_emma")]
    monkeypatch.setenv("VGSYNTH_PLAIN_MODEL", "1")
    kokoro_model.session.cache_clear()
    plain = [say(voice=voice) for voice in ("am_eric", "bf_emma")]
    kokoro_model.session.cache_clear()
    assert quick == plain


@pytest.mark.speech
def test_a_damaged_prepared_model_is_left_for_the_original(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no model")
    here = say()
    monkeypatch.setattr(kokoro_model, "prepared_model", lambda _: broken)
    kokoro_model.session.cache_clear()
    there = say()
    kokoro_model.session.cache_clear()
    assert there == here
    assert not broken.exists()


@pytest.mark.speech
def test_speed_is_heeded() -> None:
    slow, usual, quick = (len(say(speed=speed)) for speed in (0.5, 1.0, 2.0))
    assert slow > 1.5 * usual
    assert quick < 0.75 * usual
    assert say(speed=1) == say()


@pytest.mark.speech
def test_the_default_voices_all_differ() -> None:
    said = [say("Stop.", voice_id.removeprefix("kokoro/")) for voice_id in DEFAULT_EIGHT]
    assert len({sha256_hex(data) for data in said}) == 8


@pytest.mark.speech
def test_accents_have_their_own_sounds() -> None:
    assert "ɹ" in phonemes("car", "af_aoede")
    assert "ɹ" not in phonemes("car", "bf_emma")


@pytest.mark.speech
def test_a_text_over_the_limit_is_spoken_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    long = phonemes("Remind me to water the plants in the garden before the sun goes down. " * 9, "af_aoede")
    pieces = split_phonemes(long, MAX_PHONEMES)
    assert len(pieces) == 2
    assert all(piece.endswith(".") for piece in pieces)
    monkeypatch.setattr("vgsynth.voices.kokoro.MAX_PHONEMES", 20)
    assert say("Stop the timer. Call mom.") == say("Stop the timer.") + say("Call mom.")


@pytest.mark.speech
def test_a_text_without_sounds_is_refused() -> None:
    with pytest.raises(InputError, match="no sounds are known"):
        ENGINE.speak("世界", "af_aoede", {})


def test_where_the_model_cannot_be_prepared_the_original_does(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    original = tmp_path / "model.onnx"
    original.write_bytes(b"no model at all")
    assert kokoro_model.prepared_model(original) is None
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", "model.onnx"]
