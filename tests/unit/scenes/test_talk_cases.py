"""The side-talk and self-talk cases: what their pools make, how they balance, how their texts read."""

from __future__ import annotations

import importlib.util
import itertools
import json
import re
import shutil
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest
import yaml
from rapidfuzz import fuzz, process

from vgsynth.contract.problems import InputError

VGBENCH = Path(__file__).resolve().parents[3] / "scenes" / "vgbench"
TOOLS = {
    tool["name"]: tool for tool in yaml.safe_load((VGBENCH.parent / "tools.yaml").read_text("utf-8"))["tools"]
}
NEAR_DUPLICATE = 85.0


def load_builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("talk", VGBENCH / "generate" / "talk.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


BUILDER = load_builder()


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VGBENCH / "cases" / name).read_text("ascii").splitlines()]


SIDE = cases("side_talk.jsonl")
SELF = cases("self_talk.jsonl")


def spread(counts: Counter[Any]) -> int:
    return max(counts.values()) - min(counts.values())


def texts() -> list[str]:
    return [text for case in SIDE for text in (case["first"], case["second"])] + [
        case["say"] for case in SELF
    ]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the benchmark's folder that a test may change."""
    shutil.copy(VGBENCH.parent / "tools.yaml", tmp_path / "tools.yaml")
    for name in ("side_talk", "self_talk"):
        shutil.copytree(VGBENCH / name, tmp_path / "vgbench" / name)
    return tmp_path / "vgbench"


def test_the_pools_make_the_committed_files_byte_for_byte() -> None:
    for file, text in BUILDER.build().items():
        assert file.read_bytes() == text.encode("ascii"), file.name


def test_side_talk_has_395_cases_with_ids_in_a_row() -> None:
    assert [case["id"] for case in SIDE] == [f"side-{n:03d}" for n in range(1, 396)]


def test_position_and_the_presence_of_a_command_do_not_tell_the_target() -> None:
    assert Counter(case["order"] for case in SIDE) == {"assistant_first": 198, "bystander_first": 197}
    cells = Counter((c["order"], c["assistant_content"], c["bystander_content"]) for c in SIDE)
    assert len(cells) == 8 and set(cells.values()) == {49, 50}
    commands = Counter(
        (case["assistant_content"], (case["assistant_content"], case["bystander_content"]).count("tool"))
        for case in SIDE
    )
    assert abs(commands["tool", 1] - commands["talk", 1]) <= 1, "one command: the target is open"


@pytest.mark.parametrize(("field", "content"), [("tool", "assistant"), ("bystander_tool", "bystander")])
def test_side_talk_tools_are_balanced_on_both_sides(field: str, content: str) -> None:
    named = [case for case in SIDE if case[field] is not None]
    assert all(case[f"{content}_content"] == "tool" for case in named)
    assert len(named) == sum(case[f"{content}_content"] == "tool" for case in SIDE)
    assert set(Counter(case[field] for case in named)) == set(TOOLS)
    assert spread(Counter(case[field] for case in named)) <= 1
    assert spread(Counter((case[field], case["order"]) for case in named)) <= 1


def test_a_call_for_the_bystanders_command_is_never_right() -> None:
    both = [case for case in SIDE if case["tool"] and case["bystander_tool"]]
    assert len(both) in (98, 99)
    assert [case["id"] for case in both if case["tool"] == case["bystander_tool"]] == []


def test_addressees_follow_the_order() -> None:
    for case in SIDE:
        first = case["order"].removesuffix("_first")
        assert (case["first_addressee"], case["second_addressee"]) == (
            first,
            "bystander" if first == "assistant" else "assistant",
        )


def test_an_utterance_has_one_addressee_stands_at_most_twice_and_once_in_a_position() -> None:
    addressee: dict[str, set[str]] = {}
    for case in SIDE:
        addressee.setdefault(case["first"], set()).add(case["first_addressee"])
        addressee.setdefault(case["second"], set()).add(case["second_addressee"])
    assert {len(found) for found in addressee.values()} == {1}
    assert max(Counter(case["first"] for case in SIDE).values()) == 1
    assert max(Counter(case["second"] for case in SIDE).values()) == 1
    partners = Counter(frozenset((case["first"], case["second"])) for case in SIDE)
    assert max(partners.values()) == 1


def test_utterances_of_different_situations_never_meet() -> None:
    owner: dict[str, set[str]] = {}
    for case in SIDE:
        for text in (case["first"], case["second"]):
            owner.setdefault(text, set()).add(case["template"])
    assert {len(found) for found in owner.values()} == {1}
    assert len({case["template"] for case in SIDE}) == 50


def test_params_fit_the_tools() -> None:
    for case in SIDE:
        if case["tool"] is None:
            assert case["params"] == {}
        else:
            jsonschema.validate(case["params"], TOOLS[case["tool"]]["parameters"])


def test_a_rotation_over_eight_voices_meets_every_cell_and_tool() -> None:
    voice = {case["id"]: index % 8 for index, case in enumerate(SIDE)}
    cells = Counter(
        (voice[c["id"]], c["order"], c["assistant_content"], c["bystander_content"]) for c in SIDE
    )
    assert len(cells) == 64 and min(cells.values()) >= 4 and max(cells.values()) <= 8
    assert len({(voice[c["id"]], c["tool"]) for c in SIDE if c["tool"]}) == 80
    assert max(Counter((voice[c["id"]], c["tool"]) for c in SIDE if c["tool"]).values()) <= 4


def test_neither_side_is_much_longer_or_more_often_addressed_by_name() -> None:
    words: dict[str, list[int]] = {"assistant": [], "bystander": []}
    for case in SIDE:
        words[case["first_addressee"]].append(len(case["first"].split()))
        words[case["second_addressee"]].append(len(case["second"].split()))
    means = {side: sum(counts) / len(counts) for side, counts in words.items()}
    assert abs(means["assistant"] - means["bystander"]) < 1.0
    called = {
        case[part]
        for case in SIDE
        for part in ("first", "second")
        if case[f"{part}_addressee"] == "assistant" and re.search(r"\b(Assistant|Computer)\b", case[part])
    }
    assert 10 <= len(called) <= 20, "of 200 utterances: no wake word that gives the addressee away"


def test_self_talk_has_223_cases_with_ids_in_a_row_and_no_tool_to_call() -> None:
    assert [case["id"] for case in SELF] == [f"self-{n:03d}" for n in range(1, 224)]
    assert not any("tool" in case or "target" in case for case in SELF)


def test_self_talk_is_balanced_over_tools_and_frames() -> None:
    tools = Counter(case["tool_core"] for case in SELF)
    frames = Counter(case["frame"] for case in SELF)
    cells = Counter((case["tool_core"], case["frame"]) for case in SELF)
    assert set(tools) == set(TOOLS) and set(tools.values()) == {22, 23}
    assert len(frames) == 12 and set(frames.values()) == {18, 19}
    assert len(cells) == 120 and set(cells.values()) == {1, 2}
    assert len({case["template"] for case in SELF}) >= 50


@pytest.mark.parametrize("field", ["frame", "tool_core"])
def test_a_rotation_over_eight_voices_does_not_tell_the_self_talk(field: str) -> None:
    counts = Counter((index % 8, case[field]) for index, case in enumerate(SELF))
    assert len(counts) == 8 * len({case[field] for case in SELF})
    assert spread(counts) <= 1


def test_the_core_is_a_command_that_stands_in_the_text_and_is_not_all_of_it() -> None:
    for case in SELF:
        assert case["core"] in case["say"], case["id"]
        assert len(case["core"].split()) >= 2
        assert len(case["say"].split()) >= len(case["core"].split()) + 8, case["id"]


def test_self_talk_is_one_to_three_sentences_of_10_to_40_words() -> None:
    for case in SELF:
        assert 10 <= len(case["say"].split()) <= 40, case["id"]
        assert 1 <= len(re.findall(r"[.?!](?= |$)", case["say"])) <= 3, case["id"]


def test_texts_are_plain_words_that_a_voice_reads_as_they_stand() -> None:
    for text in texts():
        assert re.fullmatch(r"[A-Za-z ,.?']+", text), text
        assert not re.search(r"\b(?!I\b)[A-Z]{2,}\b|  | [,.?]|\b(Mr|Mrs|Dr|St|TV|etc)\b", text), text
        assert text[0].isupper() and text[-1] in ".?", text


@pytest.mark.parametrize(
    "scripts",
    [
        pytest.param([case["first"] for case in SIDE], id="first"),
        pytest.param([case["second"] for case in SIDE], id="second"),
        pytest.param([f"{case['first']} {case['second']}" for case in SIDE], id="both"),
        pytest.param([case["say"] for case in SELF], id="self"),
    ],
)
def test_no_near_duplicates(scripts: list[str]) -> None:
    scores = process.cdist(scripts, scripts, scorer=fuzz.token_sort_ratio, score_cutoff=NEAR_DUPLICATE)
    near = [(a, b) for a, b in itertools.combinations(range(len(scripts)), 2) if scores[a][b]]
    assert [(scripts[a], scripts[b]) for a, b in near] == []


def test_a_new_situation_changes_no_other_case(copy: Path) -> None:
    additions = {
        "situations": "{group: office, setting: A lift, nearby: a neighbor}",
        "assistant_tool": "[{say: Set a timer., tool: set_timer, params: {duration: an hour}},"
        " {say: Order tea., tool: place_order, params: {item: tea}}]",
        "assistant_talk": "[What is a lift?, Spell lift.]",
        "bystander_tool": "[{say: Get us a cab., tool: book_ride}, {say: Lock it., tool: control_lock}]",
        "bystander_talk": "[You look tired., Hold this.]",
    }
    for name, text in additions.items():
        with (copy / "side_talk" / f"{name}.yaml").open("a", encoding="utf-8") as file:
            file.write(f"\nin_the_lift: {text}\n")
    built = BUILDER.side_talk(copy)
    assert built[:395] == SIDE
    assert len(built) == 403 and {case["template"] for case in built[395:]} == {"in_the_lift"}


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("side_talk/assistant_tool.yaml", "tool: set_timer", "tool: set_timr", "there is no tool 'set_timr'"),
        ("side_talk/assistant_tool.yaml", "duration:", "length:", "params"),
        ("side_talk/bystander_tool.yaml", "tool: book_ride", "tol: book_ride", "is not an entry"),
        ("side_talk/bystander_talk.yaml", "\nmarket_stall:", "\nmarket:", "is not a situation"),
        ("side_talk/assistant_talk.yaml", "  - Convert half", "  - [Convert half]\n#", "is not an utterance"),
        ("side_talk/situations.yaml", "assistant: tool,", "assistant: tools,", "none of the eight"),
        ("side_talk/bystander_tool.yaml", "tool: place_call", "tool: send_message", "the same tool"),
        ("side_talk/situations.yaml", "group: car", "group: car\n  group: bus", "group"),
    ],
)
def test_side_talk_names_the_place_of_a_fault(copy: Path, file: str, old: str, new: str, said: str) -> None:
    replace_first(copy / file, old, new)
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        BUILDER.side_talk(copy)
    assert any(p.place.file == f"{file}" and p.place.line > 0 for p in caught.value.problems)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("monologues/regret.yaml", "core: call Grandpa", "core: ring Grandpa", "does not stand in the text"),
        ("monologues/regret.yaml", "family: if_only", "family: if_ony", "has no such family"),
        ("monologues/memory.yaml", "tool_core: place_call", "tool_core: phone", "no such tool"),
        ("monologues/memory.yaml", "id: self-", "id: self-001 #", "is taken"),
        ("monologues/memory.yaml", "  family:", "  famly:", "is not an entry"),
    ],
)
def test_self_talk_names_the_place_of_a_fault(copy: Path, file: str, old: str, new: str, said: str) -> None:
    replace_first(copy / "self_talk" / file, old, new)
    with pytest.raises(InputError, match=re.escape(said)):
        BUILDER.self_talk(copy)


def test_a_frame_without_its_file_is_named(copy: Path) -> None:
    (copy / "self_talk" / "monologues" / "sarcasm.yaml").unlink()
    with pytest.raises(InputError, match=r"sarcasm\.yaml  the file is not there"):
        BUILDER.self_talk(copy)


def test_every_frame_has_a_definition_families_in_use_and_examples_of_its_own() -> None:
    frames = yaml.safe_load((VGBENCH / "self_talk" / "frames.yaml").read_text("utf-8"))
    said = {case["say"] for case in SELF}
    for name, frame in frames.items():
        assert set(frame) == {"definition", "why_mute", "families", "examples"}, name
        used = {case["template"] for case in SELF if case["frame"] == name}
        assert used == {f"{name}.{family}" for family in frame["families"]}
        assert len(frame["examples"]) >= 2 and said.isdisjoint(frame["examples"])


def replace_first(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
