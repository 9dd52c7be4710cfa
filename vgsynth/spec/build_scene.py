"""From a scene as written to a ``SceneSpec``: `like`, `defaults` and every default settled.

What is said on the segment goes before what is said on its scene, then the defaults for segments, those for
scenes, the top of the spec, and the language's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vgsynth.spec.changes import ChangeError, apply_changes
from vgsynth.spec.check_scenes import base_of, room_names
from vgsynth.spec.defaults import GAP_AFTER_MS, LEVEL, NOISE, TRIM
from vgsynth.spec.draft import Draft, mapping, sequence
from vgsynth.spec.model import Dynamic, Path_, SceneSpec, SegmentSpec

_SOUND = ("level", "trim", "noise", "initiator", "gap_after_ms")
"""Keys that a scene takes from the one it is like, besides its segments."""


def build_scene(draft: Draft, index: int) -> SceneSpec:
    """The scene at ``index`` of a draft whose scenes the checks found right, `change` applied.

    Raises ChangeError (with ``at``) for a change that the scene has nothing for.
    """
    scene = mapping(sequence(draft.data["scenes"])[index])
    base_index = index if "segments" in scene else base_of(draft, scene.get("like"))
    assert base_index is not None
    base = mapping(sequence(draft.data["scenes"])[base_index])
    own = {**{key: base[key] for key in _SOUND if key in base}, **scene}
    layers = (own, draft.part("defaults", "scene"), draft.data)

    def first(key: str, default: Any = None) -> Any:
        return next((layer[key] for layer in layers if key in layer), default)

    is_text = first("modality", "audio") == "text"
    segments, gap_after = _segments(draft, base, ("scenes", base_index), own, is_text=is_text)
    noise = first("noise", "none")
    built = SceneSpec(
        path=("scenes", index),
        condition=scene["condition"],
        modality=first("modality", "audio"),
        segments=segments,
        gap_after_ms=first("gap_after_ms", GAP_AFTER_MS) if gap_after is None else gap_after,
        policy=first("policy"),
        target=first("target"),
        initiator=first("initiator"),
        noise=None if noise == "none" else {**NOISE, **noise},
        when={key: tuple(sequence(v)) if isinstance(v, list) else (v,) for key, v in first("when", {}).items()},
        repeats=int(first("repeats", 1)),
    )
    return apply_changes(built, mapping(scene.get("change")), (*built.path, "change"))


def change_error_path(scene_path: Path_, changes: Mapping[str, Any], scene: SceneSpec) -> tuple[Path_, ChangeError]:
    """Which of a scene's changes it is that fails, tried one by one."""
    for dotted, value in changes.items():
        try:
            scene = apply_changes(scene, {dotted: value}, scene_path)
        except ChangeError as error:
            return (*scene_path, dotted), error
    raise AssertionError("none of the changes fails")
