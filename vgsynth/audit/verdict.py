"""When a cue counts as informative: by an interval against chance, and a margin for what does not matter."""

from __future__ import annotations

from typing import Literal

from vgsynth.audit.values import Interval

Verdict = Literal["informative", "uninformative", "undecided", "not tested"]

RULE = (
    "Uninformative: the upper end of the {confidence:.0%} interval lies less than {margin:.3f} above chance. "
    "Else informative: the lower end of the interval widened for {cues} cues (Bonferroni) lies above chance. "
    "Else undecided: there are too few cases to tell."
)


def margin(chance: float, margin_share: float) -> float:
    """How far above chance a cue may score and still be called uninformative."""
    return margin_share * (1.0 - chance)


def verdict(plain: Interval, widened: Interval, *, chance: float, margin_share: float) -> Verdict:
    """What :data:`RULE` says of a cue.

    ``plain`` is its interval at the audit's confidence, ``widened`` the one at the confidence that holds for
    all cues of the question together: of twenty cues that tell nothing, one would seem to.
    """
    if plain.high < chance + margin(chance, margin_share):
        return "uninformative"
    return "informative" if widened.low > chance else "undecided"
