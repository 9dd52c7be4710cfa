"""What holds for the spoken form of any text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vgsynth.voices.text import _by_rules, normalise_text

PIECES = """
    7:30 pm 3rd $4.50 50% 2026-03-04 1,212 No. 5 10-15 6 ft 555-1234 (555) Dr. St. Jan May a.m. - -- ... ! ? ,
    the of e.g. ( ) ' " / : & + = 12 0 00 am. m hello Set code is ½ ° # @ x.com a@b.co
"""
TEXTS = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="0123456789.,:;-/$%#@&'\"()apmAPMDrNosthx° ¢£½²", max_size=25),
    st.lists(st.sampled_from(PIECES.split()), max_size=8).map(" ".join),
)


def spoken(text: str) -> str | None:
    try:
        return normalise_text(text)
    except ValueError:
        return None


@given(TEXTS)
def test_saying_it_again_changes_nothing(text: str) -> None:
    said = spoken(text)
    if said is not None:
        assert normalise_text(said) == said


@given(TEXTS)
def test_words_and_plain_punctuation_alone_are_left(text: str) -> None:
    said = spoken(text)
    if said is not None:
        assert any(map(str.isalpha, said))
        assert said == " ".join(said.split())
        assert not any(character.isdigit() for character in said)
        assert {c for c in said if c.isascii() and not c.isalpha()} <= set(" .,!?;:'\"-")


@given(st.integers(0, 23), st.integers(0, 59))
def test_a_clock_time_is_words(hour: int, minute: int) -> None:
    said = normalise_text(f"at {hour}:{minute:02}")
    assert said.startswith("at ")
    assert len(said.split()) >= 3


@given(TEXTS, TEXTS)
def test_how_words_are_set_apart_does_not_matter(left: str, right: str) -> None:
    assert spoken(f"{left} {right}") == spoken(f"{left}\n{right}")


WORDS = """
    Dr Dr. Mr St. Ave etc etc. vs. fri. Fri tues mon. a.m. am pm. no. No don't e-mail x.com and the Elm Main
    I it's Set set, stop. now! why? so; then: jan May etc, apt. e.g. w/o - -- ' St Jr. Sr
"""


@given(st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=7).map(" ".join))
def test_the_short_way_for_plain_words_is_the_long_way(text: str) -> None:
    try:
        expected = _by_rules(text)
    except ValueError:
        expected = None
    assert spoken(text) == expected
