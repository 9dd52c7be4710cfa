"""In the manner of AURA (Maben et al., arXiv 2506.23049): a transcript, then an agent that reasons and acts.

The system first transcribes the clip. Then it works in turns of a thought, an action and its payload
(ReAct), over the three actions of the contract. The original is a cascade, so by default the agent sees the
transcript alone, which holds no cue of who speaks or from where; ``aura-audio`` keeps the clip beside it.
Items of words alone are not transcribed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from vgeval.methods.method import Method, Procedure, Question
from vgeval.systems.conversation import Audio, Conversation, Message, Part, Text
from vgsynth.contract.action import MUTE_TEXT

_TRANSCRIBE = """\
Transcribe the recording word for word. Begin a new line wherever the speaker changes. Output the transcript \
alone."""
_AGENT = """\
You work as an agent, in turns. In each turn write three lines:

Thought: what was said, by whom, to whom, and whether it is for you to act
Action: one of mute, tool, answer
Payload: for tool, the JSON object of the call; for answer, what you say; for mute, nothing

This form takes the place of outputting the action alone."""
_REQUEST = "The transcript of the recording:\n\n{transcript}\n\nBegin with a thought, then act."
_AGAIN = "There is no action yet. Write a thought, an action and its payload."
MOST_TURNS = 3

_ACTION = re.compile(r"^[ \t*]*action[ \t*]*:[ \t*`\[]*(\w+)", re.IGNORECASE | re.MULTILINE)
_PAYLOAD = re.compile(r"^[ \t*]*payload[ \t*]*:", re.IGNORECASE | re.MULTILINE)
_NEXT = re.compile(r"^[ \t*]*(?:observation|thought|action)[ \t*]*:", re.IGNORECASE | re.MULTILINE)


def asking(*, keep_audio: bool) -> Callable[[Question], Procedure]:
    """The procedure with or without the clip beside the transcript."""

    def ask(question: Question) -> Procedure:
        transcript = question.transcript
        heard: tuple[Part, ...] = ()
        if question.wav is not None:
            clip = Audio(wav=question.wav)
            transcript = question.plain((yield (Message(role="user", parts=(clip, Text(text=_TRANSCRIBE))),)))
            heard = (clip,) if keep_audio else ()
        request = Text(text=question.noted(_REQUEST.replace("{transcript}", transcript)))
        system = Text(text=f"{question.prompt.system}\n\n{_AGENT}")
        conversation: Conversation = (
            Message(role="system", parts=(system,)),
            Message(role="user", parts=(*heard, request)),
        )
        for _ in range(MOST_TURNS):
            said = question.plain((yield conversation))
            acted = action_text(said)
            if acted is not None:
                return acted
            conversation = (
                *conversation,
                Message(role="assistant", parts=(Text(text=said),)),
                Message(role="user", parts=(Text(text=_AGAIN),)),
            )
        return ""

    return ask


def action_text(turn: str) -> str | None:
    """The action of a turn as text for the parser; None where it has none, or one that there is not.

    The first action counts: what a model writes behind it, playing the world's part, does not.
    """
    action = _ACTION.search(turn)
    if action is None:
        return None
    kind = action[1].lower()
    if kind == "mute":
        return MUTE_TEXT
    if kind not in ("tool", "answer"):
        return None
    payload = _PAYLOAD.search(turn, action.end())
    if payload is None:
        return ""
    end = _NEXT.search(turn, payload.end())
    text = turn[payload.end() : end.start() if end else len(turn)].strip()
    # A tool's payload that is no call, or an answer's that is one, is no action.
    fits = text.startswith(("{", "[", "`", "<")) if kind == "tool" else not text.startswith("{")
    return text if fits else ""


def aura(*, keep_audio: bool) -> Method:
    """The method with or without the clip beside the transcript."""
    beside = "and the clip" if keep_audio else "alone"
    return Method(
        name="aura-audio" if keep_audio else "aura",
        about=f"in the manner of AURA: thought, action, payload, from a transcript {beside}",
        ask=asking(keep_audio=keep_audio),
        texts={
            "transcribe": _TRANSCRIBE,
            "agent": _AGENT,
            "request": _REQUEST,
            "again": _AGAIN,
            "turns": MOST_TURNS,
            "keep_audio": keep_audio,
        },
        normaliser="common",
    )
