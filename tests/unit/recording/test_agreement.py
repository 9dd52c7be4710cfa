"""From filled-in tables to what is kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.recording.made import cells, ingested, rewrite, side_talk, write_takes
from vgsynth.contract.problems import InputError
from vgsynth.recording.agreement import agreement_of
from vgsynth.recording.ratings import Rated, Rating, read_ratings
from vgsynth.recording.script import Item, script_of

TOOLS = ("set_timer", "call")
GOOD = Rating(target="tool:call", addressee="assistant + bystander")
ITEM = Item(
    id="i", case_id="c", prompts=("ann/i",), script=(("first", "Call."), ("second", "Yes?")),
    addressees=("assistant", "bystander"), target="tool:call",
)  # fmt: skip
RATED = Rated(
    item_id="i", case_id="c", script="first: Call. | second: Yes?", script_audio="ok", details="", recheck="",
    ratings=(GOOD, GOOD),
)  # fmt: skip


def both(**labels: str) -> tuple[Rating, Rating]:
    """Two annotators who say the same."""
    return replace(GOOD, **labels), replace(GOOD, **labels)


def first(**labels: str) -> tuple[Rating, Rating]:
    """The first one says something else."""
    return replace(GOOD, **labels), GOOD


@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        ({}, []),
        ({"ratings": first(target="[Mute]")}, ["target: [Mute] against tool:call"]),
        ({"ratings": first(target="")}, ["no target by annotator 1"]),
        ({"ratings": both(target="", addressee="")},
         ["no target by annotator 1 and 2", "no addressee by annotator 1 and 2"]),
        ({"ratings": both(target="answer")}, ["target: both say answer, the spec tool:call"]),
        ({"ratings": first(addressee="bystander + assistant")},
         ["addressee: bystander + assistant against assistant + bystander"]),
        ({"ratings": both(addressee="self + self")},
         ["addressee: both say self + self, the spec assistant + bystander"]),
        ({"ratings": first(audio="bad")}, ["audio: called bad by an annotator"]),
        ({"script_audio": "check", "details": "quiet"}, ["audio: to be checked by both annotators (quiet)"]),
        ({"script_audio": "check", "ratings": first(audio="ok")},
         ["audio: to be checked by both annotators"]),
        ({"script_audio": "check", "ratings": both(audio="ok")}, []),
        ({"script_audio": "missing", "ratings": both(audio="ok")}, ["audio: missing"]),
        ({"recheck": "recorded anew"}, ["recheck: recorded anew"]),
    ],
)  # fmt: skip
def test_what_is_kept_and_why_not(change: dict[str, object], reasons: list[str]) -> None:
    found = agreement_of([replace(RATED, **change)], {"i": ITEM})  # type: ignore[arg-type]
    assert [reason for left in found.left_out for reason in left.reasons] == reasons
    assert found.retained == (() if reasons else ("i",))


def test_without_a_spec_the_annotators_alone_decide() -> None:
    found = agreement_of([replace(RATED, ratings=both(target="answer", addressee=""))])
    assert found.retained == ("i",)
    assert found.against_spec is None
    assert found.addressee is None


def test_an_item_that_the_spec_no_longer_has() -> None:
    found = agreement_of([RATED], {})
    assert [left.reasons for left in found.left_out] == [("not in the spec",)]


def test_addressees_are_not_asked_for_where_the_spec_has_none() -> None:
    item = replace(ITEM, addressees=(None, None))
    assert agreement_of([replace(RATED, ratings=both(addressee=""))], {"i": item}).retained == ("i",)
    one = agreement_of([replace(RATED, ratings=first(addressee=""))], {"i": item})
    assert one.left_out[0].reasons == ("no addressee by annotator 1",)


def test_figures_over_several_items() -> None:
    rated = [
        replace(RATED, item_id=f"i{n}", case_id=f"c{n}", ratings=ratings)
        for n, ratings in enumerate([both(), both(target="[Mute]"), first(target="[Mute]"), first(target="")])
    ]
    found = agreement_of(rated, {f"i{n}": replace(ITEM, id=f"i{n}", case_id=f"c{n}") for n in range(4)})
    assert (found.items, found.labelled) == (4, (3, 4))
    assert found.target is not None
    assert (found.target.items, found.target.agreed) == (3, 2)
    # Observed 2/3; by chance (2/3 x 1/3) + (1/3 x 2/3) = 4/9; so 2/5.
    assert found.target.kappa == pytest.approx(0.4, abs=1e-6)
    assert [(d.item_id, d.label, d.first, d.second) for d in found.disagreements] == [
        ("i2", "target", "[Mute]", "tool:call")
    ]
    assert found.against_spec is not None
    assert [(a.annotator, a.label, a.same, a.items) for a in found.against_spec] == [
        (1, "target", 1, 3), (2, "target", 3, 4), (1, "addressee", 4, 4), (2, "addressee", 4, 4),
    ]  # fmt: skip
    assert found.retained == ("i0",)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    spec = side_talk(tmp_path)
    write_takes(tmp_path / "takes", script_of(spec))
    ingested(spec, tmp_path / "takes")
    return tmp_path / "read-annotation.csv"


def test_a_table_is_read_as_it_is_filled_in(table: Path) -> None:
    rows = cells(table)
    rows[0] |= {
        "annotator_1_target": "Set_Timer",
        "annotator_2_target": "mute",
        "annotator_1_addressee": "a, b",
    }
    rewrite(table, rows, delimiter=";")
    rated = read_ratings([table], TOOLS)
    assert [item.item_id for item in rated] == [row["item_id"] for row in rows]
    assert rated[0].ratings == (
        Rating(target="tool:set_timer", addressee="assistant + bystander"), Rating(target="[Mute]"),
    )  # fmt: skip
    assert rated[1].ratings == (Rating(), Rating())


def test_each_annotator_may_fill_in_a_copy(table: Path, tmp_path: Path) -> None:
    rows = cells(table)
    rewrite(tmp_path / "1.csv", [{**row, "annotator_1_target": "mute"} for row in rows])
    rewrite(tmp_path / "2.csv", [{**row, "annotator_2_target": "answer"} for row in rows])
    expected = (Rating(target="[Mute]"), Rating(target="answer"))
    assert all(r.ratings == expected for r in read_ratings([tmp_path / "1.csv", tmp_path / "2.csv"], TOOLS))
    rewrite(tmp_path / "3.csv", [{**row, "annotator_1_target": "answer"} for row in rows[:1]])
    with pytest.raises(InputError) as caught:
        read_ratings([tmp_path / "1.csv", tmp_path / "3.csv"], TOOLS)
    (problem,) = caught.value.problems
    assert (problem.place.file, problem.place.line) == (str(tmp_path / "3.csv"), 2)
    assert "annotator_1_target is 'answer' here and 'mute' in" in problem.message


def test_every_wrong_cell_is_told_with_its_line(table: Path) -> None:
    rows = cells(table)
    rows[0]["annotator_1_target"] = "tool:sett_imer"
    rows[1]["annotator_2_addressee"] = "assistant"
    rows[3]["annotator_1_audio"] = "hm"
    rewrite(table, [*rows, rows[2]])
    with pytest.raises(InputError) as caught:
        read_ratings([table], TOOLS)
    assert [(p.place.line, p.message.partition(" ")[0]) for p in caught.value.problems] == [
        (2, "annotator_1_target:"), (3, "annotator_2_addressee:"), (5, "annotator_1_audio:"), (6, "the"),
    ]  # fmt: skip
