"""What a page can be filtered by."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.report.rendered import blank_row, grid_case, switch_case
from vgsynth.contract.manifest import Factors
from vgsynth.report.facets import MAX_NUMBERS, NONE, Facet, build_facets, raw_values


def test_a_row_has_a_value_for_each_facet() -> None:
    switch = next(row for row, _ in switch_case(0) if row.condition == "switch")
    assert raw_values(switch) == {
        "family": ("speaker_switch",),
        "condition": ("switch",),
        "source": ("different",),
        "distance": ("far",),
        "gap": ("600",),
        "target": ("mute",),
        "tool": (NONE,),
        "split": ("test",),
        "voice": ("kokoro/af_aoede", "kokoro/bm_lewis"),
        "room": ("near", "far"),
        "policy": ("source_and_proximity",),
        "modality": ("audio",),
    }


def test_cell_axes_are_facets_beside_the_condition() -> None:
    counts: dict[str, Counter[str]] = {}
    for row, _ in grid_case(0):
        for key, values in raw_values(row).items():
            counts.setdefault(key, Counter()).update(values)
    facets = {facet.key: facet for facet in build_facets(counts)}
    assert list(facets)[:5] == ["family", "condition", "cell.source", "cell.distance", "cell.gap"]
    assert facets["cell.gap"].values == ("0 ms", "600 ms")
    assert facets["cell.source"].counts == (4, 4)
    assert facets["gap"].names == ("0 ms", "600 ms")


def test_numbers_stand_by_size_and_none_last() -> None:
    (facet,) = build_facets({"gap": Counter({"1000": 1, "600": 2, NONE: 3, "37.5": 4})})
    assert facet.values == ("37.5", "600", "1000", NONE)
    assert facet.names == ("37.5 ms", "600 ms", "1000 ms", "none")
    assert facet.counts == (4, 2, 1, 3)
    assert facet.step_ms is None


@given(st.sets(st.floats(0, 5000).map(lambda gap: f"{round(gap, 4):.10g}"), min_size=MAX_NUMBERS + 1))
def test_drawn_gaps_fall_into_few_ranges_that_hold_them(gaps: set[str]) -> None:
    (facet,) = build_facets({"gap": Counter(dict.fromkeys(gaps, 1))})
    assert facet.step_ms is not None
    assert len(facet.values) <= MAX_NUMBERS
    assert sum(facet.counts) == len(gaps)
    for gap in gaps:
        lower = float(facet.value_of(gap))
        assert facet.value_of(gap) in facet.index()
        assert lower - 1e-6 <= float(gap) <= lower + facet.step_ms + 1e-6


def test_ranges_are_named() -> None:
    gaps = Counter({str(gap): 1 for gap in range(200, 800, 10)})
    (facet,) = build_facets({"gap": gaps})
    assert facet.names[0] == "200 to 250 ms"
    assert facet.names[-1] == "750 to 800 ms"


@pytest.mark.parametrize("key", ["source", "distance", "gap", "split", "policy", "tool", "voice", "room"])
def test_what_does_not_apply_is_none(key: str) -> None:
    row = blank_row(
        item_id="a", case_id="a", segments=(), modality="text", split=None, policy=None, factors=Factors()
    )
    assert raw_values(row)[key] == (NONE,)


def test_a_facet_knows_its_own_values() -> None:
    facet = Facet(key="k", label="K", values=("a", "b"), names=("a", "b"), counts=(1, 1))
    assert facet.index() == {"a": 0, "b": 1}
    assert facet.value_of("b") == "b"
