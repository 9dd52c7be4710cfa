"""The plan: a scene made concrete. Rendering is a pure function of it and of the voice assets.

Milliseconds end here: every time is a whole number of samples at ``sample_rate_hz``. Nothing random is left:
noise and dither carry seeds that were drawn when the scene was expanded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from vgsynth.contract.canonical import fields_of, sha256_of
from vgsynth.contract.manifest import Factors, Modality
from vgsynth.contract.target import Target

Distance = Literal["near", "far"]
LevelMode = Literal["matched", "attenuated"]
Setting = str | int | float | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VoicePlan:
    """A voice: an engine, the engine's name for the voice, and settings (sorted by key)."""

    engine: str
    name: str
    settings: tuple[tuple[str, Setting], ...] = ()

    @property
    def id(self) -> str:
        """``engine/name``, as specs write it."""
        return f"{self.engine}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """Text spoken by a voice. ``text`` is as written; voices normalise it."""

    voice: VoicePlan
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A recording, by path relative to the spec's root. ``text`` is its transcript, if one is known."""

    path: str
    sha256: str
    text: str = ""
    voice: str | None = None
    """``recordings/name`` where a speaker's voice is made of recordings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trim:
    """Cut leading and trailing frames whose level lies ``threshold_db`` or more below the loudest frame's.

    ``pad_samples`` of what was cut are kept at each end (as far as there are any).
    """

    threshold_db: float
    pad_samples: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRoom:
    """No reverberation: a gain and, optionally, a low-pass filter."""

    name: str
    distance: Distance
    gain_db: float = 0.0
    lowpass_hz: float | None = None

    kind: Literal["dry"] = "dry"
    level: LevelMode = "attenuated"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeboxRoom:
    """A rectangular room by the image source method. Metres; corner at the origin.

    ``level: attenuated`` keeps the loss of the path: the direct sound has unit gain at ``reference_m``.
    ``level: matched`` brings the dry extent back to the segment's asked level.
    """

    name: str
    distance: Distance
    size_m: tuple[float, float, float]
    rt60_s: float
    source_m: tuple[float, float, float]
    mic_m: tuple[float, float, float]
    level: LevelMode
    reference_m: float = 0.3
    keep_travel: bool = False
    """Keep the direct path's travel time as a delay before the onset."""
    keep_tail: bool = True
    """Let the tail ring into the gap and the next segment; else cut it at the dry extent's end."""
    gain_db: float = 0.0
    lowpass_hz: float | None = None

    kind: Literal["shoebox"] = "shoebox"


@dataclass(frozen=True, slots=True, kw_only=True)
class RirRoom:
    """A measured impulse response. Its direct path (largest peak) is set to unit gain, then ``gain_db``."""

    name: str
    distance: Distance
    path: str
    """Relative to the spec's folder."""
    sha256: str
    level: LevelMode
    channel: int = 0
    keep_travel: bool = False
    keep_tail: bool = True
    gain_db: float = 0.0
    lowpass_hz: float | None = None

    kind: Literal["rir"] = "rir"


Room = DryRoom | ShoeboxRoom | RirRoom


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentPlan:
    """One segment: source, then trim, level, room and fade, placed ``gap_before_samples`` after the last."""

    role: str
    speaker: str
    source: Speech | Recording
    trim: Trim | None
    level_dbfs: float
    """Asked RMS of the dry speech; full scale is 1.0 (32768)."""
    fade_samples: int
    """Raised-cosine fade in and out."""
    room: Room
    gap_before_samples: int = 0
    """From the end of the dry extent before (or the clip's start) to the start of this one."""
    addressee: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisePlan:
    """A noise bed under the whole clip."""

    kind: Literal["white", "pink", "file"]
    snr_db: float
    seed: int
    """64-bit; for ``file`` it chooses where in the file the bed starts."""
    path: str | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemPlan:
    """One item, concrete. ``segments`` of a text item carry their text alone (no audio is made)."""

    item_id: str
    family: str
    case_id: str
    condition: str
    cell: tuple[tuple[str, str], ...]
    pair_id: str | None
    split: str | None
    modality: Modality
    policy: str | None
    target: Target
    factors: Factors
    segments: tuple[SegmentPlan, ...]
    gap_after_samples: int = 0
    """Silence behind the last dry extent (a tail that rings longer makes the clip longer)."""
    noise: NoisePlan | None = None
    sample_rate_hz: int = 16_000
    dither: Literal["none", "tpdf"] = "none"
    dither_seed: int = 0
    limit: Literal["error", "scale"] = "error"
    case: Mapping[str, Any] = field(default_factory=dict)

    def sha256(self) -> str:
        """Hash of all that the item is, its split aside: the same plan gives the same WAV and row.

        The split is left out because it is a property of the whole set: adding a case may move another one.
        """
        data = fields_of(self)
        del data["split"]
        return sha256_of(data)


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePlan:
    """All items of one case: the unit of work, since they share speech, segments and pairs."""

    case_id: str
    items: tuple[ItemPlan, ...]
