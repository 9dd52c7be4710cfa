"""Baselines do what their names say, through the whole runner."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.unit.vgeval.datasets import TOOLS, row, small_dataset, wav_bytes, write_dataset
from vgeval.methods.raw import RAW
from vgeval.parsing.verdict import Verdict, judge
from vgeval.runner.job import Job, prepare
from vgeval.systems.profile import load_profile
from vgsynth.contract.prediction import read_predictions
from vgsynth.contract.tools import ToolInventory

INVENTORY = ToolInventory(tools=tuple(TOOLS))


def verdicts(tmp_path: Path, name: str) -> dict[str, Verdict]:
    job = Job(out=tmp_path / "data", predictions=tmp_path / "pred", profile=load_profile(name), method=RAW)
    with prepare(job) as prepared:
        written = prepared.send()
    assert (written.errors, written.invalid) == (0, 0)
    found = {}
    for prediction in read_predictions(tmp_path / "pred"):
        both = judge(str(prediction.raw), prediction.normalisation, INVENTORY)
        assert both.strict == both.lenient
        found[prediction.item_id] = both.strict
    return found


def test_always_mute(tmp_path: Path) -> None:
    small_dataset(tmp_path / "data", cases=3)
    assert {verdict.kind for verdict in verdicts(tmp_path, "baseline/always-mute").values()} == {"mute"}


def test_always_act_calls_the_cases_tool_under_every_condition(tmp_path: Path) -> None:
    small_dataset(tmp_path / "data", cases=3)
    found = verdicts(tmp_path, "baseline/always-act")
    assert len(found) == 9
    for item_id, verdict in found.items():
        number = int(item_id[1])
        assert (verdict.kind, verdict.tool) == ("tool", TOOLS[number % 2].name)


@pytest.mark.parametrize(
    ("case", "kind", "tool"),
    [
        ({"tool_core": "place_call", "core": "call Ben"}, "tool", "place_call"),
        ({"tool": "set_timer", "params": {"duration": "an hour"}}, "tool", "set_timer"),
        ({"tool": None, "params": {}, "bystander_tool": "place_call"}, "tool", "place_call"),
        ({"tool": None, "params": {}, "bystander_tool": None}, "answer", None),
        ({}, "answer", None),
    ],
)
def test_always_act_on_the_other_scenarios(
    case: dict[str, Any], kind: str, tool: str | None, tmp_path: Path
) -> None:
    clip = wav_bytes(0.05)
    write_dataset(tmp_path / "data", [(replace(row(0, "side_talk", clip), case=case), clip)])
    (verdict,) = verdicts(tmp_path, "baseline/always-act").values()
    assert (verdict.kind, verdict.tool) == (kind, tool)
