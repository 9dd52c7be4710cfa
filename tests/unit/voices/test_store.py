"""Stems: made once, the same in every process, pinned where the engine is not deterministic."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.unit.voices.audio_files import pcm16, wav_bytes
from vgsynth.cache.arrays import ArrayCache
from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.problems import InputError
from vgsynth.plan.model import Recording, Setting, Speech, Trim, VoicePlan
from vgsynth.voices import registry
from vgsynth.voices.protocol import Utterance
from vgsynth.voices.store import StemStore, resampled
from vgsynth.voices.tone import ToneEngine

RATE_HZ = 16_000
TRIM = Trim(threshold_db=40.0, pad_samples=160)


def say(
    text: str = "Set a timer for 7:30.", voice: str = "alto", engine: str = "tone", **settings: Setting
) -> Speech:
    return Speech(
        voice=VoicePlan(engine=engine, name=voice, settings=tuple(sorted(settings.items()))), text=text
    )


@pytest.fixture
def store(tmp_path: Path) -> StemStore:
    return StemStore(ArrayCache(tmp_path / "cache", max_bytes=1 << 26), tmp_path)


class Dice:
    """An engine that says something else each time, as unseeded ones do."""

    deterministic = False

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Setting]]] = []

    def fingerprint(self, voice: str, settings: Mapping[str, Setting]) -> str:
        return "dice 1"

    def speak(self, text: str, voice: str, settings: Mapping[str, Setting]) -> Utterance:
        self.calls.append((text, dict(settings)))
        rng = np.random.default_rng(int.from_bytes(os.urandom(4), "little"))
        return Utterance(rng.uniform(-0.5, 0.5, 8_000).astype(np.float32), 8_000)


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> Dice:
    made, real = Dice(), registry.engine
    monkeypatch.setattr(registry, "engine", lambda name: made if name == "dice" else real(name))
    return made


def test_what_a_stem_says_of_itself(store: StemStore) -> None:
    stem = store.stem(say(), TRIM, RATE_HZ)
    assert stem.spoken == "Set a timer for seven thirty."
    assert stem.sample_rate_hz == RATE_HZ
    assert stem.samples.dtype == np.float32
    assert stem.sha256 == sha256_hex(stem.samples.astype("<f4").tobytes())
    assert not stem.pinned
    whole = store.stem(say(), None, RATE_HZ)
    cut = whole.samples[stem.trimmed_start_samples : whole.samples.size - stem.trimmed_end_samples]
    assert cut.tobytes() == stem.samples.tobytes()
    # 100 ms of silence at each end, of which 10 ms are kept, to the 10 ms frame.
    assert stem.trimmed_start_samples == 1440
    assert stem.trimmed_end_samples > 0


def test_its_length_is_that_of_the_speech(store: StemStore) -> None:
    spoken = ToneEngine().speak("Set a timer for seven thirty.", "alto", {}).samples.size
    assert store.stem(say(), None, 24_000).samples.size == spoken
    assert abs(store.stem(say(), None, RATE_HZ).samples.size - spoken * 2 / 3) <= 1


def test_found_again_and_known_before(store: StemStore, tmp_path: Path) -> None:
    source = say()
    assert not store.cached(source, TRIM, RATE_HZ)
    made = store.stem(source, TRIM, RATE_HZ)
    assert store.cached(source, TRIM, RATE_HZ)
    assert store.stem(source, TRIM, RATE_HZ) is made
    again = StemStore(ArrayCache(tmp_path / "cache", max_bytes=1 << 26), tmp_path).stem(source, TRIM, RATE_HZ)
    assert again.samples.tobytes() == made.samples.tobytes()
    assert (again.sha256, again.spoken, again.pinned) == (made.sha256, made.spoken, made.pinned)


def test_an_emptied_or_damaged_cache_changes_nothing(store: StemStore, tmp_path: Path) -> None:
    made = store.stem(say(), TRIM, RATE_HZ)
    for path in (tmp_path / "cache").rglob("*.bin"):
        path.write_bytes(path.read_bytes()[:50])
    other = StemStore(ArrayCache(tmp_path / "cache", max_bytes=1 << 26), tmp_path)
    assert other.stem(say(), TRIM, RATE_HZ).sha256 == made.sha256
    third = StemStore(
        ArrayCache(tmp_path / "other", max_bytes=1), tmp_path
    )  # a cache too small to keep anything
    assert third.stem(say(), TRIM, RATE_HZ).sha256 == made.sha256


def test_stems_cannot_be_changed(store: StemStore) -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match="read-only"):
            store.stem(say(), TRIM, RATE_HZ).samples[0] = 1.0


def test_the_key_holds_all_that_matters_and_nothing_else(store: StemStore) -> None:
    base = store.key(say(), TRIM, RATE_HZ)
    assert base == store.key(say("Set a timer  for seven thirty."), TRIM, RATE_HZ)  # said alike
    others = [
        store.key(say("Set a timer."), TRIM, RATE_HZ),
        store.key(say(voice="bass"), TRIM, RATE_HZ),
        store.key(say(), None, RATE_HZ),
        store.key(say(), Trim(threshold_db=41.0, pad_samples=160), RATE_HZ),
        store.key(say(), Trim(threshold_db=40.0, pad_samples=161), RATE_HZ),
        store.key(say(), TRIM, 8_000),
    ]
    assert len({base, *others}) == 1 + len(others)


def test_random_output_is_pinned(store: StemStore, tmp_path: Path, dice: Dice) -> None:
    source = say(engine="dice", voice="d")
    first = store.stem(source, TRIM, RATE_HZ)
    assert first.pinned
    other = StemStore(ArrayCache(tmp_path / "cache", max_bytes=1 << 26), tmp_path)
    assert other.stem(source, TRIM, RATE_HZ).sha256 == first.sha256
    # Another trim or rate is another cut of the same words, not another try at them.
    whole = other.stem(source, None, 8_000)
    assert whole.samples.size == 8_000
    assert resampled(Utterance(whole.samples, 8_000), RATE_HZ).size == 16_000
    assert len(dice.calls) == 1


def test_pinned_output_outlives_a_full_cache(tmp_path: Path, dice: Dice) -> None:
    small = StemStore(ArrayCache(tmp_path / "cache", max_bytes=400_000), tmp_path)
    source = say(engine="dice", voice="d")
    first = small.stem(source, TRIM, RATE_HZ)
    for number in range(40):
        small.stem(say(f"word {'a' * number}"), TRIM, RATE_HZ)
    other = StemStore(ArrayCache(tmp_path / "cache", max_bytes=400_000), tmp_path)
    assert other.stem(source, TRIM, RATE_HZ).sha256 == first.sha256
    assert len(dice.calls) == 1


def test_the_memory_is_bounded(store: StemStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vgsynth.voices.store.MEMO_BYTES", 300_000)
    for number in range(20):
        store.stem(say(f"number {number}"), TRIM, RATE_HZ)
    assert 0 < sum(stem.samples.nbytes for stem in store._memo.values()) <= 300_000


def test_paths_of_voices_begin_at_the_specs_folder(store: StemStore, tmp_path: Path, dice: Dice) -> None:
    store.stem(say(engine="dice", voice="d", path="models/a.onnx"), None, RATE_HZ)
    assert dice.calls[0][1] == {"path": str(tmp_path / "models/a.onnx")}


STEPS = np.concatenate([np.zeros(1_600), 8_000 * np.sin(np.arange(8_000) / 5), np.zeros(800)]).round()


def recording(folder: Path, name: str = "a.wav", data: bytes | None = None) -> Recording:
    data = wav_bytes(pcm16(STEPS)) if data is None else data
    (folder / name).write_bytes(data)
    return Recording(path=name, sha256=sha256_hex(data), text="As it was said at 7:30.")


def test_recordings(store: StemStore, tmp_path: Path) -> None:
    source = recording(tmp_path)
    stem = store.stem(source, Trim(threshold_db=40.0, pad_samples=0), RATE_HZ)
    np.testing.assert_array_equal(stem.samples * 32_768, STEPS[1_600:9_600])
    assert (stem.trimmed_start_samples, stem.trimmed_end_samples) == (1_600, 800)
    assert stem.spoken == "As it was said at 7:30."
    assert not stem.pinned
    (tmp_path / "a.wav").unlink()  # planned and cached: the file is not read again
    other = StemStore(ArrayCache(tmp_path / "cache", max_bytes=1 << 26), tmp_path)
    assert other.stem(source, Trim(threshold_db=40.0, pad_samples=0), RATE_HZ).sha256 == stem.sha256


def test_a_recording_at_another_rate_keeps_its_pitch_and_loses_what_would_fold(
    store: StemStore, tmp_path: Path
) -> None:
    n = np.arange(48_000)
    waves = 6_000 * np.sin(2 * np.pi * 1_000 * n / 48_000) + 6_000 * np.sin(2 * np.pi * 11_000 * n / 48_000)
    stem = store.stem(
        recording(tmp_path, data=wav_bytes(pcm16(waves.round()), rate_hz=48_000)), None, RATE_HZ
    )
    spectrum = np.abs(np.fft.rfft(stem.samples[2_000:14_000] * np.hanning(12_000)))
    hertz = np.fft.rfftfreq(12_000, 1 / RATE_HZ)
    assert hertz[spectrum.argmax()] == pytest.approx(1_000, abs=2)
    folded = spectrum[np.abs(hertz - 5_000) < 50].max()  # 16 kHz - 11 kHz
    assert 20 * np.log10(folded / spectrum.max()) < -90


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (say("..."), "nothing in '...' can be spoken; give a text with words"),
        (say(voice="nobody"), "there is no such voice"),
        (say(engine="nothing"), "there is no such voice engine"),
        (Recording(path="gone.wav", sha256="0" * 64), "gone.wav  cannot be read"),
    ],
)
def test_errors_name_their_place(store: StemStore, source: Any, words: str) -> None:
    with pytest.raises(InputError) as caught:
        store.stem(source, TRIM, RATE_HZ)
    assert words in str(caught.value)


@pytest.mark.parametrize("rule", [TRIM, None])
def test_digital_silence_is_refused(store: StemStore, tmp_path: Path, rule: Trim | None) -> None:
    source = recording(tmp_path, data=wav_bytes(bytes(3_200)))
    with pytest.raises(InputError, match=r"a\.wav  it is digital silence"):
        store.stem(source, rule, RATE_HZ)
    assert not store.cached(source, rule, RATE_HZ)


def _stems_of_dice(folder: Path) -> list[str]:
    registry.engine = lambda _: Dice()  # type: ignore[assignment]
    store = StemStore(ArrayCache(folder / "cache", max_bytes=1 << 26), folder)
    return [store.stem(say(f"number {n}", engine="dice"), TRIM, RATE_HZ).sha256 for n in range(12)]


def test_processes_that_race_for_a_random_stem_end_with_the_same(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        found = pool.map(_stems_of_dice, [tmp_path] * 3)
    assert found[0] == found[1] == found[2]
