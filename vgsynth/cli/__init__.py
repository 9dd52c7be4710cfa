"""The ``vgsynth`` command: one small module a group of commands, nothing but wiring."""

from vgsynth.cli.main import main

__all__ = ["main"]
