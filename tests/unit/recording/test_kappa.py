"""Cohen's kappa against scikit-learn and against worked examples; its intervals against what they mean."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vgsynth.recording.kappa import Kappa, kappa_of

LABELS = st.sampled_from(["[Mute]", "answer", "tool:call"])


def kappa(pairs: list[tuple[str, str]], cases: list[str] | None = None) -> Kappa:
    """Of pairs of labels, each a case of its own unless said otherwise."""
    found = kappa_of(
        [a for a, _ in pairs], [b for _, b in pairs], cases or [str(i) for i in range(len(pairs))]
    )
    assert found is not None
    return found


def test_a_worked_example() -> None:
    """Twenty yes-yes, five yes-no, ten no-yes, fifteen no-no: observed 0.70, by chance 0.50, kappa 0.40."""
    pairs = 20 * [("yes", "yes")] + 5 * [("yes", "no")] + 10 * [("no", "yes")] + 15 * [("no", "no")]
    found = kappa(pairs)
    assert (found.items, found.agreed, found.agreement) == (50, 35, 0.7)
    assert found.kappa == pytest.approx(0.4, abs=1e-6)
    assert {(a, b): n for a, b, n in found.confusion} == {
        ("yes", "yes"): 20, ("yes", "no"): 5, ("no", "yes"): 10, ("no", "no"): 15,
    }  # fmt: skip
    # Wilson's interval from its formula.
    p, n, z = 0.7, 50, 1.959964
    middle, half = p + z**2 / (2 * n), z * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    assert found.agreement_interval.low == pytest.approx((middle - half) / (1 + z**2 / n), abs=2e-6)
    assert found.agreement_interval.high == pytest.approx((middle + half) / (1 + z**2 / n), abs=2e-6)
    # Cohen's first standard error, sqrt(p (1 - p) / (n (1 - chance)^2)), is close to the bootstrap's here.
    error = math.sqrt(p * (1 - p) / (n * 0.5**2))
    assert found.kappa_interval is not None
    assert found.kappa_interval.low == pytest.approx(0.4 - z * error, abs=0.03)
    assert found.kappa_interval.high == pytest.approx(0.4 + z * error, abs=0.03)


@settings(deadline=None, max_examples=30)
@given(pairs=st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=40))
def test_the_same_as_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import cohen_kappa_score

    found = kappa(pairs)
    if len({label for pair in pairs for label in pair}) == 1:
        assert found.kappa is None
        assert found.kappa_interval is None
        return
    expected = cohen_kappa_score([a for a, _ in pairs], [b for _, b in pairs])
    assert found.kappa == pytest.approx(expected, abs=1e-6)
    assert found.kappa_interval is not None
    assert found.kappa_interval.low <= found.kappa_interval.high


def test_the_same_every_time_and_in_any_order() -> None:
    draw = random.Random(1)
    pairs = [(draw.choice("abc"), draw.choice("abc")) for _ in range(60)]
    cases = [str(i) for i in range(60)]
    assert kappa(pairs, cases) == kappa(pairs, cases)
    order = draw.sample(range(60), 60)
    assert kappa([pairs[i] for i in order], [cases[i] for i in order]) == kappa(pairs, cases)


def test_items_of_one_case_count_as_one() -> None:
    """Four copies of each item tell no more than one: the interval stays, where each alone would halve it."""
    draw = random.Random(2)
    pairs = [
        (label := draw.choice("ab"), label if draw.random() < 0.8 else draw.choice("ab")) for _ in range(40)
    ]
    once = kappa(pairs)
    together = kappa(4 * pairs, 4 * [str(i) for i in range(40)])
    apart = kappa(4 * pairs)
    assert once.kappa_interval and together.kappa_interval and apart.kappa_interval
    width = once.kappa_interval.high - once.kappa_interval.low
    assert together.kappa_interval.high - together.kappa_interval.low == pytest.approx(width, rel=1e-6)
    assert apart.kappa_interval.high - apart.kappa_interval.low == pytest.approx(width / 2, rel=0.15)


def test_the_interval_covers() -> None:
    """True kappa 0.6: two even labels, 80 % agreement. About 47 of 50 intervals hold it."""
    draw = random.Random(3)
    held = 0
    for _ in range(50):
        firsts = [draw.choice("ab") for _ in range(80)]
        found = kappa([(a, a if draw.random() < 0.8 else {"a": "b", "b": "a"}[a]) for a in firsts])
        assert found.kappa_interval is not None
        held += found.kappa_interval.low <= 0.6 <= found.kappa_interval.high
    assert 43 <= held <= 50


def test_nothing_to_compare() -> None:
    assert kappa_of([], [], []) is None
