"""The JSON Schema of the language, read once, and validators for it and for its parts."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

SCHEMA_FILE = "scene.v1.json"
_REF = "#/definitions/"


def schema_text() -> str:
    """The JSON Schema (draft-07) as it is shipped: what editors complete and check with."""
    return files("vgsynth.spec").joinpath(SCHEMA_FILE).read_text(encoding="utf-8")


@cache
def schema() -> dict[str, Any]:
    """The schema with every reference replaced by what it names, which validates several times as fast."""
    whole = json.loads(schema_text())
    definitions = whole.pop("definitions")
    resolved: dict[str, Any] = {}

    def settle(part: Any) -> Any:
        if isinstance(part, list):
            return [settle(item) for item in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            name = part["$ref"].removeprefix(_REF)
            if name not in resolved:
                resolved[name] = settle(definitions[name])
            return resolved[name]
        return {key: settle(value) for key, value in part.items()}

    settled: dict[str, Any] = settle(whole)
    return {**settled, "definitions": {name: settle({"$ref": _REF + name}) for name in definitions}}


@cache
def validator(definition: str | None = None) -> Any:
    """A validator of whole specs, or of one definition (``changes``, ``tools``, ``pools`` ...)."""
    from jsonschema import Draft7Validator

    part = schema()
    if definition is not None:
        return Draft7Validator(part["definitions"][definition])
    return Draft7Validator({key: value for key, value in part.items() if key not in ("definitions", "title")})
