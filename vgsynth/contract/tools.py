"""The tools that an agent may call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import jsonschema


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool: a name, what it does, and the JSON Schema of its parameters (an object schema)."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    examples: tuple[str, ...] = ()
    """Utterances that ask for it."""

    def params_error(self, params: Mapping[str, Any]) -> str | None:
        """What is wrong with a call's parameters, or None where they fit the schema."""
        error = jsonschema.exceptions.best_match(
            jsonschema.Draft7Validator(dict(self.parameters)).iter_errors(dict(params))
        )
        if error is None:
            return None
        where = ".".join(map(str, error.absolute_path))
        return f"{where}: {error.message}" if where else str(error.message)

    def to_json(self) -> dict[str, Any]:
        """The JSON object that a prompt or a manifest folder shows."""
        return {
            "name": self.name,
            "description": self.description,
            "parameters": dict(self.parameters),
            "examples": list(self.examples),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Tool:
        """Inverse of :meth:`to_json`."""
        return cls(
            name=data["name"],
            description=data["description"],
            parameters=data["parameters"],
            examples=tuple(data.get("examples", ())),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolInventory:
    """The tools of a spec, in its order, each name once."""

    tools: tuple[Tool, ...] = ()

    def __post_init__(self) -> None:
        names = [tool.name for tool in self.tools]
        if len(set(names)) != len(names):
            raise ValueError(f"tool names repeat: {names}")

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)

    def __contains__(self, name: object) -> bool:
        return any(tool.name == name for tool in self.tools)

    def get(self, name: str) -> Tool | None:
        """The tool of that name, or None."""
        return next((tool for tool in self.tools if tool.name == name), None)

    @property
    def names(self) -> tuple[str, ...]:
        """Names in order."""
        return tuple(tool.name for tool in self.tools)
