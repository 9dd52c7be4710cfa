"""Writing files whole or not at all; and specs only where they are right."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from vgsynth.contract.problems import InputError
from vgsynth.render.folder import disk_full, write_whole
from vgsynth.spec.load import load_spec
from vgsynth.spec.model import Spec


def write_file(path: Path, data: bytes) -> None:
    """Write a file, and the folders it lies in. Raises InputError where it cannot be written."""
    if path.is_dir():
        raise InputError.at(str(path), "is a folder, not a file", "give the name of a file")
    with disk_full(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data, tmp=_beside(path))


@contextmanager
def proven_spec(path: Path, text: str) -> Iterator[Spec]:
    """A spec that gets its name at the end of the block, where all that looks at it in there goes well.

    Raises InputError, in which the places are those of the file that was to be.
    """
    draft = _beside(path)
    write_file(draft, text.encode())
    try:
        yield load_spec(draft)
        draft.replace(path)
    except InputError as error:
        raise InputError(
            replace(p, place=replace(p.place, file=p.place.file.replace(draft.name, path.name)))
            for p in error.problems
        ) from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}")
