"""What a plain YAML scalar means: the core schema of YAML 1.2, and stricter about leading zeros.

``no``, ``on``, ``012``, ``1:30``, ``2024-01-01`` and ``1_000`` are text; ``1e3``, ``.5``, ``0x1F`` and
``0o17`` are numbers.
"""

from __future__ import annotations

import math
import re

Scalar = str | int | float | bool | None

_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_MAX_INT = 2**63
_MAX_DIGITS = 40


class ScalarError(ValueError):
    """A number that no spec can mean: not finite, or too large."""


def resolve_plain(text: str) -> Scalar:
    """The value of an unquoted scalar. Raises ScalarError for numbers not finite or beyond 64 bits."""
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _INT.fullmatch(text):
        return _whole(text, 10)
    if _BASED.fullmatch(text):
        return _whole(text[2:], 8 if text[1] == "o" else 16)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if not math.isfinite(number):
            raise ScalarError(f"{text} is too large a number")
        return number
    if _NOT_FINITE.fullmatch(text):
        raise ScalarError(f"{text} is not a finite number")
    return text


def _whole(digits: str, base: int) -> int:
    if len(digits) > _MAX_DIGITS or abs(number := int(digits, base)) >= _MAX_INT:
        raise ScalarError(f"{digits[:_MAX_DIGITS]} is too large a whole number")
    return number
