"""Items come from the manifest, in its order, and say no more than a system may know."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.vgeval.datasets import row, small_dataset, wav_bytes, write_dataset
from vgeval.tasks.dataset import open_dataset
from vgeval.tasks.item import Item
from vgeval.tasks.select import TASKS, Selection
from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.manifest import ManifestRow
from vgsynth.contract.problems import InputError


def test_items_are_the_rows(tmp_path: Path) -> None:
    data = open_dataset(small_dataset(tmp_path / "d", cases=1))
    same, switch, text = data.items(Selection())
    assert same.read_wav() == wav_bytes(0.05, seed=0)
    assert switch.read_wav() == wav_bytes(0.05, seed=1)
    assert (text.read_wav(), text.transcript) == (None, "Words 0 of context.\nWords 0 of trigger.")
    assert (same.transcript, switch.transcript) == ("", "")
    assert data.manifest_sha256 == sha256_hex((tmp_path / "d" / "manifest.jsonl").read_bytes())
    assert data.tools.names == ("set_timer", "place_call")


ROWS: dict[str, ManifestRow] = {
    "switch": row(0, "switch", b""),
    "text": row(0, "text_only", None),
    "grid": row(0, "grid", b"", cell={"source": "wearer"}),
    "factorized": row(0, "factorized", b"", family="factorized", cell={"gap": "0"}),
    "side": row(0, "side_talk", b"", family="side_talk"),
    "self": row(0, "self_talk", b"", family="self_talk"),
    "wearvox": row(0, "tool_calling", b"", family="wearvox"),
    "own": row(0, "own", b"", family="mine"),
}


@pytest.mark.parametrize(
    ("task", "takes"),
    [
        ("speaker-switch", {"switch", "text"}),
        ("side-talk", {"side"}),
        ("self-talk", {"self"}),
        ("factorized", {"grid", "factorized"}),
        ("wearvox", {"wearvox"}),
    ],
)
def test_tasks_take_their_rows(task: str, takes: set[str]) -> None:
    selection = Selection(tasks=(task,))
    assert {name for name, each in ROWS.items() if selection.takes(each)} == takes


def test_without_a_task_every_row_is_taken() -> None:
    assert all(Selection().takes(each) for each in ROWS.values())
    both = Selection(tasks=("side-talk", "self-talk"))
    assert [name for name, each in ROWS.items() if both.takes(each)] == ["side", "self"]
    assert set(TASKS) == {"speaker-switch", "side-talk", "self-talk", "factorized", "wearvox"}


def test_splits_and_limit_cut_further(tmp_path: Path) -> None:
    data = open_dataset(small_dataset(tmp_path / "d", cases=4))
    test_half = Selection(splits=("test",))
    assert data.check(test_half) == 6
    assert data.check(Selection(splits=("test",), limit=2)) == 2
    assert [item.item_id for item in data.items(Selection(splits=("test",), limit=2))] == [
        "c1.same_speaker",
        "c1.switch",
    ]


def test_a_clip_must_be_the_manifests(tmp_path: Path) -> None:
    clip = wav_bytes(0.01)
    data = write_dataset(tmp_path / "d", [(row(0, "switch", clip), clip)])
    (item,) = open_dataset(data).items(Selection())
    assert item.wav is not None
    item.wav.write_bytes(wav_bytes(0.01, seed=5))
    with pytest.raises(ValueError, match="is not the file that the manifest was written for"):
        item.read_wav()
    item.wav.unlink()
    with pytest.raises(OSError, match="No such file"):
        item.read_wav()
    assert Item(item_id="x").read_wav() is None


@pytest.mark.parametrize("tools", ["{", "{}", '[{"name": 5}]', "[5]", '[{"name": "a"}]'])
def test_tools_that_are_none_are_told(tools: str, tmp_path: Path) -> None:
    data = small_dataset(tmp_path / "d")
    (data / "tools.json").write_text(tools, encoding="utf-8")
    with pytest.raises(InputError, match=r"tools\.json  cannot be read: not a list of tools"):
        open_dataset(data)
