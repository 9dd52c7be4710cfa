"""Every cue, asked every question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from vgsynth.audit.cues import Cue, CueKind, CueValue
from vgsynth.audit.options import AuditOptions
from vgsynth.audit.probe import Folds, Hits, intervals, is_constant, make_folds, probe
from vgsynth.audit.questions import Question
from vgsynth.audit.values import Interval, Skipped, figure
from vgsynth.audit.verdict import RULE, Verdict, margin, verdict

SPEAKER_CUE = "speaker_change"
CONSTANT, ABSENT, FEW = "the same everywhere", "no item has it", "a label has fewer than four cases"


@dataclass(frozen=True, slots=True, kw_only=True)
class CueResult:
    """How well one cue alone predicts a label. Figures are None where it was not tested."""

    cue: str
    kind: CueKind
    about: str
    units: int
    missing: int
    """Units without a value: a class of their own."""
    score: float | None
    """Balanced accuracy, cross-validated."""
    interval: Interval | None
    accuracy: float | None
    """Plain accuracy of the same predictions."""
    verdict: Verdict
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionResult:
    """A label, and all cues against it."""

    question: str
    about: str
    units: int
    cases: int
    classes: Mapping[str, int]
    chance: float
    """Balanced accuracy of guessing, and of always saying the same."""
    majority_accuracy: float
    """Plain accuracy of always saying the most frequent label."""
    margin: float
    rule: str
    cues: tuple[CueResult, ...]


def ask(
    question: Question,
    options: AuditOptions,
    *,
    speakers: frozenset[str] | Skipped,
    on_cue: Callable[[int], None] = lambda _: None,
) -> QuestionResult:
    """Probe all cues of a question. ``speakers``: ids of the items of which the speakers were compared."""
    chance = 1.0 / len(question.classes)
    groups = [_tested(question, [cue for cue in question.cues if cue.name != SPEAKER_CUE], options, on_cue)]
    if not isinstance(speakers, Skipped):
        of_speakers = [cue for cue in question.cues if cue.name == SPEAKER_CUE]
        groups.append(_tested(_restricted(question, speakers), of_speakers, options, on_cue))
    probed = sum(found.hits is not None for group in groups for found in group.values())
    widened = 1.0 - (1.0 - options.confidence) / max(1, probed)
    scored: dict[str, _Tested] = {}
    for group in groups:
        scored |= _with_intervals(group, (options.confidence, widened), options)
    results = []
    for cue in question.cues:
        if cue.name == SPEAKER_CUE and isinstance(speakers, Skipped):
            results.append(_untested(cue, len(question.subjects), speakers.skipped))
        else:
            results.append(_result(cue, scored[cue.name], chance, options))
    return QuestionResult(
        question=question.name,
        about=question.about,
        units=len(question.subjects),
        cases=len({subject.row.case_id for subject in question.subjects}),
        classes=question.classes,
        chance=figure(chance),
        majority_accuracy=figure(max(question.classes.values()) / len(question.subjects)),
        margin=figure(margin(chance, options.margin_share)),
        rule=RULE.format(
            confidence=options.confidence, margin=margin(chance, options.margin_share), cues=probed
        ),
        cues=tuple(results),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Tested:
    """A probe's result on its way; without ``hits`` there was nothing to probe, and ``note`` says why."""

    units: int
    missing: int
    hits: Hits | None = None
    note: str = ""
    plain: Interval | None = None
    widened: Interval | None = None


def _tested(
    question: Question, cues: Sequence[Cue], options: AuditOptions, on_cue: Callable[[int], None]
) -> dict[str, _Tested]:
    folds = make_folds(question, options) if len(question.classes) > 1 else None
    found = {}
    for cue in cues:
        values = [cue.of(subject) for subject in question.subjects]
        found[cue.name] = _test(cue, values, folds)
        on_cue(1)
    return found


def _test(cue: Cue, values: Sequence[CueValue], folds: Folds | None) -> _Tested:
    tested = _Tested(units=len(values), missing=sum(value is None for value in values))
    if is_constant(values):
        return replace(tested, note=ABSENT if tested.missing == tested.units else CONSTANT)
    if folds is None:
        return replace(tested, note=FEW)
    return replace(tested, hits=probe(cue, values, folds))


def _with_intervals(
    tested: Mapping[str, _Tested], confidences: tuple[float, float], options: AuditOptions
) -> dict[str, _Tested]:
    """Probes of the same units, with their intervals."""
    hits = {name: found.hits for name, found in tested.items() if found.hits is not None}
    found = dict(zip(hits, intervals(list(hits.values()), confidences, options), strict=True))
    return {
        name: replace(test, plain=found[name][0], widened=found[name][1]) if name in found else test
        for name, test in tested.items()
    }


def _result(cue: Cue, tested: _Tested, chance: float, options: AuditOptions) -> CueResult:
    if tested.hits is None or tested.plain is None or tested.widened is None:
        if tested.note in (CONSTANT, ABSENT):
            same = Interval(low=figure(chance), high=figure(chance))
            return replace(
                _untested(cue, tested.units, tested.note),
                missing=tested.missing,
                score=figure(chance),
                interval=same,
                verdict="uninformative",
            )
        return replace(_untested(cue, tested.units, tested.note), missing=tested.missing)
    return CueResult(
        cue=cue.name,
        kind=cue.kind,
        about=cue.about,
        units=tested.units,
        missing=tested.missing,
        score=figure(tested.hits.balanced_accuracy()),
        interval=tested.plain,
        accuracy=figure(tested.hits.accuracy()),
        verdict=verdict(tested.plain, tested.widened, chance=chance, margin_share=options.margin_share),
    )


def _untested(cue: Cue, units: int, note: str) -> CueResult:
    return CueResult(
        cue=cue.name,
        kind=cue.kind,
        about=cue.about,
        units=units,
        missing=0,
        score=None,
        interval=None,
        accuracy=None,
        verdict="not tested",
        note=note,
    )


def _restricted(question: Question, item_ids: frozenset[str]) -> Question:
    kept = [i for i, subject in enumerate(question.subjects) if subject.row.item_id in item_ids]
    return replace(
        question,
        subjects=tuple(question.subjects[i] for i in kept),
        labels=tuple(question.labels[i] for i in kept),
    )
