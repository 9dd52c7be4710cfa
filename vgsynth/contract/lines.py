"""Reading files of one JSON object a line, each fault told by file and line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from vgsynth.contract.problems import InputError

Row = TypeVar("Row")


def read_lines(
    file: Path,
    row: Callable[[Any], Row],
    *,
    loads: Callable[[bytes], Any] = json.loads,
    all_of: str,
    one_of: str,
    if_missing: str,
    if_wrong: str,
) -> Iterator[Row]:
    """The rows of a file, one at a time; ``row`` makes one of what ``loads`` finds in a line.

    ``all_of`` and ``one_of`` are what the file and a line hold, in words; the last two say what to do. Raises
    InputError for a file that cannot be read, and for a line of which no row can be made.
    """
    try:
        lines = file.open("rb")
    except OSError as error:
        raise InputError.at(str(file), f"cannot read {all_of}: {error.strerror}", if_missing) from error
    with lines:
        for number, line in enumerate(lines, start=1):
            try:
                made = row(loads(line))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                raise InputError.at(str(file), f"not {one_of}: {error}", if_wrong, line=number) from error
            yield made
