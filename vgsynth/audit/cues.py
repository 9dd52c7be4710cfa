"""Cues: what one could tell an item's label from without understanding it. Each is one number, class or text.

The spec's ``expect`` names cues by their names here; ``case.<field>``, ``cell.<axis>`` and ``condition``
may be named there as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from vgsynth.audit.folder import case_value, focus, voice_id
from vgsynth.audit.measure import SILENCE_DBFS, ItemMeasure
from vgsynth.contract.manifest import ManifestRow, SegmentRow

CueKind = Literal["number", "class", "words"]
CueValue = float | str | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subject:
    """What a cue is taken from: an audio item, and one of its segments."""

    row: ManifestRow
    measure: ItemMeasure
    index: int
    """Of the segment that the question is about."""
    speaker_cosine: float | None = None
    """Likeness of this segment's speaker to the one before, by an embedding."""

    @property
    def segment(self) -> SegmentRow:
        """The segment that the question is about."""
        return self.row.segments[self.index]

    @property
    def before(self) -> SegmentRow | None:
        """The segment before it."""
        return self.row.segments[self.index - 1] if self.index else None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cue:
    """One cue. ``of`` gives its value, or None where an item has none (which may itself tell something)."""

    name: str
    kind: CueKind
    about: str
    of: Callable[[Subject], CueValue]


# Measured values are rounded to less than anybody hears: else a probe would work on the rounding of samples.
_DB_DIGITS, _RATE_DIGITS, _SECOND_DIGITS = 2, 1, 3


def _level(subject: Subject) -> float:
    """Of the segment in dBFS; against the segment before, where there is one."""
    levels = [segment.level_dbfs for segment in subject.measure.segments]
    own = _audible(levels[subject.index])
    reference = _audible(levels[subject.index - 1]) if subject.index else 0.0
    return _rounded(own - reference, _DB_DIGITS)


def _audible(level_dbfs: float | None) -> float:
    return SILENCE_DBFS if level_dbfs is None else level_dbfs


def _rounded(value: float, digits: int) -> float:
    return round(value, digits) + 0.0


def _decay(subject: Subject) -> float | None:
    rate = subject.measure.decay_db_per_s
    return None if rate is None else _rounded(rate, _RATE_DIGITS)


def _tail(subject: Subject) -> float | None:
    tail = subject.measure.tail_db
    return None if tail is None else _rounded(tail, _RATE_DIGITS)


def _drr(subject: Subject) -> float | None:
    return None if subject.segment.room is None else subject.segment.room.drr_db


def _voice(segment: SegmentRow | None) -> str | None:
    return None if segment is None else voice_id(segment)


def _sex(segment: SegmentRow | None) -> str | None:
    from vgsynth.voices.catalogue import known_voices

    voice = _voice(segment)
    return next((known.sex for known in known_voices() if known.id == voice), None)


def _pair(first: str | None, second: str | None) -> str | None:
    return None if first is None or second is None else f"{first} > {second}"


def _position(subject: Subject) -> str:
    """Which utterance it is: of the assistant-directed one, where utterances say whom they address."""
    at = [i for i, segment in enumerate(subject.row.segments) if segment.addressee == "assistant"]
    index = at[0] if len(at) == 1 else subject.index
    return f"{index + 1} of {len(subject.row.segments)}"


def _words(subject: Subject) -> str:
    return " . ".join(segment.spoken for segment in subject.row.segments)


CUES: tuple[Cue, ...] = (
    Cue(
        name="source",
        kind="class",
        about="whether the trigger comes from the session's initiator (factor)",
        of=lambda s: s.row.factors.source,
    ),
    Cue(name="distance", kind="class", about="near or far (factor)", of=lambda s: s.row.factors.distance),
    Cue(
        name="gap",
        kind="number",
        about="gap before the trigger, ms (factor)",
        of=lambda s: s.row.factors.gap_ms,
    ),
    Cue(
        name="level",
        kind="number",
        about="measured level of the trigger against the segment before it, dB (alone: dBFS)",
        of=_level,
    ),
    Cue(
        name="drr",
        kind="number",
        about="direct-to-reverberant ratio of the trigger's impulse response, dB; none where it is dry",
        of=_drr,
    ),
    Cue(
        name="reverberation",
        kind="number",
        about="fastest decay of energy within the trigger, dB/s, measured on the audio",
        of=_decay,
    ),
    Cue(
        name="tail",
        kind="number",
        about="energy that rings on behind the last segment, dB, measured on the audio",
        of=_tail,
    ),
    Cue(
        name="duration",
        kind="number",
        about="length of the clip, s",
        of=lambda s: _rounded(s.measure.duration_s, _SECOND_DIGITS),
    ),
    Cue(name="voice", kind="class", about="voice of the trigger", of=lambda s: _voice(s.segment)),
    Cue(
        name="context_voice",
        kind="class",
        about="voice of the segment before it",
        of=lambda s: _voice(s.before),
    ),
    Cue(
        name="voice_pair",
        kind="class",
        about="both voices (which says whether they are the same)",
        of=lambda s: _pair(_voice(s.before), _voice(s.segment)),
    ),
    Cue(
        name="sex",
        kind="class",
        about="sex of the trigger's voice, where it is known",
        of=lambda s: _sex(s.segment),
    ),
    Cue(
        name="sex_pair",
        kind="class",
        about="sex of both voices, where it is known",
        of=lambda s: _pair(_sex(s.before), _sex(s.segment)),
    ),
    Cue(
        name="position",
        kind="class",
        about="which utterance is the trigger, or the one that addresses the assistant",
        of=_position,
    ),
    Cue(
        name="snr",
        kind="number",
        about="signal-to-noise ratio of the noise bed, dB; none without noise",
        of=lambda s: None if s.row.noise is None else s.row.noise.snr_db,
    ),
    Cue(
        name="words",
        kind="words",
        about="the words of all segments (TF-IDF of words and word pairs)",
        of=_words,
    ),
    Cue(
        name="speaker_change",
        kind="number",
        about="likeness of the trigger's speaker to the one before, by an embedding",
        of=lambda s: s.speaker_cosine,
    ),
)
"""The cues of an item."""


def _own_level(subject: Subject) -> float:
    return _rounded(_audible(subject.measure.segments[subject.index].level_dbfs), _DB_DIGITS)


def _own_duration(subject: Subject) -> float:
    return _rounded(subject.segment.length_samples / (subject.row.sample_rate_hz or 1), _SECOND_DIGITS)


UTTERANCE_CUES: tuple[Cue, ...] = (
    Cue(
        name="position",
        kind="class",
        about="which utterance it is",
        of=lambda s: f"{s.index + 1} of {len(s.row.segments)}",
    ),
    Cue(
        name="words",
        kind="words",
        about="its words (TF-IDF of words and word pairs)",
        of=lambda s: s.segment.spoken,
    ),
    Cue(name="level", kind="number", about="its measured level, dBFS", of=_own_level),
    Cue(name="duration", kind="number", about="its length, s", of=_own_duration),
    Cue(name="voice", kind="class", about="its voice", of=lambda s: _voice(s.segment)),
    Cue(
        name="distance",
        kind="class",
        about="near or far",
        of=lambda s: None if s.segment.room is None else s.segment.room.distance,
    ),
)
"""The cues of one utterance among several."""


def field_cue(name: str) -> Cue | None:
    """The cue that ``case.<field>``, ``cell.<axis>`` or ``condition`` names; None for another name."""
    if name == "condition":
        return Cue(name=name, kind="class", about="the scene's condition", of=lambda s: s.row.condition)
    prefix, _, rest = name.partition(".")
    if prefix == "case" and rest:
        return Cue(name=name, kind="class", about="a field of the case", of=lambda s: case_value(s.row, name))
    if prefix == "cell" and rest:
        return Cue(name=name, kind="class", about="a grid axis", of=lambda s: s.row.cell.get(rest))
    return None


def subject_of(row: ManifestRow, measure: ItemMeasure, cosines: Mapping[str, float]) -> Subject | None:
    """An item, seen from the segment in focus."""
    index = focus(row)
    if index is None:
        return None
    return Subject(row=row, measure=measure, index=index, speaker_cosine=cosines.get(row.item_id))
