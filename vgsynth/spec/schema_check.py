"""Schema errors as a colleague would tell them: where, what is wrong, what would be right.

``jsonschema`` finds the errors; here each becomes one or more problems. Where a value may take several forms
(``anyOf``), the form that the author seems to have meant is looked for, and only its errors are told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vgsynth.contract.problems import Problem
from vgsynth.contract.suggest import nearest
from vgsynth.spec.changes import NOISE_FIELDS, SEGMENT_FIELDS
from vgsynth.spec.model import Path_
from vgsynth.spec.places import Finder
from vgsynth.spec.schema import validator
from vgsynth.spec.show import describe, flow, listing, shorten

_BARE_PLACEHOLDER = re.compile(r"\w[\w-]*(\.[\w-]+)*")
_MOST_KNOWN = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A schema error in words, with the path of the value (or key) that it concerns."""

    path: Path_
    message: str
    fix: str
    of_key: bool = False
    missing: str | None = None
    """The key that is missing, where that is the fault."""
    meant: str | None = None
    """The key that an unknown one was probably meant to be."""


def schema_problems(
    data: Any, finder: Finder, definition: str | None = None, at: Path_ = ()
) -> list[Problem]:
    """Every schema error of ``data``, which stands at ``at`` in the document that ``finder`` knows.

    ``definition`` names the part of the schema that ``data`` must fit; without it, the whole.
    """
    return [_as_problem(fault, finder, at) for fault in schema_faults(data, validator(definition))]


def schema_faults(data: Any, checker: Any) -> list[Fault]:
    """Every error that a jsonschema validator finds in ``data``, each once; paths are relative to it."""
    faults: dict[tuple[Path_, str], Fault] = {}
    for error in checker.iter_errors(data):
        for fault in _explain(error):
            faults.setdefault((fault.path, fault.message), fault)
    meant = {(*fault.path[:-1], fault.meant) for fault in faults.values() if fault.meant}
    return [f for f in faults.values() if f.missing is None or (*f.path, f.missing) not in meant]


def _as_problem(fault: Fault, finder: Finder, at: Path_) -> Problem:
    make = finder.at_key if fault.of_key else finder.at
    return make((*at, *fault.path), fault.message, fault.fix)


# -- one error ---------------------------------------------------------------------------------------------


def _explain(error: Any) -> Iterator[Fault]:
    if not isinstance(error.schema, Mapping):
        yield Fault(path=_path(error), message="nothing may stand here", fix="remove it")
    elif "propertyNames" in error.absolute_schema_path:
        yield _bad_name(error)
    elif error.validator == "anyOf":
        yield from _explain_branches(error)
    elif error.validator == "additionalProperties":
        yield from _unknown_keys(error)
    elif error.validator == "required":
        yield from _missing_keys(error)
    elif (bare := _bare_placeholder(error.instance)) is not None:
        yield _unquoted(_path(error), bare)
    else:
        explain = _BY_KEYWORD.get(error.validator, _other)
        message, fix = explain(error)
        yield Fault(path=_path(error), message=message, fix=fix)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _path(error: Any) -> Path_:
    return tuple(error.absolute_path)


def _example(error: Any) -> str:
    """An example of the schema that was broken; "" where it has none."""
    examples = error.schema.get("examples")
    return f"for example {shorten(flow(examples[0]))}" if examples else ""


def _wanted(schema: Mapping[str, Any]) -> str:
    """What a schema wants, in words."""
    if "title" in schema:
        return str(schema["title"])
    if "const" in schema:
        return flow(schema["const"])
    if "enum" in schema:
        return listing(map(flow, schema["enum"]))
    if "anyOf" in schema:
        return listing(_wanted(branch) for branch in schema["anyOf"])
    types = schema.get("type", "something else")
    return listing(_TYPE_WORDS[name] for name in ([types] if isinstance(types, str) else types))


_TYPE_WORDS = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
    "object": "a mapping",
    "array": "a list",
    "something else": "something else",
}


def _type(error: Any) -> tuple[str, str]:
    if error.instance is None:
        return "the value is missing", _example(error) or f"write {_wanted(error.schema)}, or remove the key"
    return f"must be {_wanted(error.schema)}, not {describe(error.instance)}", _example(error)


def _enum(error: Any) -> tuple[str, str]:
    values = error.schema["enum"] if error.validator == "enum" else [error.schema["const"]]
    if list(error.absolute_path) == ["vgsynth"]:
        return (
            f"version {shorten(flow(error.instance))} of the language is not known here",
            "write `vgsynth: 1`",
        )
    if error.instance is None:
        return "the value is missing", f"write {listing(map(flow, values))}"
    return _not_one_of(error.instance, values)


def _not_one_of(value: Any, values: list[Any]) -> tuple[str, str]:
    names = listing(map(flow, values))
    near = nearest(value, values) if isinstance(value, str) else None
    fix = f"did you mean {near!r}?" if near is not None else f"write {names}"
    return f"{describe(value)} is not {names}" if len(
        values
    ) > 1 else f"must be {names}, not {describe(value)}", fix


def _pattern(error: Any) -> tuple[str, str]:
    message = f"{describe(error.instance)} is not {error.schema.get('title', 'of the right form')}"
    return message, error.schema.get("patternErrorMessage", "")


def _minimum(error: Any) -> tuple[str, str]:
    return f"must be at least {error.validator_value:g}, not {describe(error.instance)}", _example(error)


def _above(error: Any) -> tuple[str, str]:
    return f"must be above {error.validator_value:g}, not {describe(error.instance)}", _example(error)


def _maximum(error: Any) -> tuple[str, str]:
    return f"must be at most {error.validator_value:g}, not {describe(error.instance)}", _example(error)


def _empty(error: Any) -> tuple[str, str]:
    return f"must not be {'an empty text' if error.instance == '' else 'empty'}", _example(error)


def _length(error: Any) -> tuple[str, str]:
    schema, has = error.schema, len(error.instance)
    if "minItems" in schema and schema["minItems"] == schema.get("maxItems"):
        wants = schema["minItems"]
        return f"needs {wants} values and has {has}", _example(error)
    if error.validator == "minItems" and has == 0:
        return "must not be an empty list", _example(error)
    if error.validator == "maxProperties":
        names = listing(map(repr, error.instance), "and")
        return f"sets {has} paths at once ({names})", "use {levels: {level: {path: value, ...}}} for that"
    bound = error.validator_value
    return f"needs {'at least' if error.validator == 'minItems' else 'at most'} {bound} values, has {has}", ""


def _repeated(error: Any) -> tuple[str, str]:
    twice = [item for index, item in enumerate(error.instance) if item in error.instance[:index]]
    return f"lists {flow(twice[0])} twice", "list it once"


def _other(error: Any) -> tuple[str, str]:
    return f"does not fit: {shorten(str(error.message))}", _example(error)


_BY_KEYWORD: Mapping[str, Callable[[Any], tuple[str, str]]] = {
    "type": _type,
    "enum": _enum,
    "const": _enum,
    "pattern": _pattern,
    "minimum": _minimum,
    "exclusiveMinimum": _above,
    "maximum": _maximum,
    "minLength": _empty,
    "minProperties": _empty,
    "minItems": _length,
    "maxItems": _length,
    "maxProperties": _length,
    "uniqueItems": _repeated,
}


# -- keys --------------------------------------------------------------------------------------------------

_KEY_HINTS = {
    ("an utterance", "gap_ms"): "a boundary is an item of its own: - {gap_ms: 600}",
    ("an utterance", "voice"): "voices belong to `speakers`; name the speaker here",
    ("a scene", "room"): "name the room in each segment, or in `defaults: {segment: {room: ...}}`",
}


def _unknown_keys(error: Any) -> Iterator[Fault]:
    known = list(error.schema.get("properties", ()))
    patterns = error.schema.get("patternProperties", ())
    for key in error.instance:
        if key in known or any(re.search(pattern, key) for pattern in patterns):
            continue
        hint = _KEY_HINTS.get((error.schema.get("title", ""), key))
        near = None if hint else nearest(key, known)
        fix = hint or (f"did you mean {near!r}?" if near else f"known here: {_some(known)}")
        path = (*_path(error), key)
        yield Fault(path=path, message=f"unknown key {shorten(repr(key))}", fix=fix, of_key=True, meant=near)


def _some(names: list[str]) -> str:
    more = ", ..." if len(names) > _MOST_KNOWN else ""
    return ", ".join(names[:_MOST_KNOWN]) + more


def _missing_keys(error: Any) -> Iterator[Fault]:
    for key in error.schema["required"]:
        if key in error.instance:
            continue
        examples = _mapping(_mapping(error.schema.get("properties")).get(key)).get("examples")
        fix = f"add it, for example `{key}: {shorten(flow(examples[0]))}`" if examples else "add it"
        yield Fault(path=_path(error), message=f"`{key}` is missing", fix=fix, missing=key)


def _bad_name(error: Any) -> Fault:
    """A key that is no name, or no path of a scene."""
    key = error.instance
    fix = error.schema.get("patternErrorMessage", "")
    head, _, rest = key.partition(".")
    kind = "a name"
    if "trigger.room" in fix:
        kind = "a path of a scene"
        fields = [f"noise.{name}" for name in NOISE_FIELDS] if head == "noise" else SEGMENT_FIELDS
        near = nearest(key if head == "noise" else rest, fields)
        if near is not None and rest:
            fix = f"did you mean {near if head == 'noise' else f'{head}.{near}'!r}?"
    elif "case.<" in fix:
        kind = "a case field"
    elif "level" in fix:
        kind = "a level's name"
    path = (*_path(error), key)
    return Fault(path=path, message=f"{shorten(repr(key))} is not {kind}", fix=fix, of_key=True)


# -- several forms -----------------------------------------------------------------------------------------


def _explain_branches(error: Any) -> Iterator[Fault]:
    value = error.instance
    branches = [branch if isinstance(branch, Mapping) else {} for branch in error.schema["anyOf"]]
    if (bare := _bare_placeholder(value)) is not None:
        yield _unquoted(_path(error), bare)
        return
    found: list[list[Any]] = [[] for _ in branches]
    for child in error.context:
        if child.schema_path:  # that of the schema `false` has no path
            found[child.schema_path[0]].append(child)
    fitting = [i for i, errors in enumerate(found) if errors and not any(map(_is_other_shape, errors))]
    if not fitting:
        yield _fits_nothing(error, branches)
    elif isinstance(value, Mapping):
        yield from _explain_mapping(error, [found[index] for index in fitting], branches)
    elif isinstance(value, list):
        for child in min((found[index] for index in fitting), key=len):
            yield from _explain(child)
    else:
        yield from _explain_scalar(error, [found[index] for index in fitting], branches)


def _is_other_shape(child: Any) -> bool:
    """Whether an error says that the branch wants another kind of value altogether."""
    if child.path:
        return False
    if child.validator == "type":
        return True
    if child.validator == "const":
        return type(child.validator_value) is not type(child.instance)
    return child.validator == "enum" and not isinstance(child.instance, str)


def _fits_nothing(error: Any, branches: list[Any]) -> Fault:
    if error.instance is None:
        fix = _example(error) or "write a value, or remove it"
        return Fault(path=_path(error), message="the value is missing", fix=fix)
    wanted = listing(map(_wanted, branches))
    return Fault(
        path=_path(error), message=f"must be {wanted}, not {describe(error.instance)}", fix=_example(error)
    )


def _explain_scalar(error: Any, candidates: list[list[Any]], branches: list[Any]) -> Iterator[Fault]:
    for errors in candidates:
        if any(child.validator not in ("pattern", "enum", "const") for child in errors):
            for child in errors:
                yield from _explain(child)
            return
    values = [value for branch in branches for value in branch.get("enum", [branch.get("const")]) if value]
    near = nearest(error.instance, values)
    if near is not None:
        fix = f"did you mean {near!r}?"
    else:
        hints = [c.schema.get("patternErrorMessage", "") for errors in candidates for c in errors]
        fix = next(filter(None, hints), "") if not values else ""
        fix = fix or _example(error)
    message = f"{describe(error.instance)} is not {listing(map(_wanted, branches))}"
    yield Fault(path=_path(error), message=message, fix=fix)


def _explain_mapping(error: Any, candidates: list[list[Any]], branches: list[Any]) -> Iterator[Fault]:
    best = min(candidates, key=_distance)
    kinds = [
        value
        for branch in branches
        if (kind := _mapping(_mapping(branch.get("properties")).get("kind")))
        for value in kind.get("enum", [kind["const"]] if "const" in kind else [])
    ]
    if kinds and error.instance.get("kind") not in kinds:
        if "kind" in error.instance:
            message, fix = _not_one_of(error.instance["kind"], kinds)
            yield Fault(path=(*_path(error), "kind"), message=message, fix=fix)
        else:
            message, fix = "`kind` is missing", f"write kind: {listing(kinds)}"
            yield Fault(path=_path(error), message=message, fix=fix, missing="kind")
        return
    for child in best:
        yield from _explain(child)


def _distance(errors: list[Any]) -> tuple[int, int, int]:
    """How far a mapping is from a form: wrong kinds, then keys missing or unknown, then all else."""
    kinds = sum(1 for e in errors if e.validator in ("const", "enum") and list(e.path) == ["kind"])
    keys = 0
    for error in errors:
        if not error.path and error.validator == "required":
            keys += 2
        elif not error.path and error.validator == "additionalProperties":
            known = error.schema.get("properties", ())
            keys += sum(1 if nearest(key, known) else 2 for key in error.instance if key not in known)
        elif "propertyNames" in error.absolute_schema_path and not error.path:
            keys += 2
    return kinds, keys, len(errors)


# -- placeholders without quotes ---------------------------------------------------------------------------


def _bare_placeholder(value: Any) -> str | None:
    """``{case.trigger}`` without quotes is a mapping to YAML: ``{"case.trigger": null}``."""
    if isinstance(value, Mapping) and len(value) == 1:
        key, inner = next(iter(value.items()))
        if inner is None and _BARE_PLACEHOLDER.fullmatch(key):
            return str(key)
    return None


def _unquoted(path: Path_, name: str) -> Fault:
    return Fault(
        path=path,
        message=f"{{{name}}} without quotes is a mapping to YAML, not a placeholder",
        fix=f'write "{{{name}}}"',
    )
