"""Rooms of a scene, from their settled values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from vgsynth.plan.model import DryRoom, RirRoom, Room, ShoeboxRoom
from vgsynth.plan.rooms import room_problems
from vgsynth.plan.template import Slot, slot
from vgsynth.spec.model import Dynamic, Path_

Found = tuple[str, str, str]
"""A problem of a room: field, message, fix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomTemplate:
    """A room's slots. A list (a size, a position) has a slot for each of its numbers."""

    name: str
    values: Mapping[str, Slot | tuple[Slot, ...]]
    constant: bool


def room_templates(rooms: Mapping[str, Mapping[str, Dynamic]]) -> dict[str, RoomTemplate]:
    """Compile the rooms of a spec."""
    return {name: _compile(name, room) for name, room in rooms.items()}


def _compile(name: str, room: Mapping[str, Dynamic]) -> RoomTemplate:
    values: dict[str, Slot | tuple[Slot, ...]] = {}
    for key, value in room.items():
        path: Path_ = ("rooms", name, key)
        stream = f"rooms.{name}.{key}"
        if isinstance(value, list | tuple):
            values[key] = tuple(
                slot(item, f"{stream}[{index}]", (*path, index)) for index, item in enumerate(value)
            )
        else:
            values[key] = slot(value, stream, path)
    flat = [s for item in values.values() for s in (item if isinstance(item, tuple) else (item,))]
    return RoomTemplate(name=name, values=values, constant=all(s.constant for s in flat))


def build_room(
    template: RoomTemplate, settle: Callable[[Slot], Any], file_sha256: Callable[[Path_, str], str]
) -> tuple[Room, list[Found]]:
    """The room, and what is wrong with it (then the room is not to be used)."""
    value: dict[str, Any] = {
        key: tuple(map(settle, item)) if isinstance(item, tuple) else settle(item)
        for key, item in template.values.items()
    }
    found = [
        (key, f"{given!r} is not a number", "give a number")
        for key, given in value.items()
        if key in _NUMBERS and given is not None and not _numeric(given)
    ]
    if found:
        return DryRoom(name=template.name, distance="near"), found
    common: dict[str, Any] = {
        "name": template.name,
        "distance": value["distance"],
        "level": value["level"],
        "gain_db": value["gain_db"],
        "lowpass_hz": value["lowpass_hz"],
    }
    if value["kind"] == "dry":
        return DryRoom(**common), []
    rings: dict[str, Any] = {"keep_travel": value["travel"] == "keep", "keep_tail": value["tail"] == "ring"}
    if value["kind"] == "rir":
        path = value["path"]
        sha256 = file_sha256(("rooms", template.name, "path"), path)
        return RirRoom(**common, **rings, path=path, sha256=sha256, channel=value["channel"]), []
    room = ShoeboxRoom(
        **common,
        **rings,
        size_m=value["size_m"],
        rt60_s=value["rt60_s"],
        source_m=value["source_m"],
        mic_m=value["mic_m"],
        reference_m=value["reference_m"],
    )
    return room, list(room_problems(room))


_NUMBERS = ("size_m", "source_m", "mic_m", "rt60_s", "reference_m", "gain_db", "lowpass_hz", "channel")


def _numeric(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_numeric, value))
    return isinstance(value, int | float) and not isinstance(value, bool)
