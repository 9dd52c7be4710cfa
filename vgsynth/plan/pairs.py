"""Counterfactual pairs: what their two members differ in, against what they may differ in.

Compared are the plans, so that nothing is proved of milliseconds that samples would not keep. That the shared
audio is the same follows, and is checked again on the hashes of what was rendered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vgsynth.plan.model import ItemPlan, Recording, SegmentPlan, Speech


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One respect in which two items differ, and the names in ``may_differ_in`` that would allow it."""

    name: str
    allowed_by: frozenset[str]
    first: str
    second: str


def _text(segment: SegmentPlan) -> str:
    return segment.source.text


def _voice(segment: SegmentPlan) -> tuple[str, Any]:
    match segment.source:
        case Speech(voice=voice):
            return segment.speaker, voice
        case Recording(voice=voice):
            return segment.speaker, voice


def _recording(segment: SegmentPlan) -> tuple[str, str] | None:
    match segment.source:
        case Recording(path=path, sha256=sha256):
            return path, sha256
        case _:
            return None


_AUDIO_FIELDS: Mapping[str, tuple[Callable[[SegmentPlan], Any], tuple[str, ...]]] = {
    # A speaker's voice may carry settings of its own, and a recorded speaker its own files.
    "speaker": (_voice, ("speaker", "settings")),
    "play": (_recording, ("play", "speaker", "text")),
    "room": (lambda s: s.room, ("room",)),
    "level": (lambda s: s.level_dbfs, ("level",)),
    "fade": (lambda s: s.fade_samples, ("fade",)),
    "trim": (lambda s: s.trim, ("trim",)),
    "gap_ms": (lambda s: s.gap_before_samples, ("gap_ms",)),
}
_TEXT_FIELDS: Mapping[str, tuple[Callable[[SegmentPlan], Any], tuple[str, ...]]] = {
    "text": (_text, ("text",)),
    "addressee": (lambda s: s.addressee, ("addressee",)),
}


def differences(first: ItemPlan, second: ItemPlan) -> Iterator[Difference]:
    """Every respect in which two items differ, targets and ids aside."""
    if first.modality != second.modality:
        yield _difference("modality", (), first.modality, second.modality)
    roles = [[segment.role for segment in item.segments] for item in (first, second)]
    if roles[0] != roles[1]:
        yield _difference("segments", (), *map(" ".join, roles))
        return
    audio = first.modality == second.modality == "audio"
    fields = {**_TEXT_FIELDS, **_AUDIO_FIELDS} if audio else _TEXT_FIELDS
    for a, b in zip(first.segments, second.segments, strict=True):
        for name, (get, allowing) in fields.items():
            if get(a) != get(b):
                allowed = [f"{a.role}.{field}" for field in allowing]
                extra = ("gap_ms", "boundary.gap_ms") if name == "gap_ms" else ()
                yield _difference(f"{a.role}.{name}", (*allowed, *extra), _show(get(a)), _show(get(b)))
    if not audio:
        return
    if first.gap_after_samples != second.gap_after_samples:
        yield _difference("gap_ms", (), _show(first.gap_after_samples), _show(second.gap_after_samples))
    if first.noise != second.noise:
        yield _difference("noise", (), _show(first.noise), _show(second.noise))
    for name in ("sample_rate_hz", "dither", "limit"):
        a_value, b_value = getattr(first, name), getattr(second, name)
        if a_value != b_value:
            yield _difference(name, (), a_value, b_value)


def forbidden(first: ItemPlan, second: ItemPlan, may_differ_in: tuple[str, ...]) -> list[Difference]:
    """The differences that nothing in ``may_differ_in`` allows."""
    allowed = frozenset(may_differ_in)
    return [difference for difference in differences(first, second) if not difference.allowed_by & allowed]


def _difference(name: str, allowed_by: tuple[str, ...], first: Any, second: Any) -> Difference:
    return Difference(
        name=name, allowed_by=frozenset((name, *allowed_by)), first=str(first), second=str(second)
    )


def _show(value: Any) -> str:
    text = value.name if hasattr(value, "name") else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
