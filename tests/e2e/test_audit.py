"""``vgsynth audit`` as a user runs it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from tests.e2e.conftest import Project

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
