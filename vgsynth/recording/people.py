"""Voices that are people, before there are recordings of them."""

from __future__ import annotations

from dataclasses import replace

from vgsynth.plan.settle import RECORDINGS_ENGINE
from vgsynth.spec.model import Spec, VoiceEntry

TO_RECORD = "to-record"
"""Engine of a voice whose recordings need not be there yet."""


class PersonToRecord(VoiceEntry):
    """A recorded voice as one that speaks, so that expansion asks for no file.

    Its id is still the recorded voice's, so that it is cast for the same cases.
    """

    __slots__ = ()

    @property
    def id(self) -> str:
        """``recordings/name``."""
        return f"{RECORDINGS_ENGINE}/{self.name}"


def is_recorded(spec: Spec) -> bool:
    """Whether any voice of the spec is made of recordings."""
    return any(voice.engine == RECORDINGS_ENGINE for s in spec.speakers.values() for voice in s.voices)


def to_be_recorded(spec: Spec) -> Spec:
    """The spec with each recorded voice as a :class:`PersonToRecord`."""

    def person(voice: VoiceEntry) -> VoiceEntry:
        if voice.engine != RECORDINGS_ENGINE:
            return voice
        return PersonToRecord(engine=TO_RECORD, name=voice.name, settings=voice.settings, path=voice.path)

    speakers = {
        name: replace(speaker, voices=tuple(map(person, speaker.voices)))
        for name, speaker in spec.speakers.items()
    }
    return replace(spec, speakers=speakers)
