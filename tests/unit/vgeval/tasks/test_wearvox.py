"""WearVox from a made-up copy: what is read, what is chosen, what a system is asked."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.vgeval.datasets import TOOLS
from vgeval.methods.method import Question
from vgeval.methods.registry import METHODS
from vgeval.prompt.instruction import render_prompt
from vgeval.tasks.dataset import open_dataset
from vgeval.tasks.select import Selection
from vgeval.tasks.wearvox.build import build
from vgeval.tasks.wearvox.copy import TASKS, Example, read_copy
from vgeval.tasks.wearvox.protocol import by_ids, stratified
from vgsynth.contract.manifest import read_manifest
from vgsynth.contract.problems import InputError

LINES: list[dict[str, Any]] = [
    {
        "id": "s/1",
        "task": "search_grounded_qa",
        "audio": "a/1.wav",
        "question": "Who won?",
        "reference": "Ann",
        "request": "Search results: Ann won.",
    },
    {"id": "c1", "task": "closed_book_qa", "audio": "a/2.flac", "reference": "four"},
    {"id": "r1", "task": "side_talk_rejection", "audio": "a/1.wav"},
    {
        "id": "t1",
        "task": "tool_calling",
        "audio": "a/1.wav",
        "reference": {"name": "set_timer", "params": {"duration": "an hour"}},
    },
    {
        "id": "x1",
        "task": "speech_translation",
        "audio": "a/1.wav",
        "reference": "Hallo",
        "request": "Translate into German.",
    },
]


def write_copy(folder: Path, lines: list[Any] | None = None) -> Path:
    (folder / "a").mkdir(parents=True)
    t = np.arange(48_000) / 48_000
    channels = np.stack([0.2 * np.sin(2 * np.pi * 440 * t), np.zeros_like(t)], axis=1)
    soundfile.write(folder / "a" / "1.wav", channels, 48_000, subtype="PCM_24")
    soundfile.write(folder / "a" / "2.flac", channels[:, 0], 16_000)
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines or LINES)
    (folder / "wearvox.jsonl").write_text(text, encoding="utf-8")
    (folder / "tools.json").write_text(json.dumps([tool.to_json() for tool in TOOLS]), encoding="utf-8")
    return folder


def test_a_copy_becomes_a_folder_to_be_run(tmp_path: Path) -> None:
    copy = read_copy(write_copy(tmp_path / "copy"))
    counts = build(copy, copy.examples, tmp_path / "out", protocol="all")
    assert counts == dict.fromkeys(sorted(TASKS), 1)
    rows = list(read_manifest(tmp_path / "out"))
    assert [(row.condition, row.target.kind) for row in rows] == [
        ("search_grounded_qa", "answer"),
        ("closed_book_qa", "answer"),
        ("side_talk_rejection", "mute"),
        ("tool_calling", "tool"),
        ("speech_translation", "answer"),
    ]
    assert (rows[3].target.tool, rows[3].target.params) == ("set_timer", {"duration": "an hour"})
    assert rows[0].case_id == "s/1"
    for row in rows:
        info = soundfile.info(tmp_path / "out" / str(row.wav))
        assert (info.samplerate, info.channels, info.subtype) == (16_000, 1, "PCM_16")
        assert info.frames == row.length_samples
    # The mean of a sine of 0.2 and silence: 20 log10(0.1 / sqrt(2)).
    assert rows[0].rms_dbfs == pytest.approx(-23.01, abs=0.05)
    data = open_dataset(tmp_path / "out")
    assert data.check(Selection(tasks=("wearvox",))) == 5
    items = list(data.items(Selection()))
    assert [item.note for item in items] == ["Search results: Ann won.", "", "", "", "Translate into German."]
    assert all(item.read_wav() for item in items)


@pytest.mark.parametrize("name", METHODS)
def test_what_is_read_beside_a_clip_is_part_of_the_request(name: str, tmp_path: Path) -> None:
    copy = read_copy(write_copy(tmp_path / "copy"))
    build(copy, copy.examples, tmp_path / "out", protocol="all")
    data = open_dataset(tmp_path / "out")
    item = next(data.items(Selection()))
    question = Question(prompt=render_prompt(data.tools), wav=item.read_wav(), note=item.note)
    procedure = METHODS[name].ask(question)
    conversation = next(procedure)
    for _ in range(4):
        try:
            conversation = procedure.send("[Mute]")
        except StopIteration:
            break
    assert any("Search results: Ann won." in message.words for message in conversation)


BAD = {
    "no JSON": ("{", "not JSON"),
    "a list": ([], "not an object"),
    "no id": ({"task": "closed_book_qa", "audio": "a/1.wav"}, "'id' has to be a text"),
    "unknown task": ({**LINES[1], "task": "closed_qa"}, "did you mean 'closed_book_qa'"),
    "unknown field": ({**LINES[1], "answer": "x"}, "there is no field 'answer'"),
    "no recording": ({**LINES[1], "audio": "a/9.wav"}, "the recording 'a/9.wav' is missing"),
    "no call": ({**LINES[3], "reference": "set_timer"}, "a call needs a"),
    "unknown tool": ({**LINES[3], "reference": {"name": "fly"}}, "tools.json has no tool 'fly'"),
}


def test_everything_wrong_is_told_at_once(tmp_path: Path) -> None:
    lines = [LINES[0], LINES[0], *(line for line, _ in BAD.values())]
    with pytest.raises(InputError) as caught:
        read_copy(write_copy(tmp_path / "copy", lines))
    told = str(caught.value)
    for number, (_, message) in enumerate(BAD.values(), start=3):
        assert f"wearvox.jsonl:{number}  " in told
        assert message in told
    assert "wearvox.jsonl:2  the id 's/1' is there twice" in told
    assert len(caught.value.problems) == 1 + len(BAD)


def test_a_recording_that_is_none_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = write_copy(tmp_path / "copy")
    (folder / "a" / "2.flac").write_bytes(b"no sound")
    copy = read_copy(folder)
    with pytest.raises(InputError, match=r"2\.flac  cannot be read"):
        build(copy, copy.examples, tmp_path / "out", protocol="all")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy"]


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    copy = read_copy(write_copy(tmp_path / "copy"))
    with pytest.raises(InputError, match="is there already"):
        build(copy, copy.examples, tmp_path / "copy", protocol="all")


def test_a_protocol_is_a_list_of_ids(tmp_path: Path) -> None:
    examples = read_copy(write_copy(tmp_path / "copy")).examples
    ids = tmp_path / "ids.txt"
    ids.write_text("x1\n\nc1\n")
    assert [example.id for example in by_ids(examples, ids)] == ["x1", "c1"]
    ids.write_text("x1\nx1\nzz\n")
    with pytest.raises(InputError) as caught:
        by_ids(examples, ids)
    assert [str(problem) for problem in caught.value.problems] == [
        f"{ids}:2  'x1' is there twice",
        f"{ids}:3  'zz' is not in the copy",
    ]


def example(number: int, task: str) -> Example:
    return Example(id=f"e{number}", task=task, audio=Path(), question="", reference=None, request="")


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.integers(0, 40), min_size=5, max_size=5).filter(any),
    st.integers(1, 100),
    st.integers(0, 3),
    st.randoms(use_true_random=False),
)
def test_a_stratified_choice_has_each_tasks_share(
    sizes: list[int], count: int, seed: int, random: Any
) -> None:
    tasks = [task for task, size in zip(TASKS, sizes, strict=True) for _ in range(size)]
    examples = [example(number, task) for number, task in enumerate(tasks)]
    chosen = stratified(examples, count, seed)
    assert len(chosen) == min(count, len(examples))
    counts = Counter(each.task for each in chosen)
    for task, size in zip(TASKS, sizes, strict=True):
        share = len(chosen) * size / len(examples)
        assert abs(counts[task] - share) < 1
    shuffled = random.sample(examples, len(examples))
    assert set(stratified(shuffled, count, seed)) == set(chosen)


def test_the_choice_depends_on_the_seed() -> None:
    examples = [example(number, TASKS[number % 5]) for number in range(3842)]
    assert len(stratified(examples, 384)) == 384
    assert stratified(examples, 384, 0) == stratified(examples, 384, 0)
    assert stratified(examples, 384, 0) != stratified(examples, 384, 1)
