"""What an audit is asked to do, and how strict it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[str, int, int], None]
"""Called with the name of a step, how much of it is done, and how much there is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditOptions:
    """Every choice that changes an audit's result. The defaults are what docs and messages describe."""

    folds: int = 5
    repeats: int = 3
    """Cross-validations with other folds; an item's prediction counts once in each."""
    resamples: int = 4000
    """Bootstrap resamples of the cases."""
    confidence: float = 0.95
    margin_share: float = 0.10
    """How much of the way from chance to a perfect score a cue may go and still count as uninformative."""
    seed: int = 0
    near_duplicate: float = 85.0
    """RapidFuzz's token_sort_ratio (0 to 100) from which two texts are near-duplicates."""
    embed_items: int = 200
    """Items of which the speakers are compared for the cue ``speaker_change``; whole cases. 0: none."""
    embed_per_voice: int = 12
    """Near segments that stand for a voice in the test of distinctness. 0: no such test."""
    recognise_items: int = 40
    """Items that the recogniser listens to. 0: none."""
    word_error_limit: float = 0.10
    """Word error rate above which an item is listed."""

    def __post_init__(self) -> None:
        if self.folds < 2 or self.repeats < 1 or self.resamples < 1:
            raise ValueError("folds are two or more, repeats and resamples one or more")
        if not (0.0 < self.confidence < 1.0 and 0.0 <= self.margin_share < 1.0):
            raise ValueError("the confidence lies between 0 and 1, the margin in [0, 1)")
        if not 0.0 < self.near_duplicate <= 100.0:
            raise ValueError("likeness lies in (0, 100]")


def no_progress(_step: str, _done: int, _total: int) -> None:
    """Says nothing."""
