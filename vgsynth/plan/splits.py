"""Splits: groups of cases dealt out to parts by the rank of a seeded hash, with exact counts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from vgsynth.plan.draws import draw_bits
from vgsynth.spec.model import SplitSpec

ONE_STRATUM = ""


class SplitError(ValueError):
    """Parts that ask for more groups than there are."""


class Deal:
    """Which part each group belongs to. Holds eight bytes a group, whatever the group's name."""

    def __init__(self, seed: int, split: SplitSpec, groups: Iterable[tuple[str, str]]) -> None:
        """Deal out ``groups``, given as (stratum, group); a group may be given many times.

        Raises SplitError where the parts ask for more groups than there are.
        """
        self._seed = seed
        self._names = [name for name, _ in split.parts]
        self._rest = split.rest
        ranks: dict[str, set[int]] = {}
        for stratum, group in groups:
            ranks.setdefault(stratum, set()).add(self._rank(group))
        sizes = {stratum: len(found) for stratum, found in ranks.items()}
        shares = _shares(split.parts, sizes)
        self._edges = {
            stratum: _edges(sorted(found), [shares[name][stratum] for name in self._names])
            for stratum, found in ranks.items()
        }

    def part(self, stratum: str, group: str) -> str:
        """The part of a group that was dealt."""
        index = bisect_right(self._edges[stratum], self._rank(group))
        return self._names[index] if index < len(self._names) else self._rest

    def _rank(self, group: str) -> int:
        return draw_bits(self._seed, group, "split")


def _edges(ranks: Sequence[int], counts: Sequence[int]) -> list[int]:
    """For each part the first rank that lies behind it."""
    edges, taken = [], 0
    for count in counts:
        taken += count
        edges.append(ranks[taken] if taken < len(ranks) else 1 << 64)
    return edges


def _shares(parts: Sequence[tuple[str, int | float]], sizes: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Groups of each stratum for each part: exact in total, even over strata by largest remainder."""
    total = sum(sizes.values())
    free = dict(sizes)
    shares: dict[str, dict[str, int]] = {}
    for name, amount in parts:
        wanted = amount if isinstance(amount, int) else int(amount * total + 0.5)
        if wanted > sum(free.values()):
            raise SplitError(f"part {name} asks for {wanted} groups of {sum(free.values())} that are left")
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
