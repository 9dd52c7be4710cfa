"""A cold render against its voices alone, two processes against one, and a second render against the first.

    python benchmarks/cold.py [--json]

Real speech by the embedded voices (fetch them first: vgsynth voices fetch). Nothing is cached at the start of
a cold run; every run is a process of its own, with its start-up.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SPEC = Path(__file__).resolve().parents[1] / "scenes" / "quickstart.yaml"

VOICES_ALONE = """
import sys
from pathlib import Path
from vgsynth.contract.problems import ProblemLog
from vgsynth.plan.expand import expand
from vgsynth.spec.load import load_spec
from vgsynth.voices.registry import engine
from vgsynth.voices.text import normalise_text
spec = load_spec(Path(sys.argv[1]))
spoken = set()
for case in expand(spec, ProblemLog()):
    for item in case.items:
        if item.modality == "audio":
            for segment in item.segments:
                voice = segment.source.voice
                if (voice, segment.source.text) not in spoken:
                    spoken.add((voice, segment.source.text))
                    engine(voice.engine).speak(
                        normalise_text(segment.source.text), voice.name, dict(voice.settings)
                    )
print(len(spoken))
"""


def timed(command: list[str], cache: Path) -> float:
    """Seconds that a command takes with a cache of its own."""
    started = time.perf_counter()
    env = {**os.environ, "VGSYNTH_CACHE": str(cache)}
    subprocess.run(command, env=env, check=True, capture_output=True)
    return time.perf_counter() - started


def main() -> None:
    """Measure and print."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cache = folder / "cache"

        def render(jobs: int, *, cold: bool) -> float:
            if cold:
                shutil.rmtree(cache, ignore_errors=True)
                shutil.rmtree(folder / "out", ignore_errors=True)
            command = [sys.executable, "-m", "vgsynth", "render", str(SPEC)]
            return timed([*command, "-o", str(folder / "out"), "-j", str(jobs)], cache)

        # In turn, so that a machine that slows down slows both sides.
        rounds = [
            {
                "voices": timed([sys.executable, "-c", VOICES_ALONE, str(SPEC)], cache),
                "cold1": render(1, cold=True),
                "second": render(1, cold=False),
                "cold2": render(2, cold=True),
            }
            for _ in range(3)
        ]
    for found in rounds:
        print("  ".join(f"{what} {seconds:6.2f} s" for what, seconds in found.items()))

    def median(ratio: list[float]) -> float:
        return sorted(ratio)[len(ratio) // 2]

    figures["cold_vs_voices"] = median([r["cold1"] / r["voices"] for r in rounds])
    figures["one_process_vs_two"] = median([r["cold1"] / r["cold2"] for r in rounds])
    figures["second_vs_first"] = median([r["second"] / r["cold1"] for r in rounds])
    print(f"cold render against its voices alone: x {figures['cold_vs_voices']:.3f} (aim: 1.1 or less)")
    print(f"one process against two, cold: x {figures['one_process_vs_two']:.2f} (aim: 1.5 or more)")
    print(f"second render against the first: {100 * figures['second_vs_first']:.1f} % (aim: 3 % or less)")
    if "--json" in sys.argv:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
