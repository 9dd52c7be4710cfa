"""Every default of the language, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LEVEL: Mapping[str, Any] = {"dbfs": -23.0, "fade_ms": 5}
TRIM: Mapping[str, Any] = {"threshold_db": 40, "pad_ms": 10}
NOISE: Mapping[str, Any] = {"per": "case"}
GAP_AFTER_MS = 0
PAIR_NAME = "pair"
SPLIT: Mapping[str, Any] = {"by": "case", "rest": "train", "count": "groups"}

_ANY_ROOM: Mapping[str, Any] = {"distance": "far", "level": "attenuated", "gain_db": 0.0, "lowpass_hz": None}
_RINGING: Mapping[str, Any] = {"travel": "remove", "tail": "ring"}
ROOMS: Mapping[str, Mapping[str, Any]] = {
    "dry": {**_ANY_ROOM, "distance": "near"},
    "shoebox": {"reference_m": 0.3, **_ANY_ROOM, **_RINGING},
    "rir": {"channel": 0, **_ANY_ROOM, **_RINGING},
}
_FIRST = ("kind", "size_m", "rt60_s", "source_m", "mic_m", "path")
"""Keys that have no default, in the order in which a resolved room has them."""


def filled_room(room: Mapping[str, Any]) -> dict[str, Any]:
    """A room with every key of its kind."""
    filled = {**ROOMS[room["kind"]], **room}
    return {key: filled[key] for key in (*_FIRST, *ROOMS[room["kind"]]) if key in filled}
