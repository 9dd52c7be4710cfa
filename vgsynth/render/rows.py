"""What a manifest row says of a segment and of its room."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import Any

from vgsynth.acoustics.impulse import Impulse
from vgsynth.contract.manifest import RoomRow, SegmentRow
from vgsynth.plan.model import Room, SegmentPlan, Setting, ShoeboxRoom, Speech
from vgsynth.render.segment import Segment
from vgsynth.voices.stem import Stem

DB_DIGITS = 6
"""Decimals of what was measured in dB: more would be the rounding of sums."""
SECOND_DIGITS = 4
_OWN_FIELDS = frozenset({"name", "kind", "distance", "level"})


def text_row(plan: SegmentPlan) -> SegmentRow:
    """A segment of a text item: its words alone."""
    return SegmentRow(
        role=plan.role,
        speaker=plan.speaker,
        text=plan.source.text,
        spoken=plan.source.text,
        addressee=plan.addressee,
    )


def segment_row(
    plan: SegmentPlan,
    stem: Stem,
    audio: Segment,
    *,
    stem_key: str,
    start_sample: int,
    impulse: Impulse | None,
) -> SegmentRow:
    """A segment as it was rendered and placed."""
    engine, name, settings = _voice(plan)
    return SegmentRow(
        role=plan.role,
        speaker=plan.speaker,
        text=plan.source.text,
        spoken=stem.spoken,
        addressee=plan.addressee,
        engine=engine,
        voice=name,
        voice_settings=settings,
        pinned=stem.pinned,
        source_file=None if isinstance(plan.source, Speech) else plan.source.path,
        stem_sha256=stem.sha256,
        stem_key=stem_key,
        audio_sha256=audio.sha256,
        gap_before_samples=plan.gap_before_samples,
        travel_samples=audio.lead_samples,
        start_sample=start_sample,
        length_samples=audio.length_samples,
        tail_samples=audio.tail_samples,
        trimmed_start_samples=stem.trimmed_start_samples,
        trimmed_end_samples=stem.trimmed_end_samples,
        level_asked_dbfs=plan.level_dbfs,
        level_before_dbfs=_rounded(audio.level_before_dbfs, DB_DIGITS),
        gain_db=_rounded(audio.gain_db, DB_DIGITS),
        level_dbfs=_rounded(audio.level_dbfs, DB_DIGITS),
        fade_samples=plan.fade_samples,
        room=_room_row(plan.room, impulse),
    )


def _voice(plan: SegmentPlan) -> tuple[str | None, str | None, dict[str, Setting]]:
    """Engine, voice and settings. A recording has them only where it stands for a speaker's voice."""
    if isinstance(plan.source, Speech):
        voice = plan.source.voice
        return voice.engine, voice.name, dict(voice.settings)
    if plan.source.voice is None:
        return None, None, {}
    engine, _, name = plan.source.voice.partition("/")
    return engine, name, {}


@lru_cache(maxsize=256)
def _room_row(room: Room, impulse: Impulse | None) -> RoomRow:
    planned = {field.name: getattr(room, field.name) for field in dataclasses.fields(room)}
    config: dict[str, Any] = {
        name: list(value) if isinstance(value, tuple) else value  # as JSON gives it back
        for name, value in planned.items()
        if name not in _OWN_FIELDS
    }
    return RoomRow(
        name=room.name,
        kind=room.kind,
        distance=room.distance,
        level=room.level,
        config=config,
        rt60_asked_s=room.rt60_s if isinstance(room, ShoeboxRoom) else None,
        rt60_s=_rounded(None if impulse is None else impulse.rt60_s, SECOND_DIGITS),
        drr_db=_rounded(None if impulse is None else impulse.drr_db, DB_DIGITS),
    )


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)
