"""Arranging a conversation moves words and clips, and loses none."""

from __future__ import annotations

import io
import wave
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.vgeval.datasets import wav_bytes
from vgeval.systems.arrange import arrange
from vgeval.systems.clips import split_wav
from vgeval.systems.conversation import Audio, Message, Text
from vgeval.systems.profile import Profile

PROFILE = Profile(name="x", title="x", kind="openai_server")
CONVERSATION = (
    Message(role="system", parts=(Text(text="Instruction."),)),
    Message(role="user", parts=(Audio(wav=b"clip"), Text(text="Listen."))),
    Message(role="assistant", parts=(Text(text="Hm."),)),
    Message(role="user", parts=(Text(text="Go on."), Audio(wav=b"again"))),
)


def test_the_instruction_is_folded_into_the_first_request() -> None:
    first, second, third = arrange(CONVERSATION, replace(PROFILE, system_role="user", parts="text_first"))
    assert first == Message(role="user", parts=(Text(text="Instruction.\n\nListen."), Audio(wav=b"clip")))
    assert second == CONVERSATION[2]
    assert third.parts == (Text(text="Go on."), Audio(wav=b"again"))


def test_parts_are_ordered_within_each_turn() -> None:
    kinds = [
        [type(part).__name__ for part in message.parts]
        for message in arrange(CONVERSATION, replace(PROFILE, parts="audio_first"))
    ]
    assert kinds == [["Text"], ["Audio", "Text"], ["Text"], ["Audio", "Text"]]


@settings(deadline=None, max_examples=30)
@given(samples=st.integers(1, 9000), longest=st.integers(1, 4000))
def test_a_split_clip_has_the_samples_of_the_whole(samples: int, longest: int) -> None:
    data = wav_bytes(samples / 16_000)
    parts = split_wav(data, longest / 16_000)
    frames = []
    for part in parts:
        with wave.open(io.BytesIO(part)) as clip:
            assert (clip.getframerate(), clip.getnchannels(), clip.getsampwidth()) == (16_000, 1, 2)
            assert 1 <= clip.getnframes() <= max(1, longest)
            frames.append(clip.readframes(clip.getnframes()))
    assert b"".join(frames) == data[44:]


@pytest.mark.parametrize("data", [b"", b"RIFF", b"RIFF\x00\x00\x00\x00WAVEfmt ", b"ID3 mp3"])
def test_what_is_no_wav_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a PCM WAV file"):
        split_wav(data, 1.0)
