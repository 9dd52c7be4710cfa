"""The ledger: one line of JSON for each item that is done, appended at once, never rewritten.

It keeps raw outputs. Predictions, verdicts and scores are made from it, as often as one likes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from vgsynth.contract.canonical import canonical_json, fields_of
from vgsynth.contract.problems import InputError

LEDGER_NAME = "ledger.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What came of one item."""

    item_id: str
    raw: str | None
    """The output that counts; None where there is none."""
    error: str | None = None
    latency_s: float
    """Time that the requests took which were answered; waiting between retries does not count."""
    requests: int = 1
    """How many were sent, retries included."""
    turns: tuple[Mapping[str, Any], ...] = field(default=())
    """Every output on the way, with what the server told about it."""


class Ledger:
    """An open ledger. A line that was cut off by a crash is dropped when it is opened.

    Raises InputError for a file that is no ledger, or that another run is writing.
    """

    def __init__(self, file: Path) -> None:
        self._path = file
        try:
            self._file = file.open("a+b", buffering=0)
        except OSError as error:
            raise InputError.at(str(file), f"cannot be written: {error.strerror}") from error
        try:
            _lock(self._file.fileno(), file)
            self._at: dict[str, tuple[int, bool]] = {}
            self._read()
        except BaseException:
            self._file.close()
            raise

    def _read(self) -> None:
        self._file.seek(0)
        end = 0
        with os.fdopen(os.dup(self._file.fileno()), "rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    break
                try:
                    entry = json.loads(line)
                    self._at[entry["item_id"]] = (end, entry["error"] is not None)
                except (ValueError, KeyError, TypeError, RecursionError) as error:
                    raise InputError.at(
                        str(self._path), f"not an entry: {error}", "take another folder", line=number
                    ) from error
                end += len(line)
        self._file.truncate(end)

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def __contains__(self, item_id: object) -> bool:
        return item_id in self._at

    def __len__(self) -> int:
        return len(self._at)

    def ids(self) -> tuple[str, ...]:
        """The items, in the order in which they came first."""
        return tuple(self._at)

    def failed(self, item_id: str) -> bool:
        """Whether an item's last entry is an error."""
        return self._at.get(item_id, (0, False))[1]

    @property
    def failures(self) -> int:
        """How many items have an error as their last entry."""
        return sum(failed for _, failed in self._at.values())

    def append(self, entry: Entry) -> None:
        """Write an entry: whole, in one call, behind all others."""
        line = canonical_json(fields_of(entry)).encode() + b"\n"
        at = self._file.seek(0, os.SEEK_END)
        written = self._file.write(line)
        while written < len(line):
            written += self._file.write(line[written:])
        self._at[entry.item_id] = (at, entry.error is not None)

    def get(self, item_id: str) -> Entry:
        """The last entry of an item. Raises KeyError where there is none."""
        self._file.seek(self._at[item_id][0])
        with os.fdopen(os.dup(self._file.fileno()), "rb") as lines:
            data = json.loads(lines.readline())
        return Entry(**{**data, "turns": tuple(data["turns"])})


def _lock(descriptor: int, file: Path) -> None:
    try:
        import fcntl
    except ImportError:  # no such locks on Windows
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise InputError.at(str(file), "another run is writing it", "wait for it, or stop it") from error
