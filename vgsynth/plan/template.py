"""Scene templates: each condition and grid cell, compiled once, to be settled for each case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from vgsynth.spec.changes import apply_changes
from vgsynth.spec.dynamic import compile_dynamic, is_constant
from vgsynth.spec.model import Dynamic, GridSpec, Path_, SceneSpec, SegmentSpec, Spec


@dataclass(frozen=True, slots=True)
class Slot:
    """A value to settle: compiled, with the name of its random stream and its place in the document."""

    value: Dynamic
    field: str
    path: Path_
    constant: bool


def slot(value: Dynamic, field: str, path: Path_) -> Slot:
    """Compile a value."""
    compiled = compile_dynamic(value)
    return Slot(compiled, field, path, is_constant(compiled))


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentTemplate:
    """A segment's slots."""

    role: str
    path: Path_
    speaker: Slot
    say: Slot | None
    play: Slot | None
    text: Slot | None
    room: Slot
    level_dbfs: Slot
    fade_ms: Slot
    trim_threshold_db: Slot | None
    trim_pad_ms: Slot | None
    settings: tuple[tuple[str, Slot], ...]
    addressee: Slot | None
    gap_before_ms: Slot


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneTemplate:
    """A condition, or one grid cell of it."""

    scene: SceneSpec
    cell: tuple[tuple[str, str], ...]
    suffix: str
    """What follows the case's id in the item's id, repeats aside."""
    segments: tuple[SegmentTemplate, ...]
    target: Slot | None
    initiator: Slot | None
    noise: tuple[tuple[str, Slot], ...] | None
    gap_after_ms: Slot


def scene_templates(spec: Spec) -> tuple[SceneTemplate, ...]:
    """All templates of a spec in its order; a condition's grid cells follow each other."""
    return tuple(_templates(spec))


def _templates(spec: Spec) -> Iterator[SceneTemplate]:
    for scene in spec.scenes:
        if spec.grid is None or scene.condition not in spec.grid.of:
            yield _compile(scene, ())
            continue
        for cell in grid_cells(spec.grid):
            changed = scene
            for axis in spec.grid.axes:
                changes = dict(axis.levels)[cell[axis.name]]
                changed = apply_changes(changed, changes, axis.path)
            yield _compile(changed, tuple(cell.items()))


def grid_cells(grid: GridSpec) -> list[dict[str, str]]:
    """Every cell: the product of the axes less ``exclude``, then what ``include`` adds to it."""
    names = [axis.name for axis in grid.axes]
    crossed = product(*([level for level, _ in axis.levels] for axis in grid.axes))
    cells = [dict(zip(names, levels, strict=True)) for levels in crossed]
    kept = [cell for cell in cells if not any(_has(cell, entry) for entry in grid.exclude)]
    added = [{name: entry[name] for name in names} for entry in grid.include]
    return kept + [cell for index, cell in enumerate(added) if cell not in kept + added[:index]]


def _has(cell: Mapping[str, str], entry: Mapping[str, str]) -> bool:
    return all(cell.get(axis) == level for axis, level in entry.items())


def _compile(scene: SceneSpec, cell: Sequence[tuple[str, str]]) -> SceneTemplate:
    at = scene.path
    levels = "_".join(f"{axis}-{level}" for axis, level in cell)
    return SceneTemplate(
        scene=scene,
        cell=tuple(cell),
        suffix=f".{scene.condition}" + (f".{levels}" if levels else ""),
        segments=tuple(_compile_segment(segment) for segment in scene.segments),
        target=None if scene.target is None else slot(scene.target, "target", (*at, "target")),
        initiator=(
            None if scene.initiator is None else slot(scene.initiator, "initiator", (*at, "initiator"))
        ),
        noise=None if scene.noise is None else _compile_all(scene.noise, "noise", (*at, "noise")),
        gap_after_ms=slot(scene.gap_after_ms, "gap_after_ms", (*at, "gap_after_ms")),
    )


def _compile_all(values: Mapping[str, Dynamic], field: str, at: Path_) -> tuple[tuple[str, Slot], ...]:
    return tuple((key, slot(value, f"{field}.{key}", (*at, key))) for key, value in sorted(values.items()))


def _compile_segment(segment: SegmentSpec) -> SegmentTemplate:
    role, at = segment.role, segment.path

    def of(name: str, value: Dynamic, *path: str) -> Slot:
        return slot(value, f"{role}.{name}", (*at, *(path or name.split("."))))

    def maybe(name: str, value: Dynamic | None) -> Slot | None:
        return None if value is None else of(name, value)

    trim = segment.trim
    gap_path = segment.gap_path or at
    return SegmentTemplate(
        role=role,
        path=at,
        speaker=of("speaker", segment.speaker),
        say=maybe("say", segment.say),
        play=maybe("play", segment.play),
        text=maybe("text", segment.text),
        room=of("room", segment.room),
        level_dbfs=of("level.dbfs", segment.level_dbfs),
        fade_ms=of("level.fade_ms", segment.fade_ms),
        trim_threshold_db=None if trim is None else of("trim.threshold_db", trim["threshold_db"]),
        trim_pad_ms=None if trim is None else of("trim.pad_ms", trim["pad_ms"]),
        settings=_compile_all(segment.settings, f"{role}.settings", (*at, "settings")),
        addressee=maybe("addressee", segment.addressee),
        gap_before_ms=slot(segment.gap_before_ms, f"{role}.gap_ms", gap_path),
    )
