"""What the members of a pair may be allowed to differ in."""

from __future__ import annotations

PAIR_SEGMENT_FIELDS = (
    "speaker",
    "room",
    "text",
    "level",
    "fade",
    "settings",
    "trim",
    "addressee",
    "gap_ms",
    "play",
)
"""Behind a role: ``trigger.room``."""
PAIR_SCENE_FIELDS = ("gap_ms", "noise", "modality", "initiator", "segments")
"""On their own. ``gap_ms`` is any boundary, ``segments`` their number and roles."""
