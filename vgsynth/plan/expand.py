"""Expansion: cases × conditions × grid cells, as a stream of case plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nsmallest

from vgsynth.contract.problems import Problem, ProblemLog
from vgsynth.plan.cast import Casting
from vgsynth.plan.draws import draw_bits
from vgsynth.plan.files import FileFacts
from vgsynth.plan.hold_out import Splitter, case_field
from vgsynth.plan.item import plan_item
from vgsynth.plan.model import CasePlan, ItemPlan
from vgsynth.plan.pairs import forbidden
from vgsynth.plan.policy import PolicyError
from vgsynth.plan.settle import Settler, UnsettledError
from vgsynth.plan.take import Take, TakeError
from vgsynth.plan.template import SceneTemplate, scene_templates
from vgsynth.spec.model import Case, Member, PairSpec, Path_, Spec, VoiceEntry
from vgsynth.spec.places import path_text


def expand(
    spec: Spec, log: ProblemLog, *, hash_files: bool = True, sample: int | None = None
) -> Iterator[CasePlan]:
    """The plans of a spec, case by case, in the order of its cases; memory stays flat.

    Problems go to ``log``; an item with a problem is left out, so that the rest is looked at too. Whoever
    uses the plans calls ``log.raise_if_any()`` behind a full pass first. ``hash_files=False`` leaves the
    hashes of files empty: enough for a check. ``sample`` keeps that many cases, chosen by the rank of a
    seeded hash; each is what it would be among all the others.
    """
    templates = scene_templates(spec)
    splitter = Splitter(spec, log)
    casting = Casting(spec.seed, spec.speakers)
    settler = Settler.of(spec, FileFacts(spec.root, hashing=hash_files), log)
    pairs = _pair_templates(spec, templates)
    twins = _Twins(spec, log) if _may_collide(templates) else None
    takes = _takes(spec, templates, splitter, log)
    chosen = None if sample is None else sample_of(spec, splitter, sample)
    for case in spec.cases:
        cast = _cast(spec, case, splitter, casting, log)
        if cast is None or not splitter.keeps(case):
            continue
        taken = [t for t in templates if takes is None or takes(t, case)]
        items = _case_items(case, taken, splitter.part(case).part, cast, settler)
        if twins is not None:
            items = [(template, item) for template, item in items if twins.is_new(item, case)]
        if chosen is None or case.id in chosen:
            yield CasePlan(case_id=case.id, items=tuple(_paired(spec, case, items, pairs, log)))
    log.extend(spec.cases.problems)


def sample_of(spec: Spec, splitter: Splitter, count: int) -> frozenset[str]:
    """Ids of ``count`` cases (or all, where there are fewer), the same ones each time."""
    kept = (case for case in spec.cases if splitter.keeps(case))
    ranked = ((draw_bits(spec.seed, case.id, "sample"), case.id) for case in kept)
    return frozenset(case_id for _, case_id in nsmallest(count, ranked))


def _cast(
    spec: Spec, case: Case, splitter: Splitter, casting: Casting, log: ProblemLog
) -> Mapping[str, VoiceEntry] | None:
    """The voices of a case; asked for every case in turn, also for those that are not kept."""
    split = splitter.part(case)
    strata = {
        name: tuple(str(case_field(case, within)) for within in speaker.balance_within)
        + ((split.part,) if split.part and split.voices is not None else ())
        for name, speaker in spec.speakers.items()
    }
    try:
        return casting.cast(case, stratum=strata, allowed=split.voices)
    except ValueError as error:
        _note(log, spec, ("speakers",), str(error), "add voices to its pool", case)
        return None


def _case_items(
    case: Case,
    templates: Sequence[SceneTemplate],
    split: str | None,
    cast: Mapping[str, VoiceEntry],
    settler: Settler,
) -> list[tuple[SceneTemplate, ItemPlan]]:
    spec = settler.spec
    items = []
    for template in templates:
        if not _applies(case, template.scene.when):
            continue
        for repeat in range(template.scene.repeats):
            suffix = f".r{repeat + 1}" if template.scene.repeats > 1 else ""
            item_id = f"{case.id}{template.suffix}{suffix}"
            try:
                scene = settler.settle(template, case, item_id=item_id, split=split, cast=cast)
                items.append((template, plan_item(scene, spec)))
            except UnsettledError:
                continue
            except PolicyError as error:
                key = "target" if template.target is not None else "condition"
                _note(settler.log, spec, (*template.scene.path, key), str(error), error.fix, case)
    return items


def _takes(
    spec: Spec, templates: Sequence[SceneTemplate], splitter: Splitter, log: ProblemLog
) -> Callable[[SceneTemplate, Case], bool] | None:
    """Whether a grid cell takes a case, where the grid takes a part of them."""
    grid = spec.grid
    if grid is None or grid.take is None:
        return None
    within = grid.take.within
    index = {id(template): i for i, template in enumerate(t for t in templates if t.cell)}
    levels = {axis.name: [level for level, _ in axis.levels] for axis in grid.axes}
    cells = [[levels[axis].index(level) for axis, level in t.cell] for t in templates if t.cell]
    cases = (
        (case.id, "" if within is None else str(case_field(case, within)))
        for case in spec.cases
        if splitter.keeps(case)
    )
    try:
        take = Take(spec.seed, grid.take.count, cells, cases)
    except TakeError as error:
        path: Path_ = ("grid", "take", "count")
        place = spec.places.of(path)
        fix = "ask for fewer, or add cases"
        log.add(Problem(place=place, path=path_text(path), message=str(error), fix=fix))
        return None
    return lambda template, case: not template.cell or take.has(index[id(template)], case.id)


def _applies(case: Case, when: Mapping[str, tuple[object, ...]]) -> bool:
    return all(case_field(case, dotted) in values for dotted, values in when.items())


def _may_collide(templates: Sequence[SceneTemplate]) -> bool:
    """Whether two cases can give one item id: case ``a.b`` with condition ``c``, ``a`` with ``b.c``."""
    suffixes = [template.suffix.casefold() for template in templates]
    return any(a != b and a.endswith(b) for a in suffixes for b in suffixes)


class _Twins:
    """Refuses an item whose id another case's item has. Letter case does not tell files apart everywhere."""

    def __init__(self, spec: Spec, log: ProblemLog) -> None:
        self._spec = spec
        self._log = log
        self._seen: dict[str, str] = {}

    def is_new(self, item: ItemPlan, case: Case) -> bool:
        other = self._seen.setdefault(item.item_id.casefold(), case.id)
        if other != case.id:
            _note(
                self._log,
                self._spec,
                ("scenes",),
                f"the item id {item.item_id} belongs to two cases, {other} and {case.id}",
                "rename the condition or the case: a dot in either can make them alike",
                case,
            )
        return other == case.id


# -- pairs -------------------------------------------------------------------------------------------------


def _pair_templates(spec: Spec, templates: Sequence[SceneTemplate]) -> list[tuple[PairSpec, tuple[int, int]]]:
    """Each pair with the ids of its members' templates."""
    found = []
    for pair in spec.pairs:
        first, second = (_template_of(member, templates) for member in pair.members)
        if first is not None and second is not None:
            found.append((pair, (id(first), id(second))))
    return found


def _template_of(member: Member, templates: Sequence[SceneTemplate]) -> SceneTemplate | None:
    for template in templates:
        if template.scene.condition == member.condition and dict(template.cell) == dict(member.cell):
            return template
    return None


def _paired(
    spec: Spec,
    case: Case,
    items: Sequence[tuple[SceneTemplate, ItemPlan]],
    pairs: Sequence[tuple[PairSpec, tuple[int, int]]],
    log: ProblemLog,
) -> list[ItemPlan]:
    """The items, those of a pair carrying its id; what a pair differs in but may not goes to the log."""
    plans = [item for _, item in items]
    for pair, members in pairs:
        sides = [[i for i, (template, _) in enumerate(items) if id(template) == m] for m in members]
        for first, second in zip(*sides, strict=False):
            repeat = plans[first].item_id.rpartition(".r")[2] if len(sides[0]) > 1 else ""
            pair_id = f"{case.id}.{pair.name}" + (f".r{repeat}" if repeat else "")
            for difference in forbidden(plans[first], plans[second], pair.may_differ_in):
                _note(
                    log,
                    spec,
                    pair.path,
                    f"the pair {' / '.join(m.condition for m in pair.members)} differs in {difference.name}",
                    f"make it the same (a draw is shared with `per: case`), or list {difference.name}"
                    " in `may_differ_in`",
                    case,
                    detail=f"({difference.first} against {difference.second})",
                )
            for index in (first, second):
                plans[index] = replace(plans[index], pair_id=pair_id)
    return plans


def _note(
    log: ProblemLog, spec: Spec, path: Path_, message: str, fix: str, case: Case, *, detail: str = ""
) -> None:
    place = spec.places.of(path)
    problem = Problem(place=place, path=path_text(path), message=message, fix=fix)
    log.add(problem, case_id=case.id, detail=detail)
