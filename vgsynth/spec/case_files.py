"""Reads files of cases record by record: JSONL and CSV as streams, YAML and JSON whole."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from vgsynth.contract.problems import Place, Problem
from vgsynth.spec.json_reader import JsonError, json_node, parse_json, read_json
from vgsynth.spec.model import Path_
from vgsynth.spec.nodes import flatten
from vgsynth.spec.places import Finder, path_text
from vgsynth.spec.tools import ToolBox
from vgsynth.spec.yaml_reader import decode, read_yaml

CASE_SUFFIXES = (".jsonl", ".csv", ".yaml", ".yml", ".json")
_JSON_COLUMN = ":json"


@dataclass(frozen=True, slots=True)
class Record:
    """One record as read. ``problem`` makes a problem of a path in it; the path is searched only then."""

    value: Any
    place: Place
    problem: Callable[[Path_, str, str], Problem]


def read_records(file: Path, shown: str, box: ToolBox) -> Iterator[Record | Problem]:
    """The records of a file in its order, and a problem in place of each that cannot be read."""
    suffix = file.suffix.lower()
    try:
        if suffix in (".jsonl", ".csv"):
            with file.open("rb") as handle:
                lines = _jsonl(handle, shown) if suffix == ".jsonl" else _csv(handle, shown, box)
                yield from lines
        else:
            yield from _whole(file.read_bytes(), shown, read_json if suffix == ".json" else read_yaml)
    except OSError as error:
        yield _problem(Place(file=shown), f"cannot read the cases: {error.strerror or error}")


def listed_records(cases: Iterable[Any], finder: Finder, at: Path_) -> Iterator[Record]:
    """The records of a list that stands at ``at`` in a document."""
    for index, value in enumerate(cases):
        here = (*at, index)

        def problem(path: Path_, message: str, fix: str, here: Path_ = here) -> Problem:
            return finder.at((*here, *path), message, fix)

        yield Record(value, finder.places.of(here), problem)


def _problem(place: Place, message: str, fix: str = "", path: str = "") -> Problem:
    return Problem(place=place, path=path, message=message, fix=fix)


# -- JSONL -------------------------------------------------------------------------------------------------


def _jsonl(handle: BinaryIO, shown: str) -> Iterator[Record | Problem]:
    for number, raw in enumerate(handle, start=1):
        text, problem = decode(raw, shown)
        if text is None:
            assert problem is not None
            yield Problem(
                place=Place(file=shown, line=number, column=problem.place.column),
                path="",
                message=problem.message,
                fix=problem.fix,
            )
            continue
        if not text.strip():
            continue
        try:
            value = parse_json(text)
        except JsonError as error:
            place = Place(file=shown, line=number, column=error.column)
            yield _problem(place, f"not JSON: {error.message}", "write one object in each line")
            continue
        yield _json_record(value, text, shown, number)


def _json_record(value: Any, text: str, shown: str, number: int) -> Record:
    place = Place(file=shown, line=number, column=1)

    def problem(path: Path_, message: str, fix: str) -> Problem:
        try:
            return Finder(flatten(json_node(text, shown, first_line=number))[1]).at(path, message, fix)
        except JsonError:
            return _problem(place, message, fix, path_text(path))

    return Record(value, place, problem)


# -- YAML and JSON -----------------------------------------------------------------------------------------


def _whole(data: bytes, shown: str, read: Callable[..., Any]) -> Iterator[Record | Problem]:
    node, problems = read(data, shown)
    yield from problems
    if node is None:
        return
    listed, places = flatten(node)
    finder = Finder(places)
    at: Path_ = ()
    if isinstance(listed, dict) and list(listed) == ["cases"]:
        listed, at = listed["cases"], ("cases",)
    if not isinstance(listed, list):
        yield finder.at(at, "a file of cases holds a list", "begin each case with `- id: ...`")
        return
    yield from listed_records(listed, finder, at)


# -- CSV ---------------------------------------------------------------------------------------------------


class _Lines:
    """Decoded lines of a file, with those of the record being read kept."""

    def __init__(self, handle: BinaryIO, shown: str) -> None:
        self._handle = handle
        self._shown = shown
        self.record: list[str] = []
        self.problem: Problem | None = None
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        for number, raw in enumerate(self._handle, start=1):
            self.number = number
            text, problem = decode(raw, self._shown)
            if text is None:
                assert problem is not None
                place = Place(file=self._shown, line=self.number, column=problem.place.column)
                self.problem = _problem(place, problem.message, problem.fix)
                return
            self.record.append(text)
            yield text


@dataclass(frozen=True, slots=True)
class _Column:
    path: tuple[str, ...]
    is_json: bool


def _csv(handle: BinaryIO, shown: str, box: ToolBox) -> Iterator[Record | Problem]:
    lines = _Lines(handle, shown)
    rows = csv.reader(lines, strict=True)
    columns: list[_Column] | None = None
    first = 1
    while True:
        lines.record.clear()
        first = lines.number + 1
        place = Place(file=shown, line=first, column=1)
        try:
            row = next(rows)
        except StopIteration:
            if lines.problem is not None:
                yield lines.problem
            elif columns is None:
                yield _problem(
                    Place(file=shown, line=1, column=1), "the file is empty", "begin with a header row"
                )
            return
        except csv.Error as error:
            yield _problem(place, f"not CSV: {error}", "double the quotes inside a quoted cell, close each")
            return
        if not row:
            continue
        if columns is None:
            columns, problems = _header(row, place, lines.record)
            yield from problems
            if problems:
                return
            continue
        yield _csv_record(row, columns, place, list(lines.record), box)


def _header(row: list[str], place: Place, text: list[str]) -> tuple[list[_Column], list[Problem]]:
    columns: list[_Column] = []
    problems: list[Problem] = []
    for index, cell in enumerate(row):
        name = cell.strip()
        is_json = name.endswith(_JSON_COLUMN)
        column = _Column(tuple(name.removesuffix(_JSON_COLUMN).split(".")), is_json)
        at = _cell_place(place, text, index)
        if not all(column.path):
            problems.append(_problem(at, f"column {index + 1} has no name", "name it, or remove it"))
        elif any(column.path[: len(c.path)] == c.path[: len(column.path)] for c in columns):
            problems.append(_problem(at, f"the column {name!r} is there already", "rename or remove it"))
        columns.append(column)
    if not problems and _Column(("id",), False) not in columns:
        problems.append(_problem(place, "there is no column `id`", "give each case an id"))
    return columns, problems


def _csv_record(
    row: list[str], columns: list[_Column], place: Place, text: list[str], box: ToolBox
) -> Record | Problem:
    if len(row) != len(columns):
        message = f"the row has {len(row)} cells and the header {len(columns)}"
        return _problem(place, message, "quote cells that hold commas")
    value: dict[str, Any] = {}
    for index, (cell, column) in enumerate(zip(row, columns, strict=True)):
        if not cell:
            continue
        inner: Any = cell
        if column.is_json:
            try:
                inner = parse_json(cell)
            except JsonError as error:
                at = _cell_place(place, text, index)
                return _problem(at, f"not JSON: {error.message}", "", ".".join(column.path))
        _put(value, column.path, inner)
    _read_params(value, box)
    if isinstance(ordinal := value.get("ordinal"), str) and ordinal.isdecimal():
        value["ordinal"] = int(ordinal)

    def problem(path: Path_, message: str, fix: str) -> Problem:
        for index, column in enumerate(columns):
            if path and column.path == path[: len(column.path)]:
                return _problem(_cell_place(place, text, index), message, fix, path_text(path))
        return _problem(place, message, fix, path_text(path))

    return Record(value, place, problem)


def _put(value: dict[str, Any], path: tuple[str, ...], inner: Any) -> None:
    for step in path[:-1]:
        value = value.setdefault(step, {})
    value[path[-1]] = inner


def _read_params(value: dict[str, Any], box: ToolBox) -> None:
    """Give cells of ``params`` the types that the tool's schema wants; what does not fit stays text."""
    params = value.get("params")
    tool = box.inventory.get(value["tool"]) if isinstance(value.get("tool"), str) else None
    if tool is None:
        return
    if params is None:
        value["params"] = {}
        return
    properties = tool.parameters.get("properties", {})
    for key, cell in params.items() if isinstance(params, dict) else ():
        if isinstance(cell, str) and isinstance(properties.get(key), Mapping):
            params[key] = _typed(cell, properties[key].get("type"))


def _typed(cell: str, types: Any) -> Any:
    for kind in types if isinstance(types, list) else [types]:
        if kind == "boolean" and cell in ("true", "false"):
            return cell == "true"
        if kind == "integer" and re.fullmatch(r"[-+]?[0-9]{1,18}", cell):
            return int(cell)
        if kind == "number" and re.fullmatch(
            r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,2})?", cell
        ):
            return float(cell)
    return cell


def _cell_place(place: Place, lines: list[str], index: int) -> Place:
    """Where a row's cell begins: behind so many commas outside quotes."""
    line, column, quoted, seen = place.line, 1, False, 0
    for character in "".join(lines):
        if seen == index:
            break
        if character == '"':
            quoted = not quoted
        elif character == "," and not quoted:
            seen += 1
        column += 1
        if character == "\n":
            line, column = line + 1, 1
    return Place(file=place.file, line=line, column=column)
