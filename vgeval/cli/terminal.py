"""How commands talk: results on stdout, the rest on stderr, colours and progress on terminals alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from vgsynth.contract.problems import Problem

if TYPE_CHECKING:
    from rich.console import Console

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
def progress_bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar with remaining time on a terminal, nothing elsewhere. Yields ``update(done)``."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f} items"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
