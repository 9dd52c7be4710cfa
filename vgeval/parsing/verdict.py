"""The verdict on one output: what the agent did, read strictly and leniently.

Both take the chat wrapping off that the model's profile names (terminators, thoughts). Neither ever
raises, and time is linear in the output.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vgeval.parsing.chat import without_chat
from vgeval.parsing.native import read_native
from vgeval.parsing.normalisers import NORMALISERS
from vgsynth.contract.action import Action, Answer, Invalid, Mute, ToolCall, parse_action
from vgsynth.contract.tools import ToolInventory

VerdictKind = Literal["mute", "tool", "answer", "invalid"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What an output amounts to."""

    kind: VerdictKind
    tool: str | None = None
    """The tool's name, for kind ``tool`` alone; always one of the inventory."""
    text: str = ""
    """The response without its chat wrapping: for an answer, what is said."""
    reason: str = ""
    """Why the output is invalid; empty otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """Both readings of one output."""

    strict: Verdict
    lenient: Verdict


def strict(raw: str, tools: ToolInventory, normaliser: str = "strict") -> Verdict:
    """The canonical reading: ``[Mute]``, one call in the contract's form, or an answer.

    ``normaliser`` names whose chat wrapping comes off before; by default nothing does.
    Raises KeyError for a normaliser that does not exist, never for an output.
    """
    text = response(raw, normaliser)
    return _verdict(parse_strict(text, tools), text)


def lenient(raw: str, normaliser: str, tools: ToolInventory) -> Verdict:
    """The reading that knows the model's native syntax too. Same as :func:`strict` where that is not used.

    Raises KeyError for a normaliser that does not exist, never for an output.
    """
    text = response(raw, normaliser)
    return _verdict(parse_lenient(text, normaliser, tools), text)


def judge(raw: str, normaliser: str, tools: ToolInventory) -> Verdicts:
    """Both verdicts on one output."""
    return Verdicts(strict=strict(raw, tools, normaliser), lenient=lenient(raw, normaliser, tools))


def response(raw: str, normaliser: str) -> str:
    """An output without its chat wrapping."""
    known = NORMALISERS[normaliser]
    return without_chat(raw, prefixes=known.prefixes, terminators=known.terminators, thinking=known.thinking)


def parse_strict(text: str, tools: ToolInventory) -> Action | Invalid:
    """The action of canonical text, with a tool of the inventory."""
    return _known(parse_action(text), tools)


def parse_lenient(text: str, normaliser: str, tools: ToolInventory) -> Action | Invalid:
    """The action of canonical text or of the normaliser's native syntaxes, with a tool of the inventory."""
    canonical = parse_strict(text, tools)
    if isinstance(canonical, Mute | ToolCall):
        return canonical
    native = read_native(text, NORMALISERS[normaliser].readers, tools)
    return canonical if native is None else _known(native, tools)


def _known(action: Action | Invalid, tools: ToolInventory) -> Action | Invalid:
    if isinstance(action, ToolCall) and action.name not in tools:
        return Invalid(reason=f"there is no tool {action.name[:80]!r}")
    return action


def _verdict(action: Action | Invalid, text: str) -> Verdict:
    match action:
        case Mute():
            return Verdict(kind="mute", text=text)
        case ToolCall(name=name):
            return Verdict(kind="tool", tool=name, text=text)
        case Answer():
            return Verdict(kind="answer", text=text)
        case Invalid(reason=reason):
            return Verdict(kind="invalid", text=text, reason=reason)
