"""The spec with people for voices: who is cast, what is refused, and that nothing is left half-done."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.e2e.conftest import REPOSITORY
from tests.unit.recording.made import SIDE_TALK, side_talk
from vgsynth.contract.problems import InputError
from vgsynth.recording.people_spec import write_people_spec
from vgsynth.recording.script import script_of
from vgsynth.spec.load import load_spec
from vgsynth.spec.model import Spec

TWO_POOLS = SIDE_TALK.replace(
    "speakers:\n", "speakers:\n  other: {voices: [tone/reed, tone/alto], differs_from: wearer}\n"
)


@pytest.fixture
def base(tmp_path: Path) -> Spec:
    side_talk(tmp_path)
    return load_spec(tmp_path / "side.yaml")


def test_people_take_the_place_of_every_voice(base: Spec) -> None:
    made = write_people_spec(base, ["ann", "bob", "cid"])
    assert made.file == base.file.with_name("side_recorded.yaml")
    assert (made.name, made.family, made.seed) == ("side_recorded", "side_talk", 7)
    assert [voice.id for voice in made.speakers["wearer"].voices] == [
        "recordings/ann", "recordings/bob", "recordings/cid",
    ]  # fmt: skip
    assert made.scenes == base.scenes


def test_without_names_a_reader_stands_for_each_voice(base: Spec) -> None:
    base.file.write_text(TWO_POOLS)
    made = write_people_spec(load_spec(base.file), [])
    pools = {name: [voice.name for voice in s.voices] for name, s in made.speakers.items()}
    # tone/alto is in both pools, and is one reader.
    assert pools == {"other": ["reader1", "reader2"], "wearer": ["reader2", "reader3"]}


def test_who_reads_is_who_spoke(base: Spec) -> None:
    """With as many people as voices, cases are dealt out as evenly as before."""
    people = [p.speaker for p in script_of(write_people_spec(base, ["ann", "bob"])).prompts]
    assert people.count("ann") == people.count("bob") == 4


def test_settings_of_voices_that_speak_are_not_handed_on(base: Spec) -> None:
    base.file.write_text(SIDE_TALK.replace("tone/bass]", "tone/bass], settings: {speed: 1.1}"))
    made = write_people_spec(load_spec(base.file), ["ann"])
    assert made.speakers["wearer"].settings == {}


def test_written_again_it_stays(base: Spec) -> None:
    made = write_people_spec(base, ["ann", "bob"])
    before = made.file.stat().st_mtime_ns
    assert write_people_spec(base, ["ann", "bob"]).sha256 == made.sha256
    assert made.file.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("people", "expected"),
    [
        (["ann", "Ann"], ["'Ann' is there twice", "'ann' is there twice"]),
        (["a b", "con"], ["not a safe file name", "a device's name"]),
    ],
)
def test_names_that_cannot_be_folders(base: Spec, people: list[str], expected: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        write_people_spec(base, people)
    messages = [problem.message for problem in caught.value.problems]
    assert len(messages) == len(expected)
    assert all(any(part in message for message in messages) for part in expected)
    assert not (base.file.parent / "side_recorded.yaml").exists()


def test_other_people_are_not_written_over(base: Spec) -> None:
    made = write_people_spec(base, ["ann", "bob"])
    before = made.file.read_bytes()
    with pytest.raises(InputError, match="is there already"):
        write_people_spec(base, ["ann"])
    assert made.file.read_bytes() == before


def test_too_few_people_leave_nothing_behind(base: Spec) -> None:
    base.file.write_text(TWO_POOLS)
    files = sorted(base.file.parent.iterdir())
    with pytest.raises(InputError, match="no voice may be left") as caught:
        write_people_spec(load_spec(base.file), ["ann"])
    assert "side_recorded.yaml:" in str(caught.value)
    assert sorted(base.file.parent.iterdir()) == files


def test_a_recorded_spec_names_its_people_itself(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="people already"):
        write_people_spec(side_talk(tmp_path), ["cid"])


@pytest.mark.parametrize(
    ("name", "prompts", "items"),
    [("side_talk", 2 * 395, 395), ("self_talk", 223, 223), ("speaker_switch", 3 * 400, 2 * 400)],
)
def test_the_benchmark_can_be_read_by_people(tmp_path: Path, name: str, prompts: int, items: int) -> None:
    """Switch: the context and the trigger by the wearer, the trigger by the bystander."""
    shutil.copytree(REPOSITORY / "scenes", tmp_path / "scenes")
    base = load_spec(tmp_path / "scenes" / "vgbench" / f"{name}.yaml")
    script = script_of(write_people_spec(base, ["ann", "bob", "cid", "dee"]))
    assert len(script.prompts) == prompts
    assert len(script.items) == items
    by_person = Counter(prompt.speaker for prompt in script.prompts)
    assert max(by_person.values()) - min(by_person.values()) <= 2
