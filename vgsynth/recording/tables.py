"""Tables that people fill in: CSV as spreadsheet programs read and write it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from vgsynth.contract.problems import InputError, Place, Problem
from vgsynth.contract.suggest import did_you_mean

_DELIMITERS = ",;\t"
"""Spreadsheets write a semicolon where the comma is the decimal point."""
_BOM = "\ufeff"
"""Without it, some take UTF-8 for the encoding of the country."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with a header. ``lines`` are where its rows begin in the file, from 1."""

    columns: tuple[str, ...]
    rows: tuple[Mapping[str, str], ...]
    lines: tuple[int, ...]
    delimiter: str


def read_table(path: Path, required: Sequence[str]) -> Table:
    """Read a table; its separator is the one that its header has. Rows without any text are left out.

    Raises InputError for a file that cannot be read, is not UTF-8, lacks a column, or has rows that do not
    fit.
    """
    text = _text(path)
    header_line = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=header_line.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns: tuple[str, ...] | None = None
    rows: list[Mapping[str, str]] = []
    lines: list[int] = []
    problems: list[Problem] = []
    start = 1
    try:
        for cells in reader:
            line, start = start, reader.line_num + 1
            if columns is None:
                columns = tuple(cell.strip() for cell in cells)
                problems += _header_problems(path, columns, required)
            elif any(cell.strip() for cell in cells):
                if any(cell.strip() for cell in cells[len(columns) :]):
                    problems.append(
                        problem(path, line, f"{len(cells)} cells under {len(columns)} columns", "")
                    )
                rows.append(dict(zip(columns, [*cells, *[""] * len(columns)], strict=False)))
                lines.append(line)
    except csv.Error as error:
        problems.append(problem(path, start, f"not CSV: {error}", "save it as CSV again"))
    if columns is None:
        problems.append(problem(path, 0, "the table is empty", f"its columns are {', '.join(required)}"))
    if problems:
        raise InputError(problems)
    assert columns is not None
    return Table(columns=columns, rows=tuple(rows), lines=tuple(lines), delimiter=delimiter)


def table_bytes(columns: Sequence[str], rows: Iterable[Mapping[str, str]], *, delimiter: str = ",") -> bytes:
    """A table as a file: UTF-8 with a mark that spreadsheets know it by."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([row.get(column, "") for column in columns] for row in rows)
    return (_BOM + out.getvalue()).encode("utf-8", "backslashreplace")


def problem(path: Path, line: int, message: str, fix: str) -> Problem:
    """A problem of a table, or of one of its lines."""
    return Problem(place=Place(file=str(path), line=line), path="", message=message, fix=fix)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8").removeprefix(_BOM)
    except OSError as error:
        raise InputError.at(
            str(path), f"cannot be read: {error.strerror or error}", "give a path to a CSV file"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError.at(str(path), "is not UTF-8", "save it as `CSV UTF-8`") from error


def _header_problems(path: Path, columns: Sequence[str], required: Sequence[str]) -> list[Problem]:
    missing = [name for name in required if name not in columns]
    twice = sorted({name for name in columns if name and columns.count(name) > 1})
    return [
        *(problem(path, 1, f"there is no column {name!r}", did_you_mean(name, columns)) for name in missing),
        *(problem(path, 1, f"the column {name!r} is there twice", "rename one") for name in twice),
    ]
