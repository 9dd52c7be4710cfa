"""What the seed and template files hold, once read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """A hand-written case."""

    id: str
    tool: str
    context: str
    trigger: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A sentence frame for a situation, and the things that it may be about."""

    id: str
    seed: str
    """The id of the seed whose situation this varies."""
    say: str
    about: tuple[Mapping[str, Any], ...]
    """Slot values that go together: one row gives a case its objects, amounts and grammar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """A way to phrase a command. It fits a row that supplies every slot that it names."""

    id: str
    say: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Contexts and triggers of one domain: any of its contexts may be followed by any trigger that fits."""

    id: str
    contexts: tuple[Context, ...]
    triggers: tuple[Trigger, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool's part of the scenario."""

    name: str
    prefix: str
    """What the ids of its cases start with: ``sw-timer``."""
    seeds: tuple[Seed, ...]
    families: tuple[Family, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """All that cases are made from."""

    tools: tuple[Tool, ...]
    pools: Mapping[str, tuple[Any, ...]]
    """Slot values that fit anywhere, by slot: names, weekdays and the like."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One line of the case file."""

    id: str
    tool: str
    params: Mapping[str, Any]
    context: str
    trigger: str
    origin: str
    template: str
    context_template: str
    trigger_template: str
    seed_id: str
