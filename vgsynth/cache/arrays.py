"""A bounded, content-addressed store of float32 arrays, safe under concurrent processes."""

from __future__ import annotations

import contextlib
import errno
import itertools
import json
import math
import os
import struct
import time
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vgsynth.contract.problems import InputError

_PREFIX = struct.Struct("<8sII")
"""Magic, CRC-32 of all behind itself, bytes of the JSON header (padded to the array's alignment)."""
_CHECKED_FROM = _PREFIX.size - 4
_MAGIC = b"vgarray1"
_ALIGN = 64
_TOUCH_AFTER_S = 3600.0
"""Entries are marked as used at most this often: eviction needs no finer clock."""
_STALE_TEMP_S = 3600.0
_SCANS_PER_FILL = 16
"""The folder is looked through once per ``max_bytes / 16`` written, not at each put."""

_counter = itertools.count()


class ArrayCache:
    """Arrays by key (64 hex digits), each with a small JSON object beside it.

    Entries appear whole or not at all. When the folder grows over ``max_bytes``, the entries that were used
    longest ago go, pinned ones aside. A damaged entry counts as absent, and the next put mends it.

    One file an entry, ``folder/ab/<key>.bin`` (``.pin`` where it is pinned). One process alone never exceeds
    ``max_bytes``; each further one that writes at the same time may exceed it by a sixteenth.
    """

    def __init__(self, folder: Path, *, max_bytes: int) -> None:
        if max_bytes < 1:
            raise ValueError(f"max_bytes is at least 1, not {max_bytes}")
        self.folder = folder
        self.max_bytes = max_bytes
        self._room_bytes = 0  # what may still be written before the folder is looked through again

    def get(self, key: str) -> tuple[NDArray[np.float32], dict[str, Any]] | None:
        """The array (read-only) and its object, or None. Marks the entry as used."""
        for path in self._paths(key):
            try:
                with path.open("rb") as file:
                    data = file.read()
                    used_s = os.fstat(file.fileno()).st_mtime
            except OSError:
                continue
            found = _decode(data)
            if found is not None:
                if time.time() - used_s > _TOUCH_AFTER_S:
                    with contextlib.suppress(OSError):  # another process may have removed it, or may own it
                        os.utime(path)
                return found
        return None

    def has(self, key: str) -> bool:
        """Whether the key is there, by a look at the folder alone."""
        return any(path.exists() for path in self._paths(key))

    def put(
        self, key: str, array: NDArray[np.float32], about: Mapping[str, Any], *, pinned: bool = False
    ) -> None:
        """Store an array. A key that is there already is left as it is: the first of several writers wins.

        ``pinned`` entries are never removed to make room. Raises InputError where the folder cannot be
        written (disk full, no permission), and leaves no half file; ValueError for a key that is no hash.
        """
        data = _encode(array, about)
        path = self._paths(key)[1 if pinned else 0]
        temp = path.with_name(f"{key}.{os.getpid()}-{next(_counter)}.tmp")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not pinned:
                self._make_room(len(data))
            try:
                temp.write_bytes(data)
                self._publish(key, temp, path)
            finally:
                temp.unlink(missing_ok=True)
        except OSError as error:
            raise _cannot_write(self.folder, error) from error

    def _publish(self, key: str, temp: Path, path: Path) -> None:
        """Give ``temp`` its final name, unless a whole entry has it already."""
        try:
            os.link(temp, path)  # unlike a rename, this never takes the place of what another process wrote
            return
        except FileExistsError:
            if self.get(key) is not None:
                return
        except OSError as error:
            if error.errno in _FULL:
                raise
            if self.get(key) is not None:  # no hard links here: the look and the rename are two steps
                return
        temp.replace(path)

    def _paths(self, key: str) -> tuple[Path, Path]:
        if len(key) != 64 or not set(key) <= _HEX:
            raise ValueError(f"a key is 64 lower-case hex digits, not {key!r}")
        folder = self.folder / key[:2]
        return folder / f"{key}.bin", folder / f"{key}.pin"

    def _make_room(self, n_bytes: int) -> None:
        if n_bytes > self._room_bytes:
            step = max(n_bytes, self.max_bytes // _SCANS_PER_FILL)
            self._evict_to(self.max_bytes - step)
            self._room_bytes = step
        self._room_bytes -= n_bytes

    def _evict_to(self, keep_bytes: int) -> None:
        """Remove the entries used longest ago until ``keep_bytes`` are left, and old temporary files."""
        entries: list[tuple[float, str, int]] = []
        for entry in _files(self.folder):
            try:
                stat = entry.stat()
            except OSError:
                continue
            if entry.name.endswith(".bin"):
                entries.append((stat.st_mtime, entry.path, stat.st_size))
            elif entry.name.endswith(".tmp") and time.time() - stat.st_mtime > _STALE_TEMP_S:
                _remove(entry.path)
        excess = sum(size for _, _, size in entries) - keep_bytes
        for _, path, size in sorted(entries):
            if excess <= 0:
                break
            _remove(path)
            excess -= size


_HEX = frozenset("0123456789abcdef")
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def _encode(array: NDArray[np.float32], about: Mapping[str, Any]) -> bytes:
    header = json.dumps(
        {"shape": array.shape, "about": dict(about)}, ensure_ascii=False, allow_nan=False, sort_keys=True
    ).encode()
    header += b" " * (-(_PREFIX.size + len(header)) % _ALIGN)
    body = struct.pack("<I", len(header)) + header + np.ascontiguousarray(array, dtype="<f4").tobytes()
    return struct.pack("<8sI", _MAGIC, zlib.crc32(body)) + body


def _decode(data: bytes) -> tuple[NDArray[np.float32], dict[str, Any]] | None:
    if len(data) < _PREFIX.size:
        return None
    magic, checksum, header_bytes = _PREFIX.unpack_from(data)
    if magic != _MAGIC or zlib.crc32(memoryview(data)[_CHECKED_FROM:]) != checksum:
        return None
    start = _PREFIX.size + header_bytes
    header = json.loads(data[_PREFIX.size : start])
    if len(data) - start != 4 * math.prod(header["shape"]):
        return None
    return np.frombuffer(data, dtype="<f4", offset=start).reshape(header["shape"]), header["about"]


def _files(folder: Path) -> Iterator[os.DirEntry[str]]:
    """All files one folder below ``folder``."""
    with contextlib.suppress(FileNotFoundError), os.scandir(folder) as shelves:
        for shelf in shelves:
            if shelf.is_dir():
                with contextlib.suppress(FileNotFoundError), os.scandir(shelf) as entries:
                    yield from entries


def _remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)  # noqa: PTH108 - thousands of them: a Path each would double the time


def _cannot_write(folder: Path, error: OSError) -> InputError:
    if error.errno in _FULL:
        return InputError.at(
            str(folder),
            "disk full: the cache cannot be written",
            "free some space, or name another folder in $VGSYNTH_CACHE",
        )
    return InputError.at(
        str(folder),
        f"the cache cannot be written: {error.strerror or error}",
        "make the folder writable, or name another one in $VGSYNTH_CACHE",
    )
