"""YAML syntax errors in plain words: from libyaml's terse message to what is wrong and what is right."""

from __future__ import annotations

import re
from typing import Any

from vgsynth.contract.problems import Place, Problem

_NOT_PRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_OPENED = {
    "did not find expected ',' or ']'": (
        "a list opened here with [ is not closed",
        "close it with ], commas between",
    ),
    "did not find expected ',' or '}'": (
        "a mapping opened here with { is not closed",
        "close it with }, commas between",
    ),
    "could not find expected ':'": ("a line that is neither a key nor a list item", "write `key: value`"),
    "found unexpected end of stream": ("a quote opened here is not closed", "close it, or remove it"),
}
"""Told at the place where the thing begins."""

_WORDS = {
    "mapping values are not allowed in this context": (
        "a colon where no key can stand",
        "quote a text that holds ': ', or line this line up with those around it",
    ),
    "did not find expected key": (
        "this does not line up with the mapping above it",
        "indent it like the other keys; quote a text that begins with a quote, [ or {",
    ),
    "did not find expected '-' indicator": (
        "this does not line up with the list above it",
        "begin it with '- ', or indent it like the other keys",
    ),
    "block sequence entries are not allowed in this context": (
        "a list item where none can stand",
        "begin the list on a line of its own, or quote a text that begins with '- '",
    ),
    "found unknown escape character": (
        "an unknown escape in a double-quoted text",
        "write \\\\ for a backslash, or use single quotes",
    ),
    "found invalid Unicode character escape code": (
        "an escape that is no character",
        "write the character itself: files are UTF-8",
    ),
    "did not find expected node content": (
        "a value is missing here",
        "write one, or quote a text that begins so",
    ),
    "did not find expected <document start>": (
        "text behind the end of the document",
        "remove it, or a bracket too many before it",
    ),
    "found a tab character": (
        "a tab in the indentation",
        "indent with spaces",
    ),
    "did not find expected comment or line break": (
        "text behind | or >",
        "begin the text on the next line, indented; or quote a text that begins with | or >",
    ),
    "exceeded maximum nesting depth": ("nested too deep", "flatten it"),
    "found unknown directive name": (
        "an unknown directive",
        "remove the line, or quote a text that begins with %",
    ),
    "found incompatible YAML document": ("a YAML version that is not supported", "remove the %YAML line"),
}


def syntax_problem(error: Any, text: str, file: str) -> Problem:
    """The problem that a ``yaml.MarkedYAMLError`` stands for."""
    mark = error.problem_mark or error.context_mark
    said = str(error.problem or error.context or "not YAML")
    if said in _OPENED and error.context_mark is not None:
        message, fix = _OPENED[said]
        return _problem(_place(error.context_mark, file), message, fix)
    if said == "found character that cannot start any token":
        return _problem(_place(mark, file), *_cannot_start(text, mark))
    for known, (message, fix) in _WORDS.items():
        if said.startswith(known):
            return _problem(_place(mark, file), message, fix)
    context = f"{error.context}: " if error.context and error.problem else ""
    return _problem(_place(mark, file), f"not YAML: {context}{said}", "quote the text if it is meant as text")


def reader_problem(error: Any, text: str, file: str) -> Problem:
    """The problem that a ``yaml.reader.ReaderError`` stands for: a character that YAML does not allow."""
    found = _NOT_PRINTABLE.search(text)
    at = found.start() if found else 0
    line_start = text.rfind("\n", 0, at) + 1
    place = Place(file=file, line=text.count("\n", 0, at) + 1, column=at - line_start + 1)
    name = f"U+{ord(text[at]):04X}" if found else str(error.reason)
    return _problem(place, f"a control character ({name})", "remove it")


def _cannot_start(text: str, mark: Any) -> tuple[str, str]:
    character = _character(text, mark)
    if character == "\t":
        return "a tab in the indentation", "indent with spaces"
    return f"a value cannot begin with {character!r}", "put it into quotes"


def _character(text: str, mark: Any) -> str:
    lines = text.splitlines()
    line = lines[mark.line] if mark.line < len(lines) else ""
    return line[mark.column] if mark.column < len(line) else ""


def _place(mark: Any, file: str) -> Place:
    return Place(file=file, line=mark.line + 1, column=mark.column + 1)


def _problem(place: Place, message: str, fix: str) -> Problem:
    return Problem(place=place, path="", message=message, fix=fix)
