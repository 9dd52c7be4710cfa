"""Builds the side-talk and self-talk cases from their seed pools.

    python -m scenes.vgbench.generate.talk            writes cases/side_talk.jsonl and cases/self_talk.jsonl
    python -m scenes.vgbench.generate.talk --check    fails where a file is not what the pools make

There is no randomness in it. Side-talk pairs utterances of one situation: with A and B the two entries of a
pool, each pair of contents (tool or talk) is made once with the assistant first and once with the bystander
first, so that every utterance stands once in front and once behind, once next to a command and once next to
a remark. The order of these eight turns by one from situation to situation, so that a rotation over eight
voices meets every cell equally often. Self-talk items are written one by one, with their ids; they are only
put in order.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scenes.vgbench.generate.files import as_jsonl, is_stale, write
from vgsynth.contract.problems import InputError, Place, Problem
from vgsynth.contract.tools import Tool, ToolInventory
from vgsynth.spec.nodes import flatten
from vgsynth.spec.places import SourcePlaces
from vgsynth.spec.yaml_reader import read_yaml

Path_ = tuple[str | int, ...]
NAMES: dict[type, str] = {dict: "mapping", list: "list"}
HERE = Path(__file__).resolve().parents[1]
POOLS = ("assistant_tool", "assistant_talk", "bystander_tool", "bystander_talk")
ENTRY_KEYS = {
    "assistant_tool": {"say", "tool", "params"},
    "bystander_tool": {"say", "tool"},
    "monologue": {"id", "say", "tool_core", "core", "family"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One of the eight items of a block: who is first, what each says, and which of the two entries it is."""

    order: str
    assistant: str
    bystander: str
    a: int
    b: int

    def written(self) -> dict[str, str]:
        """As `leave_out` names it."""
        return {"order": self.order, "assistant": self.assistant, "bystander": self.bystander}


CELLS = (
    Cell(order="assistant_first", assistant="tool", bystander="tool", a=0, b=0),
    Cell(order="bystander_first", assistant="talk", bystander="talk", a=0, b=0),
    Cell(order="assistant_first", assistant="talk", bystander="tool", a=0, b=1),
    Cell(order="bystander_first", assistant="tool", bystander="talk", a=0, b=1),
    Cell(order="assistant_first", assistant="tool", bystander="talk", a=1, b=0),
    Cell(order="bystander_first", assistant="talk", bystander="tool", a=1, b=0),
    Cell(order="assistant_first", assistant="talk", bystander="talk", a=1, b=1),
    Cell(order="bystander_first", assistant="tool", bystander="tool", a=1, b=1),
)


class Source:
    """A YAML file of the pools with the places of its parts, and what is found wrong with it."""

    def __init__(self, file: Path, root: Path, problems: list[Problem], kind: type = dict) -> None:
        self.name = file.relative_to(root).as_posix()
        self._problems = problems
        self._places = SourcePlaces(whole=Place(file=self.name))
        self.data: Any = kind()
        if not file.is_file():
            self.fault((), "the file is not there", "write it, or take what refers to it out")
            return
        node, found = read_yaml(file.read_bytes(), self.name)
        problems.extend(found)
        if node is None:
            return
        data, self._places = flatten(node)
        if isinstance(data, kind):
            self.data = data
        else:
            self.fault((), f"the file must hold a {NAMES[kind]}", "see the files beside it")

    def fault(self, path: Path_, message: str, fix: str) -> None:
        """Notes what is wrong with the part at ``path``."""
        place = self._places.values.get(path, self._places.whole)
        self._problems.append(Problem(place=place, path=".".join(map(str, path)), message=message, fix=fix))

    def has_keys(self, entry: Any, keys: set[str], path: Path_) -> bool:
        """Whether an entry is a mapping with just these keys; notes it where it is not."""
        if isinstance(entry, Mapping) and set(entry) == keys:
            return True
        self.fault(path, "is not an entry of this list", f"write the keys {', '.join(sorted(keys))}")
        return False


def read_tools(root: Path, problems: list[Problem]) -> ToolInventory:
    """The tools of ``scenes/tools.yaml``, beside the benchmark's folder."""
    source = Source(root.parent / "tools.yaml", root.parent, problems)
    return ToolInventory(tools=tuple(Tool.from_json(tool) for tool in source.data.get("tools", ())))


def side_talk(root: Path) -> list[dict[str, Any]]:
    """The side-talk cases, in order. Raises InputError with all that is wrong with the pools."""
    problems: list[Problem] = []
    tools = read_tools(root, problems)
    situations = Source(root / "side_talk" / "situations.yaml", root, problems)
    pools = {pool: Source(root / "side_talk" / f"{pool}.yaml", root, problems) for pool in POOLS}
    for pool, source in pools.items():
        for name, entries in source.data.items():
            if name not in situations.data:
                source.fault((name,), "is not a situation", "describe it in situations.yaml")
            elif not isinstance(entries, list):
                source.fault((name,), "must be a list", "write two utterances, or four, or six")
            else:
                for index, entry in enumerate(entries):
                    _check_entry(pool, source, entry, (name, index), tools)
    for name, situation in situations.data.items():
        _check_situation(situations, name, situation, pools)
    if problems:
        raise InputError(problems)
    items = [
        item
        for turn, (name, situation) in enumerate(situations.data.items())
        for item in _situation(name, situation, turn, pools)
    ]
    return [{"id": f"side-{number:03d}", **item} for number, item in enumerate(items, 1)]


def _check_situation(situations: Source, name: str, situation: Any, pools: Mapping[str, Source]) -> None:
    sizes = {pool: len(source.data.get(name) or ()) for pool, source in pools.items()}
    if len(set(sizes.values())) != 1 or sizes[POOLS[0]] % 2:
        shown = ", ".join(f"{size} in {pool}" for pool, size in sizes.items())
        situations.fault((name,), f"its pools do not pair up: {shown}", "write as many in each, in twos")
    commands = zip(
        *(pools[pool].data.get(name) or () for pool in ("assistant_tool", "bystander_tool")), strict=False
    )
    for index, (ours, theirs) in enumerate(commands):
        if (
            isinstance(ours, Mapping)
            and isinstance(theirs, Mapping)
            and ours.get("tool") == theirs.get("tool")
        ):
            fix = "swap two entries: a call for the wrong utterance must be a wrong call"
            pools["bystander_tool"].fault((name, index), "the same tool is asked of the assistant", fix)
    known = [cell.written() for cell in CELLS]
    left_out = situation.get("leave_out", ()) if isinstance(situation, Mapping) else ()
    for index, item in enumerate(left_out):
        if item not in known:
            fix = "write {order: assistant_first|bystander_first, assistant: tool|talk, bystander: tool|talk}"
            situations.fault((name, "leave_out", index), "is none of the eight items", fix)


def _check_entry(pool: str, source: Source, entry: Any, path: Path_, tools: ToolInventory) -> None:
    if pool not in ENTRY_KEYS:
        if not isinstance(entry, str):
            source.fault(path, "is not an utterance", "write one text, without keys")
    elif source.has_keys(entry, ENTRY_KEYS[pool], path):
        tool = tools.get(entry["tool"])
        if tool is None:
            source.fault((*path, "tool"), f"there is no tool {entry['tool']!r}", f"one of {tools.names}")
        elif "params" in entry and (error := tool.params_error(entry["params"])):
            source.fault((*path, "params"), error, f"see {tool.name} in tools.yaml")


def _situation(
    name: str, situation: Mapping[str, Any], turn: int, pools: Mapping[str, Source]
) -> Iterator[dict[str, Any]]:
    entries = {pool: [_entry(e) for e in source.data.get(name, ())] for pool, source in pools.items()}
    for block in range(len(entries[POOLS[0]]) // 2):
        left_out = situation.get("leave_out", ()) if block == 0 else ()
        for index in range(len(CELLS)):
            cell = CELLS[(index + turn + block) % len(CELLS)]
            if cell.written() not in left_out:
                assistant = entries[f"assistant_{cell.assistant}"][2 * block + cell.a]
                bystander = entries[f"bystander_{cell.bystander}"][2 * block + cell.b]
                yield _side_item(name, cell, assistant, bystander)


def _entry(entry: str | Mapping[str, Any]) -> Mapping[str, Any]:
    return {"say": entry} if isinstance(entry, str) else entry


def _side_item(
    situation: str, cell: Cell, assistant: Mapping[str, Any], bystander: Mapping[str, Any]
) -> dict[str, Any]:
    turns = [("assistant", assistant["say"]), ("bystander", bystander["say"])]
    if cell.order == "bystander_first":
        turns.reverse()
    return {
        "first": turns[0][1],
        "second": turns[1][1],
        "order": cell.order,
        "assistant_content": cell.assistant,
        "bystander_content": cell.bystander,
        "tool": assistant.get("tool"),
        "params": dict(assistant.get("params", {})),
        "bystander_tool": bystander.get("tool"),
        "first_addressee": turns[0][0],
        "second_addressee": turns[1][0],
        "template": situation,
        "origin": "assembled",
    }


def self_talk(root: Path) -> list[dict[str, Any]]:
    """The self-talk cases, by id. Raises InputError with all that is wrong with the pools."""
    problems: list[Problem] = []
    tools = read_tools(root, problems)
    frames = Source(root / "self_talk" / "frames.yaml", root, problems)
    items: dict[str, dict[str, Any]] = {}
    for frame, about in frames.data.items():
        source = Source(root / "self_talk" / "monologues" / f"{frame}.yaml", root, problems, list)
        for index, entry in enumerate(source.data):
            if not source.has_keys(entry, ENTRY_KEYS["monologue"], (index,)):
                continue
            if entry["id"] in items:
                source.fault((index, "id"), f"{entry['id']} is taken", "take the next number that is free")
            if entry["tool_core"] not in tools:
                source.fault((index, "tool_core"), "there is no such tool", f"one of {tools.names}")
            if entry["core"] not in entry["say"]:
                source.fault((index, "core"), "does not stand in the text", "copy the words from `say`")
            if entry["family"] not in about["families"]:
                source.fault((index, "family"), f"{frame} has no such family", "describe it in frames.yaml")
            items[entry["id"]] = {
                **{key: entry[key] for key in ("id", "say", "tool_core", "core")},
                "frame": frame,
                "template": f"{frame}.{entry['family']}",
                "origin": "written",
            }
    if problems:
        raise InputError(problems)
    return [items[name] for name in sorted(items)]


def build(root: Path = HERE) -> dict[Path, str]:
    """The files and what they hold."""
    cases = root / "cases"
    return {
        cases / "side_talk.jsonl": as_jsonl(side_talk(root)),
        cases / "self_talk.jsonl": as_jsonl(self_talk(root)),
    }


def main(arguments: Sequence[str]) -> int:
    """Writes the files, or with ``--check`` compares them. Returns the exit status."""
    try:
        files = build()
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    stale = 0
    for file, text in files.items():
        if "--check" not in arguments:
            write(file, text)
            print(f"{file.name}: {text.count(chr(10))} cases")
        elif is_stale(file, text):
            fix = "run python -m scenes.vgbench.generate.talk"
            print(f"{file.name} is not what the pools make: {fix}", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
