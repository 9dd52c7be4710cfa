"""The table of engines, and the check of voices without loading any."""

from __future__ import annotations

import subprocess
import sys

import pytest

from vgsynth.contract.problems import InputError
from vgsynth.plan.model import Setting, VoicePlan
from vgsynth.voices import assets
from vgsynth.voices.catalogue import DEFAULT_EIGHT, KOKORO_VOICES, TWELVE, known_voices
from vgsynth.voices.registry import ENGINES, engine, voice_problem


@pytest.mark.parametrize("name", sorted(ENGINES))
def test_every_engine_is_made_without_its_library(name: str) -> None:
    made = engine(name)
    assert isinstance(made.deterministic, bool)
    assert engine(name) is made
    assert set(ENGINES[name].required) <= set(ENGINES[name].settings())


def test_an_unknown_engine_is_an_error_with_a_suggestion() -> None:
    with pytest.raises(InputError, match="did you mean 'kokoro'"):
        engine("kokoro2")


@pytest.mark.parametrize(
    ("name", "voice", "settings", "words"),
    [
        ("kokoro", "af_aoede", {}, None),
        ("kokoro", "af_aoede", {"speed": 1}, None),
        ("kokoro", "jf_alpha", {"speed": 0.5}, None),
        ("kokoro", "af_aode", {}, "did you mean 'af_aoede'"),
        ("kokoro", "zz", {}, "has no voice 'zz'"),
        ("kokoro", "af_aoede", {"sped": 1.0}, "did you mean 'speed'"),
        ("kokoro", "af_aoede", {"speed": 2.5}, "a number from 0.5 to 2"),
        ("kokoro", "af_aoede", {"speed": "fast"}, "a number from 0.5 to 2"),
        ("kokoro", "af_aoede", {"speed": True}, "a number from 0.5 to 2"),
        ("espeek", "en", {}, "did you mean 'espeak'"),
        ("espeak", "en-us+f3", {"speed": 170, "pitch": 40}, None),
        ("espeak", "en", {"pitch": 40.5}, "a whole number from 0 to 99"),
        ("piper", "joe", {}, "setting 'path' is missing"),
        ("piper", "joe", {"path": ""}, "the path of a Piper voice"),
        ("piper", "joe", {"path": "joe.onnx"}, None),
        ("openai", "alloy", {"model": "tts-1"}, None),
        ("coqui", "p225", {"model": "tts_models/en/vctk/vits"}, None),
        ("coqui", "p225", {}, "'model' or 'path'"),
        ("coqui", "p225", {"model": "m", "path": "p"}, "'model' or 'path'"),
        ("tone", "alto", {}, None),
        ("tone", "alto", {"speed": 1.0}, "there are none"),
    ],
)
def test_voices_are_checked(name: str, voice: str, settings: dict[str, Setting], words: str | None) -> None:
    problem = voice_problem(VoicePlan(engine=name, name=voice, settings=tuple(sorted(settings.items()))))
    if words is None:
        assert problem is None
    else:
        assert problem is not None
        assert words in "; ".join(problem)


def test_the_check_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom vgsynth.plan.model import VoicePlan\n"
        "from vgsynth.voices.registry import ENGINES, voice_problem\n"
        "for name in ENGINES: voice_problem(VoicePlan(engine=name, name='x'))\n"
        "heavy = 'onnxruntime hibari onnx soundfile soxr scipy TTS piper torch openai'.split()\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_the_catalogue_and_the_files_agree() -> None:
    assert set(KOKORO_VOICES) == set(assets.voice_assets()) | set(assets.fallback_assets())
    assert {name for name, voice in KOKORO_VOICES.items() if voice.fallback} == set(assets.fallback_assets())
    ids = [voice.id for voice in known_voices()]
    assert len(set(ids)) == len(ids)


def test_the_default_pool_is_four_women_and_four_men_of_two_accents() -> None:
    voices = [KOKORO_VOICES[voice_id.split("/")[1]] for voice_id in DEFAULT_EIGHT]
    assert sorted(voice.sex for voice in voices) == ["female"] * 4 + ["male"] * 4
    assert {voice.accent for voice in voices} == {"US", "GB"}
    assert not any("avoid" in voice.note for voice in voices)
    assert len(set(TWELVE)) == 12
