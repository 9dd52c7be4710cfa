"""The ``vgeval`` command. It has no subcommands yet; CHANGELOG.md says when it does."""

from __future__ import annotations

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vgbench", prog_name="vgeval")
def main() -> None:
    """Run Audio LLMs over a manifest, and score them. Being built: nothing to run yet."""
