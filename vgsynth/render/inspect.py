"""A full pass over a spec without rendering: every problem, and how much there is to make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from vgsynth.contract.problems import Problem, ProblemLog
from vgsynth.plan.expand import expand
from vgsynth.plan.model import CasePlan, ItemPlan, VoicePlan
from vgsynth.spec.dynamic import compile_dynamic, is_constant
from vgsynth.spec.model import Spec
from vgsynth.spec.places import path_text

WAV_HEADER_BYTES = 44
SECONDS_A_WORD = 0.36
"""What the embedded voices take for a word, on the average of commands."""


def cell_name(item: ItemPlan) -> str:
    """A grid cell as reports write it; "" outside grids."""
    return "_".join(f"{axis}-{level}" for axis, level in item.cell)


def estimated_seconds(item: ItemPlan) -> float:
    """About how long an item will last: speech is guessed from its words, gaps are known."""
    if item.modality == "text":
        return 0.0
    gaps = item.gap_after_samples + sum(s.gap_before_samples for s in item.segments)
    words = sum(len(s.source.text.split()) for s in item.segments)
    return gaps / item.sample_rate_hz + words * SECONDS_A_WORD


@dataclass(slots=True, kw_only=True)
class Totals:
    """Counts over the items of a spec."""

    cases: int = 0
    items: int = 0
    conditions: Counter[str] = field(default_factory=Counter)
    cells: Counter[str] = field(default_factory=Counter)
    targets: Counter[str] = field(default_factory=Counter)
    splits: Counter[str] = field(default_factory=Counter)

    def count(self, case: CasePlan) -> None:
        """Add a case."""
        self.cases += 1
        for item in case.items:
            self.items += 1
            self.conditions[item.condition] += 1
            self.targets[item.target.tool or item.target.kind] += 1
            if item.cell:
                self.cells[cell_name(item)] += 1
            if item.split:
                self.splits[item.split] += 1


def inspect_spec(spec: Spec, *, sample: int | None = None) -> Totals:
    """Expand the whole spec once. Raises InputError with every problem that was found."""
    log = ProblemLog()
    totals = Totals()
    for case in expanded(spec, log, hash_files=False, sample=sample):
        totals.count(case)
    if not totals.items and not log:
        place = spec.places.of(("scenes",))
        log.add(
            Problem(
                place=place, path="scenes", message="no case gives any item", fix="check `cases` and `when`"
            )
        )
    log.raise_if_any()
    return totals


def expanded(
    spec: Spec, log: ProblemLog, *, hash_files: bool, sample: int | None = None
) -> Iterator[CasePlan]:
    """The plans of a spec, with the problems of its voices in the log as well."""
    for problem in dict.fromkeys(_voice_problems(spec)):  # a pool's voices are those of several speakers
        log.add(problem)
    yield from expand(spec, log, hash_files=hash_files, sample=sample)


def _voice_problems(spec: Spec) -> Iterator[Problem]:
    from vgsynth.voices.registry import voice_problem

    for speaker in spec.speakers.values():
        for voice in speaker.voices:
            settings = {**voice.settings, **speaker.settings}
            fixed = {name: value for name, value in settings.items() if is_constant(compile_dynamic(value))}
            plan = VoicePlan(engine=voice.engine, name=voice.name, settings=tuple(sorted(fixed.items())))
            found = voice_problem(plan, sorted(settings.keys() - fixed.keys()))
            if found is not None:
                message, fix = found
                place, path = spec.places.of(voice.path), path_text(voice.path)
                yield Problem(place=place, path=path, message=message, fix=fix)
