"""Pairs: members that exist and single out one item, and names of what they may differ in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vgsynth.contract.problems import Problem
from vgsynth.contract.suggest import did_you_mean
from vgsynth.spec.check_grid import cell_faults, cell_of, grid_of, has_levels
from vgsynth.spec.defaults import PAIR_NAME
from vgsynth.spec.draft import Draft, mapping, sequence
from vgsynth.spec.model import Path_, SceneSpec
from vgsynth.spec.pair_fields import PAIR_SCENE_FIELDS, PAIR_SEGMENT_FIELDS

_Item = tuple[str, tuple[tuple[str, str], ...]]


def member_of(draft: Draft, written: Any, at: Path_) -> tuple[str, dict[str, str]] | None:
    """A member's condition and cell; None where it has no condition."""
    if isinstance(written, str):
        return written, {}
    entry = dict(mapping(written))
    condition = entry.pop("condition", None)
    return (condition, cell_of(draft, entry, at)) if isinstance(condition, str) else None


def check_pairs(draft: Draft, scenes: Mapping[str, SceneSpec]) -> Iterator[Problem]:
    """Problems of ``pairs``. ``scenes`` holds the scenes that could be built."""
    taken: dict[_Item, int] = {}
    named: dict[str, int] = {}
    for index, written_pair in enumerate(sequence(draft.data.get("pairs"))):
        at: Path_ = ("pairs", index)
        pair = mapping(written_pair)
        name = pair.get("name", PAIR_NAME)
        if isinstance(name, str) and named.setdefault(name.casefold(), index) != index:
            fix = "give it a `name` of its own, for example name: source"
            yield draft.finder.at((*at, "name"), f"a second pair called {name!r}", fix)
        conditions: list[str] = []
        items: list[_Item] = []
        for side, written in enumerate(sequence(pair.get("members"))):
            path = (*at, "members", side)
            member = member_of(draft, written, path)
            if member is None:
                continue
            conditions.append(member[0])
            items.append((member[0], tuple(sorted(member[1].items()))))
            yield from _member(draft, *member, path)
            if taken.setdefault(items[-1], index) != index:
                yield draft.finder.at(
                    path, "this item belongs to another pair", "put an item into one pair only"
                )
        if len(items) == 2 and items[0] == items[1]:
            yield draft.finder.at((*at, "members"), "both members are the same item", "name two")
        yield from _repeats(draft, [scenes.get(c) for c in conditions], at)
        yield from _may_differ_in(draft, pair, [scenes.get(c) for c in conditions], at)


def _member(draft: Draft, condition: str, cell: Mapping[str, str], path: Path_) -> Iterator[Problem]:
    known = draft.conditions()
    if condition not in known:
        fix = did_you_mean(condition, known) or f"there are: {', '.join(known)}"
        yield draft.finder.at(path, f"there is no condition {condition!r}", fix)
        return
    if condition not in grid_of(draft):
        if cell and "of" not in draft.faulty_axes:
            fix = "name the condition alone" if draft.axes() else "remove the levels: there is no grid"
            yield draft.finder.at(path, f"condition {condition} is not in the grid", fix)
        return
    faults = list(cell_faults(draft, cell, path))
    yield from faults
    if faults:
        return
    missing = [axis for axis in draft.axes() if axis not in cell]
    if missing:
        levels = ", ".join(f"{axis}: ..." for axis in missing)
        fix = f"single out one: {{condition: {condition}, {levels}}}"
        yield draft.finder.at(path, f"condition {condition} has many items in the grid", fix)
        return
    grid = draft.part("grid")
    included, excluded = (
        [cell_of(draft, mapping(e), ("grid", key, i)) for i, e in enumerate(sequence(grid.get(key)))]
        for key in ("include", "exclude")
    )
    if cell not in included and any(has_levels(cell, entry) for entry in excluded):
        yield draft.finder.at(path, "this cell is excluded from the grid", "name another, or exclude less")


def _repeats(draft: Draft, scenes: list[SceneSpec | None], at: Path_) -> Iterator[Problem]:
    match scenes:
        case [SceneSpec() as first, SceneSpec() as second] if first.repeats != second.repeats:
            yield draft.finder.at(
                (*at, "members"),
                f"{first.condition} has repeats {first.repeats} and {second.condition} {second.repeats}",
                "give both the same `repeats`",
            )


def _may_differ_in(
    draft: Draft, pair: Mapping[str, Any], scenes: list[SceneSpec | None], at: Path_
) -> Iterator[Problem]:
    if len(scenes) != 2 or None in scenes:
        return
    roles = list(dict.fromkeys(s.role for scene in scenes if scene is not None for s in scene.segments))
    known = [*PAIR_SCENE_FIELDS, *(f"{role}.{field}" for role in roles for field in PAIR_SEGMENT_FIELDS)]
    for index, name in enumerate(sequence(pair.get("may_differ_in"))):
        if isinstance(name, str) and name not in (*known, "boundary.gap_ms"):
            fix = did_you_mean(name, known) or (
                f"use {', '.join(PAIR_SCENE_FIELDS)}, or <role>.<what> with {', '.join(PAIR_SEGMENT_FIELDS)}"
            )
            yield draft.finder.at(
                (*at, "may_differ_in", index), f"{name!r} is nothing a pair differs in", fix
            )
