"""How commands talk: results on stdout, the rest on stderr, colours and progress on terminals alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from vgsynth.contract.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console
    from rich.progress import Progress, ProgressColumn, TaskID

MOST_PROBLEMS_SHOWN = 200
PIPED_WIDTH = 160
"""Columns for tables that go to a file: wide enough to cut nothing short."""


def console() -> Console:
    """A rich console on stdout: plain when piped."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else PIPED_WIDTH)


def say(text: str) -> None:
    """A line on stderr."""
    click.echo(text, err=True)


def print_json(value: Any) -> None:
    """A result for scripts."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_problems(problems: Sequence[Problem]) -> None:
    """All problems on stderr, one a line, and their number."""
    for problem in problems[:MOST_PROBLEMS_SHOWN]:
        place, rest = str(problem.place), str(problem).removeprefix(str(problem.place))
        click.echo(click.style(place, bold=True) + rest, err=True)
    if len(problems) > MOST_PROBLEMS_SHOWN:
        say(f"... and {len(problems) - MOST_PROBLEMS_SHOWN} more")
    if len(problems) > 1:
        say(f"{len(problems)} problems")


@contextmanager
def progress_bar(what: str, total: int | None, *, unit: str = "items") -> Iterator[Callable[[int], None]]:
    """A bar with rate and remaining time on a terminal, nothing elsewhere. Yields ``update(done)``."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.progress import TextColumn, TimeElapsedColumn

    count = "{task.completed:,.0f}/{task.total:,.0f} " if total else "{task.completed:,.0f} "
    with _progress(TextColumn(count + unit), TimeElapsedColumn()) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def steps_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A bar for a job of several steps, one step at a time. Yields ``update(step, done, total)``."""
    if not sys.stderr.isatty():
        yield lambda step, done, total: None
        return
    from rich.progress import TextColumn

    with _progress(TextColumn("{task.completed:,.0f}/{task.total:,.0f}")) as bar:
        tasks: dict[str, TaskID] = {}

        def update(step: str, done: int, total: int) -> None:
            if step not in tasks:
                for task in tasks.values():
                    bar.update(task, visible=False)
                tasks[step] = bar.add_task(step, total=total)
            bar.update(tasks[step], completed=done, total=total)

        yield update


def _progress(*counts: ProgressColumn) -> Progress:
    """What is done, ``counts`` of it, and what is left."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    what, left = TextColumn("{task.description}"), (TextColumn("left"), TimeRemainingColumn())
    return Progress(what, BarColumn(), *counts, *left, console=Console(stderr=True), transient=True)


def duration(seconds: float) -> str:
    """Seconds as people say them."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def size(count: float) -> str:
    """Bytes as people say them."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"
