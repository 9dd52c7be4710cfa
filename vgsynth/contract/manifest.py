"""Manifest rows: everything about one item, written once, from the plan and from what was measured.

One JSON object a line. Integer samples are the truth; seconds are derived. Rows do not say when, where or
how fast they were made, so the same spec and assets give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from vgsynth.contract.canonical import canonical_json, fields_of
from vgsynth.contract.lines import read_lines
from vgsynth.contract.target import Target

MANIFEST_SCHEMA = 1
MANIFEST_NAME = "manifest.jsonl"

Modality = Literal["audio", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomRow:
    """How a segment reached the microphone."""

    name: str
    kind: Literal["dry", "shoebox", "rir"]
    distance: Literal["near", "far"]
    level: Literal["matched", "attenuated"]
    config: Mapping[str, Any]
    """The room as it was planned: sizes and positions in metres, gains in dB, the file and its SHA-256."""
    rt60_asked_s: float | None = None
    rt60_s: float | None = None
    """Measured on the impulse response by Schroeder integration (T30, or T20 where the decay is short)."""
    drr_db: float | None = None
    """Direct-to-reverberant ratio, measured: energy within 2.5 ms of the direct path against the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentRow:
    """One utterance. For text items the acoustic fields are empty."""

    role: str
    speaker: str
    text: str
    """As written in the spec."""
    spoken: str
    """What the voice was asked to say: the text after normalisation."""
    addressee: str | None = None
    engine: str | None = None
    voice: str | None = None
    voice_settings: Mapping[str, Any] = field(default_factory=dict)
    pinned: bool = False
    """True where the engine is not deterministic and the speech cache is what keeps its output."""
    source_file: str | None = None
    """For recordings: the path, relative to the spec's folder."""
    stem_sha256: str | None = None
    """Of the trimmed source at the item's sample rate: float32 little-endian, mono, before level."""
    stem_key: str | None = None
    """Under which the speech cache keeps the stem."""
    audio_sha256: str | None = None
    """Of the segment as placed (after level, room and fade, tail included): float32 little-endian, mono."""
    gap_before_samples: int = 0
    travel_samples: int = 0
    """The direct sound's travel time, on top of the gap, where the room keeps it."""
    start_sample: int = 0
    length_samples: int = 0
    """The dry extent: speech lies in [start_sample, start_sample + length_samples)."""
    tail_samples: int = 0
    """How far the room rings on behind the dry extent."""
    trimmed_start_samples: int = 0
    trimmed_end_samples: int = 0
    level_asked_dbfs: float | None = None
    level_before_dbfs: float | None = None
    """RMS of the trimmed source."""
    gain_db: float | None = None
    level_dbfs: float | None = None
    """RMS of the dry extent of this segment as placed, before it is mixed with others."""
    fade_samples: int = 0
    room: RoomRow | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseRow:
    """The noise bed under the whole clip."""

    kind: Literal["white", "pink", "file"]
    snr_db: float
    """Speech RMS over the dry extents of all segments against noise RMS over the whole clip."""
    seed: int
    level_dbfs: float
    file: str | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Factors:
    """What the counterfactual design varies, as facts about the scene."""

    source: Literal["same", "different"] | None = None
    """Whether the trigger comes from the session's initiator. None where the item has no trigger source."""
    distance: Literal["near", "far"] | None = None
    gap_ms: float | None = None
    """Silence between the trigger and the segment before it, from the planned samples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestRow:
    """One item: what it is, what it asks for, what is in its audio."""

    schema: int = MANIFEST_SCHEMA
    item_id: str
    family: str
    """Scenario: speaker_switch, side_talk, self_talk, or a name of the author's."""
    case_id: str
    condition: str
    cell: Mapping[str, str]
    """Grid axis to level; empty outside grids."""
    pair_id: str | None
    split: str | None
    modality: Modality
    policy: str | None
    target: Target
    factors: Factors
    segments: tuple[SegmentRow, ...]
    case: Mapping[str, Any]
    """The case's own fields: tool, origin, template, discourse frame ..."""
    wav: str | None
    """Relative to the manifest's folder; None for text items."""
    wav_sha256: str | None
    """Of the whole file."""
    sample_rate_hz: int | None
    length_samples: int
    duration_s: float
    peak_dbfs: float | None
    """Of the quantised samples, as is ``rms_dbfs``; full scale is 32768. None for digital silence."""
    rms_dbfs: float | None
    limit_gain_db: float = 0.0
    """What ``limit: scale`` took off the whole clip to keep it from clipping."""
    dither: Literal["none", "tpdf"] = "none"
    noise: NoiseRow | None = None
    plan_sha256: str
    spec_sha256: str
    versions: Mapping[str, str]

    def to_json(self) -> dict[str, Any]:
        """A plain JSON object with every field."""
        return {**_plain(self), "target": self.target.to_json()}

    def to_line(self) -> str:
        """The row as one line of JSONL, keys sorted, with its newline."""
        return canonical_json({**fields_of(self), "target": self.target.to_json()}) + "\n"

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ManifestRow:
        """Inverse of :meth:`to_json`. Raises ValueError, KeyError or TypeError for anything else."""
        if data.get("schema") != MANIFEST_SCHEMA:
            raise ValueError(f"manifest schema {data.get('schema')!r} is not {MANIFEST_SCHEMA}")
        noise = data.get("noise")
        return cls(
            **{
                **data,
                "target": Target.from_json(data["target"]),
                "factors": Factors(**data["factors"]),
                "segments": tuple(_segment_from_json(segment) for segment in data["segments"]),
                "noise": None if noise is None else NoiseRow(**noise),
            }
        )


def _segment_from_json(data: Mapping[str, Any]) -> SegmentRow:
    room = data.get("room")
    return SegmentRow(**{**data, "room": None if room is None else RoomRow(**room)})


def _plain(value: Any) -> Any:
    """Dataclasses to dicts, tuples to lists, shallowly typed and without deep copies."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in fields_of(value).items()}


def read_manifest(path: Path) -> Iterator[ManifestRow]:
    """The rows of a manifest file (or of the folder that holds it), one at a time.

    Raises InputError, with file and line, for a missing file or a line that is not a row.
    """
    file = path / MANIFEST_NAME if path.is_dir() else path
    return read_lines(
        file,
        ManifestRow.from_json,
        loads=lambda line: json.loads(line, parse_constant=_no_constant),
        all_of="the manifest",
        one_of="a manifest row",
        if_missing="render the spec first",
        if_wrong="render again",
    )


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
