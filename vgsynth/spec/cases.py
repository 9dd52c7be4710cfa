"""The cases of a spec: read as a stream each time, filtered, checked, and never held whole."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vgsynth.contract.problems import Place, Problem
from vgsynth.contract.suggest import did_you_mean
from vgsynth.spec.case_files import CASE_SUFFIXES, Record, listed_records, read_records
from vgsynth.spec.model import Case, Path_
from vgsynth.spec.places import Finder, scalar_text
from vgsynth.spec.safe_id import id_fault
from vgsynth.spec.show import describe
from vgsynth.spec.tools import ToolBox
from vgsynth.spec.tree import PathError, Tree

MAX_PROBLEMS = 200
"""Told of one pass; how many more there are is told as well."""
SINGLE_CASE = "main"
"""The id of the one case of a spec without `cases`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """``where`` and ``limit``."""

    where: Mapping[str, tuple[Any, ...]]
    limit: int | None
    as_text: bool
    """Compare as text, since a CSV's cells are."""

    def keeps(self, value: Mapping[str, Any]) -> bool:
        """Whether a record has the values asked for."""
        return all(
            _same(_inside(value, dotted), wanted, self.as_text) for dotted, wanted in self.where.items()
        )


class Cases:
    """A :class:`vgsynth.spec.model.CaseSource`: iterate as often as needed; each pass reads the file anew."""

    def __init__(
        self, read: Callable[[], Iterable[Record | Problem]], box: ToolBox, chosen: Filter, whole: Place
    ) -> None:
        self._read = read
        self._box = box
        self._chosen = chosen
        self._whole = whole
        self._problems = _Bounded(whole)

    def __iter__(self) -> Iterator[Case]:
        """The cases that are right, in the file's order."""
        self._problems = problems = _Bounded(self._whole)
        seen = _SeenIds()
        left = self._chosen.limit
        for position, record in enumerate(self._read()):
            if left == 0:
                return
            if isinstance(record, Problem):
                problems.add(record)
                continue
            if not isinstance(record.value, Mapping):
                problems.add(
                    record.problem(
                        (), f"a case is a mapping, not {describe(record.value)}", "write {id: ...}"
                    )
                )
                continue
            if not self._chosen.keeps(record.value):
                continue
            left = None if left is None else left - 1
            faults = list(self._faults(record, seen))
            if faults:
                problems.extend(faults)
                continue
            value = record.value
            yield Case(
                id=value["id"],
                ordinal=value.get("ordinal", position),
                fields={key: item for key, item in value.items() if key not in ("id", "ordinal")},
                place=record.place,
            )

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was wrong with the records of the last pass."""
        return self._problems.all()

    def _faults(self, record: Record, seen: _SeenIds) -> Iterator[Problem]:
        value = record.value
        if "id" not in value:
            yield record.problem((), "the case has no `id`", "give it one, for example id: timer-pasta")
        elif not isinstance(value["id"], str):
            yield record.problem(("id",), f"an id is text, not {describe(value['id'])}", "put it into quotes")
        elif (fault := id_fault(value["id"])) is not None:
            yield record.problem(("id",), *fault)
        elif (before := seen.add(value["id"], record.place.line)) is not None:
            yield record.problem(("id",), before, "give every case an id of its own")
        ordinal = value.get("ordinal", 0)
        if isinstance(ordinal, bool) or not isinstance(ordinal, int) or ordinal < 0:
            yield record.problem(
                ("ordinal",), f"an ordinal is a whole number from 0, not {describe(ordinal)}", ""
            )
        tool, params = value.get("tool"), value.get("params")
        if tool is not None:
            for wrong in self._box.call_faults(tool, {} if params is None else params):
                yield record.problem(wrong.path, wrong.message, wrong.fix)
        elif params is not None and not isinstance(params, Mapping):
            yield record.problem(("params",), "must be a mapping", "write {name: value, ...}")


class _SeenIds:
    """Which ids there were: about a hundred bytes a case, whatever the ids' length."""

    def __init__(self) -> None:
        self._seen: dict[int, int] = {}

    def add(self, name: str, line: int) -> str | None:
        """Note an id; what is wrong, where it or one that differs in letter case alone was there before."""
        digest = hashlib.blake2b(name.casefold().encode(), digest_size=8).digest()
        key, exact = int.from_bytes(digest, "big"), zlib.crc32(name.encode())
        found = self._seen.get(key)
        if found is None:
            self._seen[key] = line << 32 | exact
            return None
        if found & 0xFFFFFFFF == exact:
            return f"the id {name!r} is used before, in line {found >> 32}"
        return f"the id {name!r} differs in letter case alone from the one in line {found >> 32}"


class _Bounded:
    """Problems of a pass, the first of them kept and the rest counted."""

    def __init__(self, whole: Place) -> None:
        self._whole = whole
        self._kept: list[Problem] = []
        self._more = 0

    def add(self, problem: Problem) -> None:
        if len(self._kept) < MAX_PROBLEMS:
            self._kept.append(problem)
        else:
            self._more += 1

    def extend(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self.add(problem)

    def all(self) -> tuple[Problem, ...]:
        if not self._more:
            return tuple(self._kept)
        message = f"{self._more:,} more problems in these cases"
        return (*self._kept, Problem(place=self._whole, path="cases", message=message, fix="mend the first"))


def open_cases(written: Any, finder: Finder, tree: Tree, box: ToolBox) -> tuple[Cases | None, list[Problem]]:
    """The cases that ``cases:`` gives: a path relative to the root, a mapping with ``from``, a list, or None.

    None, with problems, where the file cannot be used. Records are not looked at here.
    """
    cases_path: Path_ = ("cases",)
    whole = finder.places.of(cases_path)
    if written is None:
        only = [{"id": SINGLE_CASE}]
        return Cases(lambda: listed_records(only, finder, ("cases",)), box, _EVERYTHING, whole), []
    if isinstance(written, list):
        return Cases(lambda: listed_records(written, finder, ("cases",)), box, _EVERYTHING, whole), []
    path, at = written, cases_path
    if isinstance(written, Mapping):
        path, at = written.get("from"), (*cases_path, "from")
    if not isinstance(path, str) or not path:
        return None, []
    if not path.lower().endswith(CASE_SUFFIXES):
        fix = did_you_mean(path.rpartition(".")[2], [s[1:] for s in CASE_SUFFIXES])
        known = f"use one of {', '.join(CASE_SUFFIXES)}"
        return None, [finder.at(at, f"{path!r} is no kind of file that cases are read from", fix or known)]
    try:
        file = tree.find(path)
        if file.is_dir():
            raise PathError(f"{path!r} is a folder", "name a file in it")
    except PathError as error:
        return None, [finder.at(at, error.message, error.fix)]
    shown = tree.show(path)
    chosen = _filter(written, as_text=path.lower().endswith(".csv"))
    return Cases(lambda: read_records(file, shown, box), box, chosen, whole), []


_EVERYTHING = Filter(where={}, limit=None, as_text=False)


def _filter(written: Any, *, as_text: bool) -> Filter:
    if not isinstance(written, Mapping):
        return _EVERYTHING
    where = written.get("where")
    limit = written.get("limit")
    return Filter(
        where={
            dotted.removeprefix("case."): tuple(value) if isinstance(value, list) else (value,)
            for dotted, value in (where.items() if isinstance(where, Mapping) else ())
        },
        limit=int(limit) if isinstance(limit, int | float) else None,
        as_text=as_text,
    )


def _inside(value: Any, dotted: str) -> Any:
    for step in dotted.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _same(value: Any, wanted: tuple[Any, ...], as_text: bool) -> bool:
    if as_text and value is not None and not isinstance(value, Mapping | list):
        return scalar_text(value) in map(scalar_text, wanted)
    return any(value == item and isinstance(value, bool) == isinstance(item, bool) for item in wanted)
