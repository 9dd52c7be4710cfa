"""A rendered set described: the card says what the manifest holds, the Croissant file is valid and reads."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable

import pytest

from tests.e2e.conftest import Project


@pytest.fixture(scope="module")
def described(make_project: Callable[[], Project]) -> Project:
    """A rendered project with its card and Croissant file."""
    project = make_project()
    project.render("-j", 1)
    project.run("describe", project.out, "--licence", "CC-BY-4.0", "--published", "2026-01-31")
    return project


def test_the_card_counts_what_the_manifest_holds(described: Project) -> None:
    card = (described.out / "README.md").read_text()
    rows = described.rows()
    counted = dict(re.findall(r"^\| (\S+) \| (\d+) \|$", card, re.MULTILINE))
    for field, values in (
        ("condition", Counter(row["condition"] for row in rows)),
        ("target", Counter(row["target"].get("tool") or row["target"]["kind"] for row in rows)),
    ):
        assert {name: int(counted[name]) for name in values} == values, field
    assert "9 items of 3 cases; 6 clips," in card
    assert "license: cc-by-4.0" in card
    assert "act only if the session's initiator triggers, near by" in card
    assert "same_speaker and switch of a case\ndiffer in `trigger.speaker`, `trigger.room`, `gap_ms`" in card
    voices = Counter(
        voice
        for row in rows
        for voice in {f"{s['engine']}/{s['voice']}" for s in row["segments"] if s["voice"] is not None}
    )
    for voice, items in voices.items():
        assert f"| {voice} | {items} | Apache-2.0 |" in card


def test_the_croissant_file_is_valid_and_its_items_are_the_manifests(described: Project) -> None:
    croissant = pytest.importorskip("mlcroissant")
    dataset = croissant.Dataset(jsonld=described.out / "croissant.json")
    assert dataset.metadata.date_published.isoformat().startswith("2026-01-31")

    def text(value: object) -> object:
        return value.decode() if isinstance(value, bytes) else value

    records = [{key: text(value) for key, value in r.items()} for r in dataset.records("items")]
    assert len(records) == 9
    for record, row in zip(records, described.rows(), strict=True):
        assert record["items/item_id"] == row["item_id"]
        assert record["items/target"] == row["target"]["kind"]
        assert record["items/target_tool"] == row["target"].get("tool")
        assert record["items/gap_ms"] == row["factors"]["gap_ms"]
        assert record["items/wav_sha256"] == row["wav_sha256"]


def test_described_again_it_is_the_same_and_the_set_still_verifies(described: Project) -> None:
    before = {name: (described.out / name).read_bytes() for name in ("README.md", "croissant.json")}
    described.run("describe", described.out, "--licence", "CC-BY-4.0", "--published", "2026-01-31")
    assert {name: (described.out / name).read_bytes() for name in before} == before
    described.run("verify", described.out)
    described.render("-j", 1)
    assert json.loads(before["croissant.json"])["license"] == "CC-BY-4.0"
    assert (described.out / "README.md").read_bytes() == before["README.md"]


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda out: (out / "dataset.json").unlink(), "dataset.json  cannot be read: No such file"),
        (lambda out: (out / "dataset.json").write_text("{"), "dataset.json  is not JSON"),
        (
            lambda out: (out / "manifest.jsonl").write_text("{}\n"),
            "is not the manifest that dataset.json was written with",
        ),
    ],
)
def test_what_is_no_whole_set_is_refused(project: Project, spoil: Callable[..., None], told: str) -> None:
    project.render("-j", 1)
    spoil(project.out)
    result = project.run("describe", project.out, status=2)
    assert told in result.stderr
    assert "Traceback" not in result.stderr
    assert not (project.out / "README.md").exists()
