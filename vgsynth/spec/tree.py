"""The folder tree of a spec: paths are written relative to their file and kept relative to the root."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from vgsynth.contract.suggest import nearest

_DRIVE = re.compile(r"[A-Za-z]:")


class PathError(ValueError):
    """A path that leaves the tree, or names nothing. ``fix`` says what would be right."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A root folder. ``shown`` is how problems name it."""

    root: Path
    """Absolute, symbolic links resolved."""
    shown: str

    def folder_of(self, file: Path) -> str:
        """The folder of a file, relative to the root. Raises PathError for a file outside."""
        folder = file.resolve().parent
        if not folder.is_relative_to(self.root):
            raise PathError(
                "the file lies outside the spec's folder tree", "widen the tree: `root: ..` in the spec"
            )
        return folder.relative_to(self.root).as_posix()

    def normal(self, folder: str, written: str) -> str:
        """A path written in a file of ``folder``, relative to the root. It may hold placeholders.

        Raises PathError for absolute paths, backslashes and paths that leave the tree.
        """
        if "\\" in written:
            raise PathError(f"{written!r} has a backslash", "write / between folders")
        if PurePosixPath(written).is_absolute() or _DRIVE.match(written):
            raise PathError(f"{written!r} is absolute", "write it relative to this file")
        path = posixpath.normpath(posixpath.join(folder, written))
        if path == ".." or path.startswith("../"):
            raise PathError(
                f"{written!r} leaves the spec's folder tree",
                "move the file, or widen the tree with `root: ..`",
            )
        return path

    def find(self, path: str) -> Path:
        """The file (or folder) at a path relative to the root.

        Raises PathError where there is none, or where a symbolic link leads out of the tree.
        """
        place = self.root / path
        try:
            real = place.resolve()
            there = real.exists()
        except (OSError, RuntimeError, ValueError) as error:
            raise PathError(f"cannot look at {path!r}: {error}", "check the path") from error
        if not real.is_relative_to(self.root):
            raise PathError(f"{path!r} leads out of the spec's folder tree", "copy the file into the tree")
        if not there:
            where = "" if self.shown == "." else f" in {self.shown}"
            raise PathError(f"there is no file {path!r}{where}", _near(place) or "check the path")
        return real

    def show(self, path: str) -> str:
        """A path relative to the root as problems name it."""
        return posixpath.normpath(posixpath.join(self.shown, path))


def _near(missing: Path) -> str:
    try:
        there = sorted(entry.name for entry in missing.parent.iterdir())
    except OSError:
        return ""
    near = nearest(missing.name, there, close_enough=0.8)
    return f"did you mean {near!r}?" if near is not None else ""
