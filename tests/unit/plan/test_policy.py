"""Policies, as tables of what they must say."""

import pytest

from vgsynth.contract.manifest import Factors
from vgsynth.contract.target import ANSWER, MUTE, Target
from vgsynth.plan.policy import POLICIES, PolicyError, Situation, derive_target

TOOL = Target(kind="tool", tool="set_timer", params={"duration": "PT5M"})


def situation(
    source: str | None = None,
    distance: str | None = None,
    *,
    modality: str = "audio",
    tool: str | None = "set_timer",
    addressees: tuple[str | None, ...] = (None,),
) -> Situation:
    return Situation(
        modality=modality,  # type: ignore[arg-type]
        factors=Factors(source=source, distance=distance),  # type: ignore[arg-type]
        addressees=addressees,
        tool=tool,
        params={"duration": "PT5M"},
    )


@pytest.mark.parametrize(
    ("policy", "source", "distance", "target"),
    [
        ("source_and_proximity", "same", "near", TOOL),
        ("source_and_proximity", "same", "far", MUTE),
        ("source_and_proximity", "different", "near", MUTE),
        ("source_and_proximity", "different", "far", MUTE),
        ("source", "same", "near", TOOL),
        ("source", "same", "far", TOOL),
        ("source", "different", "near", MUTE),
        ("source", "different", "far", MUTE),
        ("proximity", "same", "near", TOOL),
        ("proximity", "same", "far", MUTE),
        ("proximity", "different", "near", TOOL),
        ("proximity", "different", "far", MUTE),
        ("words", "different", "far", TOOL),
        ("never", "same", "near", MUTE),
    ],
)
def test_what_each_policy_says(policy: str, source: str, distance: str, target: Target) -> None:
    assert derive_target(policy, situation(source, distance)) == target


@pytest.mark.parametrize("policy", ["source_and_proximity", "source", "proximity", "words"])
def test_text_keeps_the_tool(policy: str) -> None:
    assert derive_target(policy, situation(modality="text")) == TOOL


@pytest.mark.parametrize(
    ("addressees", "tool", "target"),
    [
        (("assistant", "bystander"), "set_timer", TOOL),
        (("bystander", "assistant"), None, ANSWER),
    ],
)
def test_addressee(addressees: tuple[str, ...], tool: str | None, target: Target) -> None:
    assert derive_target("addressee", situation(tool=tool, addressees=addressees)) == target


@pytest.mark.parametrize(
    ("policy", "given", "message"),
    [
        ("addressee", situation(addressees=("bystander",)), "exactly one segment"),
        ("addressee", situation(addressees=("assistant", "assistant")), "exactly one segment"),
        ("source_and_proximity", situation(tool=None), "to name a tool"),
        ("words", situation(tool=None), "to name a tool"),
        ("source", situation(None, "near"), "no segment has that role"),
        ("proximity", situation("same", None), "no segment has that role"),
    ],
)
def test_what_is_missing_is_told(policy: str, given: Situation, message: str) -> None:
    with pytest.raises(PolicyError, match=message) as caught:
        derive_target(policy, given)
    assert caught.value.fix


def test_the_policies_are_those_of_the_schema() -> None:
    from typing import get_args

    from vgsynth.spec.model import PolicyName

    assert set(POLICIES) == set(get_args(PolicyName))
