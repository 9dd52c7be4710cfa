"""Texts that are the same or nearly so, in different cases.

Likeness is RapidFuzz's ``token_sort_ratio``, 0 to 100: the words of each text are sorted, and the texts
compared by their longest common subsequence of letters. Letter case and punctuation do not count. All texts
are compared with all others, whatever their roles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vgsynth.audit.texts import Text
from vgsynth.audit.values import figure, shown

MAX_LISTED = 50
BLOCK = 512
LOOK_BELOW = 15.0
"""How far below the threshold the likest pair is still looked for, so that one sees how near it comes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactDuplicate:
    """One text in several cases."""

    text: str
    cases: tuple[str, ...]
    """The first ones."""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NearDuplicate:
    """Two texts of different cases."""

    likeness: float
    texts: tuple[str, str]
    cases: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicates:
    """Duplicates within the audited set."""

    texts: int
    """Different ones."""
    threshold: float
    exact: int
    """Texts that occur in more than one case."""
    exact_listed: tuple[ExactDuplicate, ...]
    near: int
    """Pairs of texts at or above the threshold."""
    near_listed: tuple[NearDuplicate, ...]
    """The likest ones."""
    likest: NearDuplicate | None
    """The likest pair, below the threshold or above; None where none comes within 15 of the threshold."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LikePairs:
    """Pairs of texts by index, with their likeness: arrays of one length."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    likeness: NDArray[np.float32]

    def where(self, mask: NDArray[np.bool_]) -> LikePairs:
        """Some of the pairs."""
        return LikePairs(first=self.first[mask], second=self.second[mask], likeness=self.likeness[mask])


def like_pairs(
    texts: Sequence[Text], threshold: float, on_text: Callable[[int], None] = lambda _: None
) -> Iterator[LikePairs]:
    """All pairs with a likeness of at least ``threshold`` less 15, block by block.

    Texts are sorted by length: one cannot be like another that is much longer, since what is too long counts
    as different. That leaves about a third of all pairs to look at.
    """
    from rapidfuzz import fuzz, process

    floor = max(1.0, threshold - LOOK_BELOW)
    keys = [" ".join(sorted(text.words.split())) for text in texts]
    order = np.array(sorted(range(len(keys)), key=lambda i: (len(keys[i]), keys[i])), dtype=np.intp)
    ranked = [keys[i] for i in order]
    lengths = np.array([len(key) for key in ranked])
    # ratio = 100 * 2 * common / (a + b), and common is at most the shorter one's length a.
    longest = lengths * (200.0 / floor - 1.0) + 1e-6
    for start in range(0, len(ranked), BLOCK):
        stop = min(start + BLOCK, len(ranked))
        end = int(np.searchsorted(lengths, longest[stop - 1], "right"))
        scores = process.cdist(
            ranked[start:stop],
            ranked[start:end],
            scorer=fuzz.ratio,
            score_cutoff=floor,
            dtype=np.float32,
            workers=1,
        )
        rows, columns = np.nonzero(np.triu(scores, k=1))
        yield LikePairs(
            first=order[start + rows], second=order[start + columns], likeness=scores[rows, columns]
        )
        on_text(stop)


class Likest:
    """Keeps the likest pairs that it was given, in a fixed order."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pairs: list[tuple[float, int, int]] = []

    def add(self, pairs: LikePairs) -> None:
        """Add some pairs."""
        likeness = pairs.likeness
        if len(self._pairs) == self._most:
            least = -self._pairs[-1][0]
            pairs = pairs.where(likeness >= least)
        if pairs.likeness.size > self._most:
            # Ties at the edge are kept here and settled below.
            edge = np.partition(pairs.likeness, -self._most)[-self._most]
            pairs = pairs.where(pairs.likeness >= edge)
        columns = (pairs.likeness.tolist(), pairs.first.tolist(), pairs.second.tolist())
        new = [(-score, min(i, j), max(i, j)) for score, i, j in zip(*columns, strict=True)]
        self._pairs = sorted(self._pairs + new)[: self._most]

    def pairs(self) -> list[tuple[int, int, float]]:
        """Indices of two texts, the smaller first, and their likeness; the likest first."""
        return [(i, j, -score) for score, i, j in self._pairs]


class DuplicateFinder:
    """Gathers the duplicates of the audited set while pairs go by."""

    def __init__(self, texts: Sequence[Text], threshold: float) -> None:
        self._texts = texts
        self._threshold = threshold
        self._own = [text.own_cases() for text in texts]
        names: dict[str, int] = {}
        self._case = np.array([names.setdefault(own[0], len(names)) if own else -1 for own in self._own])
        self._several = np.array([len(own) > 1 for own in self._own], dtype=bool)
        self._near = 0
        self._likest = Likest(MAX_LISTED)

    def see(self, pairs: LikePairs) -> None:
        """Look at some pairs."""
        a, b = pairs.first, pairs.second
        two_cases = (self._case[a] != self._case[b]) | self._several[a] | self._several[b]
        own = pairs.where((self._case[a] >= 0) & (self._case[b] >= 0) & two_cases)
        self._near += int(np.count_nonzero(own.likeness >= self._threshold))
        self._likest.add(own)

    def found(self) -> Duplicates:
        """What there was."""
        exact = [(text, own) for text, own in zip(self._texts, self._own, strict=True) if len(own) > 1]
        listed = [self._pair(*pair) for pair in self._likest.pairs()]
        return Duplicates(
            texts=sum(bool(own) for own in self._own),
            threshold=self._threshold,
            exact=len(exact),
            exact_listed=tuple(
                ExactDuplicate(text=shown(text.written), cases=tuple(own[:10]), count=len(own))
                for text, own in exact[:MAX_LISTED]
            ),
            near=self._near,
            near_listed=tuple(pair for pair in listed if pair.likeness >= self._threshold),
            likest=listed[0] if listed else None,
        )

    def _pair(self, i: int, j: int, likeness: float) -> NearDuplicate:
        return NearDuplicate(
            likeness=figure(round(likeness, 2)),
            texts=(shown(self._texts[i].written), shown(self._texts[j].written)),
            cases=_cases_of_pair(self._own[i], self._own[j]),
        )


def _cases_of_pair(first: Sequence[str], second: Sequence[str]) -> tuple[str, str]:
    return next((a, b) for a in first for b in second if a != b)
