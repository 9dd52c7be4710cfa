"""What annotators write, and what it means."""

from __future__ import annotations

import pytest

from vgsynth.recording.labels import (
    LabelError,
    addressees_label,
    read_addressees,
    read_judgement,
    read_target,
)

TOOLS = ("set_timer", "call")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("", ""),
        ("  ", ""),
        ("[Mute]", "[Mute]"),
        ("mute", "[Mute]"),
        ("MUTE ", "[Mute]"),
        ("[mute]", "[Mute]"),
        ("Answer", "answer"),
        ("tool:set_timer", "tool:set_timer"),
        ("Tool: Set_Timer", "tool:set_timer"),
        ("tool = call", "tool:call"),
    ],
)
def test_targets(written: str, expected: str) -> None:
    assert read_target(written, TOOLS) == expected
    assert read_target(written, None) == expected


def test_a_tools_name_alone_where_the_tools_are_known() -> None:
    assert read_target("Call", TOOLS) == "tool:call"
    with pytest.raises(LabelError):
        read_target("call", None)


@pytest.mark.parametrize(
    ("written", "fix"),
    [
        ("mite", "did you mean 'mute'?"),
        ("tool:set_time", "did you mean 'set_timer'?"),
        ("set timer", "did you mean 'set_timer'?"),
        ("tool", "write [Mute], answer or tool:NAME"),
    ],
)
def test_no_targets(written: str, fix: str) -> None:
    with pytest.raises(LabelError) as caught:
        read_target(written, TOOLS)
    assert caught.value.fix == fix


@pytest.mark.parametrize(
    ("written", "utterances", "expected"),
    [
        ("", 2, ""),
        ("assistant + bystander", 2, "assistant + bystander"),
        ("Assistant, Bystander", 2, "assistant + bystander"),
        ("bystander/assistant", None, "bystander + assistant"),
        ("a b", 2, "assistant + bystander"),
        ("self", 1, "self"),
    ],
)
def test_addressees(written: str, utterances: int | None, expected: str) -> None:
    assert read_addressees(written, utterances) == expected


@pytest.mark.parametrize(("written", "utterances"), [("assistant", 2), ("a b a", 2), ("agent", 1), ("me", 1)])
def test_no_addressees(written: str, utterances: int) -> None:
    with pytest.raises(LabelError):
        read_addressees(written, utterances)


def test_judgements() -> None:
    assert [read_judgement(text) for text in ("", "ok", " OK", "Bad")] == ["", "ok", "ok", "bad"]
    with pytest.raises(LabelError):
        read_judgement("okay-ish")


def test_the_specs_addressees() -> None:
    assert addressees_label(("assistant", "bystander")) == "assistant + bystander"
    assert addressees_label(("assistant", None)) == ""
    assert addressees_label((None, None)) == ""
