"""From a scene to an item plan: milliseconds to samples, facts to factors, factors to the target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vgsynth.contract.manifest import Factors
from vgsynth.contract.target import Target
from vgsynth.plan.draws import draw_bits
from vgsynth.plan.model import ItemPlan, SegmentPlan, Trim
from vgsynth.plan.policy import PolicyError, Situation, derive_target
from vgsynth.plan.samples import ms_from_samples, samples_from_ms
from vgsynth.plan.scene import Scene, SceneSegment
from vgsynth.spec.model import Spec

TRIGGER = "trigger"


def plan_item(scene: Scene, spec: Spec) -> ItemPlan:
    """The plan of a scene. Raises PolicyError for a scene whose target cannot be told or is contradicted."""
    output = spec.output
    rate = output.sample_rate_hz
    segments = tuple(_plan_segment(segment, rate) for segment in scene.segments)
    factors = _factors(scene, segments, rate)
    return ItemPlan(
        item_id=scene.item_id,
        family=spec.family,
        case_id=scene.case.id,
        condition=scene.condition,
        cell=scene.cell,
        pair_id=scene.pair_id,
        split=scene.split,
        modality=scene.modality,
        policy=scene.policy,
        target=_target(scene, factors),
        factors=factors,
        segments=segments,
        gap_after_samples=samples_from_ms(scene.gap_after_ms, rate),
        noise=scene.noise,
        sample_rate_hz=rate,
        dither=output.dither,
        dither_seed=draw_bits(spec.seed, scene.item_id, "dither") if output.dither != "none" else 0,
        limit=output.limit,
        case=scene.case.fields,
    )


def _plan_segment(segment: SceneSegment, rate: int) -> SegmentPlan:
    trim = None
    if segment.trim_threshold_db is not None:
        pad = samples_from_ms(segment.trim_pad_ms, rate)
        trim = Trim(threshold_db=segment.trim_threshold_db, pad_samples=pad)
    return SegmentPlan(
        role=segment.role,
        speaker=segment.speaker,
        source=segment.source,
        trim=trim,
        level_dbfs=segment.level_dbfs,
        fade_samples=samples_from_ms(segment.fade_ms, rate),
        room=segment.room,
        gap_before_samples=samples_from_ms(segment.gap_before_ms, rate),
        addressee=segment.addressee,
    )


def _factors(scene: Scene, segments: tuple[SegmentPlan, ...], rate: int) -> Factors:
    """Facts about the trigger. A text item has none: it has no voice, no distance and no time."""
    index = next((i for i, segment in enumerate(segments) if segment.role == TRIGGER), None)
    if scene.modality == "text" or index is None:
        return Factors()
    trigger = segments[index]
    initiator = scene.initiator or segments[0].speaker
    return Factors(
        source="same" if trigger.speaker == initiator else "different",
        distance=trigger.room.distance,
        gap_ms=ms_from_samples(trigger.gap_before_samples, rate) if index else None,
    )


def _target(scene: Scene, factors: Factors) -> Target:
    tool = scene.case.fields.get("tool")
    params = scene.case.fields.get("params") or {}
    derived = None
    if scene.policy is not None:
        situation = Situation(
            modality=scene.modality,
            factors=factors,
            addressees=tuple(segment.addressee for segment in scene.segments),
            tool=tool,
            params=params,
        )
        derived = derive_target(scene.policy, situation)
    stated = None if scene.stated is None else _stated(scene.stated, tool, params)
    if stated is None and derived is None:
        raise PolicyError(
            "nothing says what the target is", "name a `policy`, or state a `target` (mute, tool or answer)"
        )
    if stated is not None and derived is not None and _differs(stated, derived, scene.stated):
        facts = ", ".join(f"{name} {value}" for name, value in _facts(factors) if value is not None)
        raise PolicyError(
            f"the stated target is {_name(stated)}, but policy {scene.policy} gives {_name(derived)}"
            + (f" ({facts})" if facts else ""),
            "change the target, the scene or the policy",
        )
    found = derived or stated
    assert found is not None
    return found


def _stated(stated: str | Mapping[str, Any], tool: str | None, params: Mapping[str, Any]) -> Target:
    match stated:
        case "mute" | "answer":
            return Target(kind=stated)
        case "tool":
            if tool is None:
                raise PolicyError("the target is a tool, but the case names none", "give the case a `tool`")
            return Target(kind="tool", tool=tool, params=params)
        case {"tool": str(name), "params": Mapping() as given}:
            return Target(kind="tool", tool=name, params=given)
        case {"tool": str(name)}:
            return Target(kind="tool", tool=name, params=params if name == tool else {})
        case _:
            raise PolicyError(
                f"{stated!r} is not a target", "use mute, tool, answer or {tool: name, params: {...}}"
            )


def _differs(stated: Target, derived: Target, written: object) -> bool:
    if stated.kind != derived.kind or stated.tool != derived.tool:
        return True
    return isinstance(written, Mapping) and "params" in written and stated.params != derived.params


def _name(target: Target) -> str:
    return f"tool {target.tool}" if target.kind == "tool" else target.kind


def _facts(factors: Factors) -> list[tuple[str, Any]]:
    return [("source", factors.source), ("distance", factors.distance)]
