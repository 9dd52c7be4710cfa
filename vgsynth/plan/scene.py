"""A scene: one item of one case, every placeholder and distribution settled, times still in milliseconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vgsynth.contract.manifest import Modality
from vgsynth.plan.model import NoisePlan, Recording, Room, Speech
from vgsynth.spec.model import Case, PolicyName


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneSegment:
    """One utterance of a scene."""

    role: str
    speaker: str
    source: Speech | Recording
    trim_threshold_db: float | None
    """None: not trimmed."""
    trim_pad_ms: float
    level_dbfs: float
    fade_ms: float
    room: Room
    gap_before_ms: float
    addressee: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One item, settled but for samples and its target."""

    item_id: str
    case: Case
    condition: str
    cell: tuple[tuple[str, str], ...]
    pair_id: str | None
    split: str | None
    modality: Modality
    policy: PolicyName | None
    stated: str | Mapping[str, Any] | None
    """The target that the spec states, if it states one."""
    initiator: str | None
    segments: tuple[SceneSegment, ...]
    gap_after_ms: float
    noise: NoisePlan | None
