"""A conversation as a profile wants it: place of the instruction, order of parts, length of clips."""

from __future__ import annotations

from collections.abc import Iterator

from vgeval.systems.clips import split_wav
from vgeval.systems.conversation import Audio, Conversation, Message, Part, Text
from vgeval.systems.profile import Profile


def arrange(conversation: Conversation, profile: Profile) -> Conversation:
    """The same words and samples, in the order and roles of the profile.

    Raises ValueError for audio that is no PCM WAV file and has to be cut.
    """
    messages = conversation
    if profile.system_role == "user":
        messages = _folded(messages)
    return tuple(Message(role=m.role, parts=_ordered(_cut(m.parts, profile), profile)) for m in messages)


def _folded(conversation: Conversation) -> Conversation:
    """The instruction in front of the first request's words."""
    instruction = "\n\n".join(m.words for m in conversation if m.role == "system")
    rest = [m for m in conversation if m.role != "system"]
    if not instruction or not rest:
        return tuple(rest)
    audio = tuple(part for part in rest[0].parts if isinstance(part, Audio))
    words = Text(text=f"{instruction}\n\n{rest[0].words}")
    return (Message(role=rest[0].role, parts=(*audio, words)), *rest[1:])


def _cut(parts: tuple[Part, ...], profile: Profile) -> Iterator[Part]:
    for part in parts:
        if isinstance(part, Audio) and profile.longest_clip_s is not None:
            yield from (Audio(wav=wav) for wav in split_wav(part.wav, profile.longest_clip_s))
        else:
            yield part


def _ordered(parts: Iterator[Part], profile: Profile) -> tuple[Part, ...]:
    """Audio before words, or after; otherwise as they were."""
    first = Audio if profile.parts == "audio_first" else Text
    return tuple(sorted(parts, key=lambda part: not isinstance(part, first)))
