"""The ``vgeval`` command: one small module a group of commands, nothing but wiring."""

from vgeval.cli.main import main

__all__ = ["main"]
