"""What the page can be filtered by. Each facet is read off a row in one place; the page only compares.

A facet has a key (as in the page's address), a label, and for each row none, one or several values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import floor

from vgsynth.contract.manifest import ManifestRow
from vgsynth.report.words import number, voice_words

NONE = ""
"""The value of a row to which a facet does not apply."""

MAX_NUMBERS = 24
"""A numeric facet with more distinct values than this is shown in ranges."""

_LABELS = {
    "family": "Family",
    "condition": "Condition",
    "source": "Source of the trigger",
    "distance": "Distance of the trigger",
    "gap": "Gap before the trigger",
    "target": "Target",
    "tool": "Tool",
    "split": "Split",
    "voice": "Voice",
    "room": "Room",
    "policy": "Policy",
    "modality": "Modality",
}
_CELL = "cell."


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """One filter: ``values[i]`` is shown as ``names[i]`` and holds for ``counts[i]`` items."""

    key: str
    label: str
    values: tuple[str, ...]
    names: tuple[str, ...]
    counts: tuple[int, ...]
    step_ms: float | None = None
    """For a numeric facet in ranges: their width. Values are then the ranges' lower ends."""

    def index(self) -> dict[str, int]:
        """Where each value stands in ``values``."""
        return {value: i for i, value in enumerate(self.values)}

    def value_of(self, raw: str) -> str:
        """The facet's value for a raw value of a row: the same, or the range that holds it."""
        return _ranged(raw, self.step_ms)


def raw_values(row: ManifestRow) -> dict[str, tuple[str, ...]]:
    """A row's values by facet key."""
    gap_ms = row.factors.gap_ms
    values: dict[str, tuple[str, ...]] = {
        "family": (row.family,),
        "condition": (row.condition,),
        **{f"{_CELL}{axis}": (level,) for axis, level in row.cell.items()},
        "source": (row.factors.source or NONE,),
        "distance": (row.factors.distance or NONE,),
        "gap": (NONE if gap_ms is None else number(gap_ms),),
        "target": (row.target.kind,),
        "tool": (row.target.tool or NONE,),
        "split": (row.split or NONE,),
        "voice": tuple(dict.fromkeys(filter(None, map(voice_words, row.segments)))) or (NONE,),
        "room": tuple(dict.fromkeys(s.room.name for s in row.segments if s.room is not None)) or (NONE,),
        "policy": (row.policy or NONE,),
        "modality": (row.modality,),
    }
    return values


def build_facets(counts: Mapping[str, Counter[str]]) -> tuple[Facet, ...]:
    """The facets of a set from how often each raw value occurs; cell axes stand after the condition."""
    keys = list(_LABELS)
    at = keys.index("condition") + 1
    keys[at:at] = [key for key in counts if key.startswith(_CELL)]
    return tuple(_facet(key, counts[key]) for key in keys if counts.get(key))


def _facet(key: str, counted: Counter[str]) -> Facet:
    step_ms = _step(counted) if key == "gap" else None
    merged: Counter[str] = Counter()
    for value, count in counted.items():
        merged[_ranged(value, step_ms)] += count
    values = sorted(merged, key=_order)
    return Facet(
        key=key,
        label=_LABELS.get(key) or f"Cell: {key.removeprefix(_CELL)}",
        values=tuple(values),
        names=tuple(_name(key, value, step_ms) for value in values),
        counts=tuple(merged[value] for value in values),
        step_ms=step_ms,
    )


def _step(counted: Counter[str]) -> float | None:
    numbers = [float(value) for value in counted if value != NONE]
    if len(numbers) <= MAX_NUMBERS:
        return None
    width = (max(numbers) - min(numbers)) / (MAX_NUMBERS / 2)
    steps = [base * 10**power for power in range(-3, 8) for base in (1, 2, 5)]
    return next(float(step) for step in steps if step >= width)


def _ranged(value: str, step_ms: float | None) -> str:
    if step_ms is None or value == NONE:
        return value
    return number(floor(float(value) / step_ms) * step_ms)


def _name(key: str, value: str, step_ms: float | None) -> str:
    if value == NONE:
        return "none"
    if key != "gap":
        return value
    return f"{value} ms" if step_ms is None else f"{value} to {number(float(value) + step_ms)} ms"


def _order(value: str) -> tuple[int, float, str]:
    """Numbers by size, then words by letters, then none."""
    if value == NONE:
        return (2, 0.0, "")
    try:
        return (0, float(value), value)
    except ValueError:
        return (1, 0.0, value)
