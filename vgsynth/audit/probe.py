"""How well one cue alone predicts a label: a cross-validated probe, grouped by case.

Rules, which the audit's page repeats:

* Logistic regression with balanced class weights. Classes are one-hot. Numbers of at most twelve values count
  as classes; others are cut into eight quantile bins (on the training folds) beside their standardised value.
  Words are TF-IDF vectors of words and word pairs. A missing value is a class of its own: that it is missing
  may tell something.
* All items of a case are in one fold, so that no probe knows a case's words or voices from training: a pair
  with the same words cannot be told apart by them.
* The figure is balanced accuracy (the mean of the classes' recalls): chance is 1 / classes. A cue that is
  balanced against the label over the whole set scores below chance: what a training fold has too many of, the
  test fold has too few of.
* Its interval comes from 4,000 bootstrap resamples of the cases; the probes are not trained anew for each.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vgsynth.audit.cues import Cue, CueValue
from vgsynth.audit.options import AuditOptions
from vgsynth.audit.questions import Question
from vgsynth.audit.values import Interval, figure

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_CLASSES_OF_NUMBERS = 12
BINS = 8
MIN_CASES = 4
"""Of each label: left out of training, a case of a label that has no others says nothing."""
SCORE_DIGITS = 6
"""Scores that differ by less are ties: they go to the first class, whatever the last bits of the sums are."""
_CHUNK = 256

Indices = NDArray[np.intp]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Folds:
    """Cases, and which units are tested when, for all probes of a question."""

    case_of: Indices
    """Index of each unit's case, shape (units,)."""
    n_cases: int
    label_of: Indices
    """Index of each unit's class, shape (units,)."""
    n_classes: int
    tests: tuple[tuple[Indices, ...], ...]
    """For each repeat the units of each fold."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hits:
    """What a probe got right, by case and class: both of shape (cases, classes)."""

    right: Counts
    """Summed over the repeats."""
    total: Counts
    repeats: int

    def balanced_accuracy(self) -> float:
        """Mean recall over the classes."""
        return float((self.right.sum(axis=0) / (self.repeats * self.total.sum(axis=0))).mean())

    def accuracy(self) -> float:
        """Share of all that was right."""
        return float(self.right.sum() / (self.repeats * self.total.sum()))


def make_folds(question: Question, options: AuditOptions) -> Folds | None:
    """Folds for a question; None where a label has too few cases."""
    from sklearn.model_selection import StratifiedGroupKFold

    cases = sorted({subject.row.case_id for subject in question.subjects})
    classes = list(question.classes)
    at = {case: index for index, case in enumerate(cases)}
    case_of = np.array([at[subject.row.case_id] for subject in question.subjects], dtype=np.intp)
    label_of = np.array([classes.index(label) for label in question.labels], dtype=np.intp)
    if min(np.unique(case_of[label_of == label]).size for label in range(len(classes))) < MIN_CASES:
        return None
    n_folds = min(options.folds, len(cases), int(np.bincount(label_of).max()))
    tests = []
    for repeat in range(options.repeats):
        splitter = StratifiedGroupKFold(n_splits=n_folds, shuffle=True, random_state=options.seed + repeat)
        with warnings.catch_warnings():
            # A class with fewer units than folds is fine: it is then missing from some test folds.
            warnings.simplefilter("ignore", UserWarning)
            tests.append(tuple(test for _, test in splitter.split(label_of, label_of, case_of)))
    return Folds(
        case_of=case_of, n_cases=len(cases), label_of=label_of, n_classes=len(classes), tests=tuple(tests)
    )


def probe(cue: Cue, values: Sequence[CueValue], folds: Folds) -> Hits:
    """What the cue alone gets right of units that were left out of training."""
    right = np.zeros((folds.n_cases, folds.n_classes), dtype=np.int64)
    for tests in folds.tests:
        for test in tests:
            if not test.size:
                continue
            train = np.setdiff1d(np.arange(folds.label_of.size), test)
            predicted = _predict(cue, values, folds.label_of, train, test)
            hit = test[predicted == folds.label_of[test]]
            np.add.at(right, (folds.case_of[hit], folds.label_of[hit]), 1)
    total = np.zeros_like(right)
    np.add.at(total, (folds.case_of, folds.label_of), 1)
    return Hits(right=right, total=total, repeats=len(folds.tests))


def is_constant(values: Sequence[CueValue]) -> bool:
    """Whether a cue says the same of every unit."""
    return len(set(values)) < 2


def intervals(
    hits: Sequence[Hits], confidences: Sequence[float], options: AuditOptions
) -> list[tuple[Interval, ...]]:
    """Percentile bootstrap intervals of balanced accuracy, cases resampled: for each probe, one a confidence.

    All probes see the same resamples. Counts are whole numbers, so the sums are exact on any machine.
    """
    if not hits:
        return []
    n_cases, n_classes = hits[0].total.shape
    table = np.concatenate([hits[0].total, *(h.right for h in hits)], axis=1).astype(np.float64)
    rng = np.random.default_rng(options.seed)
    scores = []
    for done in range(0, options.resamples, _CHUNK):
        size = min(_CHUNK, options.resamples - done)
        drawn = rng.integers(0, n_cases, size=(size, n_cases))
        drawn += n_cases * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=size * n_cases).reshape(size, n_cases)
        sums = (times.astype(np.float64) @ table).reshape(size, 1 + len(hits), n_classes)
        total = sums[:, :1]
        recall = np.where(total > 0.0, sums[:, 1:] / np.maximum(total, 1.0), 0.0) / hits[0].repeats
        scores.append(recall.sum(axis=2) / (total > 0.0).sum(axis=2))
    every = np.concatenate(scores)
    return [
        tuple(_interval(every[:, column], confidence) for confidence in confidences)
        for column in range(len(hits))
    ]


def _interval(scores: NDArray[np.float64], confidence: float) -> Interval:
    rest = (1.0 - confidence) / 2.0
    low, high = np.quantile(scores, [rest, 1.0 - rest])
    return Interval(low=figure(low), high=figure(high))


def _predict(
    cue: Cue, values: Sequence[CueValue], label_of: Indices, train: Indices, test: Indices
) -> Indices:
    from sklearn.linear_model import LogisticRegression

    present = np.unique(label_of[train])
    if present.size == 1:
        return np.full(test.size, present[0])
    features = _FEATURES[cue.kind](values, train)
    model = LogisticRegression(class_weight="balanced", max_iter=1000)
    model.fit(features(train), label_of[train])
    scores = np.round(model.decision_function(features(test)), SCORE_DIGITS)
    if scores.ndim == 1:
        return np.asarray(model.classes_[(scores > 0.0).astype(np.intp)])
    return np.asarray(model.classes_[np.argmax(scores, axis=1)])


_Features = Callable[[Indices], Any]
"""From units to a matrix of shape (units, features), dense or sparse."""


def _classes(values: Sequence[CueValue], train: Indices) -> _Features:
    """One-hot over the values that occur in training; a value never seen is a row of zeros."""
    names = sorted({_name(values[i]) for i in train})
    at = {name: column for column, name in enumerate(names)}
    columns = np.array([at.get(_name(value), -1) for value in values])

    def features(units: Indices) -> csr_array:
        from scipy.sparse import csr_array

        known = np.flatnonzero(columns[units] >= 0)
        ones = np.ones(known.size)
        return csr_array((ones, (known, columns[units][known])), shape=(units.size, len(names)))

    return features


def _name(value: CueValue) -> str:
    return "none" if value is None else f"={value}"


def _numbers(values: Sequence[CueValue], train: Indices) -> _Features:
    if len(set(values)) <= MAX_CLASSES_OF_NUMBERS:
        return _classes(values, train)
    numbers = np.array([np.nan if value is None else float(value) for value in values])
    seen = numbers[train][~np.isnan(numbers[train])]
    if not seen.size:
        return _classes([None if value is None else "some" for value in values], train)
    mean, deviation = float(seen.mean()), float(seen.std()) or 1.0
    edges = np.unique(np.quantile(seen, np.arange(1, BINS) / BINS))
    missing = np.isnan(numbers)
    bins = np.where(missing, edges.size + 1, np.searchsorted(edges, np.where(missing, 0.0, numbers), "right"))
    scaled = np.where(missing, 0.0, (numbers - mean) / deviation)

    def features(units: Indices) -> NDArray[np.float64]:
        matrix = np.zeros((units.size, edges.size + 3))
        matrix[np.arange(units.size), bins[units]] = 1.0
        matrix[:, -1] = scaled[units]
        return matrix

    return features


def _texts(values: Sequence[CueValue], train: Indices) -> _Features:
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = ["" if value is None else str(value) for value in values]
    vectors = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"[^\W_]+(?:'[^\W_]+)?")
    try:
        vectors.fit([texts[i] for i in train])
    except ValueError:  # no words at all
        return _classes(values, train)
    return lambda units: vectors.transform([texts[i] for i in units])


_FEATURES: dict[str, Callable[[Sequence[CueValue], Indices], _Features]] = {
    "class": _classes,
    "number": _numbers,
    "words": _texts,
}
