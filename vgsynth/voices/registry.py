"""The voice engines by name, each loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from vgsynth.plan.model import Setting, VoicePlan
from vgsynth.plan.settle import RECORDINGS_ENGINE
from vgsynth.voices.catalogue import KOKORO_VOICES, TONE_VOICES
from vgsynth.voices.protocol import Engine
from vgsynth.voices.settings import Rules, Text, did_you_mean, setting_problem, unknown_setting, voice_error


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineEntry:
    """An engine: its module (which imports nothing heavy by itself), its class, and the voices it has."""

    module: str
    engine: str
    voices: Mapping[str, object] | None
    """By name; None where any name may be one."""
    about: str
    required: tuple[str, ...] = ()
    """Settings of which a voice must have exactly one."""

    def make(self) -> Engine:
        """A new engine."""
        factory: Callable[[], Engine] = getattr(import_module(self.module), self.engine)
        return factory()

    def settings(self) -> Rules:
        """Which settings the engine's voices take."""
        rules: Rules = import_module(self.module).SETTINGS
        return rules


ENGINES: dict[str, EngineEntry] = {
    "kokoro": EngineEntry(
        module="vgsynth.voices.kokoro",
        engine="KokoroEngine",
        voices=KOKORO_VOICES,
        about="embedded neural voices (Kokoro-82M)",
    ),
    "coqui": EngineEntry(
        module="vgsynth.voices.coqui",
        engine="CoquiEngine",
        voices=None,
        required=("model", "path"),
        about="Coqui TTS, any model by name or folder (extra: coqui)",
    ),
    "espeak": EngineEntry(
        module="vgsynth.voices.espeak",
        engine="EspeakEngine",
        voices=None,
        about="eSpeak NG, by its own voice names (program: espeak-ng)",
    ),
    "openai": EngineEntry(
        module="vgsynth.voices.openai_speech",
        engine="OpenAISpeechEngine",
        voices=None,
        about="an OpenAI-compatible speech endpoint",
    ),
    "piper": EngineEntry(
        module="vgsynth.voices.piper",
        engine="PiperEngine",
        voices=None,
        required=("path",),
        about="a local Piper voice (extra: piper)",
    ),
    "tone": EngineEntry(
        module="vgsynth.voices.tone", engine="ToneEngine", voices=TONE_VOICES, about="test tones, not speech"
    ),
}

RECORDING_SETTINGS: Rules = {
    "path": Text(wants_text="the path of a sound file; it may hold {case.id} and {segment.role}")
}
"""Voices of the engine ``recordings`` are people: their words are played from files, and no engine speaks."""


@cache
def engine(name: str) -> Engine:
    """The engine of that name, one for each process. Raises InputError for an unknown name."""
    entry = ENGINES.get(name)
    if entry is None:
        raise voice_error(name, "there is no such voice engine", did_you_mean(name, ENGINES))
    return entry.make()


def voice_problem(voice: VoicePlan, later: Collection[str] = ()) -> tuple[str, str] | None:
    """What is wrong with a voice as planned, as (message, fix), without loading any engine; None if nothing.

    ``later`` names settings that it has, whose values differ from item to item. Whether a model's files are
    there is not looked at: that is for ``Engine.fingerprint``.
    """
    settings = dict(voice.settings)
    if voice.engine == RECORDINGS_ENGINE:
        return _fault_of_settings(settings, later, RECORDING_SETTINGS, ())
    entry = ENGINES.get(voice.engine)
    if entry is None:
        return (
            f"there is no voice engine {voice.engine!r}",
            did_you_mean(voice.engine, (*ENGINES, RECORDINGS_ENGINE)),
        )
    if entry.voices is not None and voice.name not in entry.voices:
        return f"{voice.engine} has no voice {voice.name!r}", did_you_mean(voice.name, entry.voices)
    return _fault_of_settings(settings, later, entry.settings(), entry.required)


def _fault_of_settings(
    settings: Mapping[str, Setting], later: Collection[str], rules: Rules, required: tuple[str, ...]
) -> tuple[str, str] | None:
    for name in later:
        if name not in rules:
            return unknown_setting(name, rules)
    given = [name for name in required if name in settings or name in later]
    if required and len(given) != 1:
        either = " or ".join(map(repr, required))
        wants = ", or ".join(f"{name}: {rules[name].wants()}" for name in required)
        return f"setting {either} is {'missing' if not given else 'given twice over'}", f"give {wants}"
    return setting_problem(settings, rules)
