"""Facts about the files that a spec names: that they exist inside its tree, and their SHA-256."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from vgsynth.contract.canonical import sha256_of_file


class FileFacts:
    """Looks at each file once.

    With ``hashing=False`` (for a check, which needs no hashes) files are only looked for.
    """

    def __init__(self, root: Path, *, hashing: bool) -> None:
        self.root = root
        self._hashing = hashing
        self._known: dict[str, str] = {}

    def sha256(self, path: str) -> str:
        """SHA-256 of a file's bytes, or "" without hashing.

        Raises ValueError for a path that leaves the root, OSError for a file that cannot be read.
        """
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._look(path)
        return known

    def _look(self, path: str) -> str:
        if PurePosixPath(path).is_absolute():
            raise ValueError("the path is absolute")
        root = self.root.resolve()
        file = (root / path).resolve()
        if not file.is_relative_to(root):
            raise ValueError("the path leaves the spec's folder tree")
        if not self._hashing:
            if not file.is_file():
                raise FileNotFoundError(f"no such file: {path}")
            return ""
        return sha256_of_file(file)
