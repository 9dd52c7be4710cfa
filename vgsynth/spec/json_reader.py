"""Reads JSON into the same nodes as YAML: positions of every value and key, keys given twice refused."""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, NoReturn

from vgsynth.contract.problems import Place, Problem
from vgsynth.spec.nodes import Node
from vgsynth.spec.yaml_reader import MAX_DEPTH, decode

_SPACE = re.compile(r"[ \t\r\n]*")
_MAX_INT = 2**63
_MAX_INT_DIGITS = 40


class JsonError(ValueError):
    """A text that is not JSON as specs use it. Line and column count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


def parse_json(text: str) -> Any:
    """Plain data of a JSON text, fast and without positions.

    Raises JsonError for bad syntax, NaN, numbers that no float or 64-bit integer holds, a key given twice,
    too deep nesting, and halves of surrogate pairs.
    """
    try:
        data = _DECODER.decode(text)
        if "\\u" in text:
            json.dumps(data, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise JsonError(_plain_words(error.msg), error.lineno, error.colno) from None
    except UnicodeEncodeError:
        raise JsonError("an escape that is half a character", 1, 1) from None
    except RecursionError:
        raise JsonError("nested too deep", 1, 1) from None
    except ValueError as error:
        raise JsonError(str(error), 1, 1) from None
    return data


def read_json(data: bytes, file: str) -> tuple[Node | None, list[Problem]]:
    """The document in ``data`` with positions, or what is wrong with it; problems name it ``file``."""
    text, problem = decode(data, file)
    if text is None:
        return None, [problem] if problem else []
    try:
        parse_json(text)
        return json_node(text, file), []
    except JsonError as error:
        place = Place(file=file, line=error.line, column=error.column)
        return None, [Problem(place=place, path="", message=f"not JSON: {error.message}", fix="")]


def json_node(text: str, file: str, *, first_line: int = 1) -> Node:
    """Nodes of a text that ``parse_json`` has accepted. Raises JsonError where it is nested too deep."""
    return _Positions(text, file, first_line).value(_SPACE.match(text, 0).end(), 0)[0]  # type: ignore[union-attr]


def _plain_words(message: str) -> str:
    return message[0].lower() + message[1:]


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} is given twice")
    return data


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a finite number")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text} is too large a number")
    return number


def _whole(text: str) -> int:
    if len(text) > _MAX_INT_DIGITS or abs(number := int(text)) >= _MAX_INT:
        raise ValueError(f"{text[:_MAX_INT_DIGITS]} is too large a whole number")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite, parse_int=_whole
)


class _Positions:
    """Walks a valid JSON text again, noting where everything stands."""

    def __init__(self, text: str, file: str, first_line: int) -> None:
        self._text = text
        self._file = file
        self._first_line = first_line

    def value(self, at: int, depth: int) -> tuple[Node, int]:
        """The value that begins at ``at``, and where it ends."""
        if depth > MAX_DEPTH:
            place = self._place(at)
            raise JsonError(f"nested more than {MAX_DEPTH} deep", place.line, place.column)
        match self._text[at]:
            case "{":
                return self._object(at, depth)
            case "[":
                return self._array(at, depth)
            case _:
                value, end = _DECODER.raw_decode(self._text, at)
                written = None if isinstance(value, str) else self._text[at:end]
                return Node(place=self._place(at), value=value, written=written), end

    def _object(self, at: int, depth: int) -> tuple[Node, int]:
        node = Node(place=self._place(at), value={})
        at = self._skip(at + 1)
        while self._text[at] != "}":
            at = self._skip(at + 1) if self._text[at] == "," else at
            key, end = scanstring(self._text, at + 1, True)
            node.keys[key] = self._place(at)
            at = self._skip(self._skip(end) + 1)
            node.value[key], at = self.value(at, depth + 1)
            at = self._skip(at)
        return node, at + 1

    def _array(self, at: int, depth: int) -> tuple[Node, int]:
        node = Node(place=self._place(at), value=[])
        at = self._skip(at + 1)
        while self._text[at] != "]":
            at = self._skip(at + 1) if self._text[at] == "," else at
            item, at = self.value(at, depth + 1)
            node.value.append(item)
            at = self._skip(at)
        return node, at + 1

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        return found.end() if found else at

    def _place(self, at: int) -> Place:
        line_start = self._text.rfind("\n", 0, at) + 1
        line = self._text.count("\n", 0, at) + self._first_line
        return Place(file=self._file, line=line, column=at - line_start + 1)
