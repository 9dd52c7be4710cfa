"""Which file is a take of which prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from vgsynth.contract.problems import InputError
from vgsynth.recording.script import Prompt
from vgsynth.recording.takes import find_takes


def prompt(speaker: str, name: str) -> Prompt:
    """A prompt of that id."""
    return Prompt(
        id=f"{speaker}/{name}", speaker=speaker, part="wearer", case_id="c", role="r", text="Hello.",
        file="", addressees=(), before="", before_is_own=False, notes=(),
    )  # fmt: skip


PROMPTS = (
    prompt("ann", "side-001-first"),
    prompt("ann", "side-002-take"),
    prompt("bob", "side-001-first"),
    prompt("bob", "tea-2"),
)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("ann/side-001-first.wav", "ann/side-001-first"),
        ("ann/side-001-first.FLAC", "ann/side-001-first"),
        ("ANN/Side-001-First.m4a", "ann/side-001-first"),
        ("day 1/bob/morning/side-001-first.ogg", "bob/side-001-first"),
        ("ann/bob/side-001-first.wav", "bob/side-001-first"),  # the nearest folder counts
        ("tea-2.wav", "bob/tea-2"),  # only bob reads it
        ("ann/side-001-first_take3.wav", "ann/side-001-first"),
        ("ann/side-001-first (2).wav", "ann/side-001-first"),
        ("ann/side-001-first-take 02.wav", "ann/side-001-first"),
        ("ann/side-002-take.wav", "ann/side-002-take"),
        ("bob/tea-2 (3).wav", "bob/tea-2"),
        ("side-001-first.wav", "ann and bob read it: put it into a folder called like its reader"),
        ("ann/tea-2.wav", "this is read by bob, not by ann"),
        ("ann/side-001-furst.wav", "no prompt has this name; did you mean 'side-001-first'?"),
        ("ann/side-001-first-2.wav", "no prompt has this name; did you mean 'side-001-first'?"),
    ],
)
def test_a_file_and_its_prompt(tmp_path: Path, file: str, expected: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).touch()
    found = find_takes(tmp_path, PROMPTS)
    if " " in expected:
        assert [(extra.file, extra.why) for extra in found.extra] == [(file, expected)]
        assert not found.by_prompt
    else:
        assert found.by_prompt == {expected: (file,)}
        assert not found.extra


def test_several_takes_come_by_number(tmp_path: Path) -> None:
    names = [
        "side-001-first_take10.wav",
        "side-001-first_take2.wav",
        "side-001-first.wav",
        "side-001-first.flac",
    ]
    (tmp_path / "ann").mkdir()
    for name in names:
        (tmp_path / "ann" / name).touch()
    assert find_takes(tmp_path, PROMPTS).by_prompt == {
        "ann/side-001-first": (
            "ann/side-001-first.flac",
            "ann/side-001-first.wav",
            "ann/side-001-first_take2.wav",
            "ann/side-001-first_take10.wav",
        )
    }


@pytest.mark.parametrize(
    "file", ["ann/notes.txt", "ann/.side-001-first.wav", ".trash/ann/x.wav", "session.rpp"]
)
def test_other_files_are_passed_over(tmp_path: Path, file: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).touch()
    found = find_takes(tmp_path, PROMPTS)
    assert not found.by_prompt
    assert not found.extra


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        find_takes(tmp_path / "takes", PROMPTS)
