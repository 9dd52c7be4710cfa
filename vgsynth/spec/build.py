"""From a draft that the checks found right to the parts of a ``Spec``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vgsynth.spec.check_grid import cell_of, grid_of
from vgsynth.spec.check_pairs import member_of
from vgsynth.spec.check_scenes import IMPLICIT_ROOM
from vgsynth.spec.check_speakers import entries_of
from vgsynth.spec.defaults import PAIR_NAME, SPLIT, filled_room
from vgsynth.spec.draft import Draft, axis_levels, mapping, names, sequence
from vgsynth.spec.model import (
    Axis,
    Dynamic,
    GridSpec,
    Member,
    OutputSpec,
    PairSpec,
    Path_,
    SpeakerSpec,
    SplitSpec,
    TakeSpec,
    VoiceEntry,
)


def build_speakers(draft: Draft) -> dict[str, SpeakerSpec]:
    """The speakers, each with its pool."""
    return {name: _speaker(draft, name, mapping(entry)) for name, entry in draft.part("speakers").items()}


def _speaker(draft: Draft, name: str, entry: Mapping[str, Any]) -> SpeakerSpec:
    return SpeakerSpec(
        name=name,
        voices=tuple(_voice(voice, at) for at, voice in entries_of(draft, name)),
        differs_from=tuple(names(entry.get("differs_from"))),
        assign=entry.get("assign", "balanced"),
        balance_within=tuple(names(entry.get("balance_within"))),
        settings=entry.get("settings", {}),
    )


def _voice(entry: Any, at: Path_) -> VoiceEntry:
    if isinstance(entry, str):
        engine, _, name = entry.partition("/")
        return VoiceEntry(engine=engine, name=name, path=at)
    settings = {key: value for key, value in entry.items() if key not in ("engine", "name")}
    return VoiceEntry(engine=entry["engine"], name=entry["name"], settings=settings, path=at)


def build_rooms(draft: Draft) -> dict[str, Mapping[str, Dynamic]]:
    """The rooms with every key filled in; a dry one where none is declared."""
    rooms = draft.part("rooms") or {IMPLICIT_ROOM: {"kind": "dry"}}
    return {name: filled_room(room) for name, room in rooms.items()}


def build_grid(draft: Draft) -> GridSpec | None:
    """The grid, levels named as they are written."""
    if "grid" not in draft.data:
        return None
    axes = tuple(
        Axis(
            name=name,
            levels=tuple(
                (level, {dotted: value for dotted, (_, value) in setting.items()})
                for level, setting in axis_levels(draft, name, axis)
            ),
            path=("grid", name),
        )
        for name, axis in draft.axes().items()
    )
    include, exclude = (
        tuple(
            cell_of(draft, entry, ("grid", key, index))
            for index, entry in enumerate(sequence(draft.part("grid").get(key)))
        )
        for key in ("include", "exclude")
    )
    take = draft.part("grid", "take")
    return GridSpec(
        of=tuple(grid_of(draft)),
        axes=axes,
        include=include,
        exclude=exclude,
        take=TakeSpec(count=int(take["count"]), within=take.get("within")) if take else None,
    )


def build_pairs(draft: Draft) -> tuple[PairSpec, ...]:
    """The pairs."""
    return tuple(
        _pair(draft, pair, ("pairs", index)) for index, pair in enumerate(sequence(draft.data.get("pairs")))
    )


def _pair(draft: Draft, pair: Mapping[str, Any], at: Path_) -> PairSpec:
    first, second = (
        _member(draft, written, (*at, "members", side)) for side, written in enumerate(pair["members"])
    )
    return PairSpec(
        path=at,
        name=pair.get("name", PAIR_NAME),
        members=(first, second),
        may_differ_in=tuple(pair["may_differ_in"]),
    )


def _member(draft: Draft, written: Any, at: Path_) -> Member:
    found = member_of(draft, written, at)
    assert found is not None
    # In the order of the axes, whatever order the author wrote.
    cell = {axis: found[1][axis] for axis in draft.axes() if axis in found[1]}
    return Member(condition=found[0], cell=cell)


def build_splits(draft: Draft) -> SplitSpec | None:
    """The splits."""
    if "splits" not in draft.data:
        return None
    splits = {**SPLIT, **draft.part("splits")}
    return SplitSpec(
        path=("splits",),
        by=splits["by"],
        parts=tuple(mapping(splits.get("parts")).items()),
        rest=splits["rest"],
        within=splits.get("within"),
        stated=splits.get("stated"),
        count=splits["count"],
        keep=tuple(names(splits.get("keep"))),
    )


def build_output(draft: Draft) -> OutputSpec:
    """How clips are written."""
    output = dict(draft.part("output"))
    if "sample_rate_hz" in output:
        output["sample_rate_hz"] = int(output["sample_rate_hz"])
    return OutputSpec(**output)
