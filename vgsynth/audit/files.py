"""Writing a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from vgsynth.contract.problems import InputError


def write_whole(path: Path, text: str) -> None:
    """Write a text file (UTF-8) so that it appears whole or not at all. Raises InputError."""
    if not path.parent.is_dir():
        raise InputError.at(str(path), f"there is no folder {path.parent}", "make it first")
    if path.is_dir():
        raise InputError.at(str(path), "this is a folder", "give the name of a file")
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(text.encode("utf-8", "backslashreplace"))
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise InputError.at(
            str(path), f"cannot be written: {error.strerror or error}", "free some space, or write elsewhere"
        ) from error
