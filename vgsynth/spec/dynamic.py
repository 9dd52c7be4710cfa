"""Values that only a scene can settle: strings with placeholders, and distributions.

``compile_dynamic`` parses a value once, when a spec is loaded; ``resolve`` settles it for one scene. Neither
knows what names exist or how numbers are drawn: both are handed in.

A string that is one placeholder and nothing else keeps the type of what it names. ``{{`` and ``}}`` are
literal braces. What a placeholder brings in is not read again, so a case may hold braces.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal

Per = Literal["scene", "case"]
Lookup = Callable[[str], Any]
"""From a placeholder's name (``case.trigger``) to its value; raises KeyError for an unknown name."""
Draw = Callable[[str], float]
"""From ``scene`` or ``case`` to this value's uniform number in [0, 1)."""

DISTRIBUTIONS = ("uniform", "choice", "normal")
_TOKEN = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_NAME = re.compile(r"[^\s{}.:!\[\]]+(\.[^\s{}.:!\[\]]+)*")
_SIGNIFICANT_DIGITS = 9
_MAX_NUMBER = 1e100
"""Beyond any quantity of a spec, and far enough below the largest float for arithmetic."""


class DynamicError(ValueError):
    """A placeholder or distribution that is not well formed, or a value that does not fit where it stands."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


@dataclass(frozen=True, slots=True)
class Placeholder:
    """``{case.trigger}`` inside a template."""

    name: str


@dataclass(frozen=True, slots=True)
class Template:
    """A string with placeholders."""

    parts: tuple[str | Placeholder, ...]

    def names(self) -> frozenset[str]:
        """Names of its placeholders."""
        return frozenset(part.name for part in self.parts if isinstance(part, Placeholder))


@dataclass(frozen=True, slots=True)
class Uniform:
    """Any number from ``low`` to ``high``, all equally likely."""

    low: float
    high: float
    per: Per = "scene"

    def names(self) -> frozenset[str]:
        """None."""
        return frozenset()


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some options (constants or templates), all equally likely."""

    options: tuple[Any, ...]
    per: Per = "scene"

    def names(self) -> frozenset[str]:
        """Names of the options' placeholders."""
        return _union(self.options)


@dataclass(frozen=True, slots=True)
class Normal:
    """A normal distribution, cut off below ``low`` and above ``high``."""

    mean: float
    sd: float
    low: float = -math.inf
    high: float = math.inf
    per: Per = "scene"

    def names(self) -> frozenset[str]:
        """None."""
        return frozenset()


@dataclass(frozen=True, slots=True)
class Items:
    """A list, some of whose elements are to be settled."""

    items: tuple[Any, ...]

    def names(self) -> frozenset[str]:
        """Names of the elements' placeholders."""
        return _union(self.items)


@dataclass(frozen=True, slots=True)
class Entries:
    """A mapping, some of whose values are to be settled."""

    entries: tuple[tuple[str, Any], ...]

    def names(self) -> frozenset[str]:
        """Names of the values' placeholders."""
        return _union(value for _, value in self.entries)


Compiled = Any
"""Template, Uniform, Choice, Normal, Items, Entries, or a plain value: a constant."""
_COMPILED = (Template, Uniform, Choice, Normal, Items, Entries)


def compile_dynamic(value: Any) -> Compiled:
    """Parse a value of a spec. What needs no scene to settle comes back as a plain value.

    Raises DynamicError for a malformed placeholder or distribution.
    """
    match value:
        case str():
            return _compile_text(value)
        case Mapping() if any(kind in value for kind in DISTRIBUTIONS):
            return _compile_distribution(value)
        case Mapping():
            entries = tuple((key, compile_dynamic(item)) for key, item in value.items())
            return dict(entries) if all(is_constant(item) for _, item in entries) else Entries(entries)
        case list() | tuple():
            items = tuple(compile_dynamic(item) for item in value)
            return list(items) if all(map(is_constant, items)) else Items(items)
        case _:
            return value


def is_constant(compiled: Compiled) -> bool:
    """Whether a compiled value is a plain one, the same in every scene."""
    return not isinstance(compiled, _COMPILED)


def names_of(compiled: Compiled) -> frozenset[str]:
    """Names of all placeholders in a compiled value."""
    return compiled.names() if isinstance(compiled, _COMPILED) else frozenset()


def resolve(compiled: Compiled, lookup: Lookup, draw: Draw) -> Any:
    """The value in one scene.

    ``draw`` is asked once for each distribution; those inside one list or mapping each take a number of
    their own from what it returns. Numbers drawn from a range are rounded to 9 significant digits.

    Raises DynamicError for a list or mapping in the midst of a text, and lets ``lookup``'s KeyError through.
    """
    match compiled:
        case Template(parts):
            return _fill(parts, lookup)
        case Uniform(low, high, per):
            return _rounded(low + (high - low) * draw(per), low, high)
        case Choice(options, per):
            return resolve(options[int(draw(per) * len(options))], lookup, draw)
        case Normal(_, _, low, high, per):
            return _rounded(_normal_quantile(compiled, draw(per)), low, high)
        case Items(items):
            return [resolve(item, lookup, _branch(draw, i)) for i, item in enumerate(items)]
        case Entries(entries):
            return {key: resolve(item, lookup, _branch(draw, key)) for key, item in entries}
        case _:
            return compiled


def _union(values: Iterable[Any]) -> frozenset[str]:
    return frozenset().union(*map(names_of, values))


def _compile_text(text: str) -> Template | str:
    if "{" not in text and "}" not in text:
        return text
    parts: list[str | Placeholder] = []
    end = 0
    for token in _TOKEN.finditer(text):
        parts.append(text[end : token.start()])
        end = token.end()
        if token[0] in ("{{", "}}"):
            parts.append(token[0][0])
        elif token[1] is not None:
            parts.append(Placeholder(_placeholder_name(token[1])))
        else:
            raise DynamicError(
                f"a single {token[0]!r} at character {token.start() + 1} of the text",
                f"write {token[0] * 2} for a brace that is spoken, or {{case.field}} for a placeholder",
            )
    parts.append(text[end:])
    return _joined(parts)


def _placeholder_name(written: str) -> str:
    name = written.strip()
    if not name:
        raise DynamicError("empty braces {}", "name what belongs there: {case.trigger}")
    if not _NAME.fullmatch(name):
        raise DynamicError(
            f"{{{written}}} is not a placeholder", "write names joined by dots, as in {case.params.time}"
        )
    return name


def _joined(parts: Iterable[str | Placeholder]) -> Template | str:
    """Runs of text made one, empty ones left out; a plain string where no placeholder is among them."""
    merged: list[str | Placeholder] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif part != "":
            merged.append(part)
    if all(isinstance(part, str) for part in merged):
        return "".join(map(str, merged))
    return Template(tuple(merged))


def _compile_distribution(value: Mapping[str, Any]) -> Compiled:
    kinds = [kind for kind in DISTRIBUTIONS if kind in value]
    if len(kinds) > 1:
        raise DynamicError(f"both {kinds[0]} and {kinds[1]} in one distribution", "keep one")
    kind = kinds[0]
    known = {kind, "per", *(("min", "max") if kind == "normal" else ())}
    if extra := [key for key in value if key not in known]:
        raise DynamicError(f"{kind} has no key {extra[0]!r}", f"it has {', '.join(sorted(known))}")
    per = value.get("per", "scene")
    if per not in ("scene", "case"):
        raise DynamicError(
            f"per is {per!r}", "write scene (a draw for each) or case (one for all its scenes)"
        )
    if kind == "choice":
        return Choice(_options(value[kind]), per)
    first, second = _two_numbers(kind, value[kind])
    if kind == "uniform":
        if not first < second:
            raise DynamicError(
                f"uniform goes from {first:g} to {second:g}", "write the smaller number first: [low, high]"
            )
        return Uniform(first, second, per)
    return _compile_normal(value, first, second, per)


def _options(options: Any) -> tuple[Any, ...]:
    if not isinstance(options, list | tuple) or not options:
        raise DynamicError("choice has no options", "list them: {choice: [near, far]}")
    if any(isinstance(option, Mapping | list | tuple) for option in options):
        raise DynamicError(
            "an option of choice is a list or mapping", "use plain values: {choice: [near, far]}"
        )
    return tuple(map(compile_dynamic, options))


def _two_numbers(kind: str, numbers: Any) -> tuple[float, float]:
    if not isinstance(numbers, list | tuple) or len(numbers) != 2 or not all(map(_is_number, numbers)):
        want = "[low, high]" if kind == "uniform" else "[mean, sd]"
        raise DynamicError(f"{kind} needs two numbers", f"write {{{kind}: {want}}}")
    return numbers[0], numbers[1]


def _compile_normal(value: Mapping[str, Any], mean: float, sd: float, per: Per) -> Normal:
    if not sd > 0:
        raise DynamicError(f"normal has a standard deviation of {sd:g}", "write one above 0: [mean, sd]")
    bounds = {key: value[key] for key in ("min", "max") if key in value}
    if not all(map(_is_number, bounds.values())):
        raise DynamicError("a bound of normal is not a number", "write min and max as numbers")
    low, high = bounds.get("min", -math.inf), bounds.get("max", math.inf)
    if not low < high:
        raise DynamicError(f"normal has min {low:g} and max {high:g}", "write a min below the max")
    dist = NormalDist(mean, sd)
    if not dist.cdf(low) < dist.cdf(high):
        raise DynamicError(
            f"min {low:g} and max {high:g} lie where normal [{mean:g}, {sd:g}] has no mass",
            "move the bounds nearer to the mean",
        )
    return Normal(mean, sd, low, high, per)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _MAX_NUMBER


def _fill(parts: tuple[str | Placeholder, ...], lookup: Lookup) -> Any:
    if len(parts) == 1 and isinstance(parts[0], Placeholder):
        return lookup(parts[0].name)
    return "".join(
        part if isinstance(part, str) else _as_text(part.name, lookup(part.name)) for part in parts
    )


def _as_text(name: str, value: Any) -> str:
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case _:
            kind = "empty" if value is None else "a mapping" if isinstance(value, Mapping) else "a list"
            raise DynamicError(f"{{{name}}} is {kind} and cannot stand in a text", "name a text or a number")


def _normal_quantile(normal: Normal, unit: float) -> float:
    """Inverse transform between the bounds (infinite ones: all of the distribution)."""
    dist = NormalDist(normal.mean, normal.sd)
    below, above = dist.cdf(normal.low), dist.cdf(normal.high)
    share = below + (above - below) * unit
    # 0 and 1 have no finite quantile; a draw of exactly 0 takes the smallest number that has one.
    return dist.inv_cdf(min(max(share, math.ulp(0.0)), 1.0 - math.ulp(0.5)))


def _rounded(number: float, low: float, high: float) -> float:
    return float(min(max(float(f"{number:.{_SIGNIFICANT_DIGITS}g}"), low), high))


def _branch(draw: Draw, step: str | int) -> Draw:
    """A draw of its own for one element, from the draw of the whole."""

    def drawn(per: str) -> float:
        digest = hashlib.sha256(f"{draw(per)!r}/{step}".encode()).digest()
        return (int.from_bytes(digest[:8], "big") >> 11) * 2.0**-53

    return drawn
