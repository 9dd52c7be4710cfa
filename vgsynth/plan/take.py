"""Taking a part of a grid: so many items in all, spread evenly over its cells.

Cells differ by one item at most. Those that have one more are chosen by the parity of their levels, so that
the counts of every single level, and of every pair of levels, are as even as they can be. Each cell takes a
run of the cases behind the run of the cell before, round and round; the cases stand in the order of a seeded
hash, dealt out so that any run meets all values of ``within`` evenly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vgsynth.plan.draws import draw_bits


class TakeError(ValueError):
    """More items asked for than the grid has."""


class Take:
    """Which cells each case is in."""

    def __init__(
        self, seed: int, count: int, cells: Sequence[Sequence[int]], cases: Iterable[tuple[str, str]]
    ) -> None:
        """Spread ``count`` items over ``cells``, each given by the indices of its levels.

        ``cases`` are the ids that may be taken, each with its stratum. Raises TakeError where there are fewer
        than ``count`` items.
        """
        self._turn = _turns(seed, cases)
        if count > len(cells) * len(self._turn):
            raise TakeError(f"{count} items are more than {len(cells)} cells of {len(self._turn)} cases each")
        self._runs: list[tuple[int, int]] = []
        start = 0
        for quota in _quotas(count, cells):
            self._runs.append((start, quota))
            start += quota

    def has(self, cell: int, case_id: str) -> bool:
        """Whether a cell, by its index, takes a case."""
        turn = self._turn.get(case_id)
        start, quota = self._runs[cell]
        return turn is not None and (turn - start) % len(self._turn) < quota


def _turns(seed: int, cases: Iterable[tuple[str, str]]) -> Mapping[str, int]:
    """Each case's place in the round: strata in step, each in the order of a hash."""
    strata: dict[str, list[tuple[int, str]]] = {}
    for case_id, stratum in cases:
        strata.setdefault(stratum, []).append((draw_bits(seed, case_id, "take"), case_id))
    placed = [
        ((index + 0.5) / len(found), stratum, case_id)
        for stratum, found in strata.items()
        for index, (_, case_id) in enumerate(sorted(found))
    ]
    return {case_id: turn for turn, (_, _, case_id) in enumerate(sorted(placed))}


def _quotas(count: int, cells: Sequence[Sequence[int]]) -> list[int]:
    each, more = divmod(count, len(cells))
    order = sorted(range(len(cells)), key=lambda index: (sum(cells[index]) % 2, index))
    favoured = frozenset(order[:more])
    return [each + (index in favoured) for index in range(len(cells))]
