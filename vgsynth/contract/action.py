"""The action contract: stay silent, call one tool, or answer; and its canonical text.

``format_action`` and ``parse_action`` are inverse on every action that can be written. The parser here is the
strict one, which scores. Turning a model's native output into canonical text is a separate, named step
that belongs to the evaluation.
"""

from __future__ import annotations

import json
import math
import re
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

    White space around the text does not count. An answer is a text that neither mentions ``[Mute]`` nor holds
    a call: text around a call, a list of calls, a bracketed action, and chat markup are invalid.
    """
    stripped = text.strip()
    if not stripped:
        return Invalid(reason="empty")
    if stripped == MUTE_TEXT:
        return Mute()
    if stripped.startswith("{"):
        return _parse_call(stripped)
    if "[mute]" in stripped.lower().translate(_ASCII_BRACKETS):
        return Invalid(reason="mentions [Mute] without being exactly [Mute]")
    markup = next((markup for markup in _MARKUP if markup in stripped), None)
    if markup is not None:
        return Invalid(reason=f"holds {markup}")
    if _CALL_START.search(stripped):
        return Invalid(reason="text around something that looks like a tool call")
    if _is_bracketed(stripped):
        return Invalid(reason="in brackets, but not [Mute]")
    return Answer(text=stripped)


_ASCII_BRACKETS = str.maketrans("［］【】", "[][]")
_MARKUP = ("<think>", "</think>", "<tool_call>", "</tool_call>", "<function=", "```tool_code")
"""What chat templates put around thoughts and calls: no part of an answer."""
_CALL_START = re.compile(r"""\{\s*["'](?:name|params|arguments|parameters|function|tool_calls)["']\s*:""")
_MOST_NESTED = 100
"""Levels of nesting in a call. More is no call that anybody meant, and writing it could fail."""


def _is_bracketed(text: str) -> bool:
    """Whether brackets enclose everything but white space, or one that opens the text is never closed."""
    depth, closed = 0, 0
    for bracket in re.finditer(r"[\[\]]", text):
        if depth == 0 and text[closed : bracket.start()].strip():
            return False
        depth += 1 if bracket[0] == "[" else -1
        if depth < 0:
            return False
        closed = bracket.end()
    return depth > 0 or 0 < closed == len(text)


def _parse_call(text: str) -> ToolCall | Invalid:
    try:
        call = parse_json(text)
    except ValueError as error:
        return Invalid(reason=f"not one JSON object: {error}")
    if set(call) != {"name", "params"}:
        return Invalid(reason=f'a call has the keys "name" and "params", not {_shown(call)}')
    if not isinstance(call["name"], str) or not call["name"]:
        return Invalid(reason='"name" is not a non-empty string')
    if not isinstance(call["params"], dict):
        return Invalid(reason='"params" is not an object')
    return ToolCall(name=call["name"], params=call["params"])


def _shown(call: Mapping[str, Any]) -> str:
    return ", ".join(repr(key[:40]) for key in sorted(call)[:6]) or "none"


def parse_json(text: str) -> Any:
    """A JSON value in which no key stands twice in an object, every number is finite, every string is Unicode
    text, and nesting ends: what can be written again. Raises ValueError for anything else."""
    try:
        value = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite_float
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > _MOST_NESTED:
            raise ValueError("nested too deeply")
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    _check_unicode(value)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _finite_float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:20]} is too large")
    return number


def _check_unicode(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("half a surrogate pair is no text") from None
