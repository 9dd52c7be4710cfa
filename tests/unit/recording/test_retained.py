"""The spec of what is kept makes the same items as before, and no others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.e2e.conftest import REPOSITORY
from tests.unit.recording.made import SIDE_TALK, side_talk
from vgsynth.contract.problems import InputError
from vgsynth.recording.people_spec import write_people_spec
from vgsynth.recording.retained import whole_cases, write_retained_spec
from vgsynth.recording.script import Item, script_of
from vgsynth.spec.load import load_spec

INLINE = """\
cases:
  - {id: tea, tool: set_timer, first: "Set.", second: "Yes: no.", to_first: assistant, to_second: bystander}
  - {id: gran, tool: call, first: "Come.", second: "Call.", to_first: bystander, to_second: assistant}
  - {id: eggs, tool: call, first: "Soft?", second: "Hard.", to_first: bystander, to_second: assistant}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("cases: cases.csv\n", "cases: {from: cases.csv, limit: 3}\n"),
        ("cases: cases.csv\n", "cases: {from: cases.csv, where: {tool: [set_timer, call]}}\n"),
        ("cases: cases.csv\n", INLINE),
    ],
)
def test_the_cases_kept_are_as_they_were(tmp_path: Path, old: str, new: str) -> None:
    side_talk(tmp_path)
    (tmp_path / "side.yaml").write_text(SIDE_TALK.replace(old, new) if old else SIDE_TALK)
    spec = load_spec(tmp_path / "read.yaml")
    script = script_of(spec)
    write_retained_spec(spec, script, tmp_path / "kept.yaml", ["gran", "eggs"])
    kept = load_spec(tmp_path / "kept.yaml")
    assert (kept.name, kept.family) == ("kept", "side_talk")
    assert script_of(kept).items == tuple(item for item in script.items if item.case_id in ("gran", "eggs"))


def test_a_benchmark_spec_in_another_folder(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "scenes", tmp_path / "scenes")
    base = load_spec(tmp_path / "scenes" / "vgbench" / "self_talk.yaml")
    spec = write_people_spec(base, ["ann", "bob"])
    script = script_of(spec)
    cases = [item.case_id for item in script.items][::2]
    write_retained_spec(spec, script, tmp_path / "scenes" / "vgbench" / "kept.yaml", cases)
    kept = script_of(load_spec(tmp_path / "scenes" / "vgbench" / "kept.yaml"))
    assert kept.items == script.items[::2]
    with pytest.raises(InputError, match="outside the spec's folder tree"):
        write_retained_spec(spec, script, tmp_path / "kept.yaml", cases)


def test_where_leaving_out_would_change_who_reads_it_is_refused(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "scenes", tmp_path / "scenes")
    base = load_spec(tmp_path / "scenes" / "vgbench" / "speaker_switch.yaml")
    spec = write_people_spec(base, ["ann", "bob", "cid"])
    script = script_of(spec)
    file = spec.file.with_name("kept.yaml")
    cases = list(dict.fromkeys(item.case_id for item in script.items))
    with pytest.raises(InputError, match="changes who reads the others"):
        write_retained_spec(spec, script, file, cases[1:])
    assert not file.exists()
    write_retained_spec(spec, script, file, cases)
    assert script_of(load_spec(file)).items == script.items


def test_only_a_file_of_its_own_is_overwritten(tmp_path: Path) -> None:
    spec = side_talk(tmp_path)
    script = script_of(spec)
    with pytest.raises(InputError, match="was not written by this"):
        write_retained_spec(spec, script, tmp_path / "side.yaml", ["tea"])
    write_retained_spec(spec, script, tmp_path / "kept.yaml", ["tea"])
    write_retained_spec(spec, script, tmp_path / "kept.yaml", ["gran"])
    assert [item.case_id for item in script_of(load_spec(tmp_path / "kept.yaml")).items] == ["gran"]
    with pytest.raises(InputError, match="no case is kept"):
        write_retained_spec(spec, script, tmp_path / "kept.yaml", [])


def test_a_case_is_kept_whole_or_not_at_all() -> None:
    items = [
        Item(id=id_, case_id=id_[0], prompts=(), script=(), addressees=(), target="[Mute]")
        for id_ in ("a.1", "a.2", "b.1", "c.1", "c.2")
    ]
    assert whole_cases(items, {"a.1", "a.2", "b.1", "c.2"}) == ("a", "b")
