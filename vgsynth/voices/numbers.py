"""Numbers as words, as a person says them in US English."""

from __future__ import annotations

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_THOUSANDS = ("", "thousand", "million", "billion", "trillion", "quadrillion", "quintillion")
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}


def cardinal(number: int) -> str:
    """``1212`` -> ``one thousand two hundred twelve``. From 10^21 on, digit by digit."""
    if number < 0:
        return f"minus {cardinal(-number)}"
    if number == 0:
        return "zero"
    if number >= 1000 ** len(_THOUSANDS):
        return digits(str(number))
    parts: list[str] = []
    for name in _THOUSANDS:
        number, group = divmod(number, 1000)
        if group:
            parts.append(f"{_below_thousand(group)} {name}".rstrip())
    return " ".join(reversed(parts))


def ordinal(number: int) -> str:
    """``21`` -> ``twenty-first``."""
    return ordinal_of(cardinal(number))


def ordinal_of(words: str) -> str:
    """The ordinal of a cardinal's words: its last word changed."""
    split = max(words.rfind(" "), words.rfind("-")) + 1
    last = words[split:]
    if last in _ORDINALS:
        changed = _ORDINALS[last]
    elif last.endswith("y"):
        changed = f"{last[:-1]}ieth"
    else:
        changed = f"{last}th"
    return words[:split] + changed


def digits(text: str) -> str:
    """``042`` -> ``zero four two``; what is no digit counts as a space."""
    return " ".join(_ONES[int(character)] for character in text if character in "0123456789")


def year(number: int) -> str:
    """``1984`` -> ``nineteen eighty-four``; ``2005`` -> ``two thousand five``."""
    high, low = divmod(number, 100)
    if not 1000 <= number <= 9999 or (high % 10 == 0 and low < 10):
        return cardinal(number)
    if low == 0:
        return f"{cardinal(high)} hundred"
    return f"{cardinal(high)} {pair(low)}"


def pair(number: int) -> str:
    """The last two digits of a time or a year: ``5`` -> ``oh five``, ``30`` -> ``thirty``."""
    return f"oh {cardinal(number)}" if number < 10 else cardinal(number)


def decimal(whole: str, fraction: str) -> str:
    """``("3", "14")`` -> ``three point one four``; a whole part may be empty or hold commas."""
    spoken = cardinal(int(whole.replace(",", ""))) if whole else ""
    return f"{spoken} point {digits(fraction)}".strip()


def _below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    parts = [f"{_ONES[hundreds]} hundred"] if hundreds else []
    if rest >= 20:
        tens, ones = divmod(rest, 10)
        parts.append(f"{_TENS[tens]}-{_ONES[ones]}" if ones else _TENS[tens])
    elif rest:
        parts.append(_ONES[rest])
    return " ".join(parts)
