"""The spec of what is kept makes the same items as before, and no others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.e2e.conftest import REPOSITORY
from tests.unit.recording.made import SIDE_TALK, side_talk
from vgsynth.contract.problems import InputError, ProblemLog
from vgsynth.plan.expand import expand
from vgsynth.plan.model import ItemPlan
from vgsynth.recording.people import to_be_recorded
from vgsynth.recording.people_spec import write_people_spec
from vgsynth.recording.retained import whole_cases, write_retained_spec
from vgsynth.recording.script import Item, script_of
from vgsynth.spec.load import load_spec
from vgsynth.spec.model import Spec

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


def audio_items(spec: Spec) -> list[ItemPlan]:
    """Plans of what people are heard in."""
    log = ProblemLog()
    cases = list(expand(to_be_recorded(spec), log, hash_files=False))
    log.raise_if_any()
    return [item for case in cases for item in case.items if item.modality == "audio"]


@pytest.mark.parametrize("name", ["side_talk", "speaker_switch"])
def test_who_reads_and_which_part_a_case_is_in_stay(tmp_path: Path, name: str) -> None:
    """In speaker_switch voices are balanced within tools: without a case, others would read the rest."""
    shutil.copytree(REPOSITORY / "scenes", tmp_path / "scenes")
    spec = write_people_spec(
        load_spec(tmp_path / "scenes" / "vgbench" / f"{name}.yaml"), ["ann", "bob", "cid"]
    )
    script = script_of(spec)
    cases = list(dict.fromkeys(item.case_id for item in script.items))[1::3]
    write_retained_spec(spec, script, spec.file.with_name("kept.yaml"), cases)
    kept = load_spec(spec.file.with_name("kept.yaml"))
    assert audio_items(kept) == [item for item in audio_items(spec) if item.case_id in cases]


def test_a_scene_that_has_cases_of_its_own(tmp_path: Path) -> None:
    side_talk(tmp_path)
    own = SIDE_TALK.replace("  - condition: both\n", "  - condition: both\n    when: {case.tool: [call]}\n")
    (tmp_path / "side.yaml").write_text(own)
    spec = load_spec(tmp_path / "read.yaml")
    with pytest.raises(InputError, match="a scene has a `when` of its own"):
        write_retained_spec(spec, script_of(spec), tmp_path / "kept.yaml", ["gran"])
    assert not (tmp_path / "kept.yaml").exists()


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
