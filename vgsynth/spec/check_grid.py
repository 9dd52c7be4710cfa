"""The grid: conditions, axes and levels, what they set, and which cells there are."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from vgsynth.contract.problems import Problem
from vgsynth.contract.suggest import did_you_mean
from vgsynth.spec.changes import ChangeError, apply_changes
from vgsynth.spec.draft import Draft, Setting, axis_levels, mapping, names, options, sequence
from vgsynth.spec.model import Path_, SceneSpec
from vgsynth.spec.places import path_text
from vgsynth.spec.schema import validator
from vgsynth.spec.schema_check import schema_faults

MAX_CELLS = 100_000
MAX_ITEM_SUFFIX = 160
"""Characters that may follow a case's id in an item's: with 80 of the id and an ending, file systems' 255."""
_LEVEL_NAME = re.compile(r"[A-Za-z0-9._-]{1,40}")
_RESERVED = ("condition",)


def grid_of(draft: Draft) -> list[str]:
    """The conditions that the grid crosses."""
    grid = draft.part("grid")
    if not grid:
        return []
    if "of" in grid:
        return names(grid["of"])
    default = draft.part("defaults", "scene").get("modality", "audio")
    return [
        scene["condition"]
        for _, scene in draft.scenes()
        if isinstance(scene.get("condition"), str) and scene.get("modality", default) == "audio"
    ]


def check_grid(draft: Draft) -> Iterator[Problem]:
    """Problems of the grid by itself."""
    if "grid" not in draft.data:
        return
    grid, finder, known = draft.part("grid"), draft.finder, draft.conditions()
    for index, condition in enumerate(names(grid.get("of"))):
        if condition not in known:
            path = ("grid", "of", index) if isinstance(grid["of"], list) else ("grid", "of")
            fix = did_you_mean(condition, known) or f"there are: {', '.join(known)}"
            yield finder.at(path, f"there is no condition {condition!r}", fix)
    if not draft.axes():
        yield finder.at_key(
            ("grid",), "the grid has no axis", "add one: source: {trigger.speaker: [wearer, bystander]}"
        )
    set_by: dict[str, str] = {}
    for name, axis in draft.axes().items():
        if name in _RESERVED:
            yield finder.at_key(
                ("grid", name), f"{name!r} cannot be an axis", "pairs use that word; choose another"
            )
        levels = axis_levels(draft, name, axis)
        yield from _levels(draft, name, levels)
        for dotted in dict.fromkeys(dotted for _, setting in levels for dotted in setting):
            other = set_by.setdefault(dotted, name)
            if other != name:
                yield finder.at_key(
                    ("grid", name), f"the axes {other} and {name} both set {dotted}", "make them one axis"
                )
    yield from _cells(draft)


def _levels(draft: Draft, name: str, levels: list[tuple[str, Setting]]) -> Iterator[Problem]:
    seen: set[str] = set()
    for level, setting in levels:
        path = next((path for path, _ in setting.values()), ("grid", name))
        if not level:
            yield draft.finder.at(
                path, "a value that is no plain one needs a name", "write {path: {name: value, ...}}"
            )
        elif isinstance(path[-1], int) and not _LEVEL_NAME.fullmatch(level):
            yield draft.finder.at(
                path,
                f"{level!r} cannot name a level",
                "write {path: {name: value, ...}} with a name of letters",
            )
        elif level.casefold() in seen:
            yield draft.finder.at(path, f"a second level {level!r} of {name}", "give it another name")
        seen.add(level.casefold())
        if "levels" not in mapping(draft.axes()[name]):
            yield from _values(draft, setting)


def _values(draft: Draft, setting: Setting) -> Iterator[Problem]:
    """The schema check of an axis's values, which the schema leaves open: their type depends on the path."""
    for dotted, (path, value) in setting.items():
        for fault in schema_faults({dotted: value}, validator("changes")):
            if fault.path[:1] == (dotted,) and not (fault.of_key and len(fault.path) == 1):
                yield draft.finder.at((*path, *fault.path[1:]), fault.message, fault.fix)


def _cells(draft: Draft) -> Iterator[Problem]:
    grid, finder = draft.part("grid"), draft.finder
    axes = {
        name: [level for level, _ in axis_levels(draft, name, axis)] for name, axis in draft.axes().items()
    }
    cells = math.prod(map(len, axes.values()))
    if cells > MAX_CELLS:
        yield finder.at_key(
            ("grid",), f"{cells:,} cells; at most {MAX_CELLS:,} are made", "use fewer axes or levels"
        )
        return
    entries: dict[str, list[dict[str, str]]] = {"include": [], "exclude": []}
    for key, found in entries.items():
        for index, entry in enumerate(sequence(grid.get(key))):
            at: Path_ = ("grid", key, index)
            cell = cell_of(draft, mapping(entry), at)
            found.append(cell)
            yield from cell_faults(draft, cell, at)
            missing = [name for name in axes if name not in cell]
            if key == "include" and missing:
                yield finder.at(
                    at, f"the cell says nothing of {', '.join(missing)}", "give a level of every axis"
                )
    if axes and all(axes.values()) and not entries["include"] and entries["exclude"]:
        crossed = (dict(zip(axes, levels, strict=True)) for levels in product(*axes.values()))
        if all(any(has_levels(cell, entry) for entry in entries["exclude"]) for cell in crossed):
            yield finder.at(("grid", "exclude"), "no cell is left", "exclude fewer")


def has_levels(cell: Mapping[str, str], entry: Mapping[str, str]) -> bool:
    """Whether a cell has all the levels of an entry."""
    return all(cell.get(axis) == level for axis, level in entry.items())


def cell_of(draft: Draft, entry: Mapping[str, Any], at: Path_) -> dict[str, str]:
    """Axis to level, levels as they are written."""
    return {name: draft.finder.places.text_of((*at, name), level) for name, level in entry.items()}


def cell_faults(draft: Draft, cell: Mapping[str, str], at: Path_) -> Iterator[Problem]:
    """Axes and levels of a cell that do not exist."""
    axes = draft.axes()
    for name, level in cell.items():
        if name not in axes:
            fix = did_you_mean(name, axes) or f"there are: {', '.join(axes) or 'none'}"
            yield draft.finder.at_key((*at, name), f"there is no axis {name!r}", fix)
            continue
        levels = [known for known, _ in axis_levels(draft, name, axes[name])]
        if level not in levels and name not in draft.faulty_axes:
            fix = did_you_mean(level, levels) or f"there are: {', '.join(levels)}"
            yield draft.finder.at((*at, name), f"axis {name} has no level {level!r}", fix)


def check_grid_of_scenes(draft: Draft, scenes: Mapping[str, SceneSpec]) -> Iterator[Problem]:
    """Whether each level can be set on each scene, and whether item ids stay short enough."""
    longest = 0
    for name, axis in draft.axes().items():
        levels = axis_levels(draft, name, axis)
        if name in draft.faulty_axes:
            continue
        longest += len(name) + 2 + max((len(level) for level, _ in levels), default=0)
        for scene in [scenes[condition] for condition in grid_of(draft) if condition in scenes]:
            for _, setting in levels:
                changes = {dotted: value for dotted, (_, value) in setting.items()}
                try:
                    apply_changes(scene, changes, ("grid", name))
                except ChangeError as error:
                    path = setting[error.dotted][0]
                    yield Problem(
                        place=draft.finder.places.of_key(path),
                        path=path_text(path),
                        message=str(error),
                        fix=error.fix,
                    )
    for at, written in draft.scenes():
        condition = written.get("condition")
        if not isinstance(condition, str):
            continue
        length = len(condition) + (longest if condition in grid_of(draft) else 0)
        if length > MAX_ITEM_SUFFIX:
            yield draft.finder.at(
                (*at, "condition"),
                f"ids of its items would be {length} characters longer than the case's",
                f"shorten the names of condition, axes and levels to {MAX_ITEM_SUFFIX} in all",
            )


def speakers_together(draft: Draft, scene: SceneSpec) -> set[str]:
    """All speakers who may speak in a scene or one of its grid cells, as far as the spec says."""
    found = [segment.speaker for segment in scene.segments]
    if scene.condition in grid_of(draft):
        roles = {segment.role for segment in scene.segments}
        for name, axis in draft.axes().items():
            for _, setting in axis_levels(draft, name, axis):
                for dotted, (_, value) in setting.items():
                    role, _, field = dotted.partition(".")
                    if field == "speaker" and role in roles:
                        found.append(value)
    return {option for value in found for option in options(value) if isinstance(option, str)}
