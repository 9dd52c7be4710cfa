"""Reads YAML into nodes that know their line and column, with the guards that specs need.

Built on the events of libyaml's parser, which needs no recursion: nesting and aliases are bounded here,
before anything is expanded. Scalars are those of YAML 1.2 (``scalars.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from vgsynth.contract.problems import Place, Problem
from vgsynth.spec.nodes import Node
from vgsynth.spec.scalars import ScalarError, resolve_plain
from vgsynth.spec.yaml_errors import reader_problem, syntax_problem

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MAX_DEPTH = 64
MAX_ALIASED = 100_000
"""Values that aliases may repeat in one file."""
_STRING_TAGS = ("!", "tag:yaml.org,2002:str")
_UNSPEAKABLE = re.compile("[\x00\ud800-\udfff]")


class _StopError(Exception):
    """Reading cannot go on; the reason is among the problems."""


def read_yaml(data: bytes, file: str) -> tuple[Node | None, list[Problem]]:
    """The document in ``data`` and what is wrong with its YAML; None where there is no document to use.

    ``file`` is how problems name it.
    """
    text, problem = decode(data, file)
    if text is None:
        return None, [problem] if problem else []
    reader = _Reader(file)
    try:
        root = reader.document(yaml.parse(text, Loader=_LOADER))
    except _StopError:
        return None, reader.problems
    except yaml.reader.ReaderError as error:
        return None, [*reader.problems, reader_problem(error, text, file)]
    except yaml.MarkedYAMLError as error:
        return None, [*reader.problems, syntax_problem(error, text, file)]
    return root, reader.problems


def decode(data: bytes, file: str) -> tuple[str | None, Problem | None]:
    """The text of a UTF-8 file, with or without a byte order mark; or what is wrong with it."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None, _problem(Place(file=file, line=1, column=1), "the file is UTF-16", "save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line_start = before.rfind(b"\n") + 1
        column = len(before[line_start:].decode("utf-8-sig", errors="replace")) + 1
        place = Place(file=file, line=before.count(b"\n") + 1, column=column)
        return None, _problem(place, f"byte 0x{data[error.start]:02x} is not UTF-8", "save the file as UTF-8")
    nul = text.find("\0")
    if nul >= 0:
        line_start = text.rfind("\n", 0, nul) + 1
        place = Place(file=file, line=text.count("\n", 0, nul) + 1, column=nul - line_start + 1)
        return None, _problem(place, "a NUL character", "is this a text file? Remove the character")
    return text, None


def _problem(place: Place, message: str, fix: str) -> Problem:
    return Problem(place=place, path="", message=message, fix=fix)


def _tag(event: Any) -> str:
    """A tag as it is written."""
    return str(event.tag).replace("tag:yaml.org,2002:", "!!")


class _Reader:
    """Builds nodes from parser events; collects the problems that do not keep it from going on."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self._anchors: dict[str, Node | None] = {}
        """None while the anchored value is still being read."""
        self._aliased = 0

    def document(self, events: Iterator[Any]) -> Node | None:
        root: Node | None = None
        started = False
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                if started:
                    self._note(event, "a second document begins here", "keep one document in a file")
                    raise _StopError
                started = True
                root = self._node(next(events), events, 0)
        if root is None or root.value is None:
            place = Place(file=self.file, line=1, column=1)
            self.problems.append(
                _problem(place, "the file is empty", "see `vgsynth new` for a spec to start from")
            )
            raise _StopError
        return root

    def _node(self, event: Any, events: Iterator[Any], depth: int) -> Node:
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        if depth > MAX_DEPTH:
            self._note(event, f"nested more than {MAX_DEPTH} deep", "flatten it")
            raise _StopError
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        if isinstance(event, yaml.ScalarEvent):
            node = self._scalar(event)
        elif isinstance(event, yaml.SequenceStartEvent):
            node = self._sequence(event, events, depth)
        else:
            node = self._mapping(event, events, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _alias(self, event: Any) -> Node:
        name = event.anchor
        if name not in self._anchors:
            self._note(
                event, f"the alias *{name} names no anchor", f"write &{name} before the value it stands for"
            )
        elif (node := self._anchors[name]) is None:
            self._note(event, f"the alias *{name} stands inside its own anchor", "write the value out")
        else:
            self._aliased += node.size
            if self._aliased > MAX_ALIASED:
                self._note(event, f"aliases repeat more than {MAX_ALIASED:,} values", "use fewer of them")
                raise _StopError
            return node
        return Node(place=self._place(event), value=None)

    def _scalar(self, event: Any) -> Node:
        text: str = event.value
        place = self._place(event)
        if _UNSPEAKABLE.search(text):
            self._note(event, "a character that cannot be written as UTF-8, or NUL", "remove the escape")
            text = _UNSPEAKABLE.sub("", text)
        if not self._is_plain(event):
            if event.tag is not None and event.tag not in _STRING_TAGS:
                self._note(event, f"the tag {_tag(event)} is not used here", "remove it")
            return Node(place=place, value=text)
        try:
            value = resolve_plain(text)
        except ScalarError as error:
            self._note(event, str(error), "write a number of usual size, or quote it if it is text")
            value = 0
        return Node(place=place, value=value, written=None if isinstance(value, str) else text)

    @staticmethod
    def _is_plain(event: Any) -> bool:
        return event.tag is None and event.implicit[0]

    def _sequence(self, event: Any, events: Iterator[Any], depth: int) -> Node:
        self._refuse_tag(event)
        items: list[Node] = []
        size = 1
        while not isinstance(inner := next(events), yaml.SequenceEndEvent):
            item = self._node(inner, events, depth + 1)
            size += item.size
            items.append(item)
        return Node(place=self._place(event), value=items, size=size)

    def _mapping(self, event: Any, events: Iterator[Any], depth: int) -> Node:
        self._refuse_tag(event)
        entries: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        size = 1
        while not isinstance(inner := next(events), yaml.MappingEndEvent):
            key = self._key(inner, events, depth)
            value = self._node(next(events), events, depth + 1)
            size += 1 + value.size
            if key is None:
                continue
            if key in entries:
                first = keys[key].line
                self._note(
                    inner, f"the key {key!r} is given twice (first in line {first})", "remove one of them"
                )
                continue
            entries[key] = value
            keys[key] = self._place(inner)
        return Node(place=self._place(event), value=entries, keys=keys, size=size)

    def _key(self, event: Any, events: Iterator[Any], depth: int) -> str | None:
        """A key as text, ``1`` and ``true`` as written; None, with its problem noted, for what is none."""
        if not isinstance(event, yaml.ScalarEvent):
            self._note(
                event, "a key is not a name", "write a word before the colon; quote braces and brackets"
            )
            self._node(event, events, depth + 1)
            return None
        key: str = event.value
        if _UNSPEAKABLE.search(key):
            self._note(
                event, "a character in a key that cannot be written as UTF-8, or NUL", "remove the escape"
            )
            return None
        if event.anchor is not None or event.tag not in (None, *_STRING_TAGS):
            self._note(event, "a key with an anchor or a tag", "write the plain key")
        if self._is_plain(event) and key == "<<":
            self._note(event, "merge keys (<<) are not used", "use `defaults`, or `extends` another file")
            return None
        if self._is_plain(event) and key in ("", "~"):
            self._note(event, "a colon without a key before it", "name the key, or quote the text")
            return None
        return key

    def _refuse_tag(self, event: Any) -> None:
        if event.tag is not None and event.tag != "!":
            self._note(event, f"the tag {_tag(event)} is not used here", "remove it")

    def _place(self, event: Any) -> Place:
        mark = event.start_mark
        return Place(file=self.file, line=mark.line + 1, column=mark.column + 1)

    def _note(self, event: Any, message: str, fix: str) -> None:
        self.problems.append(_problem(self._place(event), message, fix))
