"""What two annotators said of each item, read from one table or from a copy for each of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from vgsynth.contract.problems import InputError, Problem
from vgsynth.recording.annotation import ANNOTATORS, BETWEEN, CELLS, COLUMNS, LABELS
from vgsynth.recording.labels import LabelError, read_addressees, read_judgement, read_target
from vgsynth.recording.tables import problem, read_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """What one annotator said of an item; "" where nothing."""

    target: str = ""
    addressee: str = ""
    audio: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """An item and what both said."""

    item_id: str
    case_id: str
    script: str
    script_audio: str
    details: str
    recheck: str
    ratings: tuple[Rating, Rating]


def read_ratings(paths: Sequence[Path], tools: Collection[str] | None) -> tuple[Rated, ...]:
    """Read tables of annotation. Several are laid over each other: each annotator may fill in a copy.

    ``tools`` are the names of the spec's tools, where it is known. Raises InputError with every cell that is
    no label, and where two tables say different things in one cell.
    """
    problems: list[Problem] = []
    merged: dict[str, _Row] = {}
    for path in paths:
        for row in _rows(path, problems):
            merged.setdefault(row.cells["item_id"], row).lay_under(row, problems)
    rated = [_rated(row, tools, problems) for row in merged.values()]
    if problems:
        raise InputError(problems)
    return tuple(rated)


@dataclass(slots=True, kw_only=True)
class _Row:
    """A row with where each of its cells was read."""

    cells: dict[str, str]
    places: dict[str, tuple[Path, int]]

    def lay_under(self, other: _Row, problems: list[Problem]) -> None:
        """Take from another table's row what is empty here."""
        for name in (*CELLS, "recheck"):
            own, its = self.cells[name].strip(), other.cells[name].strip()
            if own and its and own != its and name in CELLS:
                path, line = other.places[name]
                first, first_line = self.places[name]
                message = f"{name} is {its!r} here and {own!r} in {first}:{first_line}"
                problems.append(problem(path, line, message, "agree on one, and empty the other"))
            elif its and not own:
                self.cells[name], self.places[name] = its, other.places[name]


def _rows(path: Path, problems: list[Problem]) -> Iterator[_Row]:
    table = read_table(path, COLUMNS)
    seen: dict[str, int] = {}
    for line, cells in zip(table.lines, table.rows, strict=True):
        first = seen.setdefault(cells["item_id"], line)
        if first == line:
            yield _Row(cells=dict(cells), places=dict.fromkeys(cells, (path, line)))
        else:
            message = f"the item {cells['item_id']!r} stands in line {first} too"
            problems.append(problem(path, line, message, "keep one of the rows"))


def _rated(row: _Row, tools: Collection[str] | None, problems: list[Problem]) -> Rated:
    cells = row.cells
    utterances = cells["script"].count(BETWEEN) + 1
    readers: Mapping[str, Callable[[str], str]] = {
        "target": lambda text: read_target(text, tools),
        "addressee": lambda text: read_addressees(text, utterances),
        "audio": read_judgement,
    }

    def label(number: int, name: str) -> str:
        column = f"annotator_{number}_{name}"
        try:
            return readers[name](cells[column])
        except LabelError as error:
            path, line = row.places[column]
            problems.append(problem(path, line, f"{column}: {error}", error.fix))
            return ""

    first, second = (Rating(**{name: label(number, name) for name in LABELS}) for number in ANNOTATORS)
    return Rated(
        item_id=cells["item_id"],
        case_id=cells["case_id"],
        script=cells["script"],
        script_audio=cells["script_audio"],
        details=cells["details"],
        recheck=cells["recheck"].strip(),
        ratings=(first, second),
    )
