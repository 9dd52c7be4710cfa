"""describe: a dataset card and a Croissant file for a rendered set."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from vgcli.terminal import say


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--licence", help="SPDX id; default: that of scripts and voices, where they share one.")
@click.option("--url", help="Where the set can be found.")
@click.option("--citation", help="How to cite it.")
@click.option("--published", metavar="DATE", help="When: 2026-12-01.")
def describe(
    out: Path, licence: str | None, url: str | None, citation: str | None, published: str | None
) -> None:
    """Write a dataset card (README.md) and a Croissant file (croissant.json) into a rendered folder.

    \b
    Example:
      vgsynth describe out/quickstart --licence CC-BY-4.0 --published 2026-12-01
    """
    from vgsynth.export.about import Author
    from vgsynth.export.write import describe as write

    if published is not None:
        try:
            date.fromisoformat(published)
        except ValueError as error:
            raise click.BadParameter(f"{published!r} is not a date", param_hint="--published") from error
    author = Author(licence=licence, url=url, citation=citation, published=published)
    for file in write(out, author):
        say(f"wrote {file}")
