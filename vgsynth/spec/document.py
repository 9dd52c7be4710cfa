"""The resolved document: a spec written out with nothing left to settle but cases and draws.

It is a spec again, in one way of writing: loading it gives the same document. ``extends``, ``root``,
``pools``, ``defaults``, ``like`` and ``change`` have gone into what they say; paths are relative to the root.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vgsynth.spec.draft import Draft
from vgsynth.spec.model import (
    GridSpec,
    Member,
    OutputSpec,
    PairSpec,
    SceneSpec,
    SegmentSpec,
    SpeakerSpec,
    SplitSpec,
    VoiceEntry,
)


def resolved_document(
    draft: Draft,
    *,
    speakers: Mapping[str, SpeakerSpec],
    rooms: Mapping[str, Mapping[str, Any]],
    scenes: tuple[SceneSpec, ...],
    grid: GridSpec | None,
    pairs: tuple[PairSpec, ...],
    splits: SplitSpec | None,
    expect: Mapping[str, str],
    output: OutputSpec,
) -> dict[str, Any]:
    """The document of a spec's parts."""
    data = draft.data
    optional = {
        "description": data.get("description"),
        "tools": data.get("tools"),
        "cases": data.get("cases"),
        "speakers": {name: _speaker(speaker) for name, speaker in speakers.items()} or None,
        "grid": None if grid is None else _grid(grid),
        "pairs": [_pair(pair) for pair in pairs] or None,
        "splits": None if splits is None else _splits(splits),
        "expect": dict(expect) or None,
    }
    document = {
        "vgsynth": 1,
        "name": data["name"],
        "description": None,
        "family": data.get("family", data["name"]),
        "seed": int(data["seed"]),
        "tools": None,
        "cases": None,
        "speakers": None,
        "rooms": dict(rooms),
        "output": {
            "sample_rate_hz": output.sample_rate_hz,
            "dither": output.dither,
            "limit": output.limit,
        },
        "scenes": [_scene(scene) for scene in scenes],
        "grid": None,
        "pairs": None,
        "splits": None,
        "expect": None,
    }
    whole = {**document, **optional}
    plain: dict[str, Any] = _plain({key: value for key, value in whole.items() if value is not None})
    return plain


def _plain(value: Any) -> Any:
    """Mappings to dicts and tuples to lists: what YAML and JSON hold."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _written(**keys: Any) -> dict[str, Any]:
    """The keys that say something."""
    return {key: value for key, value in keys.items() if value is not None and value not in ((), {}, [])}


def _voice(voice: VoiceEntry) -> Any:
    return {"engine": voice.engine, "name": voice.name, **voice.settings} if voice.settings else voice.id


def _speaker(speaker: SpeakerSpec) -> dict[str, Any]:
    return {
        "voices": [_voice(voice) for voice in speaker.voices],
        **_written(differs_from=list(speaker.differs_from)),
        "assign": speaker.assign,
        **_written(balance_within=list(speaker.balance_within), settings=speaker.settings),
    }


def _scene(scene: SceneSpec) -> dict[str, Any]:
    segments: list[dict[str, Any]] = []
    for segment in scene.segments:
        if segment.gap_path is not None:
            segments.append({"gap_ms": segment.gap_before_ms})
        segments.append(_segment(segment))
    return {
        "condition": scene.condition,
        "modality": scene.modality,
        "segments": segments,
        "gap_after_ms": scene.gap_after_ms,
        **_written(policy=scene.policy, target=scene.target, initiator=scene.initiator),
        "noise": scene.noise or "none",
        **_written(when={key: list(values) for key, values in scene.when.items()}),
        "repeats": scene.repeats,
    }


def _segment(segment: SegmentSpec) -> dict[str, Any]:
    return {
        "role": segment.role,
        "speaker": segment.speaker,
        **_written(say=segment.say, play=segment.play, text=segment.text),
        "room": segment.room,
        "level": {"dbfs": segment.level_dbfs, "fade_ms": segment.fade_ms},
        "trim": segment.trim or "none",
        **_written(settings=segment.settings, addressee=segment.addressee),
    }


def _grid(grid: GridSpec) -> dict[str, Any]:
    return {
        "of": list(grid.of),
        **_written(include=list(grid.include), exclude=list(grid.exclude), take=_take(grid)),
        **{axis.name: {"levels": dict(axis.levels)} for axis in grid.axes},
    }


def _take(grid: GridSpec) -> dict[str, Any] | None:
    return None if grid.take is None else {"count": grid.take.count, **_written(within=grid.take.within)}


def _member(member: Member) -> Any:
    return {"condition": member.condition, **member.cell} if member.cell else member.condition


def _pair(pair: PairSpec) -> dict[str, Any]:
    return {
        "name": pair.name,
        "members": [_member(member) for member in pair.members],
        "may_differ_in": list(pair.may_differ_in),
    }


def _splits(splits: SplitSpec) -> dict[str, Any]:
    if splits.stated is not None:
        return {"stated": splits.stated, **_written(keep=list(splits.keep))}
    return {
        "by": splits.by,
        "parts": dict(splits.parts),
        "rest": splits.rest,
        **_written(within=splits.within),
        "count": splits.count,
        **_written(keep=list(splits.keep)),
    }
