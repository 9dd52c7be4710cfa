"""A user's copy: its index, read and checked whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vgsynth.contract.problems import InputError, Place, Problem
from vgsynth.contract.suggest import did_you_mean
from vgsynth.contract.target import ANSWER, MUTE, Target
from vgsynth.contract.tools import Tool, ToolInventory

INDEX_NAME = "wearvox.jsonl"
TASKS = (
    "search_grounded_qa",
    "closed_book_qa",
    "side_talk_rejection",
    "tool_calling",
    "speech_translation",
)
_FIELDS = {"id", "task", "audio", "question", "reference", "request"}
_NEEDED = ("id", "task", "audio")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One recording with what it asks for."""

    id: str
    task: str
    audio: Path
    question: str
    """What is said, where the copy has it."""
    reference: Any
    """The expected answer or translation, or the call as ``{"name": ..., "params": {...}}``."""
    request: str
    """What a system reads beside the clip: search results, the language to translate into."""

    @property
    def target(self) -> Target:
        """The right action."""
        if self.task == "side_talk_rejection":
            return MUTE
        if self.task == "tool_calling":
            return Target(kind="tool", tool=self.reference["name"], params=self.reference.get("params") or {})
        return ANSWER


@dataclass(frozen=True, slots=True, kw_only=True)
class WearVox:
    """A copy."""

    index: Path
    examples: tuple[Example, ...]
    tools: ToolInventory


def read_copy(folder: Path) -> WearVox:
    """The examples of a copy, in the order of its index. Raises InputError with all that is wrong in it."""
    index = folder / INDEX_NAME
    try:
        lines = index.read_bytes().splitlines()
    except OSError as error:
        raise InputError.at(
            str(index), f"cannot be read: {error.strerror}", "docs/evaluation.md says what a copy is"
        ) from error
    tools = _tools(folder)
    problems: list[Problem] = []
    examples: dict[str, Example] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        found = _example(line, folder, tools)
        if isinstance(found, Example) and found.id not in examples:
            examples[found.id] = found
            continue
        message = found if isinstance(found, str) else f"the id {found.id!r} is there twice"
        place = Place(file=str(index), line=number)
        problems.append(Problem(place=place, path="", message=message, fix=""))
    if not examples and not problems:
        raise InputError.at(str(index), "holds no example")
    if problems:
        raise InputError(problems)
    return WearVox(index=index, examples=tuple(examples.values()), tools=tools)


def _tools(folder: Path) -> ToolInventory:
    file = folder / "tools.json"
    if not file.exists():
        return ToolInventory()
    try:
        return ToolInventory(tools=tuple(map(Tool.from_json, json.loads(file.read_bytes()))))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError.at(str(file), f"not a list of tools: {error}") from error


def _example(line: bytes, folder: Path, tools: ToolInventory) -> Example | str:
    """The example of a line, or what is wrong with it."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    if not isinstance(data, dict):
        return "not an object"
    for name in _NEEDED:
        if not isinstance(data.get(name), str) or not data[name]:
            return f"{name!r} has to be a text"
    for name in set(data) - _FIELDS:
        return f"there is no field {name!r}; {did_you_mean(name, _FIELDS) or 'drop it'}"
    if data["task"] not in TASKS:
        return f"there is no task {data['task']!r}; {did_you_mean(data['task'], TASKS) or ', '.join(TASKS)}"
    audio = folder / data["audio"]
    if not audio.is_file():
        return f"the recording {data['audio']!r} is missing"
    reference: Any = data.get("reference")
    if data["task"] == "tool_calling" and (
        not isinstance(reference, Mapping) or not isinstance(reference.get("name"), str)
    ):
        return 'a call needs a "reference" such as {"name": "set_timer", "params": {}}'
    if data["task"] == "tool_calling" and reference["name"] not in tools:
        return f"tools.json has no tool {reference['name']!r}"
    return Example(
        id=data["id"],
        task=data["task"],
        audio=audio,
        question=str(data.get("question") or ""),
        reference=reference,
        request=str(data.get("request") or ""),
    )
