"""What the spec says must hold of its cues, held against what the probes found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vgsynth.audit.cues import CUES, UTTERANCE_CUES, Cue, field_cue
from vgsynth.audit.predict import QuestionResult
from vgsynth.audit.questions import Question
from vgsynth.audit.values import shown
from vgsynth.audit.verdict import Verdict
from vgsynth.contract.problems import Place, Problem, ProblemLog
from vgsynth.contract.suggest import did_you_mean

QUESTIONS = ("action", "kind", "tool", "addressed")
STATED: tuple[Verdict, ...] = ("informative", "uninformative")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """One entry of ``expect``: ``cue: verdict``, or ``cue/question: verdict``."""

    key: str
    cue: str
    question: str | None
    """None: the set's main question."""
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """A stated entry and what was found."""

    key: str
    stated: Verdict
    found: Verdict
    holds: bool
    why: str
    """The figures behind it, in words."""


def read_expectations(expect: Mapping[str, Any], file: str) -> tuple[Stated, ...]:
    """Check what was stated. Raises InputError, with suggestions, for cues and verdicts that do not exist."""
    log = ProblemLog()
    entries = []
    for key, verdict in expect.items():
        cue, slash, question = key.partition("/")
        names = [known.name for known in (UTTERANCE_CUES if question == "addressed" else CUES)]
        path = f"expect.{key}"
        if slash and question not in QUESTIONS:
            message = f"there is no question {question!r}"
            log.add(_problem(file, path, message, _hint(question, QUESTIONS)))
        elif cue not in names and field_cue(cue) is None:
            log.add(_problem(file, path, f"there is no cue {cue!r}", _hint(cue, names)))
        if verdict not in STATED:
            log.add(_problem(file, path, f"{verdict!r} is not a verdict", _hint(verdict, STATED)))
        entries.append(Stated(key=key, cue=cue, question=question or None, verdict=verdict))
    log.raise_if_any()
    return tuple(entries)


def with_stated_cues(questions: Sequence[Question], stated: Sequence[Stated]) -> tuple[Question, ...]:
    """The questions, with those cues that were stated of them and are fields of cases or grid cells."""
    main = _main([question.name for question in questions])
    extended = []
    for question in questions:
        wanted = [entry.cue for entry in stated if (entry.question or main) == question.name]
        known = {cue.name for cue in question.cues}
        extra = [field_cue(name) for name in dict.fromkeys(wanted) if name not in known]
        cues: tuple[Cue, ...] = (*question.cues, *(cue for cue in extra if cue is not None))
        extended.append(replace(question, cues=cues))
    return tuple(extended)


def check_expectations(
    stated: Sequence[Stated], results: Sequence[QuestionResult], unasked: str = ""
) -> tuple[Expectation, ...]:
    """Hold each entry against the results. ``unasked``: why there are no results, if there are none.

    An entry that could not be tested, or that is undecided, does not hold: nothing shows that it does.
    """
    return tuple(_check(entry, results, unasked) for entry in stated)


def _check(entry: Stated, results: Sequence[QuestionResult], unasked: str) -> Expectation:
    name = entry.question or _main([result.question for result in results])
    question = next((result for result in results if result.question == name), None)
    if question is None:
        asked = f"the question {name!r}" if name else "any question"
        why = unasked or f"every item has the same answer to {asked}: there is nothing to predict"
        return _expectation(entry, "not tested", why)
    cue = next(found for found in question.cues if found.cue == entry.cue)
    if cue.score is None or cue.interval is None:
        return _expectation(entry, cue.verdict, cue.note)
    figures = (
        f"balanced accuracy {cue.score:.3f} [{cue.interval.low:.3f}, {cue.interval.high:.3f}] for"
        f" {question.question}, chance {question.chance:.3f}, {question.cases} cases"
    )
    return _expectation(entry, cue.verdict, f"{figures}; {cue.note}" if cue.note else figures)


def _main(names: Sequence[str]) -> str | None:
    """The question that is meant where none is named: the first about whole items."""
    return next((name for name in names if name != "addressed"), None)


def _expectation(entry: Stated, found: Verdict, why: str) -> Expectation:
    return Expectation(
        key=entry.key, stated=entry.verdict, found=found, holds=found == entry.verdict, why=why
    )


def _problem(file: str, path: str, message: str, fix: str) -> Problem:
    return Problem(place=Place(file=file), path=shown(path), message=message, fix=fix)


def _hint(name: object, names: Sequence[str]) -> str:
    return did_you_mean(name, names) or f"use one of {', '.join(names)}"
