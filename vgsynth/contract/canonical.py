"""Canonical JSON and the hashes that are taken of it."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """JSON text that is the same for equal values: sorted keys, no white space, no NaN.

    Raises ValueError for NaN and infinities, TypeError for what JSON cannot hold.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def sha256_hex(data: bytes | memoryview) -> str:
    """SHA-256 of bytes as 64 lower-case hex digits."""
    return hashlib.sha256(data).hexdigest()


def sha256_of(value: Any) -> str:
    """SHA-256 of a value's canonical JSON (UTF-8)."""
    return sha256_hex(canonical_json(value).encode())
