"""Ids that are safe as parts of file names on every system."""

from __future__ import annotations

import re

_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{digit}" for port in ("com", "lpt") for digit in "123456789"))
)


def id_fault(name: str) -> tuple[str, str] | None:
    """What keeps an id from being a file name, as (message, fix); None where nothing does."""
    if not _SAFE.fullmatch(name) or name.endswith("."):
        return (
            f"the id {_short(name)} is not a safe file name",
            "use letters, digits, '.', '_' and '-' (at most 80), a letter or digit first, no '.' last",
        )
    if name.partition(".")[0].casefold() in _DEVICES:
        return f"the id {name!r} is a device's name on Windows", "choose another"
    return None


def _short(name: str) -> str:
    return repr(name) if len(name) <= 40 else repr(name[:40]) + "..."
