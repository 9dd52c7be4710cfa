"""Canonical JSON and the hashes that are taken of it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def canonical_json(value: Any) -> str:
    """JSON text that is the same for equal values: sorted keys, no white space, no NaN.

    A dataclass counts as the object of its fields, a tuple as a list.
    Raises ValueError for NaN and infinities, TypeError for what JSON cannot hold.
    """
    return json.dumps(
        value,
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
        default=fields_of,
    )


def fields_of(value: Any) -> dict[str, Any]:
    """A dataclass's or a mapping's own entries, none of them copied. Raises TypeError for anything else."""
    names = field_names(type(value))
    if names is not None:
        return {name: getattr(value, name) for name in names}
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"JSON cannot hold a {type(value).__name__}")


def field_names(kind: type[Any]) -> tuple[str, ...] | None:
    """The fields of a dataclass; None for any other type."""
    if kind not in _field_names:
        is_row = dataclasses.is_dataclass(kind)
        _field_names[kind] = tuple(f.name for f in dataclasses.fields(kind)) if is_row else None
    return _field_names[kind]


_field_names: dict[type[Any], tuple[str, ...] | None] = {}


def sha256_hex(data: bytes | memoryview) -> str:
    """SHA-256 of bytes as 64 lower-case hex digits."""
    return hashlib.sha256(data).hexdigest()


def sha256_of(value: Any) -> str:
    """SHA-256 of a value's canonical JSON (UTF-8)."""
    return sha256_hex(canonical_json(value).encode())


def sha256_of_file(path: Path) -> str:
    """SHA-256 of a file's bytes, read in pieces, as hex digits. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
