"""Policies: from what a scene is to what the agent should do.

Each policy is one small function in ``POLICIES``. The design's own rule is ``source_and_proximity``: act only
if the session's initiator triggers, near by. A text item has neither source nor distance, so its
words alone count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from vgsynth.contract.manifest import Factors, Modality
from vgsynth.contract.target import ANSWER, MUTE, Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What policies look at."""

    modality: Modality
    factors: Factors
    addressees: tuple[str | None, ...]
    tool: str | None
    params: Mapping[str, Any]


class PolicyError(ValueError):
    """A scene that lacks what its policy decides by. The text says what, and how to mend it."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


def _tool(policy: str, situation: Situation) -> Target:
    if situation.tool is None:
        raise PolicyError(f"policy {policy} needs the case to name a tool", "give the case a `tool`")
    return Target(kind="tool", tool=situation.tool, params=situation.params)


def _source_and_proximity(situation: Situation) -> Target:
    target = _tool("source_and_proximity", situation)
    if situation.modality == "text":
        return target
    same, near = _source(situation), _distance(situation)
    return target if same and near else MUTE


def _source_alone(situation: Situation) -> Target:
    target = _tool("source", situation)
    return target if situation.modality == "text" or _source(situation) else MUTE


def _proximity_alone(situation: Situation) -> Target:
    target = _tool("proximity", situation)
    return target if situation.modality == "text" or _distance(situation) else MUTE


def _words(situation: Situation) -> Target:
    return _tool("words", situation)


def _addressee(situation: Situation) -> Target:
    if situation.addressees.count("assistant") != 1:
        raise PolicyError(
            "policy addressee needs exactly one segment that is addressed to the assistant",
            "write `addressee: assistant` on one segment",
        )
    return ANSWER if situation.tool is None else _tool("addressee", situation)


def _never(_: Situation) -> Target:
    return MUTE


def _source(situation: Situation) -> bool:
    if situation.factors.source is None:
        raise PolicyError(_NO_TRIGGER, "give the segment that asks for the action `role: trigger`")
    return situation.factors.source == "same"


def _distance(situation: Situation) -> bool:
    if situation.factors.distance is None:
        raise PolicyError(_NO_TRIGGER, "give the segment that asks for the action `role: trigger`")
    return situation.factors.distance == "near"


_NO_TRIGGER = "the policy decides by the trigger, and no segment has that role"

POLICIES: Mapping[str, Callable[[Situation], Target]] = {
    "source_and_proximity": _source_and_proximity,
    "source": _source_alone,
    "proximity": _proximity_alone,
    "words": _words,
    "addressee": _addressee,
    "never": _never,
}


def derive_target(policy: str, situation: Situation) -> Target:
    """The target that a policy gives. Raises PolicyError where the scene lacks what it decides by."""
    return POLICIES[policy](situation)
