"""What is wrong with an input, where, and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


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
