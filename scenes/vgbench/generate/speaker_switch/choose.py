"""Chooses the generated cases.

Each choice is the one that ranks first among those that are open, and a rank is a SHA-256 of what is
ranked: nothing depends on the order of a dictionary, on the process or on the clock.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scenes.vgbench.generate.speaker_switch.alike import Scripts
from scenes.vgbench.generate.speaker_switch.fill import Slots, slots_of
from scenes.vgbench.generate.speaker_switch.model import Case, Context, Family, Material, Tool, Trigger

SEED = 20260925
PER_SEED = 3
"""Generated cases that vary one seed."""
CONTEXT_WORDS = range(8, 26)
TRIGGER_WORDS = range(4, 19)
_DRAWS = 8
"""How often pools are drawn from anew for one row and trigger before the next are tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Option:
    context: Context
    row: int
    trigger: Trigger

    @property
    def about(self) -> Mapping[str, Any]:
        """The row's slot values."""
        return self.context.about[self.row]


def make_cases(material: Material) -> list[Case]:
    """All cases, grouped by tool: its seeds, then what varies them. Raises ValueError where they run out."""
    contexts, triggers = Scripts(), Scripts()
    number = 0
    seeds: dict[str, list[Case]] = {tool.name: [] for tool in material.tools}
    for tool in material.tools:
        for seed in tool.seeds:
            number += 1
            if not (contexts.admits(seed.context) and triggers.admits(seed.trigger)):
                raise ValueError(f"{seed.id} is too much like an earlier seed")
            contexts.take(seed.context)
            triggers.take(seed.trigger)
            name = f"seed-{number}"
            seeds[tool.name].append(
                Case(
                    id=seed.id,
                    tool=tool.name,
                    params=seed.params,
                    context=seed.context,
                    trigger=seed.trigger,
                    origin="seed",
                    template=name,
                    context_template=name,
                    trigger_template=name,
                    seed_id=seed.id,
                )
            )
    chooser = _Chooser(pools=material.pools, contexts=contexts, triggers=triggers)
    cases: list[Case] = []
    for tool in material.tools:
        cases += seeds[tool.name]
        cases += chooser.vary(tool)
    return cases


class _Pools:
    """Draws for one case. Entries that fewer cases have used come first, so that names rotate evenly."""

    def __init__(
        self, pools: Mapping[str, tuple[Any, ...]], uses: Counter[tuple[str, int]], stream: str
    ) -> None:
        self._pools = pools
        self._uses = uses
        self._stream = stream
        self.drawn: list[tuple[str, int]] = []

    def draw(self, name: str) -> Any:
        """An entry of a pool. Raises KeyError where there is no such pool."""
        entries = self._pools[name]
        best = min(
            range(len(entries)), key=lambda n: (self._uses[name, n], _rank(self._stream, name, str(n)))
        )
        self.drawn.append((name, best))
        return entries[best]


class _Chooser:
    def __init__(self, *, pools: Mapping[str, tuple[Any, ...]], contexts: Scripts, triggers: Scripts) -> None:
        self._pools = pools
        self._contexts = contexts
        self._triggers = triggers
        self._template_uses: Counter[str] = Counter()
        self._entry_uses: Counter[tuple[str, int]] = Counter()
        self._pairs: set[tuple[str, str]] = set()
        self._rows: set[tuple[str, int]] = set()

    def vary(self, tool: Tool) -> Iterator[Case]:
        """The generated cases of a tool: ``PER_SEED`` for each of its seeds, in the seeds' order."""
        number = len(tool.seeds)
        families = {context.seed: family for family in tool.families for context in family.contexts}
        for seed in tool.seeds:
            for _ in range(PER_SEED):
                number += 1
                yield self._vary(tool, families[seed.id], seed.id, f"{tool.prefix}-{number:03}")

    def _vary(self, tool: Tool, family: Family, seed_id: str, case_id: str) -> Case:
        for option in self._open(family, seed_id, case_id):
            for attempt in range(_DRAWS):
                pools = _Pools(self._pools, self._entry_uses, f"{case_id} {attempt}")
                case = _fill(option, tool.name, family.id, case_id, Slots(option.about, pools.draw))
                if self._admits(case):
                    self._take(option, case)
                    self._entry_uses.update(pools.drawn)
                    return case
                if not pools.drawn:  # another attempt would say the same
                    break
        raise ValueError(f"{case_id}: nothing is left in {family.id} for {seed_id}: add rows or templates")

    def _open(self, family: Family, seed_id: str, case_id: str) -> list[_Option]:
        """What may still be chosen, best first: the templates least used, then by rank."""
        uses = self._template_uses

        def order(option: _Option) -> tuple[int, int, str]:
            rank = _rank(case_id, option.context.id, str(option.row), option.trigger.id)
            return uses[option.context.id], uses[option.trigger.id], rank

        options = [
            _Option(context=context, row=row, trigger=trigger)
            for context in family.contexts
            if context.seed == seed_id
            for row in range(len(context.about))
            if (context.id, row) not in self._rows
            for trigger in family.triggers
            if (context.id, trigger.id) not in self._pairs
        ]
        return sorted(filter(self._fits, options), key=order)

    def _fits(self, option: _Option) -> bool:
        trigger = option.trigger
        required = (str(value) for name, value in trigger.params.items() if not name.endswith("?"))
        needed = slots_of(" ".join((trigger.say, *required)))
        return needed <= option.about.keys() | self._pools.keys()

    def _admits(self, case: Case) -> bool:
        return (
            len(case.context.split()) in CONTEXT_WORDS
            and len(case.trigger.split()) in TRIGGER_WORDS
            and self._contexts.admits(case.context)
            and self._triggers.admits(case.trigger)
        )

    def _take(self, option: _Option, case: Case) -> None:
        self._contexts.take(case.context)
        self._triggers.take(case.trigger)
        self._template_uses.update((option.context.id, option.trigger.id))
        self._pairs.add((option.context.id, option.trigger.id))
        self._rows.add((option.context.id, option.row))


def _fill(option: _Option, tool: str, family: str, case_id: str, slots: Slots) -> Case:
    return Case(
        id=case_id,
        tool=tool,
        context=slots.say(option.context.say),
        trigger=slots.say(option.trigger.say),
        params=slots.params(option.trigger.params),
        origin="generated",
        template=family,
        context_template=option.context.id,
        trigger_template=option.trigger.id,
        seed_id=option.context.seed,
    )


def _rank(*names: str) -> str:
    return hashlib.sha256("\x1f".join((str(SEED), *names)).encode()).hexdigest()
