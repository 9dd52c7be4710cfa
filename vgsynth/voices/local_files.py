"""Model files that a spec names by path: found, and hashed once for each process."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from vgsynth.contract.canonical import sha256_of, sha256_of_file
from vgsynth.contract.problems import InputError


def files_sha256(*paths: Path) -> str:
    """One hash of files' names and bytes, in the order given. Raises InputError where one cannot be read."""
    return sha256_of([[path.name, _sha256(path)] for path in paths])


def folder_files(folder: Path) -> tuple[Path, ...]:
    """The files of a folder, sorted by name. Raises InputError where it is no folder or has none."""
    try:
        files = tuple(sorted(path for path in folder.iterdir() if path.is_file()))
    except OSError as error:
        raise InputError.at(str(folder), "there is no such folder", "give a model's folder") from error
    if not files:
        raise InputError.at(str(folder), "the folder is empty", "give a model's folder")
    return files


def _sha256(path: Path) -> str:
    try:
        stat = path.stat()
        return _sha256_at(path, stat.st_size, stat.st_mtime_ns)
    except OSError as error:
        raise InputError.at(
            str(path), f"cannot be read: {error.strerror}", "give the path of a file"
        ) from error


@lru_cache(maxsize=256)
def _sha256_at(path: Path, _size: int, _mtime_ns: int) -> str:
    return sha256_of_file(path)
