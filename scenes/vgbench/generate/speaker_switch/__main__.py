"""Writes the case file, or checks that it is what would be written."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path

from scenes.vgbench.generate.files import as_jsonl, is_stale, write
from scenes.vgbench.generate.speaker_switch.choose import make_cases
from scenes.vgbench.generate.speaker_switch.read import read_material

_VGBENCH = Path(__file__).resolve().parents[2]
MATERIAL = _VGBENCH / "speaker_switch"
CASES = _VGBENCH / "cases" / "speaker_switch.jsonl"


def main(arguments: Sequence[str]) -> int:
    """0 where the file was written, or is what it should be; 1 where it is not; 2 for wrong usage."""
    if list(arguments) not in ([], ["--check"]):
        print("usage: python -m scenes.vgbench.generate.speaker_switch [--check]", file=sys.stderr)
        return 2
    made = as_jsonl(map(dataclasses.asdict, make_cases(read_material(MATERIAL))))
    if not arguments:
        write(CASES, made)
        return 0
    if not is_stale(CASES, made):
        return 0
    print(f"{CASES.name} is not what its seeds and templates make: run without --check", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
