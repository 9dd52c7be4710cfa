"""Manifest rows: there and back, and what is told of a file that is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vgsynth.contract.manifest import ManifestRow, read_manifest
from vgsynth.contract.problems import InputError

GOLDEN = Path(__file__).parents[2] / "golden" / "kinds.manifest.jsonl"


def rows() -> list[str]:
    """Lines of real rows (the golden ones leave out what depends on the machine)."""
    lines = []
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        row["versions"] = {"vgbench": "1"}
        row.setdefault("wav_sha256", None)
        lines.append(json.dumps(row))
    return lines


def test_a_row_survives_the_way_there_and_back() -> None:
    for line in rows():
        row = ManifestRow.from_json(json.loads(line))
        assert ManifestRow.from_json(json.loads(row.to_line())) == row
        assert json.loads(row.to_line()) == row.to_json()


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b"[]",
        b"null",
        b"1",
        b"{",
        b"\xff\xfe",
        b'{"schema": NaN}',
        b'{"schema": 2}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_row_is_told_with_its_line(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "manifest.jsonl"
    file.write_bytes(rows()[0].encode() + b"\n" + line + b"\n")
    found = read_manifest(tmp_path)
    next(found)
    with pytest.raises(InputError, match=r"manifest\.jsonl:2  not a manifest row"):
        next(found)


def test_a_missing_manifest_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the manifest"):
        next(read_manifest(tmp_path))
