"""Splits: exact counts, whole groups, even strata."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vgsynth.plan.splits import Deal, SplitError
from vgsynth.spec.model import SplitSpec


def split(*parts: tuple[str, float], within: str | None = None) -> SplitSpec:
    return SplitSpec(path=("splits",), by="case", parts=parts, rest="train", within=within, stated=None)


def deal(groups: list[tuple[str, str]], spec: SplitSpec, seed: int = 1) -> dict[str, str]:
    dealt = Deal(seed, spec, groups)
    return {group: dealt.part(stratum, group) for stratum, group in groups}


@pytest.mark.parametrize(("cases", "test"), [(395, 79), (223, 50), (400, 80), (10, 0), (10, 10)])
def test_counts_are_exact(cases: int, test: int) -> None:
    parts = Counter(deal([("", f"c{i}") for i in range(cases)], split(("test", test))).values())
    assert (parts["test"], parts["train"]) == (test, cases - test)


def test_shares_round_half_up() -> None:
    parts = Counter(deal([("", f"c{i}") for i in range(25)], split(("test", 0.1), ("dev", 0.3))).values())
    assert parts == {"test": 3, "dev": 8, "train": 14}


def test_strata_share_evenly() -> None:
    groups = [(f"tool{i % 10}", f"c{i}") for i in range(400)]
    parts = deal(groups, split(("test", 80), within="case.tool"))
    assert Counter(stratum for stratum, group in groups if parts[group] == "test") == {
        f"tool{i}": 8 for i in range(10)
    }


def test_uneven_strata_differ_by_rounding_alone() -> None:
    groups = [("a", f"a{i}") for i in range(33)] + [("b", f"b{i}") for i in range(67)]
    parts = deal(groups, split(("test", 20), within="case.tool"))
    count = Counter(stratum for stratum, group in groups if parts[group] == "test")
    assert count in ({"a": 6, "b": 14}, {"a": 7, "b": 13})


@given(st.sets(st.text(min_size=1, max_size=8), max_size=60), st.floats(0, 1), st.integers(0, 99))
def test_a_group_has_one_part_and_the_order_does_not_matter(names: set[str], share: float, seed: int) -> None:
    groups = [("", name) for name in sorted(names)]
    there = deal(groups, split(("test", share)), seed)
    assert there == deal(list(reversed(groups)) * 2, split(("test", share)), seed)
    assert Counter(there.values())["test"] == int(share * len(groups) + 0.5)


def test_adding_a_case_moves_at_most_one_other() -> None:
    before = deal([("", f"c{i}") for i in range(100)], split(("test", 20)))
    after = deal([("", f"c{i}") for i in range(101)], split(("test", 20)))
    assert sum(before[name] != after[name] for name in before) <= 1


def by_cases(count: int) -> SplitSpec:
    return replace(split(("test", count)), by="case.template", count="cases")


def sized(*sizes: int) -> list[tuple[str, str]]:
    return [("", f"g{i}") for i, size in enumerate(sizes) for _ in range(size)]


def test_whole_groups_that_make_an_exact_number_of_cases() -> None:
    # Fifty situations: 45 of eight items, five of seven; 79 are nine of eight and one of seven.
    groups = sized(*[8] * 45, *[7] * 5)
    parts = deal(groups, by_cases(79))
    assert sum(parts[group] == "test" for _, group in groups) == 79


def test_a_number_that_whole_groups_do_not_make_is_told() -> None:
    with pytest.raises(SplitError, match="cannot be made of whole groups: 1 cases are missing"):
        deal(sized(4, 4, 4), by_cases(5))


def test_more_than_there_are_is_an_error() -> None:
    with pytest.raises(SplitError, match="asks for 11 groups of 10"):
        deal([("", f"c{i}") for i in range(10)], split(("test", 11)))
