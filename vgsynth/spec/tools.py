"""The tools of a spec: read from its file or from the spec itself, and checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vgsynth.contract.problems import Problem
from vgsynth.contract.suggest import did_you_mean
from vgsynth.contract.tools import Tool, ToolInventory
from vgsynth.spec.json_reader import read_json
from vgsynth.spec.model import Path_
from vgsynth.spec.nodes import flatten
from vgsynth.spec.places import Finder
from vgsynth.spec.schema import validator
from vgsynth.spec.schema_check import Fault, schema_faults, schema_problems
from vgsynth.spec.show import shorten
from vgsynth.spec.source import read_bytes
from vgsynth.spec.tree import PathError, Tree
from vgsynth.spec.yaml_reader import read_yaml


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolBox:
    """The inventory with a compiled validator for each tool's parameters."""

    inventory: ToolInventory
    validators: Mapping[str, Any]

    def call_faults(self, name: Any, params: Any) -> Iterator[Fault]:
        """What is wrong with a call; paths begin with ``tool`` or ``params``."""
        if not isinstance(name, str):
            yield Fault(path=("tool",), message="must be the name of a tool", fix="")
            return
        checker = self.validators.get(name)
        if checker is None:
            names = self.inventory.names
            known = f"there are: {', '.join(names)}" if names else "list the tools under `tools`"
            yield Fault(
                path=("tool",),
                message=f"there is no tool {shorten(repr(name))}",
                fix=did_you_mean(name, names) or known,
            )
            return
        if not isinstance(params, Mapping):
            yield Fault(path=("params",), message="must be a mapping", fix="write {name: value, ...}")
            return
        if checker.is_valid(params):
            return
        for fault in schema_faults(params, checker):
            message = f"{fault.message} (a parameter of {name})" if fault.path else f"{name}: {fault.message}"
            yield Fault(path=("params", *fault.path), message=message, fix=fault.fix, of_key=fault.of_key)


NO_TOOLS = ToolBox(inventory=ToolInventory(), validators={})


def read_tools(written: Any, finder: Finder, tree: Tree) -> tuple[ToolBox | None, list[Problem]]:
    """The tools that ``tools:`` gives: a path relative to the root, or a list; None where they are no use."""
    if written is None:
        return NO_TOOLS, []
    if isinstance(written, list):
        return _checked(written, finder, ("tools",), already_checked=True)
    if not isinstance(written, str):
        return None, []
    try:
        data = read_bytes(tree.find(written))
    except PathError as error:
        return None, [finder.at(("tools",), error.message, error.fix)]
    read = read_json if written.endswith(".json") else read_yaml
    node, problems = read(data, tree.show(written))
    if node is None:
        return None, problems
    listed, places = flatten(node)
    own = Finder(places)
    if not isinstance(listed, dict) or set(listed) != {"tools"}:
        problems.append(own.at((), "a file of tools holds one key, `tools`", "write `tools:` and a list"))
        return None, problems
    box, found = _checked(listed["tools"], own, ("tools",), already_checked=False)
    return (None if problems else box), problems + found


def _checked(
    listed: Any, finder: Finder, at: Path_, *, already_checked: bool
) -> tuple[ToolBox | None, list[Problem]]:
    problems = [] if already_checked else schema_problems(listed, finder, "tools", at)
    if not validator("tools").is_valid(listed):
        return None, problems
    validators: dict[str, Any] = {}
    for index, tool in enumerate(listed):
        here: Path_ = (*at, index)
        if tool["name"] in validators:
            problems.append(
                finder.at((*here, "name"), f"a second tool {tool['name']!r}", "give it another name")
            )
            continue
        found, validators[tool["name"]] = _compile(tool["parameters"], finder, (*here, "parameters"))
        problems += found
    if problems:
        return None, problems
    inventory = ToolInventory(tools=tuple(map(Tool.from_json, listed)))
    return ToolBox(inventory=inventory, validators=validators), []


def _compile(parameters: Mapping[str, Any], finder: Finder, at: Path_) -> tuple[list[Problem], Any]:
    """A validator for a schema of parameters, or what is wrong with the schema."""
    from jsonschema import Draft7Validator

    meta = Draft7Validator(Draft7Validator.META_SCHEMA)
    problems = [
        finder.at((*at, *error.absolute_path), f"not a JSON Schema: {shorten(error.message)}", "see draft-07")
        for error in meta.iter_errors(parameters)
    ]
    if not problems:
        problems = list(_traps(parameters, finder, at))
    return problems, None if problems else Draft7Validator(parameters)


def _traps(part: Any, finder: Finder, at: Path_) -> Iterator[Problem]:
    """What a valid schema may hold and a check of parameters cannot use: references, bad patterns."""
    if isinstance(part, list):
        for index, item in enumerate(part):
            yield from _traps(item, finder, (*at, index))
    if not isinstance(part, Mapping):
        return
    if isinstance(part.get("$ref"), str):
        yield finder.at((*at, "$ref"), "references are not followed", "write the schema out in place")
    patterns = [("pattern", part.get("pattern"))]
    if isinstance(inner := part.get("patternProperties"), Mapping):
        patterns += [("patternProperties", key) for key in inner]
    for key, pattern in patterns:
        try:
            re.compile(pattern if isinstance(pattern, str) else "")
        except re.error as error:
            yield finder.at((*at, key), f"{pattern!r} is not a regular expression: {error}", "")
    for key, value in part.items():
        if key not in ("enum", "const", "examples", "default"):
            yield from _traps(value, finder, (*at, key))
