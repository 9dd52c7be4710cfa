"""What is to be said of an item, as labelled lines, and what members of a pair differ in.

The terminal and the page show the same facts; two items differ where their facts do.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vgsynth.contract.manifest import ManifestRow, NoiseRow, RoomRow, SegmentRow
from vgsynth.report.words import (
    gap_words,
    level_words,
    number,
    samples_words,
    target_words,
    voice_words,
)

HASH_DIGITS = 16
"""Hex digits of a hash that are shown: enough to tell any two items of a set apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One line: ``label: value``, under ``group`` (the item, or one of its segments)."""

    group: str
    label: str
    value: str
    measured: bool = False
    """False for what the author planned; True for what was found on the audio, or follows from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A fact that is not the same for all items compared. ``values`` has one entry an item; None: absent."""

    group: str
    label: str
    values: tuple[str | None, ...]
    measured: bool


def facts(row: ManifestRow) -> tuple[Fact, ...]:
    """An item's facts: first its own, then each segment's, in a fixed order. Absent values are left out."""
    rate_hz = row.sample_rate_hz or 1
    found = [
        Fact(group="item", label=label, value=value, measured=measured)
        for label, value, measured in _item_facts(row)
        if value is not None
    ]
    for title, segment in zip(segment_titles(row), row.segments, strict=True):
        found += [
            Fact(group=title, label=label, value=value, measured=measured)
            for label, value, measured in _segment_facts(segment, rate_hz, row.modality == "audio")
            if value is not None
        ]
    return tuple(found)


def segment_titles(row: ManifestRow) -> tuple[str, ...]:
    """A name for each segment: its role, numbered from the second of that role on."""
    seen: Counter[str] = Counter()
    titles = []
    for segment in row.segments:
        seen[segment.role] += 1
        titles.append(segment.role if seen[segment.role] == 1 else f"{segment.role} {seen[segment.role]}")
    return tuple(titles)


def differences(rows: Sequence[ManifestRow]) -> tuple[Difference, ...]:
    """Facts that the items do not share: planned ones first, each kind in the order of the facts."""
    tables = [{(f.group, f.label): f for f in facts(row)} for row in rows]
    keys = {key: fact.measured for table in tables for key, fact in table.items()}
    found = []
    for (group, label), measured in keys.items():
        values = tuple(table[group, label].value if (group, label) in table else None for table in tables)
        if len(set(values)) > 1:
            found.append(Difference(group=group, label=label, values=values, measured=measured))
    return tuple(sorted(found, key=lambda difference: difference.measured))


_Line = tuple[str, str | None, bool]


def _item_facts(row: ManifestRow) -> Iterator[_Line]:
    yield "family", row.family, False
    yield "case", row.case_id, False
    yield "condition", row.condition, False
    for axis, level in row.cell.items():
        yield f"cell {axis}", level, False
    yield "split", row.split, False
    yield "modality", row.modality, False
    yield "policy", row.policy, False
    yield "target", target_words(row.target), False
    yield "source", row.factors.source, False
    yield "distance", row.factors.distance, False
    yield "gap", None if row.factors.gap_ms is None else f"{number(row.factors.gap_ms)} ms", False
    if row.modality == "text":
        return
    rate_hz = row.sample_rate_hz
    yield "sample rate", None if rate_hz is None else f"{rate_hz:,} Hz", False
    yield "duration", samples_words(row.length_samples, rate_hz or 1), True
    yield "peak", level_words(row.peak_dbfs) or "digital silence", True
    yield "RMS", level_words(row.rms_dbfs) or "digital silence", True
    if row.limit_gain_db:
        yield "limiter", f"{row.limit_gain_db:+.2f} dB over the whole clip", True
    if row.noise is not None:
        yield "noise", _noise_words(row.noise), False
        yield "noise level", level_words(row.noise.level_dbfs), True
    if row.dither != "none":
        yield "dither", row.dither, False


def _segment_facts(segment: SegmentRow, rate_hz: int, audio: bool) -> Iterator[_Line]:
    yield "speaker", segment.speaker, False
    yield "text", segment.text, False
    yield "addressee", segment.addressee, False
    if segment.spoken != segment.text:
        yield "spoken", segment.spoken, False
    if not audio:
        return
    yield "voice", voice_words(segment), False
    yield "voice settings", _settings_words(segment.voice_settings), False
    yield "speech", "pinned by the cache: the engine is not deterministic" if segment.pinned else None, False
    yield "gap before", gap_words(segment.gap_before_samples, rate_hz), False
    if segment.room is not None:
        yield from _room_facts(segment.room)
    yield "fade", gap_words(segment.fade_samples, rate_hz), False
    yield "level asked", level_words(segment.level_asked_dbfs), False
    yield "level before", level_words(segment.level_before_dbfs), True
    yield "gain", None if segment.gain_db is None else f"{segment.gain_db:+.2f} dB", True
    yield "level after", level_words(segment.level_dbfs), True
    yield "start", samples_words(segment.start_sample, rate_hz), True
    yield "length", samples_words(segment.length_samples, rate_hz), True
    yield "tail", samples_words(segment.tail_samples, rate_hz) if segment.tail_samples else None, True
    trimmed = (segment.trimmed_start_samples, segment.trimmed_end_samples)
    yield "trimmed", f"{trimmed[0]:,} + {trimmed[1]:,} samples" if any(trimmed) else None, True
    yield "stem", _hash_words(segment.stem_sha256), True
    yield "placed audio", _hash_words(segment.audio_sha256), True


def _room_facts(room: RoomRow) -> Iterator[_Line]:
    yield "room", f"{room.name} ({room.kind})", False
    yield "room distance", room.distance, False
    if room.kind != "dry":
        yield "room level", room.level, False
    yield "RT60 asked", None if room.rt60_asked_s is None else f"{room.rt60_asked_s:.3f} s", False
    yield "RT60 measured", None if room.rt60_s is None else f"{room.rt60_s:.3f} s", True
    yield "DRR measured", None if room.drr_db is None else f"{room.drr_db:+.2f} dB", True


def _noise_words(noise: NoiseRow) -> str:
    source = f" {noise.file}" if noise.file else ""
    return f"{noise.kind}{source} at {number(noise.snr_db)} dB SNR, seed {noise.seed}"


def _settings_words(settings: Mapping[str, Any]) -> str | None:
    words = ", ".join(
        f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in sorted(settings.items())
    )
    return words or None


def _hash_words(sha256: str | None) -> str | None:
    return None if sha256 is None else f"sha256 {sha256[:HASH_DIGITS]}"
