"""The output folder: whose it is, what is in it, and the ledger of what was rendered.

    OUT/vgsynth.json           whose folder this is
    OUT/manifest.jsonl         one row an item, in the spec's order
    OUT/dataset.json           counts, pairs, versions, the manifest's hash
    OUT/spec.yaml, tools.json  the resolved spec and the tools
    OUT/wav/ITEM.wav
    OUT/.vgsynth/ledger.jsonl  rows as they were finished, by the key of what made them
    OUT/.vgsynth/tmp/          files on their way to a final name

A file has its final name only once it is whole. A WAV counts as done once its ledger line is there too.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from vgsynth.contract.manifest import MANIFEST_NAME
from vgsynth.contract.problems import InputError

MARKER = "vgsynth.json"
DATASET = "dataset.json"
TOOLS = "tools.json"
RESOLVED_SPEC = "spec.yaml"
FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """Paths of an output folder."""

    out: Path

    @property
    def manifest(self) -> Path:
        """The manifest."""
        return self.out / MANIFEST_NAME

    @property
    def wav(self) -> Path:
        """The clips' folder."""
        return self.out / "wav"

    @property
    def state(self) -> Path:
        """What the compiler keeps for itself."""
        return self.out / ".vgsynth"

    @property
    def ledger(self) -> Path:
        """Finished rows."""
        return self.state / "ledger.jsonl"

    @property
    def tmp(self) -> Path:
        """Files on their way."""
        return self.state / "tmp"

    def owner(self) -> str | None:
        """Name of the spec that the folder belongs to; None for a folder that is absent or empty.

        Raises InputError for a folder that holds something else.
        """
        marker = self.out / MARKER
        try:
            return str(json.loads(marker.read_text(encoding="utf-8"))["name"])
        except FileNotFoundError:
            if not self.out.exists() or not any(self.out.iterdir()):
                return None
        except NotADirectoryError as error:
            raise InputError.at(str(self.out), "is a file, not a folder", "choose another -o") from error
        except (ValueError, KeyError, TypeError, OSError):
            pass
        raise InputError.at(
            str(self.out), "is not empty and was not made by vgsynth", "choose an empty folder with -o"
        )

    def claim(self, name: str) -> None:
        """Make the folder and mark it as the spec's. Raises InputError where it is another's."""
        owner = self.owner()
        if owner not in (None, name):
            raise InputError.at(
                str(self.out), f"belongs to the spec {owner!r}, not {name!r}", "choose another folder with -o"
            )
        with disk_full(self.out):
            for folder in (self.out, self.wav, self.state, self.tmp):
                folder.mkdir(parents=True, exist_ok=True)
            if owner is None:
                self.write(self.out / MARKER, json_text({"format": FORMAT, "name": name}))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder alone. Raises InputError where another process renders into it."""
        with (self.state / "lock").open("w") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise InputError.at(
                    str(self.out), "another vgsynth is rendering into this folder", "wait until it has ended"
                ) from error
            for leftover in self.tmp.iterdir():
                leftover.unlink()
            yield

    def write(self, path: Path, data: str | bytes) -> None:
        """Write a file whole or not at all. Raises InputError where the disk is full."""
        raw = data.encode() if isinstance(data, str) else data
        with disk_full(path):
            write_whole(path, raw, tmp=self.tmp / f"{path.name}.{os.getpid()}")


def write_whole(path: Path, data: bytes, *, tmp: Path) -> None:
    """Put ``data`` under its final name in one step, by way of ``tmp`` on the same file system."""
    try:
        with tmp.open("wb", buffering=0) as handle:
            written = handle.write(data)
            if written != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        tmp.replace(path)
    except OSError:
        tmp.unlink(missing_ok=True)
        raise


@contextmanager
def disk_full(path: Path) -> Iterator[None]:
    """Turn failures to write into one clear error."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise InputError.at(
                str(path), "the disk is full", "free some space and run the same command again"
            ) from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.ENAMETOOLONG):
            raise InputError.at(
                str(path), f"cannot write: {error.strerror}", "choose another folder with -o"
            ) from error
        raise


def json_text(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """JSON as people read it."""
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A finished item: its row (as the dict of a manifest line) and what its WAV looked like."""

    item_id: str
    key: str
    """Hash of all that the item's bytes depend on."""
    row: dict[str, Any]
    wav_bytes: int
    wav_mtime_ns: int

    def to_line(self) -> bytes:
        """One line of the ledger."""
        data = {
            "item_id": self.item_id,
            "key": self.key,
            "wav_bytes": self.wav_bytes,
            "wav_mtime_ns": self.wav_mtime_ns,
            "row": self.row,
        }
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class Ledger:
    """The finished items of a folder. Holds an id and an offset of each in memory, rows stay on disk."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._offsets: dict[str, int] = {}
        self._file: BinaryIO | None = None
        self._lines = 0
        if folder.ledger.exists():
            self._file = folder.ledger.open("rb")
            self._scan(self._file)

    def _scan(self, file: BinaryIO) -> None:
        offset = 0
        for line in file:
            start = line.find(b'"item_id":"')
            end = line.find(b'"', start + 11)
            # A line without its newline was cut off by a kill: its item is not done.
            if line.endswith(b"}\n") and start >= 0:
                self._offsets[line[start + 11 : end].decode()] = offset
                self._lines += 1
            offset += len(line)

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    @property
    def item_ids(self) -> frozenset[str]:
        """Items that have a line."""
        return frozenset(self._offsets)

    @property
    def dead_lines(self) -> int:
        """Lines that a later one of the same item has replaced."""
        return self._lines - len(self._offsets)

    def entry(self, item_id: str) -> Entry | None:
        """An item's last line, or None."""
        offset = self._offsets.get(item_id)
        if offset is None or self._file is None:
            return None
        self._file.seek(offset)
        try:
            return Entry(**json.loads(self._file.readline()))
        except (ValueError, TypeError):
            return None

    def finished(self, item_id: str, key: str) -> Entry | None:
        """An item's line if it was made from ``key`` and its WAV is there as it was written.

        A WAV that was touched since counts as finished only if its bytes still have the row's hash.
        """
        entry = self.entry(item_id)
        if entry is None or entry.key != key:
            return None
        wav = entry.row["wav"]
        if wav is None:
            return entry
        try:
            stat = (self._folder.out / wav).stat()
        except OSError:
            return None
        if stat.st_size != entry.wav_bytes:
            return None
        if stat.st_mtime_ns != entry.wav_mtime_ns and not self._same_bytes(entry):
            return None
        return entry

    def _same_bytes(self, entry: Entry) -> bool:
        from vgsynth.contract.canonical import sha256_hex

        data = (self._folder.out / entry.row["wav"]).read_bytes()
        return sha256_hex(data) == str(entry.row["wav_sha256"])
