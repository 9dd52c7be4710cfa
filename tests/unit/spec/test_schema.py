"""The schema itself: valid draft-07, described for editors, and what the reference is made of."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from vgsynth.contract.problems import Place
from vgsynth.spec.defaults import LEVEL, PAIR_NAME, ROOMS, SPLIT, TRIM
from vgsynth.spec.places import Finder, SourcePlaces, path_text
from vgsynth.spec.reference import reference_text
from vgsynth.spec.schema import schema, schema_text, validator
from vgsynth.spec.schema_check import schema_faults
from vgsynth.spec.tools import read_tools
from vgsynth.spec.tree import Tree

ROOT = Path(__file__).parents[3]


def keys_with_schemas(part: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every key that the language has, with its schema."""
    if isinstance(part, dict):
        properties = part.get("properties")
        if isinstance(properties, dict):
            yield from ((f"{path}.{key}", value) for key, value in properties.items())
        for key, value in part.items():
            if key not in ("examples", "default", "enum", "const"):
                yield from keys_with_schemas(value, f"{path}.{key}")
    elif isinstance(part, list):
        for item in part:
            yield from keys_with_schemas(item, path)


def test_schema_is_draft_07() -> None:
    text = json.loads(schema_text())
    assert text["$schema"] == "http://json-schema.org/draft-07/schema#"
    jsonschema.Draft7Validator.check_schema(text)


def test_every_key_is_described_with_an_example_that_fits() -> None:
    seen = 0
    for path, value in keys_with_schemas(schema()):
        assert value.get("description"), path
        assert value.get("examples"), path
        for example in value["examples"]:
            assert jsonschema.Draft7Validator(value).is_valid(example), (path, example)
        if "default" in value:
            assert jsonschema.Draft7Validator(value).is_valid(value["default"]), path
        seen += 1
    assert seen > 100


def test_resolved_schema_accepts_what_the_shipped_one_accepts() -> None:
    """References were replaced for speed: both must judge alike."""
    shipped = jsonschema.Draft7Validator(json.loads(schema_text()))
    spec = {"vgsynth": 1, "name": "s", "seed": 1, "scenes": [{"condition": "c"}]}
    right: list[dict[str, Any]] = [{}, {"rooms": {"r": {"kind": "dry"}}}, {"noise": "none"}]
    wrong: list[dict[str, Any]] = [
        {"seed": -1},
        {"rooms": {"r": {"kind": "wet"}}},
        {"x": 1},
        {"noise": "loud"},
    ]
    for change in (*right, *wrong):
        for judge in (shipped, validator()):
            assert judge.is_valid({**spec, **change}) == (change in right)


def test_defaults_of_the_schema_are_those_of_the_language() -> None:
    """The schema tells editors what the program does."""
    definitions = schema()["definitions"]
    for kind, room in ROOMS.items():
        properties = definitions[f"{kind}_room"]["properties"]
        assert {k: v["default"] for k, v in properties.items() if "default" in v}.items() <= room.items()
    for name, defaults in (("level", LEVEL), ("trim", TRIM)):
        form = definitions[name].get("anyOf", [definitions[name]])[-1]
        assert {key: value["default"] for key, value in form["properties"].items()} == defaults
    assert definitions["splits"]["anyOf"][0]["properties"]["rest"]["default"] == SPLIT["rest"]
    assert definitions["pair"]["properties"]["name"]["default"] == PAIR_NAME


def test_reference_is_up_to_date() -> None:
    written = (ROOT / "docs" / "spec-reference.md").read_text(encoding="utf-8")
    assert written == reference_text(), "run: python -m vgsynth.spec.reference docs/spec-reference.md"


def test_reference_names_every_key() -> None:
    text = reference_text()
    for path, _ in keys_with_schemas({k: v for k, v in schema().items() if k != "definitions"}):
        assert f"`{path.rpartition('.')[2]}`" in text or f"{path.rpartition('.')[2]}:" in text, path


def test_reference_command(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    subprocess.run([sys.executable, "-m", "vgsynth.spec.reference", str(page)], check=True, cwd=ROOT)
    assert page.read_text(encoding="utf-8") == reference_text()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("scenes", 0, "segments", 2, "room"), "scenes[0].segments[2].room"),
        (("scenes", 1, "change", "trigger.room"), "scenes[1].change.trigger.room"),
        (("rooms", "a b", "kind"), "rooms['a b'].kind"),
        ((0, "id"), "[0].id"),
    ],
)
def test_path_text(path: tuple[str | int, ...], text: str) -> None:
    assert path_text(path) == text


WEIRD: list[tuple[dict[str, Any], Any]] = [
    ({"properties": {"a": False}}, {"a": 1}),
    ({"properties": {"a": {"oneOf": [{"type": "string"}, {"type": "number"}]}}}, {"a": None}),
    ({"properties": {"a": {"anyOf": [{"type": "string"}, False]}}}, {"a": None}),
    ({"properties": {"a": {"anyOf": [False, False]}}}, {"a": {"kind": 1}}),
    ({"properties": {"a": {"not": {}}}}, {"a": [1]}),
    ({"properties": {"a": {"const": None}}}, {"a": {}}),
    ({"properties": {"a": {"enum": [[1], {"x": 1}, None]}}}, {"a": "x"}),
    ({"properties": {"a": {"type": ["integer", "null"]}}}, {"a": "x"}),
    ({"properties": {"a": {"multipleOf": 2}}}, {"a": 3}),
    ({"properties": {"a": {"items": [{"type": "string"}], "additionalItems": False}}}, {"a": ["x", 1]}),
    ({"properties": {"a": {"contains": {"const": 1}}}}, {"a": [2]}),
    ({"properties": {"a": {"uniqueItems": True}}}, {"a": [{}, {}]}),
    ({"properties": {"a": {"maxLength": 1}}}, {"a": "xyz"}),
    ({"properties": {"a": {"exclusiveMaximum": 1}}}, {"a": 1}),
    ({"properties": {"a": {"maxItems": 0}}}, {"a": [1]}),
    ({"properties": {"a": {"minItems": 2, "maxItems": 2}}}, {"a": []}),
    ({"dependencies": {"a": ["b"]}}, {"a": 1}),
    ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"a": 1}),
    ({"propertyNames": {"maxLength": 1}}, {"abc": 1}),
    ({"patternProperties": {"^a": {"type": "string"}}, "additionalProperties": False}, {"a": 1, "b": 2}),
    ({"required": ["b"], "properties": {"b": True}}, {}),
    ({"maxProperties": 0}, {"a": 1, "b": 2}),
    ({"minProperties": 3}, {"a": 1}),
]


@pytest.mark.parametrize(("parameters", "params"), WEIRD)
def test_any_schema_of_a_tool_can_be_explained(parameters: dict[str, Any], params: Any) -> None:
    """Tools bring schemas of their own, with keywords that the spec's does not use."""
    checker = jsonschema.Draft7Validator({"type": "object", **parameters})
    faults = schema_faults(params, checker)
    assert faults
    assert all(fault.message for fault in faults)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"type": "object", "properties": {"a": {"$ref": "http://example.com/x.json"}}},
            "references are not followed",
        ),
        ({"type": "object", "properties": {"a": {"$ref": "#"}}}, "references are not followed"),
        ({"type": "object", "properties": {"a": {"pattern": "("}}}, "is not a regular expression"),
        ({"type": "object", "patternProperties": {"(": {}}}, "is not a regular expression"),
        ({"type": "object", "properties": {"a": {"type": "text"}}}, "not a JSON Schema"),
        ({"type": "object", "properties": []}, "not a JSON Schema"),
    ],
)
def test_schemas_that_a_tool_cannot_have(parameters: dict[str, Any], message: str) -> None:
    tool = {"name": "t", "description": "d", "parameters": parameters}
    finder = Finder(SourcePlaces(whole=Place(file="f", line=1, column=1)))
    box, problems = read_tools([tool], finder, Tree(root=Path("/"), shown="."))
    assert box is None
    assert message in problems[0].message
    assert problems[0].path.startswith("tools[0].parameters")
