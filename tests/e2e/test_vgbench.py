"""What the benchmark adds up to: planned, and (after ``make vgbench``) as rendered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import REPOSITORY

OUT = Path(os.environ.get("VGBENCH_OUT", REPOSITORY / "out"))


@pytest.mark.parametrize(
    ("spec", "cases", "conditions"),
    [
        ("speaker_switch", 400, {"same_speaker": 400, "switch": 400, "text_only": 400}),
        ("side_talk", 395, {"side_talk": 395}),
        ("self_talk", 223, {"self_talk": 223}),
    ],
)
def test_the_plan_counts_what_the_benchmark_promises(
    spec: str, cases: int, conditions: dict[str, int]
) -> None:
    file = REPOSITORY / "scenes" / "vgbench" / f"{spec}.yaml"
    done = subprocess.run(
        [sys.executable, "-m", "vgsynth", "plan", file, "--json"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    plan = json.loads(done.stdout)
    assert (plan["cases"], plan["conditions"]) == (cases, conditions)


def rows(name: str) -> list[dict[str, Any]]:
    found = sorted(OUT.rglob(f"{name}/manifest.jsonl"))
    if not found:
        pytest.skip(f"{name} is not rendered below {OUT}: make vgbench")
    return [json.loads(line) for line in found[0].read_text("utf-8").splitlines()]


@pytest.mark.slow
def test_1018_items_are_rendered() -> None:
    side, own, switch = rows("side_talk"), rows("self_talk"), rows("speaker_switch")
    pairs = {row["pair_id"] for row in switch if row["pair_id"]}
    assert (len(side), len(own), len(pairs)) == (395, 223, 400)
    assert len(side) + len(own) + len(pairs) == 1018
    assert sum(row["modality"] == "text" for row in switch) == 400
    assert {row["target"]["kind"] for row in own} == {"mute"}
    switched = [row for row in switch if row["condition"] == "switch"]
    assert Counter(row["case"]["tool"] for row in switched) == dict.fromkeys(
        {row["case"]["tool"] for row in switched}, 40
    )
    assert {row["target"]["kind"] for row in switched} == {"mute"}
    for side_of, wanted in ((0, 50), (1, 50)):
        voices = Counter(row["segments"][side_of]["voice"] for row in switched)
        assert len(voices) == 8 and set(voices.values()) == {wanted}


@pytest.mark.slow
def test_splits_are_those_of_the_paper() -> None:
    for name, test, train in (("side_talk", 79, 316), ("self_talk", 50, 173), ("speaker_switch", 80, 320)):
        cases = {row["case_id"]: row["split"] for row in rows(name)}
        assert Counter(cases.values()) == {"test": test, "train": train}


@pytest.mark.slow
def test_the_cue_balanced_set_is_even_to_within_one_row() -> None:
    cells = Counter((row["target"]["kind"], *row["cell"].values()) for row in rows("cue_balanced"))
    assert sum(cells.values()) == 1212
    assert len(cells) == 8 and max(cells.values()) - min(cells.values()) <= 1
    assert len(rows("factorized")) == 640
