"""A document that may still be wrong, and careful access to its parts.

The checks of meaning look at whatever is there: what has the wrong shape was told by the schema check, and
reads as absent here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vgsynth.spec.model import Path_
from vgsynth.spec.places import Finder
from vgsynth.spec.tools import ToolBox
from vgsynth.spec.tree import Tree

_SPOKEN = frozenset(("role", "speaker", "say", "play"))
"""Keys that make an item of `segments` an utterance; without any it is a boundary."""
GRID_KEYS = ("of", "include", "exclude", "take")
"""Keys of a grid that are no axes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A merged document with what checks need to know besides."""

    data: Mapping[str, Any]
    finder: Finder
    tree: Tree
    box: ToolBox | None
    """None where the tools could not be read."""
    unread: frozenset[str] = frozenset()
    """Keys at the top whose value is not known: written under a misspelt key, or in a file that is wrong."""
    faulty_axes: frozenset[str] = frozenset()
    """Axes of the grid that have problems, and "of" where that has: nothing is concluded from them."""

    def part(self, *path: str) -> Mapping[str, Any]:
        """The mapping at a path of keys; empty where there is none."""
        value: Any = self.data
        for key in path:
            value = mapping(value).get(key)
        return mapping(value)

    def scenes(self) -> list[tuple[Path_, Mapping[str, Any]]]:
        """The scenes with their paths."""
        return [(("scenes", i), mapping(scene)) for i, scene in enumerate(sequence(self.data.get("scenes")))]

    def conditions(self) -> list[str]:
        """The names of the scenes' conditions."""
        found = [name for _, scene in self.scenes() if isinstance(name := scene.get("condition"), str)]
        return list(dict.fromkeys(found))

    def axes(self) -> dict[str, Any]:
        """The grid's axes by name."""
        return {name: axis for name, axis in self.part("grid").items() if name not in GRID_KEYS}

    def changes(self) -> Iterator[tuple[Path_, str, Any]]:
        """Every value that ``change`` or an axis sets: where it is written, the dotted path, the value."""
        for at, scene in self.scenes():
            for dotted, value in mapping(scene.get("change")).items():
                yield (*at, "change", dotted), dotted, value
        for name, axis in self.axes().items():
            for _, setting in axis_levels(self, name, axis):
                yield from ((path, dotted, value) for dotted, (path, value) in setting.items())


Setting = Mapping[str, tuple[Path_, Any]]
"""What a level sets: dotted path to the value and where it is written."""


def axis_levels(draft: Draft, name: str, axis: Any) -> list[tuple[str, Setting]]:
    """An axis's levels in their order, each with what it sets; a value without a name has the name ""."""
    at: Path_ = ("grid", name)
    axis = mapping(axis)
    if "levels" in axis:
        return [
            (level, {d: ((*at, "levels", level, d), value) for d, value in mapping(changes).items()})
            for level, changes in mapping(axis["levels"]).items()
        ]
    levels: list[tuple[str, Setting]] = []
    for dotted, values in axis.items():
        if isinstance(values, Mapping):
            levels += [(level, {dotted: ((*at, dotted, level), value)}) for level, value in values.items()]
        for index, value in enumerate(sequence(values)):
            path = (*at, dotted, index)
            level = "" if isinstance(value, Mapping | list) else draft.finder.places.text_of(path, value)
            levels.append((level, {dotted: (path, value)}))
    return levels


def mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def sequence(value: Any) -> Sequence[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def names(value: Any) -> list[str]:
    """A name or list of names as a list; what is no text is left out."""
    return [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)]


def utterances(scene: Mapping[str, Any], at: Path_) -> list[tuple[Path_, Mapping[str, Any]]]:
    """A scene's own utterances with their paths."""
    return [
        ((*at, "segments", index), mapping(segment))
        for index, segment in enumerate(sequence(scene.get("segments")))
        if _SPOKEN & set(mapping(segment))
    ]


def options(value: Any) -> list[Any]:
    """What a value may become: itself, or the options of a choice."""
    return list(sequence(value["choice"])) if isinstance(value, Mapping) and "choice" in value else [value]
