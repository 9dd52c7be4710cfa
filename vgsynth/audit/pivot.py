"""Tables of counts as people read them: the last factor's levels across, all others down."""

from __future__ import annotations

from dataclasses import dataclass

from vgsynth.audit.counts import Crossing


@dataclass(frozen=True, slots=True, kw_only=True)
class Pivot:
    """A table: ``rows`` are (levels of the factors down, counts across, their sum)."""

    down: tuple[str, ...]
    across: str
    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[int, ...], int], ...]


def pivot(crossing: Crossing) -> Pivot:
    """Turn a crossing into a table; a combination that is not in it counts as 0."""
    columns = tuple(dict.fromkeys(cell.levels[-1] for cell in crossing.cells))
    found: dict[tuple[str, ...], dict[str, int]] = {}
    for cell in crossing.cells:
        found.setdefault(cell.levels[:-1], {})[cell.levels[-1]] = cell.items
    rows = []
    for levels, counts in found.items():
        across = tuple(counts.get(column, 0) for column in columns)
        rows.append((levels, across, sum(across)))
    return Pivot(down=crossing.factors[:-1], across=crossing.factors[-1], columns=columns, rows=tuple(rows))
