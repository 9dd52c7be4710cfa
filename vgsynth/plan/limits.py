"""What a segment cannot be, told before anything is spoken: fades too long, levels that must clip."""

from __future__ import annotations

import math
from collections.abc import Iterator

from vgsynth.plan.model import ShoeboxRoom
from vgsynth.plan.scene import SceneSegment

MOST_SECONDS_A_WORD = 1.5
"""Slower than anybody speaks; with a second for the whole, more than any voice takes."""

LEAST_CREST_DB = 10.0
"""Speech peaks lie at least this far above its RMS (the embedded voices: 12 dB and more)."""


def segment_problems(segment: SceneSegment, *, limit: str) -> Iterator[tuple[str, str, str]]:
    """Problems of a settled segment: field, message, fix."""
    longest_ms = 1000 * (1 + MOST_SECONDS_A_WORD * len(segment.source.text.split()))
    if segment.source.text and 2 * segment.fade_ms > longest_ms:
        yield (
            "level.fade_ms",
            f"fades of {segment.fade_ms:g} ms in and out are longer than these words can last"
            f" (at most {longest_ms:g} ms)",
            "shorten the fade; 5 ms is usual",
        )
    if segment.trim_threshold_db is not None and segment.trim_threshold_db <= 0:
        yield ("trim.threshold_db", "the trim threshold must be above 0 dB", "40 is usual")
    peak = segment.level_dbfs + room_gain_db(segment) + LEAST_CREST_DB
    if limit == "error" and peak > 0:
        yield (
            "level.dbfs",
            f"speech at {segment.level_dbfs:g} dBFS RMS will clip: its peaks lie {LEAST_CREST_DB:g} dB and"
            " more above",
            f"stay at {segment.level_dbfs - peak - 8:g} dBFS or below, or choose `output: {{limit: scale}}`",
        )


def room_gain_db(segment: SceneSegment) -> float:
    """Gain of the direct path, where the room keeps its level."""
    room = segment.room
    if room.level == "matched":
        return 0.0
    gain = room.gain_db
    if isinstance(room, ShoeboxRoom):
        gain += 20 * math.log10(room.reference_m / max(math.dist(room.source_m, room.mic_m), 0.1))
    return gain
