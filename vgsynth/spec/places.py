"""Positions: how a path in a document is written, and where in which file its value stands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from vgsynth.contract.problems import Place, Problem
from vgsynth.spec.model import Path_

_PLAIN_KEY = re.compile(r"[\w.\-]+")


def path_text(path: Path_) -> str:
    """A path as a reader would say it: ``scenes[0].segments[2].room``; "" for the whole document."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _PLAIN_KEY.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{step!r}]"
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePlaces:
    """Positions of every value and key of a document, which may be merged from several files."""

    values: dict[Path_, Place] = field(default_factory=dict)
    keys: dict[Path_, Place] = field(default_factory=dict)
    written: dict[Path_, str] = field(default_factory=dict)
    """What the author wrote where the value does not tell: ``0.50``, or a path before it was rewritten."""
    whole: Place

    def of(self, path: Path_) -> Place:
        """Position of the value at ``path``, or of its nearest ancestor that has one."""
        return self._nearest(self.values, path)

    def of_key(self, path: Path_) -> Place:
        """Position of the key that holds the value at ``path``; of the value where it has no key."""
        return self.keys.get(path) or self.of(path)

    def text_of(self, path: Path_, value: object) -> str:
        """A scalar as it was written."""
        return self.written.get(path) or scalar_text(value)

    def _nearest(self, places: dict[Path_, Place], path: Path_) -> Place:
        for length in range(len(path), -1, -1):
            found = places.get(path[:length])
            if found is not None:
                return found
        return self.whole


def scalar_text(value: object) -> str:
    """A scalar as YAML would write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Finder:
    """Makes problems of a document: a path and words in, a Problem with its place out."""

    places: SourcePlaces

    def at(self, path: Path_, message: str, fix: str = "") -> Problem:
        """A problem of the value at ``path``."""
        return Problem(place=self.places.of(path), path=path_text(path), message=message, fix=fix)

    def at_key(self, path: Path_, message: str, fix: str = "") -> Problem:
        """A problem of the key at ``path``."""
        return Problem(place=self.places.of_key(path), path=path_text(path), message=message, fix=fix)
