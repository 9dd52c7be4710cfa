"""systems, prompt: what is there to be run, and what systems are told."""

from __future__ import annotations

from pathlib import Path

import click

from vgcli.terminal import console, print_json


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="As JSON on stdout.")
def systems(name: str | None, as_json: bool) -> None:
    """List the systems that have a profile, or show one: its quirks, and the command that serves it.

    \b
    Example:
      vgeval systems
      vgeval systems qwen3-omni
    """
    from vgeval.systems.profile import load_profile, profile_names
    from vgsynth.contract.canonical import fields_of

    profiles = [load_profile(each) for each in ([name] if name else profile_names())]
    if as_json:
        shown = [{**fields_of(profile), "extra_body": dict(profile.extra_body)} for profile in profiles]
        print_json(shown[0] if name else shown)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    if name:
        table.show_header = False
        for field, value in fields_of(profiles[0]).items():
            if value not in (None, "", {}, False):
                table.add_row(field, str(value).strip(), end_section=True)
    else:
        for heading in ("name", "kind", "model", "normaliser"):
            table.add_column(heading)
        for profile in profiles:
            table.add_row(profile.name, profile.kind, profile.model, profile.normaliser)
    console().print(table, markup=False)


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
def prompt(out: Path) -> None:
    """Print the instruction that every system gets for the tools of a rendered folder, and its hash.

    \b
    Example:
      vgeval prompt out/quickstart
    """
    from vgcli.terminal import say
    from vgeval.prompt.instruction import render_prompt
    from vgeval.tasks.dataset import open_dataset

    rendered = render_prompt(open_dataset(out).tools)
    click.echo(rendered.system)
    say(f"sha256 {rendered.sha256}")
