"""Results as plain JSON, and values as people read them."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

DIGITS = 6
"""Decimals of a figure in a result: more would be the rounding of sums."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A part of the audit that was not done, why, and what would bring it about."""

    skipped: str
    fix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Several measurements of one thing."""

    n: int
    mean: float
    low: float
    """Smallest."""
    high: float
    """Largest."""

    @property
    def range(self) -> tuple[float, float, float]:
        """Mean, smallest and largest."""
        return self.mean, self.low, self.high


def spread(values: list[float]) -> Spread | None:
    """The spread of some values; None for none."""
    if not values:
        return None
    return Spread(
        n=len(values),
        mean=figure(math.fsum(values) / len(values)),
        low=figure(min(values)),
        high=figure(max(values)),
    )


def figure(value: float) -> float:
    """A figure with the decimals that results keep; never -0.0."""
    return round(float(value), DIGITS) + 0.0


def plain(value: Any) -> Any:
    """Dataclasses and mappings to dicts, tuples to lists, all the way down."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"a result cannot hold a {type(value).__name__}")


def shown(text: str, longest: int = 120) -> str:
    """Text that cannot steer a terminal or turn a line around, cut to ``longest`` characters."""
    safe = "".join(
        char.encode("unicode_escape").decode()
        if unicodedata.category(char)[0] == "C" or char in "\u2028\u2029"
        else char
        for char in text
    )
    return safe if len(safe) <= longest else safe[: longest - 3] + "..."
