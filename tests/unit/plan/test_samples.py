"""Milliseconds to samples: half up, exact, and sums that stay sums."""

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vgsynth.plan.samples import ms_from_samples, samples_from_ms


@pytest.mark.parametrize(
    ("ms", "rate", "samples"),
    [
        (0, 16_000, 0),
        (600, 16_000, 9_600),
        (5, 16_000, 80),
        (0.03125, 16_000, 1),  # exactly half a sample: up
        (0.031, 16_000, 0),
        (4095, 8_000, 32_760),
        (0.1, 44_100, 4),
        (0.125, 44_100, 6),  # 5.5125
        (721_058.375, 16_000, 11_536_934),
        (1e-9, 16_000, 0),
    ],
)
def test_known_values(ms: float, rate: int, samples: int) -> None:
    assert samples_from_ms(ms, rate) == samples


def test_six_parts_of_100_ms_make_600_ms() -> None:
    assert 6 * samples_from_ms(100, 16_000) == samples_from_ms(600, 16_000)


@given(st.decimals(0, 1_000_000, places=4), st.sampled_from([8_000, 16_000, 22_050, 44_100, 48_000]))
def test_rounds_the_written_number_half_up(ms: Decimal, rate: int) -> None:
    wanted = (Decimal(repr(float(ms))) * rate / 1000).quantize(Decimal(1), rounding=ROUND_HALF_UP)
    assert samples_from_ms(float(ms), rate) == int(wanted)


@given(st.integers(0, 10_000_000), st.sampled_from([8_000, 16_000, 48_000]))
def test_samples_survive_the_way_through_ms(samples: int, rate: int) -> None:
    assert samples_from_ms(ms_from_samples(samples, rate), rate) == samples


def test_a_negative_duration_is_refused() -> None:
    with pytest.raises(ValueError, match="not negative"):
        samples_from_ms(-1, 16_000)
