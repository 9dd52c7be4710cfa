"""Scaffolds load, resolve to themselves, and overwrite nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from vgsynth.contract.problems import InputError
from vgsynth.spec.config import resolved_yaml
from vgsynth.spec.load import load_spec
from vgsynth.spec.scaffold import KINDS, new_spec
from vgsynth.spec.schema import schema_text

SHIPPED = Path(__file__).parents[3] / "scenes"


@pytest.mark.parametrize("kind", KINDS)
def test_scaffold_loads_with_all_its_cases(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "new" / "spec.yaml"
    new_spec(kind, file)
    spec = load_spec(file)
    assert [case.id for case in spec.cases]
    assert spec.cases.problems == ()
    assert len({voice.id for speaker in spec.speakers.values() for voice in speaker.voices}) >= 4


@pytest.mark.parametrize("kind", KINDS)
def test_first_line_names_the_schema_that_lies_beside(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "spec.yaml"
    new_spec(kind, file)
    first = file.read_text(encoding="utf-8").partition("\n")[0]
    assert first == "# yaml-language-server: $schema=scene.v1.json"
    assert (tmp_path / "scene.v1.json").read_text(encoding="utf-8") == schema_text()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "spec.yaml"
    file.write_text("mine")
    (tmp_path / "scene.v1.json").write_text("mine too")
    with pytest.raises(InputError, match="the file exists"):
        new_spec("grid", file)
    assert file.read_text() == "mine"
    new_spec("grid", tmp_path / "other.yaml")
    assert (tmp_path / "scene.v1.json").read_text() == "mine too"


@pytest.mark.parametrize(
    ("kind", "name", "message"),
    [
        ("gird", "x.yaml", "did you mean 'grid'"),
        ("grid", "x.txt", "ends in .yaml"),
        ("grid", "x/y.yaml", "cannot write"),
    ],
)
def test_refused(kind: str, name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(InputError, match=message):
        new_spec(kind, tmp_path / name)


@pytest.mark.parametrize("kind", KINDS)
def test_resolved_scaffold_is_the_same_spec(kind: str, tmp_path: Path) -> None:
    new_spec(kind, tmp_path / "spec.yaml")
    _resolves_to_itself(tmp_path / "spec.yaml", tmp_path / "resolved.yaml")


def test_resolved_quickstart_is_the_same_spec(tmp_path: Path) -> None:
    for name in ("quickstart.yaml", "tools.yaml", "voices.yaml", "cases/quickstart.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((SHIPPED / name).read_bytes())
    _resolves_to_itself(tmp_path / "quickstart.yaml", tmp_path / "resolved.yaml")


def _resolves_to_itself(file: Path, resolved: Path) -> None:
    spec = load_spec(file)
    resolved.write_text(resolved_yaml(spec), encoding="utf-8")
    again = load_spec(resolved)
    assert again.document == spec.document
    assert again.sha256 == spec.sha256
    assert again.scenes != ()
    assert resolved_yaml(again).partition("\n")[2] == resolved_yaml(spec).partition("\n")[2]
