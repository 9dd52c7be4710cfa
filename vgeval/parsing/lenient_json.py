"""JSON as models write it: single quotes, trailing commas, Python's constants. Nothing is guessed.

Libraries that repair JSON accept a key given twice, or a brace that is missing: that would score outputs that
no agent could run.
"""

from __future__ import annotations

import re
from typing import Any

from vgsynth.contract.action import parse_json

_TOKEN = re.compile(
    r"""
    (?P<double> "(?:[^"\\]|\\.)*+(?:"|\\?\Z))
  | (?P<single> '(?:[^'\\]|\\.)*+(?:'|\\?\Z))
  | (?P<comma> ,\s*+(?=[}\]]))
  | (?P<word> \b(?:True|False|None)\b)
    """,
    re.VERBOSE | re.DOTALL,
)
"""Strings run on to the end of the text where nothing closes them, so that no part is read twice."""
_WORDS = {"True": "true", "False": "false", "None": "null"}


def parse_lenient_json(text: str) -> Any:
    """The value of JSON text, or of what is JSON but for quotes, a trailing comma or Python's constants.

    Raises ValueError for anything else: a missing brace, a key given twice, NaN. Linear in its input.
    """
    try:
        return parse_json(text)
    except ValueError:
        return parse_json(_TOKEN.sub(_as_json, text))


def _as_json(token: re.Match[str]) -> str:
    found = token[0]
    match token.lastgroup:
        case "single":
            inner = re.sub(r"""\\.|["]""", _requoted, found[1:-1], flags=re.DOTALL)
            return f'"{inner}"' if len(found) > 1 and found.endswith("'") else found
        case "comma":
            return ""
        case "word":
            return _WORDS[found]
        case _:
            return found


def _requoted(found: re.Match[str]) -> str:
    return {"\\'": "'", '"': '\\"'}.get(found[0], found[0])
