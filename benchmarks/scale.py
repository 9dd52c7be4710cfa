"""How checking and planning grow: time and peak memory at 100,000 scenes against 10,000.

    python benchmarks/scale.py [--json]

Each figure is that of a process of its own, so that memory is its peak and nobody else's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SPEC = """\
vgsynth: 1
name: scale
seed: 1
tools:
  - {name: set_timer, description: Start a timer., parameters: {type: object}}
cases: cases.jsonl
speakers:
  wearer: {voices: [kokoro/af_aoede, kokoro/am_eric, kokoro/bf_emma, kokoro/bm_daniel]}
  bystander: {voices: [kokoro/af_jessica, kokoro/am_puck, kokoro/bf_isabella, kokoro/bm_lewis]}
rooms:
  near: {kind: dry}
  far: {kind: shoebox, size_m: [6, 5, 3], rt60_s: 0.45, mic_m: [1, 2.5, 1.2], source_m: [4.5, 2.5, 1.6]}
policy: source_and_proximity
scenes:
  - condition: grid
    segments:
      - {role: context, speaker: wearer, say: "{case.context}", room: near}
      - {gap_ms: 0}
      - {role: trigger, speaker: wearer, say: "{case.trigger}", room: near}
grid:
  source: {trigger.speaker: [wearer, bystander]}
  distance: {trigger.room: [near, far]}
  gap: {boundary.gap_ms: [0, 600]}
"""
SCENES_A_CASE = 8
MEASURED = """
import resource, runpy, sys
sys.argv = ["vgsynth", *sys.argv[1:]]
try:
    runpy.run_module("vgsynth", run_name="__main__")
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def write_spec(folder: Path, scenes: int) -> Path:
    """A grid over enough cases for ``scenes`` scenes."""
    folder.mkdir()
    with (folder / "cases.jsonl").open("w") as file:
        for number in range(scenes // SCENES_A_CASE):
            case = {
                "id": f"case-{number:06d}",
                "tool": "set_timer",
                "params": {},
                "context": f"The water for tray number {number} is boiling again.",
                "trigger": f"Set a timer for {number} seconds.",
            }
            file.write(json.dumps(case) + "\n")
    spec = folder / "spec.yaml"
    spec.write_text(SPEC)
    return spec


def measure(command: str, spec: Path) -> tuple[float, float]:
    """Seconds and peak megabytes of one command."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, command, str(spec)],
        env={**os.environ, "VGSYNTH_CACHE": str(spec.parent / "cache")},
        cwd=spec.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return time.perf_counter() - started, int(done.stderr.split()[-1]) / 1024


def main() -> None:
    """Measure and print."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        specs = {count: write_spec(Path(folder) / str(count), count) for count in (10_000, 100_000)}
        for command in ("check", "plan"):
            found = {count: measure(command, spec) for count, spec in specs.items()}
            for count, (seconds, megabytes) in found.items():
                print(f"{command:5} {count:7,} scenes: {seconds:6.2f} s, peak {megabytes:6.1f} MB")
            time_ratio, memory_ratio = (found[100_000][i] / found[10_000][i] for i in (0, 1))
            figures[f"{command}_time_ratio"] = time_ratio
            figures[f"{command}_memory_ratio"] = memory_ratio
            print(
                f"{command:5} 100,000 against 10,000: time x {time_ratio:.2f} (aim: 11 or less),"
                f" memory x {memory_ratio:.2f} (aim: 1.3 or less)"
            )
    if "--json" in sys.argv:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
