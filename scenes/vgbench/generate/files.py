"""Case files, written or compared with what would be written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def as_jsonl(cases: Iterable[Mapping[str, Any]]) -> str:
    """One JSON object a line, keys in the order in which they are made."""
    return "".join(json.dumps(case, ensure_ascii=True) + "\n" for case in cases)


def is_stale(file: Path, text: str) -> bool:
    """Whether a file is not there, or holds anything else than ``text``."""
    return not file.is_file() or file.read_bytes() != text.encode("ascii")


def write(file: Path, text: str) -> None:
    """Write a file; lines end alike on every system."""
    file.write_text(text, encoding="ascii", newline="\n")
