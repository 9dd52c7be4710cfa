"""Splits: groups of cases dealt out to parts by the rank of a seeded hash, with exact counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from vgsynth.plan.draws import draw_bits
from vgsynth.spec.model import SplitSpec

ONE_STRATUM = ""


class SplitError(ValueError):
    """Parts that ask for more groups than there are."""


class Deal:
    """Which part each group belongs to. Names of groups are not kept, only the rank of each."""

    def __init__(self, seed: int, split: SplitSpec, groups: Iterable[tuple[str, str]]) -> None:
        """Deal out ``groups``, given as (stratum, group), once for each case.

        Raises SplitError where the parts ask for more than there is, or for a number of cases that whole
        groups do not add up to.
        """
        self._seed = seed
        self._rest = split.rest
        self._dealt: dict[str, dict[int, str]] = {}
        ranks: dict[str, Counter[int]] = {}
        for stratum, group in groups:
            ranks.setdefault(stratum, Counter())[self._rank(group)] += 1
        by_cases = split.count == "cases"
        sizes = {stratum: found.total() if by_cases else len(found) for stratum, found in ranks.items()}
        shares = _shares(split.parts, sizes, split.count)
        for stratum, found in ranks.items():
            free = sorted(found)
            dealt = self._dealt.setdefault(stratum, {})
            for name, _ in split.parts:
                size = found if by_cases else dict.fromkeys(found, 1)
                taken = _take(free, size, shares[name][stratum], name)
                dealt.update(dict.fromkeys(taken, name))
                free = [rank for rank in free if rank not in dealt]

    def part(self, stratum: str, group: str) -> str:
        """The part of a group that was dealt."""
        return self._dealt[stratum].get(self._rank(group), self._rest)

    def _rank(self, group: str) -> int:
        return draw_bits(self._seed, group, "split")


def _take(ranks: Sequence[int], sizes: Mapping[int, int], count: int, name: str) -> list[int]:
    """The first ranks whose sizes add up to ``count``; those that would overshoot are passed over."""
    taken = []
    for rank in ranks:
        if sizes[rank] <= count:
            taken.append(rank)
            count -= sizes[rank]
    if count:
        raise SplitError(
            f"part {name} cannot be made of whole groups: {count} cases are missing, and every group that is"
            " left has more"
        )
    return taken


def _shares(
    parts: Sequence[tuple[str, int | float]], sizes: Mapping[str, int], unit: str
) -> dict[str, dict[str, int]]:
    """Groups (or cases) of each stratum for each part: exact in total, strata even by largest remainder."""
    total = sum(sizes.values())
    free = dict(sizes)
    shares: dict[str, dict[str, int]] = {}
    for name, amount in parts:
        wanted = amount if isinstance(amount, int) else int(amount * total + 0.5)
        if wanted > sum(free.values()):
            raise SplitError(f"part {name} asks for {wanted} {unit} of {sum(free.values())} that are left")
        exact = {stratum: wanted * size / total if total else 0.0 for stratum, size in sizes.items()}
        share = {stratum: min(int(value), free[stratum]) for stratum, value in exact.items()}
        order = sorted(sizes, key=lambda stratum: (share[stratum] - exact[stratum], stratum))
        while (missing := wanted - sum(share.values())) > 0:
            for stratum in [s for s in order if share[s] < free[s]][:missing]:
                share[stratum] += 1
        for stratum, count in share.items():
            free[stratum] -= count
        shares[name] = share
    return shares
