"""Placeholders and distributions wherever they stand: well formed, and of names that can exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vgsynth.contract.problems import Problem
from vgsynth.contract.suggest import did_you_mean
from vgsynth.spec.draft import Draft, mapping, sequence
from vgsynth.spec.dynamic import DISTRIBUTIONS, DynamicError, compile_dynamic, names_of
from vgsynth.spec.model import Path_

_SCENE_NAMES = ("condition", "like", "modality", "policy", "when", "repeats", "segments", "change")
_IN_SEGMENT = True
_Leaf = tuple[Path_, Any, bool]
"""A path, its value, and whether it is settled within a segment (so that ``segment.role`` has a meaning)."""


def check_dynamic(draft: Draft) -> Iterator[Problem]:
    """Problems of every string and distribution that a scene settles."""
    for path, value, in_segment in _leaves(draft):
        try:
            compiled = compile_dynamic(value)
        except DynamicError as error:
            yield draft.finder.at(path, error.message, error.fix)
            continue
        for name in sorted(names_of(compiled)):
            fault = _name_fault(draft, name, in_segment)
            if fault is not None:
                yield draft.finder.at(path, *fault)


def _leaves(draft: Draft) -> Iterator[_Leaf]:
    data = draft.data
    for key in ("level", "trim", "noise", "target"):
        yield from _inside(data.get(key), (key,), key in ("level", "trim"))
    for name, room in draft.part("rooms").items():
        for key, value in mapping(room).items():
            if key != "kind":
                yield from _inside(value, ("rooms", name, key), False)
    for name, pool in draft.part("pools").items():
        yield from _voices(pool, ("pools", name))
    for name, speaker in draft.part("speakers").items():
        yield from _voices(mapping(speaker).get("voices"), ("speakers", name, "voices"))
        yield from _inside(mapping(speaker).get("settings"), ("speakers", name, "settings"), _IN_SEGMENT)
    yield from _inside(
        data.get("defaults", {}), ("defaults",), _IN_SEGMENT, ("condition", "modality", "policy", "when")
    )
    for at, scene in draft.scenes():
        yield from _scene(scene, at)
    for path, dotted, value in draft.changes():
        yield from _inside(value, path, dotted.partition(".")[0] not in ("noise", "initiator"))


def _scene(scene: Mapping[str, Any], at: Path_) -> Iterator[_Leaf]:
    for key, value in scene.items():
        if key not in _SCENE_NAMES:
            yield from _inside(value, (*at, key), key in ("level", "trim"))
    for index, segment in enumerate(sequence(scene.get("segments"))):
        for key, value in mapping(segment).items():
            if key != "role":
                yield from _inside(value, (*at, "segments", index, key), _IN_SEGMENT)


def _voices(voices: Any, at: Path_) -> Iterator[_Leaf]:
    items = enumerate(voices) if isinstance(voices, list) else [(None, voices)]
    for index, voice in items:
        here = at if index is None else (*at, index)
        for key, value in mapping(voice).items():
            if key not in ("engine", "name"):
                yield from _inside(value, (*here, key), _IN_SEGMENT)


def _inside(value: Any, path: Path_, in_segment: bool, but: tuple[str, ...] = ()) -> Iterator[_Leaf]:
    """Strings and distributions in a value, those below the keys ``but`` aside."""
    if isinstance(value, Mapping) and not any(kind in value for kind in DISTRIBUTIONS):
        for key, item in value.items():
            if key not in but:
                yield from _inside(item, (*path, key), in_segment, but)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _inside(item, (*path, index), in_segment, but)
    elif isinstance(value, str | Mapping):
        yield path, value, in_segment


def _name_fault(draft: Draft, name: str, in_segment: bool) -> tuple[str, str] | None:
    head, _, rest = name.partition(".")
    speakers, axes = list(draft.part("speakers")), list(draft.axes())
    missing = f"there is no placeholder {{{name}}}"
    match head:
        case "case":
            if not rest:
                return "{case} names no field", "write {case.<field>}"
            if "cases" not in draft.data and rest != "id" and "cases" not in draft.unread:
                return f"{{{name}}}: the spec has no cases", "add `cases`"
            return None
        case "speaker":
            if rest in speakers or "speakers" in draft.unread:
                return None
            return missing, did_you_mean(rest, speakers) or f"speakers: {', '.join(speakers) or 'none'}"
        case "cell":
            if rest in axes or "grid" in draft.unread:
                return None
            return missing, did_you_mean(rest, axes) or f"axes of the grid: {', '.join(axes) or 'none'}"
        case "condition" if not rest:
            return None
        case "segment" if rest == "role" and in_segment:
            return None
        case "segment" if rest == "role":
            return f"{{{name}}} has no meaning outside a segment", "remove it here"
    known = ["condition", "segment.role", *(f"speaker.{s}" for s in speakers), *(f"cell.{a}" for a in axes)]
    near = did_you_mean(name, [*known, "case.id"])
    if not near and not rest and "cases" in draft.data:
        near = f"did you mean {{case.{name}}}?"
    return missing, near or f"there are: case.<field>, {', '.join(known)}"
