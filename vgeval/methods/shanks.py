"""In the manner of SHANKS (Chiang et al., arXiv 2510.06917): think while listening, act at the end.

The clip arrives in chunks of fixed length. After each, the system writes a note to itself, from all audio
and notes so far; when the recording has ended, it acts. The original is fine-tuned to do so; here it is
prompted only. Items of words alone are asked once, without notes.
"""

from __future__ import annotations

from collections.abc import Callable

from vgeval.methods.method import Method, Procedure, Question
from vgeval.systems.clips import split_wav
from vgeval.systems.conversation import Audio, Message, Text

_LISTENING = """\
You hear the recording in chunks, as it happens. After each chunk you write a short note to yourself; nobody \
else reads it. Note who speaks, how far away, to whom, and what is asked. Do not act before you are told \
that the recording has ended."""
_CHUNK = "The recording goes on. Write your note on what you have heard so far, in at most three sentences."
_END = "The recording has ended. Output exactly one action, and nothing else."
SHORTEST_CHUNK_S = 0.5
"""A rest that is shorter stays with the chunk before: front ends fail on a few samples."""


def asking(chunk_s: float) -> Callable[[Question], Procedure]:
    """The procedure for chunks of ``chunk_s`` seconds."""

    def ask(question: Question) -> Procedure:
        if question.wav is None:
            return (yield (question.instruction, question.request))
        system = Text(text=f"{question.prompt.system}\n\n{_LISTENING}")
        conversation: tuple[Message, ...] = (Message(role="system", parts=(system,)),)
        for chunk in split_wav(question.wav, chunk_s, shortest_s=SHORTEST_CHUNK_S):
            heard = Message(role="user", parts=(Audio(wav=chunk), Text(text=_CHUNK)))
            conversation = (*conversation, heard)
            note = question.plain((yield conversation))
            conversation = (*conversation, Message(role="assistant", parts=(Text(text=note),)))
        return (yield (*conversation, Message(role="user", parts=(Text(text=question.noted(_END)),))))

    return ask


def shanks(chunk_s: float) -> Method:
    """The method with chunks of ``chunk_s`` seconds."""
    return Method(
        name="shanks" if chunk_s == 4 else f"shanks-{chunk_s:g}s",
        about=f"in the manner of SHANKS: chunks of {chunk_s:g} s, a note after each, an action at the end",
        ask=asking(chunk_s),
        texts={
            "listening": _LISTENING,
            "chunk": _CHUNK,
            "end": _END,
            "chunk_s": chunk_s,
            "shortest_s": SHORTEST_CHUNK_S,
        },
    )
