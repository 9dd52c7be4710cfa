"""Scenes and their segments: conditions, roles, boundaries, `like`, and the names of speakers and rooms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vgsynth.contract.problems import Problem
from vgsynth.contract.suggest import did_you_mean, nearest
from vgsynth.spec.draft import Draft, mapping, options, sequence, utterances
from vgsynth.spec.model import Path_
from vgsynth.spec.safe_id import id_fault

RESERVED_ROLES = ("boundary", "noise", "initiator", "segments", "modality")
"""Words that paths such as ``boundary.gap_ms`` begin with."""
_SEGMENT_KEYS = ("role", "speaker", "say", "play", "text", "room", "level", "trim", "settings", "addressee")
IMPLICIT_ROOM = "near"
"""The dry room of a spec that declares none."""


def room_names(draft: Draft) -> list[str]:
    """Names of the rooms there are."""
    return list(draft.part("rooms")) or [IMPLICIT_ROOM]


def check_scenes(draft: Draft) -> Iterator[Problem]:
    """Problems of ``scenes`` that no other scene's shape decides."""
    yield from _conditions(draft)
    for key in ("name", "family"):
        if isinstance(name := draft.data.get(key), str) and (fault := id_fault(name)):
            yield draft.finder.at((key,), *fault)
    for at, scene in draft.scenes():
        yield from _segments(draft, scene, at)
        yield from _like(draft, scene, at)
    yield from _names(draft)


def _conditions(draft: Draft) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for at, scene in draft.scenes():
        name = scene.get("condition")
        if not isinstance(name, str):
            continue
        path = (*at, "condition")
        if (fault := id_fault(name)) is not None:
            yield draft.finder.at(path, *fault)
        before = seen.get(name.casefold())
        if before == name:
            yield draft.finder.at(path, f"a second condition {name!r}", "give each scene a name of its own")
        elif before is not None:
            yield draft.finder.at(
                path,
                f"{name!r} differs from condition {before!r} in letter case alone",
                "choose another name",
            )
        else:
            seen[name.casefold()] = name


def _segments(draft: Draft, scene: Mapping[str, Any], at: Path_) -> Iterator[Problem]:
    finder, segments = draft.finder, sequence(scene.get("segments"))
    if not segments:
        return
    spoken = utterances(scene, at)
    if not spoken:
        yield finder.at(
            (*at, "segments"), "nobody says anything", "add an utterance: {role: trigger, say: ...}"
        )
    was_boundary = False
    for index, segment in enumerate(segments):
        is_boundary = set(mapping(segment)) == {"gap_ms"}
        if is_boundary and was_boundary:
            yield finder.at((*at, "segments", index), "two boundaries in a row", "merge them into one gap")
        was_boundary = is_boundary
    if was_boundary and "gap_after_ms" in scene:
        yield finder.at_key(
            (*at, "gap_after_ms"),
            "the gap at the end is said twice",
            "keep the last boundary or `gap_after_ms`",
        )
    roles: set[str] = set()
    for path, segment in spoken:
        role = segment.get("role")
        if isinstance(role, str) and role in RESERVED_ROLES:
            yield finder.at(
                (*path, "role"), f"{role!r} cannot be a role", "paths use that word; choose another"
            )
        if isinstance(role, str) and role in roles:
            yield finder.at(
                (*path, "role"), f"a second segment with role {role!r}", "give it a role of its own"
            )
        roles.add(role if isinstance(role, str) else "")
        yield from _source(draft, segment, path)
        yield from _needed(draft, scene, segment, path)


def _source(draft: Draft, segment: Mapping[str, Any], at: Path_) -> Iterator[Problem]:
    """Exactly one of ``say`` and ``play``, its own or the defaults'."""
    own = [key for key in ("say", "play") if key in segment]
    found = own or [key for key in ("say", "play") if key in draft.part("defaults", "segment")]
    if len(found) == 2:
        yield draft.finder.at(at, "both `say` and `play`", "keep one; a recording's words go into `text`")
    elif not found and not _has(segment, "say") and not _has(segment, "play"):
        yield draft.finder.at(at, "neither `say` nor `play`", 'add say: "{case.trigger}"')
    if own == ["say"] and "text" in segment:
        yield draft.finder.at_key(
            (*at, "text"), "`text` is the transcript of a recording", "remove it; `say` has the words"
        )


def _has(segment: Mapping[str, Any], key: str) -> bool:
    """Whether a segment has a key, or one that was meant to be it and is told of already."""
    return key in segment or any(nearest(k, _SEGMENT_KEYS) == key for k in segment if k not in _SEGMENT_KEYS)


def _needed(
    draft: Draft, scene: Mapping[str, Any], segment: Mapping[str, Any], at: Path_
) -> Iterator[Problem]:
    """A speaker and a room, where there is more than one to choose from."""
    if draft.unread & {"speakers", "rooms", "defaults"}:
        return
    defaults, speakers = draft.part("defaults", "segment"), list(draft.part("speakers"))
    if not _has(segment, "speaker") and "speaker" not in defaults and len(speakers) != 1:
        fix = (
            f"name one of {', '.join(speakers)}" if speakers else "declare one in `speakers` and name it here"
        )
        yield draft.finder.at(at, "`speaker` is missing", fix)
    rooms = room_names(draft)
    is_text = scene.get("modality", draft.part("defaults", "scene").get("modality")) == "text"
    if not _has(segment, "room") and "room" not in defaults and len(rooms) > 1 and not is_text:
        yield draft.finder.at(
            at, "`room` is missing", f"name one of {', '.join(rooms)}, here or in `defaults`"
        )


def _like(draft: Draft, scene: Mapping[str, Any], at: Path_) -> Iterator[Problem]:
    finder, like = draft.finder, scene.get("like")
    if "segments" in scene:
        if "like" in scene:
            yield finder.at_key((*at, "like"), "both `segments` and `like`", "keep one")
        return
    with_segments = [s["condition"] for _, s in draft.scenes() if "segments" in s and "condition" in s]
    if like is None:
        if not with_segments:
            yield finder.at(at, "no scene has `segments`", "give this one some")
    elif isinstance(like, str) and like == scene.get("condition"):
        yield finder.at((*at, "like"), "a scene that is like itself", "name another condition")
    elif isinstance(like, str) and like and base_of(draft, like) is None:
        known = draft.conditions()
        if like not in known:
            fix = did_you_mean(like, known) or f"there are: {', '.join(known)}"
            yield finder.at((*at, "like"), f"there is no condition {like!r}", fix)
        else:
            fix = f"name one of {', '.join(map(str, with_segments))}" if with_segments else "give it some"
            yield finder.at((*at, "like"), f"condition {like!r} has no segments of its own", fix)


def base_of(draft: Draft, condition: str | None) -> int | None:
    """Index of the scene with segments of its own that has this name, or of the first (None given)."""
    for index, (_, scene) in enumerate(draft.scenes()):
        if "segments" in scene and condition in (None, scene.get("condition")):
            return index
    return None


def _names(draft: Draft) -> Iterator[Problem]:
    """Speakers and rooms that are not declared."""
    default_path: Path_ = ("defaults", "segment")
    segments = [(default_path, draft.part("defaults", "segment"))]
    for at, scene in draft.scenes():
        segments += utterances(scene, at)
        yield from _unknown(draft, "speaker", scene.get("initiator"), (*at, "initiator"))
    initiator = draft.part("defaults", "scene").get("initiator")
    yield from _unknown(draft, "speaker", initiator, ("defaults", "scene", "initiator"))
    for at, segment in segments:
        for kind in ("speaker", "room"):
            yield from _unknown(draft, kind, segment.get(kind), (*at, kind))
    for path, dotted, value in draft.changes():
        if dotted == "initiator" or dotted.endswith(".speaker"):
            yield from _unknown(draft, "speaker", value, path)
        elif dotted.endswith(".room"):
            yield from _unknown(draft, "room", value, path)


def _unknown(draft: Draft, kind: str, value: Any, path: Path_) -> Iterator[Problem]:
    if f"{kind}s" in draft.unread:
        return
    known = room_names(draft) if kind == "room" else list(draft.part("speakers"))
    for index, option in enumerate(options(value)):
        if not isinstance(option, str) or not option or "{" in option or option in known:
            continue
        at = (*path, "choice", index) if isinstance(value, Mapping) else path
        there = f"there are: {', '.join(known)}" if known else f"declare it in `{kind}s`"
        yield draft.finder.at(at, f"there is no {kind} {option!r}", did_you_mean(option, known) or there)
