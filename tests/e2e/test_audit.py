"""``vgsynth audit`` as a user runs it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.conftest import Project, case, write_cases

pytest.importorskip("sklearn")
QUICK = ("--listen", 0, "--compare", 0)


@pytest.fixture(scope="module")
def rendered(make_project: Callable[[], Project]) -> Project:
    """A rendered project of a dozen cases, whose spec states what must hold."""
    project = make_project()
    project.cases(range(12))
    with project.spec.open("a") as spec:
        spec.write("expect: {source: informative, distance: informative, gap: informative}\n")
    project.render("-j", 1)
    return project


def test_a_set_that_is_what_it_claims_passes(rendered: Project) -> None:
    done = rendered.run("audit", rendered.out, *QUICK)
    assert "passes" in done.stdout
    found = json.loads((rendered.out / "audit.json").read_text())
    assert found["failures"] == []
    assert {entry["key"]: entry["found"] for entry in found["expectations"]} == dict.fromkeys(
        ["source", "distance", "gap"], "informative"
    )
    page = (rendered.out / "audit.html").read_text()
    assert not re.search(r'<script|(?:src|href)="(?!data:|#)', page)


def test_json_is_what_is_written_and_the_same_again(rendered: Project) -> None:
    first = rendered.run("audit", rendered.out, *QUICK, "--json")
    assert json.loads(first.stdout) == json.loads((rendered.out / "audit.json").read_text())
    page = (rendered.out / "audit.html").read_bytes()
    assert rendered.run("audit", rendered.out, *QUICK, "--json").stdout == first.stdout
    assert (rendered.out / "audit.html").read_bytes() == page


def test_what_does_not_hold_is_told_and_the_exit_code_is_1(project: Project) -> None:
    project.cases(range(12))
    with project.spec.open("a") as spec:
        spec.write("expect: {gap: uninformative}\n")
    project.render("-j", 1)
    done = project.run("audit", project.out, *QUICK, status=1)
    assert "expect gap: uninformative, found informative" in " ".join(done.stdout.split())


def test_the_card_of_an_audited_set_shows_its_figures(rendered: Project) -> None:
    rendered.run("audit", rendered.out, *QUICK)
    rendered.run("describe", rendered.out)
    assert (
        "| gap | informative | informative | balanced accuracy 1.000"
        in (rendered.out / "README.md").read_text()
    )


def test_a_folder_without_a_set_is_refused(project: Project) -> None:
    done = project.run("audit", project.folder, *QUICK, status=2)
    assert "manifest.jsonl" in done.stderr
    assert not (project.folder / "audit.json").exists()


@pytest.mark.parametrize("by", ["voice", "case.template", "case.tool"])
def test_what_a_grouped_split_goes_by_is_on_one_side_alone(project: Project, by: str) -> None:
    scripts = [
        ("The couch has come at last.", "Lock the garden gate."),
        ("My knee hurts again.", "Call a doctor for me."),
        ("Nobody told us about the strike.", "Book a cab into town."),
        ("Those candles smell of honey.", "Dim every lamp in here."),
        ("He forgot his umbrella.", "Message Omar about it."),
        ("We ran out of walnuts.", "Buy three more bags."),
        ("It is freezing outside.", "Warm the kitchen up."),
        ("She won the quiz yesterday.", "Pay Ingrid ten dollars."),
    ]
    cases = [
        {**case(n), "context": context, "trigger": trigger, "template": f"family-{n % 4}"}
        for n, (context, trigger) in enumerate(scripts)
    ]
    write_cases(project.folder / "cases.jsonl", cases)
    with project.spec.open("a") as spec:
        spec.write(f"splits: {{by: {by}, parts: {{test: 0.5}}}}\n")
    project.render("-j", 1)
    rows = project.rows()
    assert {row["split"] for row in rows} >= {"train", "test"}

    def groups(row: dict[str, Any]) -> set[str]:
        if by == "voice":
            return {segment["voice"] for segment in row["segments"] if segment["voice"]}
        return {row["case"][by.removeprefix("case.")]}

    sides = {split: set[str]() for split in ("train", "test")}
    for row in rows:
        if row["split"] in sides:
            sides[row["split"]] |= groups(row)
    assert sides["train"] and sides["test"]
    assert not sides["train"] & sides["test"]
    found = json.loads(project.run("audit", project.out, *QUICK, "--json").stdout)
    (leak,) = [leak for leak in found["leakage"]["leaks"] if leak["kind"] == by]
    assert leak["forbidden"] and leak["shared"] == 0
