"""What the spec asked of the sound, against what is measured on the WAVs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vgsynth.audit.counts import by_number, gap_levels
from vgsynth.audit.folder import focus
from vgsynth.audit.measure import ItemMeasure, SegmentMeasure
from vgsynth.audit.values import Spread, spread
from vgsynth.contract.manifest import ManifestRow, RoomRow, SegmentRow

LEVEL_TOLERANCE_DB = 0.1
RT60_TOLERANCE = 0.10
MAX_LISTED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelCheck:
    """Levels of the segments that must have the level they were asked for: dry ones and ``matched`` ones."""

    deviation_db: Spread | None
    """Measured less asked. None where no segment can be judged by itself (noise, other segments' tails)."""
    beyond: int
    """Segments off by more than 0.1 dB."""
    listed: tuple[str, ...]
    """The first of those."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomCheck:
    """One room of the spec; a room with distributions for numbers counts as one."""

    name: str
    kind: str
    distance: str
    level: str
    segments: int
    rt60_asked_s: Spread | None
    rt60_s: Spread | None
    """On the impulse response, as the rows say."""
    rt60_ratio: Spread | None
    """Of that to what was asked, segment by segment."""
    rt60_beyond: int
    """Segments whose ratio is off by more than a tenth."""
    tail_rt60_s: Spread | None
    """Read from the tails in the WAVs. Speech rings with what it said last: a rough figure."""
    drr_db: Spread | None
    level_change_db: Spread | None
    """Measured level less the level asked of the dry speech: what the room took or gave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GapCheck:
    """Gaps of one length (or, where there are many lengths, of a range), before the segment in focus."""

    asked_ms: str
    items: int
    pause_ms: Spread | None
    """Between the last loud millisecond before and the first after: gap, soft ends and what tails leave."""
    excess_ms: Spread | None
    """Pause less gap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnsetCheck:
    """From the sample where the row says a segment starts to its first millisecond of speech."""

    distance: str
    onset_ms: Spread


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAndMeasured:
    """All of it."""

    levels: LevelCheck
    rooms: tuple[RoomCheck, ...]
    gaps: tuple[GapCheck, ...]
    onsets: tuple[OnsetCheck, ...]
    silences: int
    """Stretches that must be digital silence: before speech and behind the last tail, without noise."""
    silences_kept: int
    silences_listed: tuple[str, ...]
    """The first items where one is not."""

    @property
    def warnings(self) -> list[str]:
        """What is off."""
        found = []
        if self.levels.beyond:
            found.append(
                f"{self.levels.beyond:,} segments are off their level by more than {LEVEL_TOLERANCE_DB} dB"
            )
        for room in self.rooms:
            if room.rt60_beyond:
                found.append(
                    f"room {room.name}: {room.rt60_beyond:,} segments whose RT60 is off by more than"
                    f" {RT60_TOLERANCE:.0%}"
                )
        if self.silences_kept < self.silences:
            found.append(f"{self.silences - self.silences_kept:,} stretches that should be silent are not")
        return found


@dataclass(slots=True, kw_only=True)
class _Room:
    row: RoomRow
    segments: int = 0
    asked: list[float] = field(default_factory=list)
    measured: list[float] = field(default_factory=list)
    ratio: list[float] = field(default_factory=list)
    tail: list[float] = field(default_factory=list)
    drr: list[float] = field(default_factory=list)
    change: list[float] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class _Gap:
    items: int = 0
    pauses: list[float] = field(default_factory=list)
    excess: list[float] = field(default_factory=list)


def hold_against(rows: Sequence[ManifestRow], measures: Mapping[str, ItemMeasure]) -> AskedAndMeasured:
    """Compare a set's rows with what was measured on its audio items, by item id."""
    rooms: dict[str, _Room] = {}
    deviations: list[float] = []
    beyond: list[str] = []
    gap_level = gap_levels(row.factors.gap_ms for row in rows if row.item_id in measures)
    gaps: dict[str, _Gap] = {}
    onsets: dict[str, list[float]] = {}
    silences: list[bool] = []
    loud: list[str] = []
    for row in rows:
        measure = measures.get(row.item_id)
        if measure is None:
            continue
        index = focus(row)
        for i, (segment, found) in enumerate(zip(row.segments, measure.segments, strict=True)):
            off = _level_off(segment, found)
            if off is not None and _keeps_level(segment.room):
                deviations.append(off)
                if abs(off) > LEVEL_TOLERANCE_DB:
                    beyond.append(f"{row.item_id} {segment.role}: {off:+.2f} dB")
            if segment.room is not None:
                tail = measure.tail_rt60_s if i == index else None
                _note_room(
                    rooms.setdefault(segment.room.name, _Room(row=segment.room)), segment.room, off, tail
                )
                if found.onset_ms is not None:
                    onsets.setdefault(segment.room.distance, []).append(found.onset_ms)
            if found.silence_before is not None:
                silences.append(found.silence_before)
                if not found.silence_before:
                    loud.append(f"{row.item_id}: sound before {segment.role}")
        if row.factors.gap_ms is not None:
            gap = gaps.setdefault(gap_level(row.factors.gap_ms), _Gap())
            gap.items += 1
            if measure.pause_ms is not None:
                gap.pauses.append(measure.pause_ms)
                gap.excess.append(measure.pause_ms - row.factors.gap_ms)
    return AskedAndMeasured(
        levels=LevelCheck(
            deviation_db=spread(deviations), beyond=len(beyond), listed=tuple(beyond[:MAX_LISTED])
        ),
        rooms=tuple(_room_check(rooms[name]) for name in sorted(rooms)),
        gaps=tuple(
            GapCheck(
                asked_ms=asked,
                items=gaps[asked].items,
                pause_ms=spread(gaps[asked].pauses),
                excess_ms=spread(gaps[asked].excess),
            )
            for asked in sorted(gaps, key=by_number)
        ),
        onsets=tuple(
            OnsetCheck(distance=distance, onset_ms=found_spread)
            for distance, values in sorted(onsets.items())
            if (found_spread := spread(values)) is not None
        ),
        silences=len(silences),
        silences_kept=sum(silences),
        silences_listed=tuple(loud[:MAX_LISTED]),
    )


def _level_off(segment: SegmentRow, found: SegmentMeasure) -> float | None:
    if not found.clear or found.level_dbfs is None or segment.level_asked_dbfs is None:
        return None
    return found.level_dbfs - segment.level_asked_dbfs


def _keeps_level(room: RoomRow | None) -> bool:
    """Whether the room promises to leave the level as it was asked."""
    if room is None or room.level == "matched":
        return True
    return room.kind == "dry" and not room.config.get("gain_db") and not room.config.get("lowpass_hz")


def _note_room(room: _Room, row: RoomRow, off: float | None, tail: float | None) -> None:
    room.segments += 1
    if row.rt60_asked_s is not None:
        room.asked.append(row.rt60_asked_s)
    if row.rt60_s is not None:
        room.measured.append(row.rt60_s)
    if row.rt60_s is not None and row.rt60_asked_s:
        room.ratio.append(row.rt60_s / row.rt60_asked_s)
    if row.drr_db is not None:
        room.drr.append(row.drr_db)
    if off is not None:
        room.change.append(off)
    if tail is not None:
        room.tail.append(tail)


def _room_check(room: _Room) -> RoomCheck:
    return RoomCheck(
        name=room.row.name,
        kind=room.row.kind,
        distance=room.row.distance,
        level=room.row.level,
        segments=room.segments,
        rt60_asked_s=spread(room.asked),
        rt60_s=spread(room.measured),
        rt60_ratio=spread(room.ratio),
        rt60_beyond=sum(abs(ratio - 1.0) > RT60_TOLERANCE for ratio in room.ratio),
        tail_rt60_s=spread(room.tail),
        drr_db=spread(room.drr),
        level_change_db=spread(room.change),
    )
