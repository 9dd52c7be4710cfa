"""Taking a part of a grid: even over cells, levels, pairs of levels, cases and strata."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vgsynth.plan.take import Take, TakeError

CUBE = list(product(range(2), range(2), range(2)))


def taken(count: int, cells: list[tuple[int, ...]], cases: list[tuple[str, str]]) -> list[tuple[int, str]]:
    take = Take(1, count, cells, cases)
    return [(cell, case) for cell in range(len(cells)) for case, _ in cases if take.has(cell, case)]


def test_1212_of_a_cube_over_320_cases_of_ten_tools() -> None:
    cases = [(f"c{i}", f"tool{i % 10}") for i in range(320)]
    found = taken(1212, CUBE, cases)
    assert len(found) == 1212
    cells = Counter(CUBE[cell] for cell, _ in found)
    assert set(cells.values()) == {151, 152}
    # With four cells of each size, every level and every pair of levels comes out exactly even.
    for axis in range(3):
        assert Counter(cell[axis] for cell in cells.elements()) == {0: 606, 1: 606}
    for pair in combinations(range(3), 2):
        assert set(Counter(tuple(cell[a] for a in pair) for cell in cells.elements()).values()) == {303}
    assert set(Counter(case for _, case in found).values()) == {3, 4}
    tools = dict(cases)
    for index in range(8):
        counts = Counter(tools[case] for cell, case in found if cell == index)
        assert max(counts.values()) - min(counts.values()) <= 1


@given(st.integers(1, 60), st.integers(1, 4), st.integers(1, 3), st.data())
def test_cells_and_cases_differ_by_one_at_most(
    n_cases: int, levels: int, axes: int, data: st.DataObject
) -> None:
    cells = list(product(range(levels), repeat=axes))
    count = data.draw(st.integers(1, len(cells) * n_cases))
    cases = [(f"c{i}", "") for i in range(n_cases)]
    found = taken(count, cells, cases)
    assert len(found) == len(set(found)) == count
    for counts, whole in (
        (Counter(cell for cell, _ in found), len(cells)),
        (Counter(case for _, case in found), n_cases),
    ):
        assert max(counts.values()) - (min(counts.values()) if len(counts) == whole else 0) <= 1


def test_more_than_there_is_is_refused() -> None:
    with pytest.raises(TakeError, match="81 items are more than 8 cells of 10 cases"):
        Take(1, 81, CUBE, [(f"c{i}", "") for i in range(10)])
    Take(1, 80, CUBE, [(f"c{i}", "") for i in range(10)])
