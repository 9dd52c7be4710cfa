"""How many items there are of each kind, every factor crossed with every other that matters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from vgsynth.audit.folder import case_value, focus, voice_id
from vgsynth.contract.manifest import ManifestRow

MAX_LEVELS = 12
"""A number with more values than this is counted in ranges."""
RANGES = 4
MAX_CELLS = 4096
"""Beyond this, combinations that do not occur are left out of a table."""
NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountCell:
    """One combination of levels, in the order of the table's factors, and its items."""

    levels: tuple[str, ...]
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """A table of counts over all combinations of its factors' levels, those that do not occur included."""

    name: str
    factors: tuple[str, ...]
    cells: tuple[CountCell, ...]
    complete: bool
    """Whether combinations that do not occur are in ``cells`` too."""

    @property
    def fewest(self) -> int:
        """Items of the smallest cell that is there."""
        return min(cell.items for cell in self.cells)

    @property
    def most(self) -> int:
        """Items of the largest cell."""
        return max(cell.items for cell in self.cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Items of a set."""

    items: int
    audio_items: int
    cases: int
    pairs: int
    hours: float
    crossings: tuple[Crossing, ...]


_Level = Callable[[ManifestRow], str]


def count(rows: Sequence[ManifestRow]) -> Counts:
    """Count a set. Tables of factors about sound are over its audio items."""
    audio = [row for row in rows if row.modality == "audio"]
    levels = _levels(audio)
    tables = (
        ("factors", audio, ("source", "distance", "gap_ms", "action")),
        ("conditions", rows, ("condition", "target")),
        ("cells", [row for row in audio if row.cell], ("cell", "target")),
        ("tools", rows, ("tool", "target")),
        ("tools by condition", rows, ("tool", "condition")),
        ("trigger voices", audio, ("trigger voice", "action")),
        ("context voices", audio, ("context voice", "action")),
        ("trigger voices by tool", audio, ("trigger voice", "tool")),
        ("addressees", audio, ("addressed utterance", "target")),
        ("splits", rows, ("split", "condition")),
        ("splits by tool", rows, ("split", "tool")),
        ("splits by voice", audio, ("split", "trigger voice")),
    )
    crossings = (_cross(name, of, factors, levels) for name, of, factors in tables)
    return Counts(
        items=len(rows),
        audio_items=len(audio),
        cases=len({row.case_id for row in rows}),
        pairs=len({row.pair_id for row in rows if row.pair_id is not None}),
        hours=round(sum(row.duration_s for row in audio) / 3600.0, 4),
        crossings=tuple(table for table in crossings if table is not None),
    )


def _levels(audio: Sequence[ManifestRow]) -> Mapping[str, _Level]:
    gap_level = gap_levels(row.factors.gap_ms for row in audio)
    return {
        "source": lambda row: row.factors.source or NONE,
        "distance": lambda row: row.factors.distance or NONE,
        "gap_ms": lambda row: gap_level(row.factors.gap_ms),
        "action": lambda row: "mute" if row.target.kind == "mute" else "act",
        "target": lambda row: row.target.kind,
        "condition": lambda row: row.condition,
        "cell": lambda row: " ".join(f"{axis}={level}" for axis, level in sorted(row.cell.items())) or NONE,
        "tool": lambda row: row.target.tool or case_value(row, "case.tool") or NONE,
        "split": lambda row: row.split or NONE,
        "trigger voice": lambda row: _voice(row, 0),
        "context voice": lambda row: _voice(row, 1),
        "addressed utterance": _addressed,
    }


def _voice(row: ManifestRow, before: int) -> str:
    index = focus(row)
    if index is None or index < before:
        return NONE
    return voice_id(row.segments[index - before]) or NONE


def _addressed(row: ManifestRow) -> str:
    at = [i for i, segment in enumerate(row.segments) if segment.addressee == "assistant"]
    if not at or len(row.segments) < 2:
        return NONE
    return " and ".join(f"{i + 1} of {len(row.segments)}" for i in at)


def gap_levels(gaps_ms: Iterable[float | None]) -> Callable[[float | None], str]:
    """Names for gaps: each by itself; where there are many, in ranges that hold about as many items each."""
    values = sorted(gap for gap in gaps_ms if gap is not None)
    if len(set(values)) <= MAX_LEVELS:
        return lambda gap: NONE if gap is None else f"{gap:g}"
    edges = [values[len(values) * k // RANGES] for k in range(RANGES)] + [values[-1]]

    def level(gap_ms: float | None) -> str:
        if gap_ms is None:
            return NONE
        k = max(k for k in range(RANGES) if edges[k] <= gap_ms or k == 0)
        return f"{edges[k]:g} to {edges[k + 1]:g}"

    return level


def _cross(
    name: str, rows: Sequence[ManifestRow], factors: tuple[str, ...], levels: Mapping[str, _Level]
) -> Crossing | None:
    """A table, or None where no factor but the last has more than one level to tell."""
    found = Counter(tuple(levels[factor](row) for factor in factors) for row in rows)
    seen = [sorted({combination[i] for combination in found}, key=by_number) for i in range(len(factors))]
    if not found or all(names == [NONE] for names in seen[:-1]):
        return None
    complete = prod(map(len, seen)) <= MAX_CELLS
    combinations: Iterator[tuple[str, ...]] = (
        product(*seen) if complete else iter(sorted(found, key=lambda key: tuple(map(by_number, key))))
    )
    cells = tuple(CountCell(levels=levels_, items=found[levels_]) for levels_ in combinations)
    return Crossing(name=name, factors=factors, cells=cells, complete=complete)


def by_number(level: str) -> tuple[int, float, str]:
    """Numbers by size, then words, then what is missing."""
    if level == NONE:
        return 2, 0.0, level
    try:
        return 0, float(level.partition(" to ")[0]), level
    except ValueError:
        return 1, 0.0, level
