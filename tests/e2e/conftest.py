"""Small specs that render in seconds with the test voice, and a way to run the commands as a user does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
SPEC = """\
vgsynth: 1
name: small
family: speaker_switch
seed: 7
tools:
  - name: set_timer
    description: Start a timer.
    parameters: {type: object, properties: {duration: {type: string}}, required: [duration]}
  - name: call
    description: Call somebody.
    parameters: {type: object, properties: {callee: {type: string}}, required: [callee]}
cases: cases.jsonl
pools: {four: [tone/alto, tone/bass, tone/bell, tone/reed]}
speakers:
  wearer: {voices: four}
  bystander: {voices: four, differs_from: wearer}
rooms:
  near: {kind: dry}
  far: {kind: shoebox, size_m: [6, 5, 3], rt60_s: 0.25, mic_m: [1, 2.5, 1.2], source_m: [4.5, 2.5, 1.6]}
policy: source_and_proximity
scenes:
  - condition: same_speaker
    segments:
      - {role: context, speaker: wearer, say: "{case.context}", room: near}
      - {role: trigger, speaker: wearer, say: "{case.trigger}", room: near}
  - condition: switch
    like: same_speaker
    change: {trigger.speaker: bystander, trigger.room: far, trigger.gap_ms: 600}
  - {condition: text_only, modality: text}
pairs:
  - members: [same_speaker, switch]
    may_differ_in: [trigger.speaker, trigger.room, gap_ms]
"""


def case(number: int) -> dict[str, Any]:
    """A case with words of its own."""
    return {
        "id": f"c{number}",
        "tool": ["set_timer", "call"][number % 2],
        "params": [{"duration": f"{number} minutes"}, {"callee": f"person {number}"}][number % 2],
        "context": f"The kettle is on and number {number} is waiting.",
        "trigger": f"Please see to number {number}.",
    }


def write_cases(file: Path, cases: list[dict[str, Any]]) -> None:
    """A JSONL file."""
    file.write_text("".join(json.dumps(c) + "\n" for c in cases), encoding="utf-8")


class Project:
    """A folder with a spec, an output folder and a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.spec = folder / "small.yaml"
        self.out = folder / "out"
        self.cache = folder / "cache"
        self.spec.write_text(SPEC, encoding="utf-8")
        self.cases(range(3))

    def cases(self, numbers: range | list[int]) -> None:
        """Set the cases."""
        write_cases(self.folder / "cases.jsonl", [case(n) for n in numbers])

    @property
    def env(self) -> dict[str, str]:
        """The environment of commands."""
        return {**os.environ, "VGSYNTH_CACHE": str(self.cache), "PYTHONPATH": str(REPOSITORY)}

    def command(self, *args: object) -> list[str]:
        """A command line."""
        return [sys.executable, "-m", "vgsynth", *map(str, args)]

    def run(self, *args: object, status: int = 0) -> subprocess.CompletedProcess[str]:
        """Run a command, and insist on its exit code and on the absence of tracebacks."""
        done = subprocess.run(
            self.command(*args), env=self.env, cwd=self.folder, capture_output=True, text=True, check=False
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == status, done.stdout + done.stderr
        return done

    def render(self, *args: object, status: int = 0) -> subprocess.CompletedProcess[str]:
        """``vgsynth render`` of the spec into the output folder."""
        return self.run("render", self.spec, "-o", self.out, *args, status=status)

    def rows(self) -> list[dict[str, Any]]:
        """The manifest."""
        text = (self.out / "manifest.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]


def contents(out: Path) -> dict[str, bytes]:
    """All files that a user gets, by relative path (not what the compiler keeps for itself)."""
    files = sorted(path for path in out.rglob("*") if path.is_file() and ".vgsynth" not in path.parts)
    return {str(path.relative_to(out)): path.read_bytes() for path in files}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A new project."""
    return Project(tmp_path)


@pytest.fixture(scope="module")
def make_project(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Project]:
    """Makes projects that live as long as a module's tests."""
    return lambda: Project(tmp_path_factory.mktemp("project"))
