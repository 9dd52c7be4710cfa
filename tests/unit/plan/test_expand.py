"""Expansion, from specs as authors write them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vgsynth.contract.problems import InputError, ProblemLog
from vgsynth.plan.expand import expand
from vgsynth.plan.model import DryRoom, ItemPlan, Recording, ShoeboxRoom, Speech
from vgsynth.spec.load import load_spec

HEAD = """\
vgsynth: 1
name: t
seed: 3
tools: [{name: call, description: Call., parameters: {type: object}}]
cases: cases.jsonl
speakers:
  wearer: {voices: [tone/alto, tone/bass, tone/bell]}
  bystander: {voices: [tone/reed, tone/tenor]}
rooms:
  near: {kind: dry}
  far: {kind: shoebox, size_m: [6, 5, 3], rt60_s: 0.3, mic_m: [1, 2.5, 1.2], source_m: [4.5, 2.5, 1.6]}
"""
BODY = """\
policy: source_and_proximity
scenes:
  - condition: same
    segments:
      - {role: context, speaker: wearer, say: "{case.context}", room: near}
      - {role: trigger, speaker: wearer, say: "{case.trigger}", room: near}
"""
CASES = [
    {"id": f"c{i}", "tool": "call", "params": {}, "context": "Here we go.", "trigger": f"Call {i}."}
    for i in range(4)
]

Make = Callable[..., list[ItemPlan]]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write a spec, and expand it."""

    def made(body: str = BODY, cases: list[dict[str, Any]] | None = None, head: str = HEAD) -> list[ItemPlan]:
        lines = [json.dumps(case) + "\n" for case in (CASES if cases is None else cases)]
        (tmp_path / "cases.jsonl").write_text("".join(lines))
        (tmp_path / "t.yaml").write_text(head + body)
        log = ProblemLog()
        found = [item for case in expand(load_spec(tmp_path / "t.yaml"), log) for item in case.items]
        log.raise_if_any()
        return found

    return made


def problems(make: Make, *args: Any, **kwargs: Any) -> list[str]:
    with pytest.raises(InputError) as caught:
        make(*args, **kwargs)
    return [str(p).partition("  ")[2] for p in caught.value.problems]


def test_an_item_is_what_the_spec_says(make: Make) -> None:
    item = make()[1]
    assert item.item_id == "c1.same"
    assert [s.role for s in item.segments] == ["context", "trigger"]
    source = item.segments[1].source
    assert isinstance(source, Speech)
    assert source.text == "Call 1."
    assert source.voice == item.segments[0].source.voice  # type: ignore[union-attr]
    assert item.segments[0].fade_samples == 80
    assert item.segments[0].trim is not None
    assert item.segments[0].trim.pad_samples == 160
    assert isinstance(item.segments[0].room, DryRoom)
    assert (item.factors.source, item.factors.distance, item.factors.gap_ms) == ("same", "near", 0.0)
    assert (item.target.kind, item.target.tool) == ("tool", "call")


GRID = (
    BODY
    + """\
grid:
  source: {trigger.speaker: [wearer, bystander]}
  distance: {trigger.room: [near, far]}
  gap: {boundary.gap_ms: [0, 600]}
"""
)


def test_a_grid_crosses_every_axis(make: Make) -> None:
    items = make(GRID)
    assert len(items) == 4 * 8
    facts = {
        (i.factors.source, i.factors.distance, i.factors.gap_ms): (i.target.kind, dict(i.cell)) for i in items
    }
    assert facts == {
        (source, distance, float(gap)): (
            "tool" if (source, distance) == ("same", "near") else "mute",
            {
                "source": "wearer" if source == "same" else "bystander",
                "distance": distance,
                "gap": str(gap),
            },
        )
        for source in ("same", "different")
        for distance in ("near", "far")
        for gap in (0, 600)
    }
    assert items[1].item_id == "c0.same.source-wearer_distance-near_gap-600"
    assert items[1].segments[1].gap_before_samples == 9600


def test_exclude_takes_cells_out_and_include_brings_one_back(make: Make) -> None:
    grid = GRID + "  exclude: [{distance: far}]\n  include: [{source: wearer, distance: far, gap: 600}]\n"
    cells = [tuple(dict(item.cell).values()) for item in make(grid)[:5]]
    assert cells == [
        ("wearer", "near", "0"),
        ("wearer", "near", "600"),
        ("bystander", "near", "0"),
        ("bystander", "near", "600"),
        ("wearer", "far", "600"),
    ]


DRAWN = BODY.replace("room: near}", "room: near, level: {dbfs: {uniform: [-30, -20]}}}")
DRAWN_PER_CASE = DRAWN.replace("[-30, -20]", "[-30, -20], per: case")


def test_draws_are_of_the_item_unless_they_are_of_the_case(make: Make) -> None:
    second = "  - {condition: again, like: same}\n"
    drawn, shared = make(DRAWN + second), make(DRAWN_PER_CASE + second)
    assert len({s.level_dbfs for item in drawn for s in item.segments}) == 4 * 2 * 2
    assert len({s.level_dbfs for item in shared for s in item.segments}) == 4 * 2
    assert all(-30 <= s.level_dbfs <= -20 for item in drawn for s in item.segments)


@given(st.permutations(range(4)), st.integers(1, 4))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_draw_depends_on_other_cases(make: Make, order: list[int], count: int) -> None:
    levels = {i.case_id: [s.level_dbfs for s in i.segments] for i in make(DRAWN)}
    for item in make(DRAWN, [CASES[i] for i in order[:count]]):
        assert [s.level_dbfs for s in item.segments] == levels[item.case_id]


def test_a_drawn_room_is_one_room_in_its_item(make: Make) -> None:
    body = BODY.replace("room: near", "room: far")
    head = HEAD.replace("rt60_s: 0.3", "rt60_s: {uniform: [0.2, 0.5]}")
    rooms = [[s.room for s in item.segments] for item in make(body, head=head)]
    assert all(a == b for a, b in rooms)
    assert all(isinstance(a, ShoeboxRoom) for a, _ in rooms)
    assert len({a.rt60_s for a, _ in rooms}) == 4  # type: ignore[union-attr]


def test_repeats_have_ids_and_draws_of_their_own(make: Make) -> None:
    items = make(DRAWN.replace("condition: same", "condition: same\n    repeats: 3"))
    assert [i.item_id for i in items[:3]] == ["c0.same.r1", "c0.same.r2", "c0.same.r3"]
    assert len({i.segments[0].level_dbfs for i in items[:3]}) == 3


def test_when_picks_cases(make: Make) -> None:
    cases = [{**case, "kind": "ab"[i % 2]} for i, case in enumerate(CASES)]
    items = make(BODY.replace("condition: same", "condition: same\n    when: {case.kind: b}"), cases)
    assert [i.case_id for i in items] == ["c1", "c3"]


def test_placeholders_keep_the_type_of_what_they_name(make: Make) -> None:
    cases = [{**case, "gap": 250 * i, "who": ["wearer", "bystander"][i % 2]} for i, case in enumerate(CASES)]
    body = BODY.replace("role: trigger, speaker: wearer", 'role: trigger, speaker: "{case.who}"')
    body = body.replace("      - {role: trigger", '      - {gap_ms: "{case.gap}"}\n      - {role: trigger')
    items = make(body, cases)
    assert [i.segments[1].gap_before_samples for i in items] == [0, 4000, 8000, 12000]
    assert [i.target.kind for i in items] == ["tool", "mute", "tool", "mute"]


def test_text_items_keep_words_and_target_alone(make: Make) -> None:
    items = make(BODY + "  - {condition: text_only, modality: text}\n")
    text = items[1]
    assert (text.modality, text.target.kind) == ("text", "tool")
    assert text.factors.source is text.factors.distance is text.factors.gap_ms is None
    assert [s.source.text for s in text.segments] == ["Here we go.", "Call 0."]


def test_pairs_carry_an_id_and_the_rest_does_not(make: Make) -> None:
    body = BODY + (
        "  - {condition: switch, like: same, change: {trigger.speaker: bystander, trigger.room: far}}\n"
        "  - {condition: text_only, modality: text}\n"
        "pairs: [{members: [same, switch], may_differ_in: [trigger.speaker, trigger.room]}]\n"
    )
    assert [i.pair_id for i in make(body)[:3]] == ["c0.pair", "c0.pair", None]


@pytest.mark.parametrize(
    ("change", "allowed", "name"),
    [
        ("trigger.speaker: bystander", "trigger.room", "trigger.speaker"),
        ("trigger.room: far", "trigger.speaker", "trigger.room"),
        ("trigger.gap_ms: 600", "trigger.room", "trigger.gap_ms"),
        ("trigger.level.dbfs: -30", "trigger.room", "trigger.level"),
        ("trigger.level.fade_ms: 9", "trigger.level", "trigger.fade"),
        ('trigger.say: "Other words."', "trigger.room", "trigger.text"),
        ("trigger.addressee: bystander", "trigger.room", "trigger.addressee"),
        ("noise: {kind: white, snr_db: 20}", "trigger.room", "noise"),
        ("context.room: far", "trigger.room", "context.room"),
    ],
)
def test_a_pair_may_differ_in_nothing_else(make: Make, change: str, allowed: str, name: str) -> None:
    body = BODY + (
        f"  - {{condition: other, like: same, change: {{{change}}}}}\n"
        f"pairs: [{{members: [same, other], may_differ_in: [{allowed}]}}]\n"
    )
    (problem,) = problems(make, body)
    assert f"the pair same / other differs in {name} " in problem
    assert "(case c0 and 3 more)" in problem
    make(body.replace(f"[{allowed}]", f"[{name}]"))


def test_a_pair_that_draws_apart_is_told_how_to_draw_together(make: Make) -> None:
    pair = (
        "  - {condition: other, like: same}\n"
        "pairs: [{members: [same, other], may_differ_in: [trigger.text]}]\n"
    )
    found = problems(make, DRAWN + pair)
    assert any("differs in context.level" in p and "`per: case`" in p for p in found), found
    make(DRAWN_PER_CASE + pair)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{case.trigger}", "{case.triger}", "no value (case c0 and 3 more); did you mean 'case.trigger'?"),
        ("room: near}", "room: near, level: {dbfs: -3}}", "will clip"),
        ("room: near}", "room: near, level: {fade_ms: 9000}}", "longer than these words can last"),
        ("condition: same", "condition: same\n    target: mute", "the stated target is mute, but policy"),
        ("policy: source_and_proximity\n", "", "nothing says what the target is"),
        ("condition: same", "condition: same\n    gap_after_ms: {uniform: [-5, -1]}", "less than 0"),
    ],
)
def test_what_is_wrong_is_told_once_with_the_cases(make: Make, old: str, new: str, message: str) -> None:
    found = problems(make, BODY.replace(old, new))
    assert any(message in p for p in found), found
    assert len(found) <= 2


def test_a_problem_of_one_case_names_it(make: Make) -> None:
    cases = [{**case} for case in CASES]
    del cases[2]["context"]
    (problem,) = problems(make, BODY, cases)
    assert "{case.context} has no value (case c2)" in problem


def test_a_stated_target_that_agrees_is_fine(make: Make) -> None:
    items = make(BODY.replace("condition: same", "condition: same\n    target: {tool: call}"))
    assert {i.target.tool for i in items} == {"call"}


def test_one_voice_for_two_speakers_is_found_whichever_way_they_are_named(make: Make) -> None:
    cases = [{**case, "who": "bystander"} for case in CASES]
    body = BODY.replace("role: trigger, speaker: wearer", 'role: trigger, speaker: "{case.who}"')
    head = HEAD.replace("[tone/reed, tone/tenor]", "[tone/alto]")
    (problem,) = problems(make, body, cases, head)
    assert "wearer and bystander can have one voice in one scene: tone/alto (case c" in problem


def test_two_cases_with_one_item_id_are_told(make: Make) -> None:
    body = BODY + "  - {condition: b.same, like: same}\n"
    cases = [{**CASES[0], "id": "a"}, {**CASES[1], "id": "a.b"}]
    (problem,) = problems(make, body, cases)
    assert "the item id a.b.same belongs to two cases, a and a.b" in problem
    assert len(make(body, [{**CASES[0], "id": "a"}, {**CASES[1], "id": "c"}])) == 4


def test_voices_held_out(make: Make) -> None:
    cases = [{**CASES[0], "id": f"c{i}"} for i in range(40)]
    pool = "[tone/alto, tone/bass, tone/bell, tone/reed, tone/soprano, tone/tenor]"
    head = HEAD.replace("[tone/alto, tone/bass, tone/bell]", pool).replace(
        "{voices: [tone/reed, tone/tenor]}", f"{{voices: {pool}, differs_from: wearer}}"
    )
    body = BODY.replace("role: context, speaker: wearer", "role: context, speaker: bystander")
    items = make(body + "splits: {by: voice, parts: {test: 2}}\n", cases, head)
    used: dict[str, set[str]] = {"train": set(), "test": set()}
    for item in items:
        used[item.split or ""] |= {s.source.voice.id for s in item.segments}  # type: ignore[union-attr]
    assert (len(used["train"]), len(used["test"])) == (4, 2)
    assert not used["train"] & used["test"]
    assert sum(item.split == "test" for item in items) == 13  # a third of 40


def test_only_the_kept_parts_are_made_and_each_case_is_what_it_was(make: Make) -> None:
    cases = [{**CASES[0], "id": f"c{i}"} for i in range(20)]
    splits = "splits: {by: case, parts: {test: 5}}\n"
    whole = {item.item_id: item for item in make(BODY + splits, cases)}
    kept = make(BODY + splits.replace("}}", "}, keep: test}"), cases)
    assert {item.item_id for item in kept} == {i for i, item in whole.items() if item.split == "test"}
    assert all(item == whole[item.item_id] for item in kept)


def test_a_grid_can_take_a_part(make: Make) -> None:
    items = make(GRID + "  take: {count: 20}\n")
    assert len(items) == 20
    assert set(Counter(item.cell for item in items).values()) == {2, 3}
    assert set(Counter(item.case_id for item in items).values()) == {5}
    (problem,) = problems(make, GRID + "  take: {count: 33}\n")
    assert problem.startswith("grid.take.count: 33 items are more than 8 cells of 4 cases each")


def test_recorded_speakers_take_a_file_for_each_segment(make: Make, tmp_path: Path) -> None:
    (tmp_path / "rec").mkdir()
    for i in range(4):
        for role in ("context", "trigger"):
            (tmp_path / "rec" / f"c{i}-{role}.wav").write_bytes(bytes([i]))
    voice = '{engine: recordings, name: ann, path: "rec/{case.id}-{segment.role}.wav"}'
    item = make(BODY, head=HEAD.replace("[tone/alto, tone/bass, tone/bell]", f"[{voice}]"))[2]
    source = item.segments[1].source
    assert isinstance(source, Recording)
    assert (source.path, source.text, source.voice) == ("rec/c2-trigger.wav", "Call 2.", "recordings/ann")


def test_the_plan_hash_leaves_the_split_out_and_nothing_else(make: Make) -> None:
    from dataclasses import replace

    item = make()[0]
    assert replace(item, split="test").sha256() == item.sha256()
    assert replace(item, gap_after_samples=1).sha256() != item.sha256()
    assert replace(item, case={**item.case, "x": 1}).sha256() != item.sha256()
