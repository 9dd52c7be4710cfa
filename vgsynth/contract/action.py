"""The action contract: stay silent, call one tool, or answer; and its canonical text.

``format_action`` and ``parse_action`` are inverse on every action that can be written. The parser here is the
strict one, which scores. Turning a model's native output into canonical text is a separate, named step
that belongs to the evaluation.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MUTE_TEXT = "[Mute]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mute:
    """Stay silent: execute nothing, say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """Call one tool. ``params`` is a JSON object."""

    name: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Answer in natural language: not empty, neither a tool call nor a mention of ``[Mute]``."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalid:
    """Output that is none of the three actions, and why."""

    reason: str


Action = Mute | ToolCall | Answer


def format_action(action: Action) -> str:
    """Canonical text of an action.

    Raises ValueError for an action that has no canonical text: an answer that is empty, mentions
    ``[Mute]`` or holds a tool call, or parameters that JSON cannot hold.
    """
    match action:
        case Mute():
            text = MUTE_TEXT
        case ToolCall(name=name, params=params):
            text = json.dumps({"name": name, "params": dict(params)}, ensure_ascii=False, allow_nan=False)
        case Answer(text=answer):
            text = answer
    if parse_action(text) != action:
        raise ValueError(f"no canonical text for {action!r}")
    return text


def parse_action(text: str) -> Action | Invalid:
    """The action that a canonical text says, or :class:`Invalid`. Never raises; linear in its input.

    White space around the text does not count. A text that mentions ``[Mute]`` beside other words, or
    holds JSON-like braces without being exactly one ``{"name": ..., "params": {...}}`` object, is invalid.
    """
    stripped = text.strip()
    if not stripped:
        return Invalid(reason="empty")
    if stripped == MUTE_TEXT:
        return Mute()
    if stripped.startswith("{"):
        return _parse_call(stripped)
    if "[mute]" in stripped.lower().replace("［", "[").replace("］", "]"):
        return Invalid(reason="mentions [Mute] without being exactly [Mute]")
    if "{" in stripped or "<tool_call>" in stripped or stripped.startswith("[{"):
        return Invalid(reason="text around something that looks like a tool call")
    return Answer(text=stripped)


def _parse_call(text: str) -> ToolCall | Invalid:
    try:
        call = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecursionError:
        return Invalid(reason="nested too deeply")
    except ValueError as error:
        return Invalid(reason=f"not one JSON object: {error}")
    if set(call) != {"name", "params"}:
        return Invalid(reason=f'a call has the keys "name" and "params", not {sorted(call)}')
    if not isinstance(call["name"], str) or not call["name"]:
        return Invalid(reason='"name" is not a non-empty string')
    if not isinstance(call["params"], dict):
        return Invalid(reason='"params" is not an object')
    return ToolCall(name=call["name"], params=call["params"])


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
