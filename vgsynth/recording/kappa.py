"""Cohen's kappa: agreement of two annotators beyond what their habits alone would give.

J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20
(1960).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vgsynth.audit.values import Interval, figure

RESAMPLES = 4000
SEED = 0
CONFIDENCE = 0.95
_CHUNK = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class Kappa:
    """How far two columns of labels agree."""

    items: int
    """Those that both have labelled."""
    agreed: int
    agreement: float
    agreement_interval: Interval
    """95 %, by Wilson."""
    kappa: float | None
    """None where both give one and the same label to all: chance alone would agree, and kappa is 0/0."""
    kappa_interval: Interval | None
    """95 %, percentiles of a bootstrap over cases (seeded), whose items belong together."""
    confusion: tuple[tuple[str, str, int], ...]
    """First's label, second's label, how often."""


def kappa_of(first: Sequence[str], second: Sequence[str], cases: Sequence[str]) -> Kappa | None:
    """Agreement of two annotators over the same items, given with the case of each; None without any."""
    if not first:
        return None
    from scipy.stats import binomtest

    pairs = list(zip(first, second, strict=True))
    agreed = sum(a == b for a, b in pairs)
    interval = binomtest(agreed, len(pairs)).proportion_ci(CONFIDENCE, method="wilson")
    by_case = _tables(pairs, cases)
    value = float(_kappa(by_case.sum(axis=0)))
    known = math.isfinite(value)
    return Kappa(
        items=len(pairs),
        agreed=agreed,
        agreement=figure(agreed / len(pairs)),
        agreement_interval=Interval(low=figure(interval.low), high=figure(interval.high)),
        kappa=figure(value) if known else None,
        kappa_interval=_interval(by_case) if known else None,
        confusion=tuple((a, b, n) for (a, b), n in sorted(Counter(pairs).items())),
    )


def _tables(pairs: Sequence[tuple[str, str]], cases: Sequence[str]) -> NDArray[np.float64]:
    """How often each pair of labels stands in each case, shape (cases, labels, labels)."""
    label = {name: i for i, name in enumerate(sorted({name for pair in pairs for name in pair}))}
    row = {name: i for i, name in enumerate(sorted(set(cases)))}
    counts = np.zeros((len(row), len(label), len(label)))
    for case, (a, b) in zip(cases, pairs, strict=True):
        counts[row[case], label[a], label[b]] += 1
    return counts


def _kappa(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each table, shape (..., labels, labels); NaN where chance alone would agree."""
    total = counts.sum(axis=(-2, -1))
    observed = np.trace(counts, axis1=-2, axis2=-1) / total
    by_chance = (counts.sum(axis=-1) * counts.sum(axis=-2)).sum(axis=-1) / total**2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(by_chance < 1.0, (observed - by_chance) / (1.0 - by_chance), np.nan))


def _interval(by_case: NDArray[np.float64]) -> Interval:
    cases, labels, _ = by_case.shape
    flat = by_case.reshape(cases, labels * labels)
    random = np.random.default_rng(SEED)
    values = []
    for _ in range(RESAMPLES // _CHUNK):
        drawn = random.multinomial(cases, np.full(cases, 1 / cases), size=_CHUNK)
        values.append(_kappa((drawn @ flat).reshape(-1, labels, labels)))
    found = np.concatenate(values)
    tail = 50.0 * (1.0 - CONFIDENCE)
    low, high = np.percentile(found[np.isfinite(found)], [tail, 100.0 - tail])
    return Interval(low=figure(low), high=figure(high))
