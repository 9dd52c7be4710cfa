"""Writing a page and the files that belong to it: whole or not at all, and never over anybody else's."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

_OURS = re.compile(r"[0-9a-f]{16}")
_CHUNK = re.compile(r"\d{5}\.js")


@contextmanager
def atomic_text(target: Path) -> Iterator[IO[str]]:
    """A text file that appears under its name when the block ends well, and not at all when it does not.

    Lone surrogates, which UTF-8 cannot hold, become character references.
    """
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="xmlcharrefreplace", newline="\n") as file:
            yield file
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def files_folder(target: Path) -> Path:
    """The folder beside a page that holds its chunks, a sub-folder for each manifest."""
    return target.with_name(f"{target.stem}_files")


def chunk_name(number: int) -> str:
    """File name of a chunk."""
    return f"{number:05d}.js"


def remove_stale(folder: Path, *, keep: str | None) -> None:
    """Remove chunks of earlier pages from a page's folder, the sub-folder ``keep`` aside.

    Only sub-folders with a name and with files as this module makes them are touched.
    """
    if not folder.is_dir() or folder.is_symlink():
        return
    for child in sorted(folder.iterdir()):
        if child.name == keep or not _OURS.fullmatch(child.name) or not child.is_dir() or child.is_symlink():
            continue
        files = sorted(child.iterdir())
        if all(_CHUNK.fullmatch(file.name) for file in files):
            for file in files:
                file.unlink()
            child.rmdir()
    with suppress(OSError):
        folder.rmdir()
