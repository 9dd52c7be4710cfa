"""What is to be recorded: each file once, with whom it is said to and what comes before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.recording.made import PEOPLE, SIDE_TALK, side_talk
from vgsynth.contract.problems import InputError
from vgsynth.recording.script import Item, Prompt, script_of
from vgsynth.spec.load import load_spec

SWITCH = """\
vgsynth: 1
name: switch
seed: 3
tools: [{name: lock, description: Lock., parameters: {type: object}}]
cases:
  - {id: a, tool: lock, context: It is late., trigger: Lock up., note: softly}
speakers:
  wearer: {voices: [{engine: recordings, name: ann, path: "r/ann/{case.id}-{segment.role}.wav"}]}
  bystander: {voices: [{engine: recordings, name: bob, path: "r/bob/{case.id}-{segment.role}.wav"}]}
rooms: {near: {kind: dry}, far: {kind: dry, distance: far}}
policy: source_and_proximity
scenes:
  - condition: same
    segments:
      - {role: context, speaker: wearer, say: "{case.context}", room: near}
      - {role: trigger, speaker: wearer, say: "{case.trigger}", room: near}
  - {condition: other, like: same, change: {trigger.speaker: bystander, trigger.room: far}}
"""


def test_an_utterance_in_several_items_is_recorded_once(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(SWITCH)
    script = script_of(load_spec(tmp_path / "s.yaml"))
    assert [(p.id, p.part, p.text, p.before, p.before_is_own) for p in script.prompts] == [
        ("ann/a-context", "wearer", "It is late.", "", False),
        ("ann/a-trigger", "wearer", "Lock up.", "It is late.", True),
        ("bob/a-trigger", "bystander", "Lock up.", "It is late.", False),
    ]
    assert script.prompts[0].notes == (("note", "softly"),)
    assert [(item.id, item.prompts, item.target) for item in script.items] == [
        ("a.same", ("ann/a-context", "ann/a-trigger"), "tool:lock"),
        ("a.other", ("ann/a-context", "bob/a-trigger"), "[Mute]"),
    ]


def test_prompts_and_items_say_all_there_is(tmp_path: Path) -> None:
    script = script_of(side_talk(tmp_path))
    assert len(script.prompts) == 8
    assert len(script.items) == 4  # the text condition is not recorded
    by_id = {prompt.id.partition("/")[2]: prompt for prompt in script.prompts}
    prompt = by_id["gran-second"]
    assert prompt == Prompt(
        id=f"{prompt.speaker}/gran-second",
        speaker=prompt.speaker,
        part="wearer",
        case_id="gran",
        role="second",
        text="Call Grandma on her mobile.",
        file=f"recordings/{prompt.speaker}/gran-second.wav",
        addressees=("assistant",),
        before="You should come along on Sunday.",
        before_is_own=True,
        notes=(),
    )
    assert script.items[1] == Item(
        id="gran.both",
        case_id="gran",
        prompts=(f"{prompt.speaker}/gran-first", prompt.id),
        script=(("first", "You should come along on Sunday."), ("second", "Call Grandma on her mobile.")),
        addressees=("bystander", "assistant"),
        target="tool:call",
    )


def test_voices_that_speak_are_not_recorded(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(
        SWITCH.replace(
            '[{engine: recordings, name: bob, path: "r/bob/{case.id}-{segment.role}.wav"}]', "tone/alto"
        )
    )
    script = script_of(load_spec(tmp_path / "s.yaml"))
    assert [prompt.id for prompt in script.prompts] == ["ann/a-context", "ann/a-trigger"]
    assert [item.prompts for item in script.items] == [("ann/a-context", "ann/a-trigger"), ("ann/a-context",)]
    assert [len(item.script) for item in script.items] == [2, 2]


def test_files_told_apart_by_condition_are_recorded_apart(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(
        SWITCH.replace("{case.id}-{segment.role}", "{case.id}-{segment.role}-{condition}")
    )
    script = script_of(load_spec(tmp_path / "s.yaml"))
    assert [prompt.id for prompt in script.prompts] == [
        "ann/a-context-same", "ann/a-trigger-same", "ann/a-context-other", "bob/a-trigger-other",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{case.id}-{segment.role}", "{case.id}", "one file would have to hold two recordings"),
        ("r/ann/{case.id}-", "r/ann/{condition}/{case.id}-", "one file name in two folders"),
        ("r/ann/{case.id}-{segment.role}.wav", "r/ann/{case.id}-{segment.role}.flac", "no WAV file"),
        (', path: "r/ann/{case.id}-{segment.role}.wav"', "", "has no `path`"),
        ("{case.context}", "{case.kontext}", "has no value"),
    ],
)
def test_what_cannot_be_recorded(tmp_path: Path, old: str, new: str, message: str) -> None:
    (tmp_path / "s.yaml").write_text(SWITCH.replace(old, new))
    with pytest.raises(InputError, match=message):
        script_of(load_spec(tmp_path / "s.yaml"))


def test_a_spec_without_people(tmp_path: Path) -> None:
    side_talk(tmp_path)
    with pytest.raises(InputError, match="vgsynth record-sheet SPEC --people"):
        script_of(load_spec(tmp_path / "side.yaml"))


def test_a_spec_in_which_people_say_nothing(tmp_path: Path) -> None:
    side_talk(tmp_path)
    cut = SIDE_TALK.index("  - condition: both")
    (tmp_path / "side.yaml").write_text(
        SIDE_TALK[:cut]
        + "  - {condition: t, modality: text, segments: [{role: only, say: Hello., addressee: assistant}]}\n"
    )
    (tmp_path / "read.yaml").write_text(PEOPLE)
    with pytest.raises(InputError, match="nothing in this spec is to be recorded"):
        script_of(load_spec(tmp_path / "read.yaml"))
