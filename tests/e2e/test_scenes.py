"""Every shipped spec: checked whole; a fixed sample of it rendered with real speech, and verified."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import REPOSITORY

SCENES = REPOSITORY / "scenes"
SPECS = sorted(
    path
    for path in SCENES.rglob("*.yaml")
    if path.read_text(encoding="utf-8").startswith("# yaml-language-server")
)
SAMPLE_CASES = 2


def vgsynth(*args: object, cache: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command from the repository's root."""
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    if cache is not None:
        env["VGSYNTH_CACHE"] = str(cache)
    command = [sys.executable, "-m", "vgsynth", *map(str, args)]
    done = subprocess.run(command, cwd=REPOSITORY, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One speech cache for all specs."""
    return tmp_path_factory.mktemp("cache")


def test_there_are_specs() -> None:
    assert SCENES / "quickstart.yaml" in SPECS


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_a_shipped_spec_is_right_and_names_its_schema(spec: Path) -> None:
    vgsynth("check", spec)
    schema = spec.read_text(encoding="utf-8").splitlines()[0].partition("$schema=")[2]
    assert (spec.parent / schema).resolve() == REPOSITORY / "vgsynth" / "spec" / "scene.v1.json"


@pytest.mark.speech
@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_a_sample_of_a_shipped_spec_renders_and_verifies(spec: Path, tmp_path: Path, cache: Path) -> None:
    out = tmp_path / "out"
    done = vgsynth("render", spec, "-o", out, "--sample", SAMPLE_CASES, "-j", 1, "--json", cache=cache)
    data = json.loads(done.stdout)
    assert data["cases"] == data["sample"] == SAMPLE_CASES
    found = json.loads(vgsynth("verify", out, "--json", cache=cache).stdout)
    assert found["findings"] == []
    assert found["rows"] == data["items"] > 0


@pytest.mark.speech
def test_the_quickstart_grid_crosses_ten_cases_by_two_by_two_by_two(tmp_path: Path) -> None:
    out = tmp_path / "out"
    vgsynth("render", SCENES / "quickstart.yaml", "-o", out)
    lines = (out / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    grid = [row for row in map(json.loads, lines) if row["condition"] == "grid"]
    cells = {(row["case_id"], *row["cell"].values()) for row in grid}
    assert len(grid) == len(cells) == 80
    for row in grid:
        obeyed = row["cell"]["source"] == "wearer" and row["cell"]["distance"] == "near"
        assert row["target"]["kind"] == ("tool" if obeyed else "mute")
    assert json.loads(vgsynth("verify", out, "--json").stdout)["findings"] == []
