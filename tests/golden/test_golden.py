"""The manifest of a spec that has one of everything, against the one that is kept here.

    python -m tests.golden.test_golden     renews it: look at what changed before you commit it

Dry speech of the test voice is the same to the last bit everywhere. What went through a Fourier transform may
differ in its last bits from one kind of processor to another, so its hashes are not compared, and levels are
compared as numbers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
SPEC = HERE / "specs" / "kinds.yaml"
GOLDEN = HERE / "kinds.manifest.jsonl"
DB = 0.001


def render(out: Path) -> list[dict[str, Any]]:
    """The rows of the spec, rendered anew."""
    env = {**os.environ, "VGSYNTH_CACHE": str(out / "cache"), "PYTHONPATH": str(HERE.parents[1])}
    command = [sys.executable, "-m", "vgsynth", "render", str(SPEC), "-o", str(out / "out"), "-j", "1"]
    subprocess.run(command, env=env, check=True, capture_output=True)
    text = (out / "out" / "manifest.jsonl").read_text(encoding="utf-8")
    return [stable(json.loads(line)) for line in text.splitlines()]


def stable(row: dict[str, Any]) -> dict[str, Any]:
    """A row without what depends on the machine: library versions, keys made from them, some hashes."""
    del row["versions"]
    computed = row["noise"] is not None
    for segment in row["segments"]:
        segment.pop("stem_key")
        room = segment["room"]
        if room and (room["kind"] != "dry" or room["config"]["lowpass_hz"]):
            segment.pop("audio_sha256")
            computed = True
    if computed:
        row.pop("wav_sha256")
    return row


def compare(found: Any, wanted: Any, path: str) -> None:
    """The same, numbers that were measured within a thousandth."""
    if isinstance(wanted, dict):
        assert isinstance(found, dict) and found.keys() == wanted.keys(), path
        for key, value in wanted.items():
            compare(found[key], value, f"{path}.{key}")
    elif isinstance(wanted, list):
        assert isinstance(found, list) and len(found) == len(wanted), path
        for index, value in enumerate(wanted):
            compare(found[index], value, f"{path}[{index}]")
    elif isinstance(wanted, float):
        assert found == pytest.approx(wanted, abs=DB), path
    else:
        assert found == wanted, path


def test_the_manifest_is_as_it_was(tmp_path: Path) -> None:
    wanted = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    found = render(tmp_path)
    assert [row["item_id"] for row in found] == [row["item_id"] for row in wanted]
    for row, golden in zip(found, wanted, strict=True):
        compare(row, golden, row["item_id"])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        lines = [json.dumps(row, sort_keys=True, ensure_ascii=False) + "\n" for row in render(Path(folder))]
    GOLDEN.write_text("".join(lines), encoding="utf-8")
