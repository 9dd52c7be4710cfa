"""A command group that starts quickly, and what happens to errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

import click

from vgsynth.contract.problems import InputError


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used. Subclasses name them."""

    package: ClassVar[str]
    commands_in: ClassVar[Mapping[str, str]]
    """Command to the module of ``package`` that has it, in the order of a job."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of a job."""
        return list(self.commands_in)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by name."""
        if cmd_name not in self.commands_in:
            return None
        module = import_module(f"{self.package}.{self.commands_in[cmd_name]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant, or an error with a suggestion."""
        from vgsynth.contract.suggest import did_you_mean

        if args and args[0] not in self.commands_in:
            hint = did_you_mean(args[0], self.commands_in)
            ctx.fail(f"there is no command {args[0]!r}" + (f"; {hint}" if hint else ""))
        return super().resolve_command(ctx, args)


def run_group(group: click.Group) -> None:
    """Run a command line. Exit codes: 0 done, 1 something is off, 2 bad input, 130 interrupted."""
    from vgcli.terminal import print_problems, say

    try:
        status: Any = group.main(standalone_mode=False)
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
