"""Values as messages show them: short, and as YAML writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from vgsynth.spec.places import scalar_text
from vgsynth.spec.scalars import ScalarError, resolve_plain

_LONGEST = 60
_SIMPLE = re.compile(r"[\w./][\w./ +-]*")


def describe(value: Any) -> str:
    """What a value is: ``the text 'abc'``, ``-3``, ``a list``, ``empty``."""
    match value:
        case None:
            return "empty"
        case str():
            return f"the text {shorten(value)!r}" if value else "an empty text"
        case bool() | int() | float():
            return scalar_text(value)
        case Mapping():
            return "a mapping"
        case _:
            return "a list"


def shorten(text: str) -> str:
    """At most 60 characters of a text."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def flow(value: Any) -> str:
    """A value in YAML's flow style: ``{dbfs: -23.0, fade_ms: 5}``."""
    match value:
        case Mapping():
            return "{" + ", ".join(f"{flow(str(key))}: {flow(item)}" for key, item in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(flow, value)) + "]"
        case str():
            return value if _is_plain(value) else json.dumps(value, ensure_ascii=False)
        case _:
            return scalar_text(value)


def _is_plain(text: str) -> bool:
    try:
        return _SIMPLE.fullmatch(text) is not None and resolve_plain(text) == text
    except ScalarError:
        return False


def listing(words: Iterable[str], last: str = "or") -> str:
    """``a, b or c``, each once."""
    unique = list(dict.fromkeys(words))
    if len(unique) < 2:
        return "".join(unique)
    return f"{', '.join(unique[:-1])} {last} {unique[-1]}"
