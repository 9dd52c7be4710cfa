"""What is wrong with an input, where, and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Place:
    """A position in a file. Lines and columns count from 1; 0 means the whole file (or line)."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return ":".join([self.file, *(str(n) for n in (self.line, self.column) if n)])


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Problem:
    """One fault of an input, printed as ``file:line:col  path: message; fix``."""

    place: Place
    path: str
    """Where in the document, as a reader would say it: ``scenes[0].segments[2].room``; may be empty."""
    message: str
    fix: str

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        fix = f"; {self.fix}" if self.fix else ""
        return f"{self.place}  {where}{self.message}{fix}"


class ProblemLog:
    """Collects problems. One that many cases share is kept once, with the first case and their number."""

    def __init__(self) -> None:
        self._found: dict[Problem, _Seen] = {}

    def add(self, problem: Problem, *, case_id: str = "", detail: str = "") -> None:
        """Note a problem, found in ``case_id`` if it belongs to a case.

        ``detail`` is what may differ from case to case; the first one is told, behind the message.
        """
        self._found.setdefault(problem, _Seen(case_id=case_id, detail=detail)).count += 1

    def extend(self, problems: Iterable[Problem]) -> None:
        """Note several."""
        for problem in problems:
            self.add(problem)

    def __len__(self) -> int:
        return len(self._found)

    def problems(self) -> tuple[Problem, ...]:
        """All of them, in the order of files and lines."""
        return tuple(sorted(replace(p, message=f"{p.message}{seen}") for p, seen in self._found.items()))

    def raise_if_any(self) -> None:
        """Raise InputError with all problems, where there are any."""
        if self._found:
            raise InputError(self.problems())


@dataclass(slots=True, kw_only=True)
class _Seen:
    """Where a problem was found first, and how often."""

    case_id: str
    detail: str
    count: int = 0

    def __str__(self) -> str:
        detail = f" {self.detail}" if self.detail else ""
        if not self.case_id:
            return detail
        more = f" and {self.count - 1} more" if self.count > 1 else ""
        return f"{detail} (case {self.case_id}{more})"


class InputError(Exception):
    """Bad input. Carries every problem that was found; a command prints them and exits with 2."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(sorted(set(problems)))
        if not self.problems:
            raise ValueError("an InputError needs at least one problem")
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Problem, ...]]]:
        """Survive the way back from a worker process."""
        return type(self), (self.problems,)

    @classmethod
    def at(cls, file: str, message: str, fix: str = "", *, line: int = 0, column: int = 0) -> InputError:
        """The error with one problem, which concerns ``file`` as a whole unless a line is given."""
        place = Place(file=file, line=line, column=column)
        return cls([Problem(place=place, path="", message=message, fix=fix)])
