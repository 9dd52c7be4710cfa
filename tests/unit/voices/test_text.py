"""Text as it is spoken. Each expectation is what a person in the US would say."""

from __future__ import annotations

import pytest

from vgsynth.voices.text import normalise_text, spoken_seconds_estimate


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        # Times.
        ("Set an alarm for 7:30.", "Set an alarm for seven thirty."),
        ("Set an alarm for 7:30 pm.", "Set an alarm for seven thirty PM."),
        ("Wake me at 7 p.m.", "Wake me at seven PM."),
        ("at 7 a.m. tomorrow", "at seven AM tomorrow"),
        ("at 7:00 and 7:05 a.m. sharp", "at seven o'clock and seven oh five AM sharp"),
        ("10:30am", "ten thirty AM"),
        ("12:00 AM", "twelve AM"),
        ("9:00–17:00", "nine o'clock to seventeen hundred"),
        ("00:15", "zero fifteen"),
        ("7-8 pm", "seven to eight PM"),
        ("10 a.m.-2 p.m.", "ten AM to two PM."),
        ("16:9", "sixteen to nine"),
        # Dates.
        ("Meet on 2026-03-04", "Meet on March fourth, twenty twenty-six"),
        ("12/25/2026", "December twenty-fifth, twenty twenty-six"),
        ("January 5, 2026", "January fifth, twenty twenty-six"),
        ("Jan 5th", "January fifth"),
        ("Sept. 21", "September twenty-first"),
        ("4 March 2026", "the fourth of March, twenty twenty-six"),
        ("the 3rd of May", "the third of May"),
        ("May 7:30 work?", "May seven thirty work?"),
        ("in 1984, 2005 and 1900", "in nineteen eighty-four, two thousand five and nineteen hundred"),
        ("the 1990s and the '80s", "the nineteen nineties and the eighties"),
        ("2026-13-45", "twenty twenty-six thirteen forty-five"),
        # Numbers.
        ("1,212 people", "one thousand two hundred twelve people"),
        ("1,000,000.50", "one million point five zero"),
        ("12345 steps", "twelve thousand three hundred forty-five steps"),
        ("No. 5", "number five"),
        ("No, 5 of them", "No, five of them"),
        ("#5 and #winning", "number five and hashtag winning"),
        ("the 3rd, 21st and 103rd", "the third, twenty-first and one hundred third"),
        ("-5 degrees, 3.14, .5", "minus five degrees, three point one four, point five"),
        ("10-15 minutes", "ten to fifteen minutes"),
        ("pages 3–5", "pages three to five"),
        ("10-15% of people", "ten to fifteen percent of people"),
        ("50% off", "fifty percent off"),
        ("1/2 cup, 3/4 cup, 2½ cups", "one half cup, three quarters cup, two and a half cups"),
        ("2/3 done", "two thirds done"),
        ("24/7", "twenty-four seven"),
        ("a 3-year-old", "a three-year-old"),
        ("v2.0.1", "v two point zero point one"),
        ("Version 3.11", "Version three point one one"),
        ("B12 and mp3", "B twelve and mp three"),
        ("covid-19", "covid nineteen"),
        ("agent 007", "agent zero zero seven"),
        ("Room 1204", "Room twelve oh four"),
        ("٣ apples", "three apples"),
        # Telephone numbers and codes.
        ("call 555-1234", "call five five five, one two three four"),
        (
            "(555) 123-4567 now",
            "five five five, one two three, four five six seven now",
        ),
        ("+1 555-123-4567", "one, five five five, one two three, four five six seven"),
        ("my PIN is 4821", "my PIN is four eight two one"),
        ("Call 911!", "Call nine one one!"),
        ("order 12345678", "order one two three four five six seven eight"),
        # Money.
        ("$4.50, not $1 or $0.99", "four dollars and fifty cents, not one dollar or ninety-nine cents"),
        ("$1,212", "one thousand two hundred twelve dollars"),
        ("$2.5B and $10k", "two point five billion dollars and ten thousand dollars"),
        ("$5 million", "five million dollars"),
        ("$20-30", "twenty to thirty dollars"),
        ("-$5", "minus five dollars"),
        ("$5/month", "five dollars per month"),
        ("£3.01 and ¥500", "three pounds and one penny and five hundred yen"),
        ("50¢", "fifty cents"),
        ("$3.999", "three point nine nine nine dollars"),
        # Measures.
        ("6 ft tall", "six feet tall"),
        ("1 ft", "one foot"),
        ("5'10\" tall", "five foot ten tall"),
        ("72°F outside", "seventy-two degrees Fahrenheit outside"),
        ("100 °C", "one hundred degrees Celsius"),
        ("turn it 5° left", "turn it five degrees left"),
        ("200mg", "two hundred milligrams"),
        ("1.5 km", "one point five kilometers"),
        ("60 km/h or 40 mph", "sixty kilometers per hour or forty miles per hour"),
        ("in 1 min.", "in one minute."),
        ("10 in 20", "ten in twenty"),
        ("4 m²", "four meters squared"),
        # Abbreviations, addresses and symbols.
        ("Dr. Smith lives on Elm Dr.", "Doctor Smith lives on Elm Drive."),
        ("St. John's on Main St.", "Saint John's on Main Street."),
        ("Mr Fox vs. Mrs. Hen", "Mister Fox versus Missus Hen"),
        ("rock & roll", "rock and roll"),
        ("C++ and a=b", "C plus plus and a equals b"),
        ("and/or", "and or"),
        ("tea w/ milk", "tea with milk"),
        ("e.g., this", "for example, this"),
        ("Send it ASAP (please).", "Send it ASAP, please."),
        ("mail john.doe@example.com.", "mail john dot doe at example dot com."),
        ("see https://example.com/a-b.", "see example dot com slash a dash b."),
        ("U.S. and U.K.", "U.S. and U.K."),
        # Characters.
        ("“Hello” — she said… ‘yes’", "\"Hello\" - she said... 'yes'"),
        ("don’t", "don't"),
        ("a\u00a0b\tc\nd", "a b c d"),
        ("soft\u00adware\u200b", "software"),
        ("ﬁne ｆｕｌｌ", "fine full"),
        ("Hi 👋 there 🎉", "Hi there"),
        ("Wait!! What?!", "Wait! What?"),
        ("*bold* _it_ ~x~", "bold it x"),
        ("naïve café", "naïve café"),
        ("  spaced   out  ", "spaced out"),
        ("plain words stay, as they are.", "plain words stay, as they are."),
    ],
)
def test_said_as_a_person_says_it(written: str, spoken: str) -> None:
    assert normalise_text(written) == spoken


@pytest.mark.parametrize("written", ["", " ", "...", "?!", "👋", "\u200b", "--", "()", "* * *"])
def test_nothing_to_say(written: str) -> None:
    with pytest.raises(ValueError, match="can be spoken"):
        normalise_text(written)


def test_an_estimate_grows_with_the_text_and_is_about_right() -> None:
    short, long = (
        spoken_seconds_estimate(text) for text in ("Stop.", "Could you please turn off the lights?")
    )
    assert 0.3 < short < 1.0 < long < 4.0
