"""Random draws, each from its own named stream.

A draw depends on the spec's seed, the id of the scene (or case) that it is for, and the name of the field,
and on nothing else: not on the order of work, other cases, the process or the clock.
"""

from __future__ import annotations

import hashlib

_SEPARATOR = "\x1f"


def draw_bits(seed: int, scope: str, field: str) -> int:
    """64 uniform bits from the stream named by ``SHA-256(seed, scope, field)``."""
    name = _SEPARATOR.join((str(seed), scope, field))
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")


def draw_unit(seed: int, scope: str, field: str) -> float:
    """A uniform number in [0, 1) with 53 bits."""
    return (draw_bits(seed, scope, field) >> 11) * 2.0**-53
