"""The command group, and what happens to errors."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from vgsynth.contract.problems import InputError

COMMANDS = {
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
"""Command to the module that has it, in the order of a job; a module is imported when it is needed."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used, so that each starts quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of a job."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"vgsynth.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant, or an error with a suggestion."""
        from vgsynth.contract.suggest import did_you_mean

        if args and args[0] not in COMMANDS:
            hint = did_you_mean(args[0], COMMANDS)
            ctx.fail(f"there is no command {args[0]!r}" + (f"; {hint}" if hint else ""))
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
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
    """Run the command line. Exit codes: 0 done, 1 something is off, 2 bad input, 130 interrupted."""
    from vgsynth.cli.terminal import print_problems, say

    try:
        status = vgsynth.main(standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except InputError as error:
        print_problems(error.problems)
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        say("stopped; what was finished is kept, the same command goes on from there")
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read our output has enough: not an error, and nothing is left to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
