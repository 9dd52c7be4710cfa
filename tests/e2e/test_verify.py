"""Verify finds what was tampered with, whatever it was."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from tests.e2e.conftest import Project
from vgsynth.contract.canonical import sha256_hex


@pytest.fixture(scope="module")
def original(make_project: Callable[[], Project]) -> Project:
    project = make_project()
    project.render("-j", 1)
    return project


@pytest.fixture
def tampered(original: Project, project: Project) -> Project:
    """A copy to spoil. It shares the original's speech cache."""
    shutil.copytree(original.out, project.out)
    project.cache = original.cache
    return project


def test_an_untouched_folder_has_nothing_off(original: Project) -> None:
    found = json.loads(original.run("verify", original.out, "--json").stdout)
    assert found["findings"] == []
    assert (found["rows"], found["wavs"], found["pairs"]) == (9, 6, 3)
    # The context of each pair is shared, and it is alone in both clips.
    assert (found["shared_segments"], found["shared_in_wavs"]) == (3, 3)
    # Context by the wearer, trigger by either.
    assert found["stems"] == 9


def findings(project: Project) -> list[str]:
    found = json.loads(project.run("verify", project.out, "--json", status=1).stdout)["findings"]
    return [f"{finding['item_id']}: {finding['message']}" for finding in found]


def edit_rows(project: Project, edit: Callable[[dict[str, Any]], None]) -> None:
    """Change rows, and make the folder consistent again as far as a forger could."""
    rows = project.rows()
    for row in rows:
        edit(row)
    text = "".join(json.dumps(row, sort_keys=True) + "\n" for row in rows)
    (project.out / "manifest.jsonl").write_text(text)
    data = json.loads((project.out / "dataset.json").read_text())
    data["manifest_sha256"] = sha256_hex(text.encode())
    (project.out / "dataset.json").write_text(json.dumps(data))


def rewrite(path: Path, change: Callable[[np.ndarray], np.ndarray]) -> None:
    samples, rate = soundfile.read(path, dtype="int16")
    soundfile.write(path, change(samples), rate, subtype="PCM_16")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda x: np.roll(x, 1), "SHA-256"),
        (lambda x: x[:-1], "samples, the row says"),
        (lambda x: (x // 2).astype(np.int16), "RMS is"),
    ],
)
def test_a_changed_wav(tampered: Project, change: Callable[[np.ndarray], np.ndarray], message: str) -> None:
    rewrite(tampered.out / "wav" / "c1.switch.wav", change)
    found = findings(tampered)
    assert any(f.startswith("c1.switch: ") and message in f for f in found), found
    assert not any(f.startswith(("c0", "c2")) for f in found)


def test_a_missing_wav_and_a_stray_one(tampered: Project) -> None:
    (tampered.out / "wav" / "c1.switch.wav").rename(tampered.out / "wav" / "stray.wav")
    found = findings(tampered)
    assert "c1.switch: wav/c1.switch.wav: No such file or directory" in found
    assert ": wav/stray.wav belongs to no row" in found


def test_another_sample_rate(tampered: Project) -> None:
    path = tampered.out / "wav" / "c0.switch.wav"
    samples, _ = soundfile.read(path, dtype="int16")
    soundfile.write(path, samples, 8_000, subtype="PCM_16")
    assert any("8000" in f and "16000" in f for f in findings(tampered))


def test_a_removed_row(tampered: Project) -> None:
    manifest = tampered.out / "manifest.jsonl"
    lines = manifest.read_text().splitlines(keepends=True)
    manifest.write_text("".join(lines[:4] + lines[5:]))
    found = findings(tampered)
    assert "c1.pair: the pair has 1 members" in found
    assert ": manifest.jsonl is not the one that dataset.json was written with" in found
    assert ": manifest.jsonl has 8 rows, dataset.json says 9" in found


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("stem_sha256", "0" * 64, "the speech of context differs"),
        ("audio_sha256", "0" * 64, "the audio of context differs"),
        ("text", "Other words.", "the words of context differ"),
        ("level_dbfs", -20.0, "level of context is -23"),
        ("start_sample", 50, "context starts at 50, not at 0"),
        ("level_asked_dbfs", -20.0, "asked was -20"),
        ("gap_before_samples", 1, "context starts at 0, not at 1"),
        ("length_samples", 10**9, "lies outside the clip"),
    ],
)
def test_a_forged_row(tampered: Project, field: str, value: object, message: str) -> None:
    def forge(row: dict[str, Any]) -> None:
        if row["item_id"] == "c1.switch":
            row["segments"][0][field] = value

    edit_rows(tampered, forge)
    found = findings(tampered)
    assert any(f.startswith(("c1.pair", "c1.switch")) and message in f for f in found), found


def test_shared_audio_that_differs_by_one_bit(tampered: Project) -> None:
    # A forger who also mends the WAV's hash is still found by the pair.
    path = tampered.out / "wav" / "c1.switch.wav"
    rewrite(path, lambda x: np.concatenate([x[:3000], x[3000:3001] ^ 1, x[3001:]]).astype(np.int16))
    digest = sha256_hex(path.read_bytes())

    def forge(row: dict[str, Any]) -> None:
        if row["item_id"] == "c1.switch":
            row["wav_sha256"] = digest

    edit_rows(tampered, forge)
    assert "c1.pair: the samples of context differ between the WAVs" in findings(tampered)


def test_both_clips_of_a_pair_shifted_alike(tampered: Project) -> None:
    # The pair still agrees with itself; the silence between the segments does not.
    digests = {}
    for item in ("c1.same_speaker", "c1.switch"):
        path = tampered.out / "wav" / f"{item}.wav"
        rewrite(path, lambda x: np.roll(x, 300))
        digests[item] = sha256_hex(path.read_bytes())

    def forge(row: dict[str, Any]) -> None:
        row["wav_sha256"] = digests.get(row["item_id"], row["wav_sha256"])

    edit_rows(tampered, forge)
    assert "c1.switch: there is sound where the row has none" in findings(tampered)


@pytest.mark.parametrize("what", ["nothing", "empty", "foreign"])
def test_no_rendered_folder_is_bad_input(project: Project, what: str) -> None:
    if what != "nothing":
        project.out.mkdir()
    if what == "foreign":
        (project.out / "x").write_text("")
    project.run("verify", project.out, status=2)


def test_a_line_that_is_no_row_is_told_with_its_place(tampered: Project) -> None:
    manifest = tampered.out / "manifest.jsonl"
    manifest.write_text(manifest.read_text() + "{}\n")
    assert "manifest.jsonl:10  not a manifest row" in tampered.run("verify", tampered.out, status=2).stderr
