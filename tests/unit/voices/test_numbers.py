"""Number words, against inflect."""

from __future__ import annotations

import inflect
import pytest

from vgsynth.voices.numbers import cardinal, digits, ordinal, year

ORACLE = inflect.engine()
SOME = [
    *range(0, 130),
    200,
    999,
    1000,
    1001,
    1012,
    1100,
    9999,
    10_000,
    100_001,
    999_999,
    10**6,
    2 * 10**9 + 17,
    10**20,
]


@pytest.mark.parametrize("number", SOME)
def test_cardinals_and_ordinals(number: int) -> None:
    assert cardinal(number) == ORACLE.number_to_words(number, andword="", comma="")
    assert ordinal(number) == ORACLE.number_to_words(ORACLE.ordinal(number), andword="", comma="")


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (1066, "ten sixty-six"),
        (1105, "eleven oh five"),
        (1900, "nineteen hundred"),
        (2000, "two thousand"),
        (2007, "two thousand seven"),
        (2010, "twenty ten"),
        (2026, "twenty twenty-six"),
        (2100, "twenty-one hundred"),
        (476, "four hundred seventy-six"),
    ],
)
def test_years(number: int, said: str) -> None:
    assert year(number) == said


def test_digits() -> None:
    assert digits("042-7") == "zero four two seven"
    assert cardinal(-3) == "minus three"
    assert cardinal(10**21) == "one" + " zero" * 21
