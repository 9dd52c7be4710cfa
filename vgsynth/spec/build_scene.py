"""From a scene as written to a ``SceneSpec``: `like`, `defaults` and every default settled.

What is said on the segment goes before what is said on its scene, then the defaults for segments, those for
scenes, the top of the spec, and the language's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vgsynth.spec.changes import apply_changes
from vgsynth.spec.check_scenes import base_of, room_names
from vgsynth.spec.defaults import GAP_AFTER_MS, LEVEL, NOISE, TRIM
from vgsynth.spec.draft import Draft, mapping, sequence
from vgsynth.spec.model import Dynamic, Path_, SceneSpec, SegmentSpec

_SOUND = ("level", "trim", "noise", "initiator", "gap_after_ms")
"""Keys that a scene takes from the one it is like, besides its segments."""


def build_scene(draft: Draft, index: int) -> SceneSpec:
    """The scene at ``index`` of a draft whose scenes the checks found right, `change` applied.

    Raises ChangeError for a change that the scene has nothing for.
    """
    scene = mapping(sequence(draft.data["scenes"])[index])
    base_index = index if "segments" in scene else base_of(draft, scene.get("like"))
    assert base_index is not None
    base = mapping(sequence(draft.data["scenes"])[base_index])
    own = {**{key: base[key] for key in _SOUND if key in base}, **scene}
    layers = (own, draft.part("defaults", "scene"), draft.data)

    def first(key: str, default: Any = None) -> Any:
        return next((layer[key] for layer in layers if key in layer), default)

    segments, gap_after = _segments(draft, base, ("scenes", base_index), own)
    if gap_after is None or (index != base_index and "gap_after_ms" in scene):
        gap_after = first("gap_after_ms", GAP_AFTER_MS)
    noise = first("noise", "none")
    built = SceneSpec(
        path=("scenes", index),
        condition=scene["condition"],
        modality=first("modality", "audio"),
        segments=segments,
        gap_after_ms=gap_after,
        policy=first("policy"),
        target=first("target"),
        initiator=first("initiator"),
        noise=None if noise == "none" else {**NOISE, **noise},
        when={
            key: tuple(sequence(v)) if isinstance(v, list) else (v,) for key, v in first("when", {}).items()
        },
        repeats=int(first("repeats", 1)),
    )
    return apply_changes(built, mapping(scene.get("change")), (*built.path, "change"))


def values_of(written: Any) -> tuple[Any, ...]:
    """A value or a list of values, as a tuple."""
    return tuple(written) if isinstance(written, list) else (written,)


def _segments(
    draft: Draft, base: Mapping[str, Any], at: Path_, scene: Mapping[str, Any]
) -> tuple[tuple[SegmentSpec, ...], Dynamic | None]:
    """The utterances of ``base``, each with the gap before it; and the gap behind the last, if written."""
    found: list[SegmentSpec] = []
    gap: Dynamic = 0
    gap_path: Path_ | None = None
    for index, segment in enumerate(sequence(base["segments"])):
        path = (*at, "segments", index)
        if "role" in segment:
            found.append(_segment(draft, scene, segment, path, (gap, gap_path)))
            gap, gap_path = 0, None
        else:
            gap, gap_path = segment["gap_ms"], (*path, "gap_ms")
    return tuple(found), None if gap_path is None else gap


def _segment(
    draft: Draft,
    scene: Mapping[str, Any],
    segment: Mapping[str, Any],
    path: Path_,
    gap: tuple[Dynamic, Path_ | None],
) -> SegmentSpec:
    defaults = draft.part("defaults", "segment")
    layers = (segment, scene, defaults, draft.part("defaults", "scene"), draft.data)
    # A segment that has a source of its own takes none of the defaults' sources, nor their transcript.
    words = segment if "say" in segment or "play" in segment else {**defaults, **segment}
    own = {**defaults, **segment}
    level = {**LEVEL, **_merged("level", layers)}
    return SegmentSpec(
        path=path,
        role=segment["role"],
        speaker=own["speaker"] if "speaker" in own else next(iter(draft.part("speakers")), ""),
        say=words.get("say"),
        play=words.get("play"),
        text=words.get("text"),
        room=own.get("room", room_names(draft)[0]),
        level_dbfs=level["dbfs"],
        fade_ms=level["fade_ms"],
        trim=_trim(layers),
        settings={**mapping(defaults.get("settings")), **mapping(segment.get("settings"))},
        addressee=own.get("addressee"),
        gap_before_ms=gap[0],
        gap_path=gap[1],
    )


def _merged(key: str, layers: tuple[Mapping[str, Any], ...]) -> dict[str, Any]:
    """The mappings at a key, the first layer over the later ones."""
    merged: dict[str, Any] = {}
    for layer in reversed(layers):
        merged.update(mapping(layer.get(key)))
    return merged


def _trim(layers: tuple[Mapping[str, Any], ...]) -> dict[str, Any] | None:
    """The nearest `none` hides all that lies behind it, and is hidden by what lies before it."""
    trims = [layer["trim"] for layer in layers if "trim" in layer]
    if trims and trims[0] == "none":
        return None
    until = trims.index("none") if "none" in trims else len(trims)
    merged = dict(TRIM)
    for trim in reversed(trims[:until]):
        merged.update(trim)
    return merged
