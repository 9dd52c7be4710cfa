"""Setting parts of a scene by dotted path: what ``change`` and grid axes do.

``trigger.room``, ``trigger.level.dbfs``, ``trigger.settings.speed``, ``trigger.gap_ms`` (the boundary
before it), ``boundary.gap_ms`` (the scene's only boundary), ``noise``, ``noise.snr_db``, ``initiator``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from vgsynth.contract.suggest import did_you_mean
from vgsynth.spec.model import Dynamic, Path_, SceneSpec, SegmentSpec

_PLAIN_FIELDS = ("speaker", "room", "addressee", "text")
_SOURCES = ("say", "play")
_LEVEL_FIELDS = {"dbfs": "level_dbfs", "fade_ms": "fade_ms"}
SEGMENT_FIELDS = (*_PLAIN_FIELDS, *_SOURCES, "level.dbfs", "level.fade_ms", "gap_ms", "settings.<name>")
NOISE_FIELDS = ("kind", "snr_db", "path", "per")


class ChangeError(ValueError):
    """A dotted path that the scene does not have. ``fix`` says what it has."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix
        self.dotted = ""
        """The path that failed."""


def apply_changes(scene: SceneSpec, changes: Mapping[str, Dynamic], at: Path_) -> SceneSpec:
    """The scene with each dotted path set to its value; ``at`` is where the changes stand in the document.

    Raises ChangeError for a path that the scene does not have.
    """
    for dotted, value in changes.items():
        try:
            scene = _set(scene, dotted, value, (*at, dotted))
        except ChangeError as error:
            error.dotted = dotted
            raise
    return scene


def _set(scene: SceneSpec, dotted: str, value: Dynamic, at: Path_) -> SceneSpec:
    head, _, rest = dotted.partition(".")
    if dotted == "initiator":
        return replace(scene, initiator=value)
    if head == "noise":
        return replace(scene, noise=_noise(scene, rest, value))
    if dotted == "boundary.gap_ms":
        return _with_segment(scene, _boundary(scene), "gap_ms", value, at)
    for index, segment in enumerate(scene.segments):
        if segment.role == head:
            return _with_segment(scene, index, rest, value, at)
    roles = [segment.role for segment in scene.segments]
    heads = [*roles, "boundary.gap_ms", "noise", "initiator"]
    raise ChangeError(
        f"{dotted!r} names nothing in condition {scene.condition}",
        did_you_mean(head, heads) or f"start with one of {', '.join(heads)}",
    )


def _with_segment(scene: SceneSpec, index: int, field: str, value: Dynamic, at: Path_) -> SceneSpec:
    segment = _changed(scene.segments[index], field, value, at)
    return replace(scene, segments=(*scene.segments[:index], segment, *scene.segments[index + 1 :]))


def _changed(segment: SegmentSpec, field: str, value: Dynamic, at: Path_) -> SegmentSpec:
    group, _, name = field.partition(".")
    if field in _PLAIN_FIELDS:
        return replace(segment, **{field: value})
    if field in _SOURCES:
        text = segment.text if field == "play" else None
        return replace(segment, **{"say": None, "play": None, "text": text, field: value})
    if field == "gap_ms":
        return replace(segment, gap_before_ms=value, gap_path=at)
    if group == "level" and name in _LEVEL_FIELDS:
        return replace(segment, **{_LEVEL_FIELDS[name]: value})
    if group == "settings" and name:
        return replace(segment, settings={**segment.settings, name: value})
    raise ChangeError(
        f"{segment.role!r} has no field {field!r}",
        did_you_mean(field, SEGMENT_FIELDS) or f"use one of {', '.join(SEGMENT_FIELDS)}",
    )


def _noise(scene: SceneSpec, field: str, value: Dynamic) -> Mapping[str, Dynamic] | None:
    if not field:
        return None if value == "none" else {"per": "case", **value}
    if scene.noise is None:
        raise ChangeError(
            f"condition {scene.condition} has no noise whose {field} could be set", "set `noise` itself"
        )
    if field not in NOISE_FIELDS:
        raise ChangeError(f"noise has no field {field!r}", f"use one of {', '.join(NOISE_FIELDS)}")
    return {**scene.noise, field: value}


def _boundary(scene: SceneSpec) -> int:
    written = [i for i, segment in enumerate(scene.segments) if segment.gap_path is not None]
    if len(written) == 1:
        return written[0]
    triggers = [i for i, segment in enumerate(scene.segments) if segment.role == "trigger"]
    if not written and len(triggers) == 1:
        return triggers[0]
    raise ChangeError(
        f"condition {scene.condition} has {len(written)} boundaries, so `boundary.gap_ms` could mean any",
        "name the segment behind it: `<role>.gap_ms`",
    )
