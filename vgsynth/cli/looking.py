"""show, report: looking at what was rendered, and listening to it."""

from __future__ import annotations

from pathlib import Path

import click

from vgcli.terminal import console, progress_bar, say


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.argument("item")
@click.option("--json", "as_json", is_flag=True, help="The manifest row as JSON.")
def show(out: Path, item: str, as_json: bool) -> None:
    """Show an item's timeline, levels and words.

    \b
    Example:
      vgsynth show out/quickstart timer-pasta.switch
    """
    from vgsynth.report.show import item_json, show_item

    if as_json:
        click.echo(item_json(out, item), nl=False)
    else:
        show_item(out, item, console=console())


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The page; default: OUT/report.html.")
@click.option(
    "--inline-mb",
    type=click.FloatRange(0),
    default=20.0,
    show_default=True,
    help="Put the audio into the page itself up to this size.",
)
def report(out: Path, output: Path | None, inline_mb: float) -> None:
    """Write a page to filter, see and hear the items, with both members of a pair side by side.

    \b
    Example:
      vgsynth report out/quickstart
    """
    from vgsynth.report.page import write_report

    target = output or out / "report.html"
    with progress_bar("reading", None) as update:
        summary = write_report(
            out, target, inline_budget_bytes=int(inline_mb * 1e6), on_progress=lambda done, _: update(done)
        )
    where = "with all audio inside" if summary.embedded else f"which needs {summary.files} beside it"
    say(f"{summary.page}: {summary.items:,} items, {summary.pairs:,} pairs, {where}")
