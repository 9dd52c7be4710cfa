"""Text as it is spoken: the same words for every voice engine, US English, no digits and no symbols left.

Engines read ``7:30``, ``$4.50`` or ``3rd`` each in their own way, and some badly. Here such things become
words before any engine sees them: another voice says the same, and the row holds what was spoken.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from vgsynth.voices.numbers import cardinal, decimal, digits, ordinal, ordinal_of, pair, year

Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]

_MAX_PASSES = 16


@lru_cache(maxsize=65_536)
def normalise_text(text: str) -> str:
    """What a voice is asked to say. Idempotent. Raises ValueError where nothing speakable is left."""
    if _PLAIN.fullmatch(text) and not _SHORTENED.search(text):
        return text
    return _by_rules(text)


_WORD = r"[A-Za-z]+(?:['-][A-Za-z]+)*"
_PLAIN = re.compile(rf"{_WORD}(?:[,;:.!?]? {_WORD})*[.!?]?")
"""Words and plain punctuation. Most commands are no more, and need none of the rules (15 times as fast)."""
_SHORTENED = re.compile(
    r"\b(?:Mrs?|Ms|Prof|Dr|St|Ave|Blvd|Rd|Ln|Hwy|Jr|Sr)\b"
    r"|(?i:\b(?:vs|etc|approx|appt|dept|mon|tues?|wed|thu|thurs?|fri)\.)"
)
"""Words that a rule replaces."""


def _by_rules(text: str) -> str:
    spoken = text
    for _ in range(
        _MAX_PASSES
    ):  # removing a symbol may uncover another rule's pattern; this settles in a few
        again = _once(spoken)
        if again == spoken:
            break
        spoken = again
    if not any(character.isalpha() for character in spoken):
        raise ValueError(f"nothing in {text!r} can be spoken")
    return spoken


def spoken_seconds_estimate(text: str) -> float:
    """About how long a voice takes to say a text, in seconds, trimmed: good enough to plan with."""
    letters = sum(map(str.isalnum, text))
    return 0.33 + 0.054 * letters  # fitted to three voices of Kokoro, within a fifth


def _once(text: str) -> str:
    text = _plain_characters(text)
    for pattern, replace in _RULES:
        text = pattern.sub(replace, text)
    return _tidy(text)


# Characters ------------------------------------------------------------------------------------------------

_BEFORE_NFKC = str.maketrans(
    {
        "²": " squared ",
        "³": " cubed ",
        "…": "...",
        "‐": "-",
        "‑": "-",
        "‒": "-",
        "–": "-",
        "−": "-",
        "—": " - ",
        "―": " - ",
        "‘": "'",
        "’": "'",
        "‚": "'",
        "‛": "'",
        "`": "'",
        "´": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "‟": '"',
        "«": '"',
        "»": '"',
        "′": "'",
        "″": '"',
        "×": " x ",
        "÷": " divided by ",
        "•": " ",
        "№": " number ",
        "™": " ",
        "®": " ",
        "©": " ",
    }
)
_VULGAR_FRACTION = re.compile(r"[¼-¾⅐-⅞↉]")


def _plain_characters(text: str) -> str:
    text = _VULGAR_FRACTION.sub(lambda match: f" {match[0]}", text).translate(_BEFORE_NFKC)
    return "".join(map(_plain_character, unicodedata.normalize("NFKC", text)))


@lru_cache(maxsize=4096)
def _plain_character(character: str) -> str:
    if character.isascii():
        return character if character.isprintable() else " "
    if (value := unicodedata.decimal(character, None)) is not None:
        return str(value)
    match unicodedata.category(character)[0]:
        case "L" | "M":
            return character
        case "C":
            return "" if unicodedata.category(character) == "Cf" else " "
        case _:
            return character if character in "£€¥¢°⁄" else " "


# Rules, in the order in which they are tried ---------------------------------------------------------------

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_MONTH_BY_START = {month[:3].lower(): month for month in _MONTHS}
_MONTH = (
    r"(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_NUMBER = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)"
_AMOUNT = rf"({_NUMBER})?(?:\.([0-9]+))?"
_SCALE = {"k": "thousand", "m": "million", "mn": "million", "b": "billion", "bn": "billion", "t": "trillion"}
_CURRENCY = {
    "$": ("dollar", "dollars", "cent", "cents"),
    "€": ("euro", "euros", "cent", "cents"),
    "£": ("pound", "pounds", "penny", "pence"),
    "¥": ("yen", "yen", "", ""),
}
_UNITS = {
    "ft": ("foot", "feet"),
    "yd": ("yard", "yards"),
    "yds": ("yard", "yards"),
    "mi": ("mile", "miles"),
    "km": ("kilometer", "kilometers"),
    "m": ("meter", "meters"),
    "cm": ("centimeter", "centimeters"),
    "mm": ("millimeter", "millimeters"),
    "kg": ("kilogram", "kilograms"),
    "g": ("gram", "grams"),
    "mg": ("milligram", "milligrams"),
    "lb": ("pound", "pounds"),
    "lbs": ("pound", "pounds"),
    "oz": ("ounce", "ounces"),
    "mph": ("mile per hour", "miles per hour"),
    "km/h": ("kilometer per hour", "kilometers per hour"),
    "kph": ("kilometer per hour", "kilometers per hour"),
    "kmh": ("kilometer per hour", "kilometers per hour"),
    "°F": ("degree Fahrenheit", "degrees Fahrenheit"),
    "°C": ("degree Celsius", "degrees Celsius"),
    "° F": ("degree Fahrenheit", "degrees Fahrenheit"),
    "° C": ("degree Celsius", "degrees Celsius"),
    "°": ("degree", "degrees"),
    "ms": ("millisecond", "milliseconds"),
    "s": ("second", "seconds"),
    "sec": ("second", "seconds"),
    "secs": ("second", "seconds"),
    "min": ("minute", "minutes"),
    "mins": ("minute", "minutes"),
    "h": ("hour", "hours"),
    "hr": ("hour", "hours"),
    "hrs": ("hour", "hours"),
    "Hz": ("hertz", "hertz"),
    "kHz": ("kilohertz", "kilohertz"),
    "MHz": ("megahertz", "megahertz"),
    "GHz": ("gigahertz", "gigahertz"),
    "KB": ("kilobyte", "kilobytes"),
    "MB": ("megabyte", "megabytes"),
    "GB": ("gigabyte", "gigabytes"),
    "TB": ("terabyte", "terabytes"),
    "dB": ("decibel", "decibels"),
    "kW": ("kilowatt", "kilowatts"),
    "kWh": ("kilowatt hour", "kilowatt hours"),
    "ml": ("milliliter", "milliliters"),
    "mL": ("milliliter", "milliliters"),
    "L": ("liter", "liters"),
    "gal": ("gallon", "gallons"),
    "tsp": ("teaspoon", "teaspoons"),
    "tbsp": ("tablespoon", "tablespoons"),
    "cal": ("calorie", "calories"),
    "kcal": ("kilocalorie", "kilocalories"),
}
_UNIT = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))
_TITLES = {"Dr": "Doctor", "Mr": "Mister", "Mrs": "Missus", "Ms": "Ms", "Prof": "Professor", "St": "Saint"}
_STREETS = {
    "Dr": "Drive",
    "St": "Street",
    "Ave": "Avenue",
    "Blvd": "Boulevard",
    "Rd": "Road",
    "Ln": "Lane",
    "Hwy": "Highway",
    "Jr": "Junior",
    "Sr": "Senior",
}
_ABBREVIATIONS = {
    "vs": "versus",
    "etc": "et cetera",
    "approx": "approximately",
    "appt": "appointment",
    "dept": "department",
    "apt": "apartment",
    "mon": "Monday",
    "tue": "Tuesday",
    "tues": "Tuesday",
    "wed": "Wednesday",
    "thu": "Thursday",
    "thur": "Thursday",
    "thurs": "Thursday",
    "fri": "Friday",
}
_FRACTIONS = {(1, 2): "one half", (1, 4): "one quarter", (3, 4): "three quarters"}
_SPOKEN_BY_DIGIT = r"(?:code|pin|zip|zip code|passcode|password|extension|ext\.?|account|confirmation)"


def _digits_of_address(text: str) -> str:
    """An e-mail or web address, said: dots, dashes and slashes become words."""
    for symbol, word in (
        (".", "dot"),
        ("@", "at"),
        ("-", "dash"),
        ("_", "underscore"),
        ("/", "slash"),
        ("+", "plus"),
    ):
        text = text.replace(symbol, f" {word} ")
    return text


def _web(match: re.Match[str]) -> str:
    address = match[0]
    end = address[len(address.rstrip(".,!?;:'\")/")) :].replace("/", "")
    bare = re.sub(r"(?i)^https?://", "", address).rstrip(".,!?;:'\")/")
    return f" {_digits_of_address(bare)}{end}"


def _date(month: int, day: int, years: str | None, otherwise: str) -> str:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return otherwise
    said = f"{_MONTHS[month - 1]} {ordinal(day)}"
    return f"{said}, {year(_full_year(years))}" if years else said


def _full_year(years: str) -> int:
    number = int(years)
    return number if len(years) > 2 else number + (2000 if number < 50 else 1900)


def _month_name(name: str) -> int:
    return _MONTHS.index(_MONTH_BY_START[name[:3].lower()]) + 1


def _month_day(match: re.Match[str]) -> str:
    return _date(_month_name(match[1]), int(match[2]), match[3], match[0])


def _day_month(match: re.Match[str]) -> str:
    day = int(match[1])
    if not 1 <= day <= 31:
        return match[0]
    said = f"the {ordinal(day)} of {_MONTHS[_month_name(match[2]) - 1]}"
    return f"{said}, {year(int(match[3]))}" if match[3] else said


def _time(match: re.Match[str]) -> str:
    hour, minute, second, half = int(match[1]), int(match[2]), match[3], match[4]
    if hour > 24 or minute > 59:
        return f"{cardinal(hour)} to {cardinal(minute)}"
    if minute:
        said = f"{cardinal(hour)} {pair(minute)}"
    elif half:
        said = cardinal(hour)
    elif hour > 12:
        said = f"{cardinal(hour)} hundred"
    else:
        said = f"{cardinal(hour)} o'clock" if hour else "zero hundred"
    if second:
        said += f" and {_counted(int(second), 'second', 'seconds')}"
    return f"{said} {_half_day(half)}" if half else said


def _half_day(half: str) -> str:
    return f"{half[0].upper()}M"


def _counted(number: int, one: str, many: str) -> str:
    return f"{cardinal(number)} {one if number == 1 else many}"


def _amount(whole: str | None, fraction: str | None) -> str:
    if fraction:
        return decimal(whole or "", fraction)
    return cardinal(int((whole or "0").replace(",", "")))


def _money(match: re.Match[str]) -> str:
    sign, symbol, whole, fraction, scale = match.groups()
    if whole is None and fraction is None:
        return match[0]
    one, many, cent, cents = _CURRENCY[symbol]
    minus = "minus " if sign else ""
    if scale:
        return f"{minus}{_amount(whole, fraction)} {_SCALE.get(scale.lower(), scale)} {many}"
    units = int((whole or "0").replace(",", ""))
    if fraction is None:
        return minus + _counted(units, one, many)
    if not cent or len(fraction) > 2:
        return f"{minus}{_amount(whole, fraction)} {many}"
    parts = int(fraction.ljust(2, "0"))
    said = [_counted(units, one, many)] if units or not parts else []
    if parts:
        said.append(_counted(parts, cent, cents))
    return minus + " and ".join(said)


def _measure(match: re.Match[str]) -> str:
    whole, fraction, unit = match.groups()
    if whole is None and fraction is None:
        return match[0]
    one, many = _UNITS[unit]
    is_one = fraction is None and int((whole or "0").replace(",", "")) == 1
    return f"{_amount(whole, fraction)} {one if is_one else many}"


def _whole_number(match: re.Match[str]) -> str:
    text = match[0]
    if "," in text:
        return cardinal(int(text.replace(",", "")))
    if len(text) > 1 and (text[0] == "0" or len(text) >= 7):
        return digits(text)
    number = int(text)
    if 1100 <= number <= 1999 or 2010 <= number <= 2099:
        return year(number)
    return cardinal(number)


def _fraction(match: re.Match[str]) -> str:
    whole, above, slash, below = match[1], int(match[2]), match[3], int(match[4])
    if below in (0, 1) or (slash == "/" and not above < below <= 10):
        return f"{match[1] or ''} {above} {below}"
    said = _FRACTIONS.get((above, below))
    if said is None:
        named = "half" if below == 2 else ordinal(below)
        said = f"{cardinal(above)} {named if above == 1 else {'half': 'halves'}.get(named, named + 's')}"
    if whole is None:
        return said
    return f"{cardinal(int(whole))} and {'a half' if said == 'one half' else said}"


def _by_group(match: re.Match[str]) -> str:
    groups = re.findall("[0-9]+", match[0])
    return ", ".join(map(digits, groups))


def _decade(match: re.Match[str]) -> str:
    said = year(int(match[1]))
    return f"{said[:-1]}ies" if said.endswith("y") else f"{said}s"


def _words(text: str) -> Callable[[re.Match[str]], str]:
    return lambda _match: text


def _rule(pattern: str, replace: Callable[[re.Match[str]], str] | str) -> Rule:
    return re.compile(pattern), _words(replace) if isinstance(replace, str) else replace


_RULES: tuple[Rule, ...] = (
    # Addresses, before anything takes their dots and digits apart.
    _rule(r"(?i)\b[a-z0-9][a-z0-9._+-]*@[a-z0-9-]+(?:\.[a-z0-9-]+)+\b", lambda m: _digits_of_address(m[0])),
    _rule(r"(?i)\b(?:https?://|www\.)[^\s<>\"]+", _web),
    _rule(r"(?i)\b[a-z0-9-]+\.(?:com|org|net|edu|gov|io|ai|dev)\b(?:/[^\s<>\"]*)?", _web),
    # Abbreviations.
    _rule(r"(?i)\be\.g\.,?", "for example,"),
    _rule(r"(?i)\bi\.e\.,?", "that is,"),
    _rule(r"\b(Mr|Mrs|Ms|Prof)\b\.?(?=\s+[A-Z])", lambda m: _TITLES[m[1]]),
    _rule(r"\b(Dr|St)\b\.?(?=\s+[A-Z])(?<![A-Z][a-z]\s\1)", lambda m: _TITLES[m[1]]),
    _rule(
        r"(?<=[a-z0-9] )(Dr|St|Ave|Blvd|Rd|Ln|Hwy|Jr|Sr)\b\.(?=\s+[A-Z]|\s*$)", lambda m: f"{_STREETS[m[1]]}."
    ),
    _rule(r"(?<=[a-z0-9] )(Dr|St|Ave|Blvd|Rd|Ln|Hwy|Jr|Sr)\b\.?", lambda m: _STREETS[m[1]]),
    _rule(
        r"(?i)\b(vs|etc|approx|appt|dept|mon|tues?|wed|thu|thurs?|fri)\.(?=\s*$)",
        lambda m: f"{_ABBREVIATIONS[m[1].lower()]}.",
    ),
    _rule(
        r"(?i)\b(vs|etc|approx|appt|dept|mon|tues?|wed|thu|thurs?|fri)\.",
        lambda m: _ABBREVIATIONS[m[1].lower()],
    ),
    _rule(r"(?i)\bapt\.?(?=\s*#?[0-9])", "apartment"),
    _rule(r"\b[Nn]os?\.\s*(?=[0-9])", "number "),
    _rule(r"#\s*(?=[0-9])", "number "),
    _rule(r"#(?=[A-Za-z])", "hashtag "),
    # Dates.
    _rule(
        r"\b([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})\b",
        lambda m: _date(int(m[2]), int(m[3]), m[1], f"{m[1]} {m[2]} {m[3]}"),
    ),
    _rule(
        r"\b([0-9]{1,2})/([0-9]{1,2})/([0-9]{4}|[0-9]{2})\b",
        lambda m: _date(int(m[1]), int(m[2]), m[3], f"{m[1]} {m[2]} {m[3]}"),
    ),
    _rule(
        rf"\b{_MONTH}\s+([0-9]{{1,2}})(?:st|nd|rd|th)?\b(?![:/.,]?[0-9])(?:,?\s+([0-9]{{4}})\b)?", _month_day
    ),
    _rule(
        rf"(?:\bthe\s+)?\b([0-9]{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s+([0-9]{{4}})\b)?",
        _day_month,
    ),
    _rule(r"\b([12][0-9]{2}0)'?s\b", _decade),
    _rule(r"'?\b([2-9]0)'?s\b", lambda m: f"{cardinal(int(m[1]))[:-1]}ies"),
    # Telephone numbers and codes: digit by digit.
    _rule(
        r"(?<![\w-])(?:\+?[0-9]{1,3}[ .-])?(?:\([0-9]{3}\) ?|[0-9]{3}[ .-])[0-9]{3}[ .-][0-9]{4}\b", _by_group
    ),
    _rule(r"(?<![\w-])[0-9]{3}-[0-9]{4}\b(?!-)", _by_group),
    _rule(r"\+[0-9]{7,}\b", lambda m: f"plus {digits(m[0])}"),
    _rule(r"\b[0-9]{5}-[0-9]{4}\b", _by_group),
    _rule(
        rf"(?i)\b({_SPOKEN_BY_DIGIT}(?: number)?(?: is)?:?\s+)([0-9]{{2,}})\b", lambda m: m[1] + digits(m[2])
    ),
    _rule(r"\b(911|411|311)\b", lambda m: digits(m[1])),
    # Ranges: the sign between two numbers.
    _rule(r"\b[0-9]+(?:-[0-9]+){2,}\b", lambda m: m[0].replace("-", " ")),
    _rule(rf"([$€£¥])({_NUMBER})\s?-\s?(?={_NUMBER})", lambda m: f"{m[2]} to {m[1]}"),
    _rule(r"(?i)(?<=[0-9])(\s?[ap]\.?m\b\.?)?\s?-\s?(?=\$?[0-9])", lambda m: f"{m[1] or ''} to "),
    # Times. The full stop of "p.m." may be the sentence's too.
    _rule(r"(?i:\b([ap])\.m\.)(?=\s+[A-Z]|[\"']?\s*$)", lambda m: f"{m[1]}m."),
    _rule(
        r"(?i)\b([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?(?:\s?([ap])(?:m\b|\.m\b\.?))?(?!:?[0-9])",
        _time,
    ),
    _rule(
        r"(?i)\b(1[0-2]|0?[1-9])\s?([ap])(?:m\b|\.m\b\.?)",
        lambda m: f"{cardinal(int(m[1]))} {_half_day(m[2])}",
    ),
    _rule(r"\b([ap])\.m\.", lambda m: _half_day(m[1])),
    _rule(r"([0-9]):(?=[0-9])", lambda m: f"{m[1]} to "),
    # Money.
    _rule(
        rf"(-)?([$€£¥])\s?{_AMOUNT}(?:\s?(thousand|million|billion|trillion|k|K|m|M|mn|bn|B|b|T)\b)?",
        _money,
    ),
    _rule(r"\b([0-9]+)\s?¢", lambda m: _counted(int(m[1]), "cent", "cents")),
    # Fractions, with or without a whole part.
    _rule(r"(?:\b([0-9]+)\s+)?\b([0-9]+)([⁄/])([0-9]+)\b", _fraction),
    # Measures and percentages.
    _rule(
        r"\b([0-9]+)'\s?([0-9]{1,2})(?:\"|'')?",
        lambda m: f"{_counted(int(m[1]), 'foot', 'foot')} {cardinal(int(m[2]))}",
    ),
    _rule(rf"(?<![\w.]){_AMOUNT}\s?({_UNIT})(?![\w°])(?:\.(?=\s+[a-z]))?", _measure),
    _rule(r"°", " degrees "),
    _rule(r"%", " percent "),
    _rule(r"/(?=(?:second|minute|hour|day|night|week|month|year|person)\b)", " per "),
    # What is left of numbers.
    _rule(rf"\b({_NUMBER})(?:st|nd|rd|th)\b", lambda m: ordinal_of(cardinal(int(m[1].replace(",", ""))))),
    _rule(r"(?<=[A-Za-z])-?(?=[0-9])", " "),
    _rule(r"(?<=[0-9])(?=[A-Za-z])", " "),
    _rule(r"\b[0-9]+(?:\.[0-9]+){2,}\b", lambda m: " point ".join(cardinal(int(p)) for p in m[0].split("."))),
    _rule(r"(?<![\w.])-(?=\.?[0-9])", "minus "),
    _rule(rf"({_NUMBER})?\.([0-9]+)", lambda m: decimal(m[1] or "", m[2])),
    _rule(_NUMBER, _whole_number),
    # Symbols.
    _rule(r"\s*&\s*", " and "),
    _rule(r"\bw/o\b", "without"),
    _rule(r"\bw/(?=\s|\w)", "with "),
    _rule(r"\s*@\s*", " at "),
    _rule(r"\s*\+\s*", " plus "),
    _rule(r"\s*=\s*", " equals "),
    _rule(r"€", " euros "),
    _rule(r"£", " pounds "),
    _rule(r"¥", " yen "),
    _rule(r"¢", " cents "),
    _rule(r"\$", " dollars "),
    _rule(r"<\s*(?=\S)", " less than "),
    _rule(r"(?<=\S)\s*>", " greater than "),
    _rule(r"[()\[\]{}]+", ", "),
    _rule(r"[*_~^|\\#/⁄<>]+", " "),
)


# Tidying ---------------------------------------------------------------------------------------------------

_TIDY: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\s+"), " "),
    (re.compile(r"-{2,}"), " - "),
    (re.compile(r"(?<!\w)-(?=\w)|(?<=\w)-(?!\w)"), " - "),
    (re.compile(r"\.{2,}"), "..."),
)


def _tidy(text: str) -> str:
    for pattern, by in _TIDY:
        text = pattern.sub(by, text)
    text = re.sub(r"(?<!\S)['\"]+(?!\S)", "", text)
    text = re.sub(r"([!?])[!?.,;:]*", r"\1", text)
    text = re.sub(r"\s+([.,!?;:])", r"\1", text)
    text = re.sub(r"[,;:]+(?=[,;:.!?])", "", text)
    text = re.sub(r"^[\s,;:.!?-]+|[\s,;:-]+$", "", text)
    return re.sub(r"\s+", " ", text).strip()
