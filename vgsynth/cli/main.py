"""The command group."""

from __future__ import annotations

import click

from vgcli.group import LazyGroup, run_group


class _Commands(LazyGroup):
    package = "vgsynth.cli"
    commands_in = {  # noqa: RUF012
        "check": "specs",
        "config": "specs",
        "schema": "specs",
        "new": "specs",
        "plan": "rendering",
        "render": "rendering",
        "verify": "rendering",
        "audit": "auditing",
        "show": "looking",
        "report": "looking",
        "describe": "exporting",
        "record-sheet": "recording",
        "ingest": "recording",
        "agreement": "recording",
        "voices": "voices",
    }


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vgbench", prog_name="vgsynth")
def vgsynth() -> None:
    """Compile YAML scene specs into speech: 16 kHz WAVs and a manifest that says all about each of them.

    \b
    Example:
      vgsynth new switch my.yaml      scaffold a spec
      vgsynth check my.yaml           every error at once
      vgsynth plan my.yaml            what would be made
      vgsynth render my.yaml -o out   make it
      vgsynth verify out              prove it
      vgsynth report out              look at it, listen to it
    """


def main() -> None:
    """Run the command line."""
    run_group(vgsynth)
