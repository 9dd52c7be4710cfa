"""Slots: ``{name}`` in a text stands for a value, and ``{name:form}`` for the value in another form.

A value may itself hold slots. A slot that a row does not supply is drawn from the pool of that name, once a
case; an entry of a pool may be a mapping, whose parts are ``{person.name}`` and ``{person.they}``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

_SLOT = re.compile(r"\{([a-z0-9_]+)(?:\.([a-z_]+))?(?::([a-z]+))?\}")
_SENTENCE_START = re.compile(r"(?:^|(?<=[.?!] ))[a-z]")
_ON_NEXT = re.compile(r"\bon (?=next )")
"""Nobody says "on next Monday"."""
_VOWEL_SOUND = re.compile(r"(?!one\b|uni|use|eu)[aeiou]|hour|eight|eleven", re.IGNORECASE)


def _counted(text: str) -> str:
    """``twenty minutes`` as it stands before a noun: ``twenty minute``."""
    return text.removesuffix("s")


def _with_article(text: str) -> str:
    return f"{'an' if _VOWEL_SOUND.match(text) else 'a'} {text}"


def _bare(text: str) -> str:
    """``the lasagna`` as a label or a title: ``lasagna``."""
    first, _, rest = text.partition(" ")
    return rest if first.lower() in {"the", "a", "an", "my", "our", "one"} and rest else text


FORMS: Mapping[str, Callable[[str], str]] = {
    "counted": _counted,
    "acounted": lambda text: _with_article(_counted(text)),
    "bare": _bare,
}


class Slots:
    """The slot values of one case. ``draw(pool)`` picks an entry; KeyError where there is no such pool."""

    def __init__(self, row: Mapping[str, Any], draw: Callable[[str], Any]) -> None:
        self._values = dict(row)
        self._draw = draw

    def fill(self, text: str) -> str:
        """The text with every slot replaced. Raises KeyError where a slot has no value."""
        while _SLOT.search(text):
            text = _SLOT.sub(lambda match: str(self._value(match)), text)
        return text

    def say(self, text: str) -> str:
        """The filled text as a sentence: capitals where sentences start."""
        said = _ON_NEXT.sub("", self.fill(text))
        return _SENTENCE_START.sub(lambda match: match[0].upper(), said)

    def params(self, written: Mapping[str, Any]) -> dict[str, Any]:
        """Filled parameters. A text that is one slot keeps its value's type; ``name?`` may lack its value."""
        return {
            name.removesuffix("?"): self._param(value)
            for name, value in written.items()
            if not name.endswith("?") or slots_of(value) <= self._values.keys()
        }

    def _param(self, written: Any) -> Any:
        if not isinstance(written, str):
            return written
        alone = _SLOT.fullmatch(written)
        value = self._value(alone) if alone else written
        return self.fill(value) if isinstance(value, str) else value

    def _value(self, match: re.Match[str]) -> Any:
        name, part, form = match.groups()
        if name not in self._values:
            self._values[name] = self._draw(name)
        value = self._values[name]
        if part is not None:
            value = value[part]
        return FORMS[form](self.fill(str(value))) if form else value


def slots_of(text: str) -> set[str]:
    """The names of the slots in a text."""
    return {match[1] for match in _SLOT.finditer(text)}
