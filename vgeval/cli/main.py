"""The command group."""

from __future__ import annotations

import click

from vgcli.group import LazyGroup, run_group


class _Commands(LazyGroup):
    package = "vgeval.cli"
    commands_in = {  # noqa: RUF012
        "systems": "looking",
        "prompt": "looking",
        "wearvox": "importing",
        "run": "running",
        "parse": "running",
    }


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vgbench", prog_name="vgeval")
def vgeval() -> None:
    """Run Audio LLMs over a rendered manifest under one action contract, and score them.

    \b
    Example:
      vgeval systems                                        what can be run
      vgeval systems qwen3-omni                             how it is served
      vgeval run out/quickstart --model qwen3-omni -o pred/qwen
      vgeval parse pred/qwen                                the same outputs, parsed again
    """


def main() -> None:
    """Run the command line."""
    run_group(vgeval)
