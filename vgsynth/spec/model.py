"""A spec, loaded: checked against the schema, ``extends`` and ``defaults`` merged, every default filled in.

Fields typed ``Dynamic`` may still hold what only a scene can settle: strings with placeholders
(``"{case.trigger}"``) and distributions (``{uniform: [a, b]}``). Expansion resolves them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from vgsynth.contract.problems import Place, Problem
from vgsynth.contract.tools import ToolInventory

Dynamic = Any
Path_ = tuple[str | int, ...]
"""A position in the document: ``("scenes", 0, "segments", 2, "room")``."""

PolicyName = Literal["source_and_proximity", "source", "proximity", "words", "addressee", "never"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case: an id, its position among the cases, and the author's own fields."""

    id: str
    ordinal: int
    """Position in the file from 0, or the case's own ``ordinal``: what balanced rotation counts by."""
    fields: Mapping[str, Any]
    place: Place


class CaseSource(Protocol):
    """The cases of a spec: read from their file each time, in its order, never held whole."""

    def __iter__(self) -> Iterator[Case]: ...

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was wrong with the lines read by the last full pass (those are skipped, not raised)."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceEntry:
    """A voice of a pool. Setting values may hold placeholders (a recording's path)."""

    engine: str
    name: str
    settings: Mapping[str, Dynamic] = field(default_factory=dict)
    path: Path_ = ()
    """Where it is written: in a pool, or at the speaker."""

    @property
    def id(self) -> str:
        """``engine/name``."""
        return f"{self.engine}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakerSpec:
    """A speaker: one voice of its pool is assigned to it for each case, for all scenes of the case."""

    name: str
    voices: tuple[VoiceEntry, ...]
    differs_from: tuple[str, ...] = ()
    """Speakers whose voice this one must not have in the same case."""
    assign: Literal["balanced", "hashed"] = "balanced"
    """``balanced``: even rotation by the case's ordinal. ``hashed``: drawn for each case alone."""
    balance_within: tuple[str, ...] = ()
    """Case fields (``case.tool``): the rotation starts anew within each of their values."""
    settings: Mapping[str, Dynamic] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentSpec:
    """One utterance of a scene, with the gap before it. ``say`` or ``play`` is set, the other is None."""

    path: Path_
    """Where it stands in the document."""
    role: str
    speaker: Dynamic
    say: Dynamic | None
    play: Dynamic | None
    text: Dynamic | None
    """Transcript of a played recording."""
    room: Dynamic
    level_dbfs: Dynamic
    fade_ms: Dynamic
    trim: Mapping[str, Dynamic] | None
    """``threshold_db`` and ``pad_ms``; None: not trimmed."""
    settings: Mapping[str, Dynamic]
    addressee: Dynamic | None
    gap_before_ms: Dynamic
    """0 where no boundary is written."""
    gap_path: Path_ | None
    """Where the boundary is written, if it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneSpec:
    """One condition. ``like`` and ``change`` are resolved: segments are the scene's own."""

    path: Path_
    condition: str
    modality: Literal["audio", "text"]
    segments: tuple[SegmentSpec, ...]
    gap_after_ms: Dynamic
    policy: PolicyName | None
    target: Dynamic | None
    """A stated target: ``mute``, ``tool``, ``answer`` or ``{tool: name}``."""
    initiator: Dynamic | None
    """Speaker who opened the session; None: whoever speaks first."""
    noise: Mapping[str, Dynamic] | None
    when: Mapping[str, tuple[Any, ...]]
    """``case.field`` to the values for which this scene is made."""
    repeats: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A grid axis: level name to what it sets, by dotted path (``trigger.room``, ``boundary.gap_ms``)."""

    name: str
    levels: tuple[tuple[str, Mapping[str, Dynamic]], ...]
    path: Path_


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeSpec:
    """A part of all cases × cells: ``count`` items, each cell as often as any other to within one."""

    count: int
    within: str | None = None
    """``case.<field>``: even within each of its values too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridSpec:
    """Axes that are crossed over the scenes named in ``of``."""

    of: tuple[str, ...]
    axes: tuple[Axis, ...]
    include: tuple[Mapping[str, str], ...] = ()
    """Cells added to what is left of the product, each with a level of every axis."""
    exclude: tuple[Mapping[str, str], ...] = ()
    """Cells left out: every cell that has all the levels of one entry."""
    take: TakeSpec | None = None
    """None: every case in every cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A side of a pair: a condition and, in a grid, the levels that single out one cell."""

    condition: str
    cell: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSpec:
    """Two members of each case, the same but for what is listed."""

    path: Path_
    name: str
    members: tuple[Member, Member]
    may_differ_in: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitSpec:
    """Groups of cases dealt out to parts by the rank of a seeded hash."""

    path: Path_
    by: str
    """``case``, ``case.<field>``, or ``voice`` (voices themselves are held out)."""
    parts: tuple[tuple[str, int | float], ...]
    """Part to a number of groups (int) or a share of them (float)."""
    rest: str
    within: str | None
    """``case.<field>``: deal out evenly within each of its values."""
    stated: str | None
    """``case.<field>`` that names the part of each case itself; then nothing is dealt."""
    count: Literal["groups", "cases"] = "groups"
    """What the numbers of ``parts`` count."""
    keep: tuple[str, ...] = ()
    """The parts whose items are made; empty: all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputSpec:
    """How clips are written."""

    sample_rate_hz: int = 16_000
    dither: Literal["none", "tpdf"] = "none"
    limit: Literal["error", "scale"] = "error"


class Places(Protocol):
    """Where things stand in the files that the document was merged from."""

    def of(self, path: Path_) -> Place:
        """Position of the value at ``path``, or of its nearest ancestor that has one."""
        ...

    def of_key(self, path: Path_) -> Place:
        """Position of the key that holds the value at ``path``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """A loaded spec."""

    file: Path
    root: Path
    """Absolute: the spec's folder, or the one above it that ``root`` names. Paths in the spec are relative to
    it and may not leave it."""
    document: Mapping[str, Any]
    """The resolved document: what ``vgsynth config`` prints. Cases and tools stay references."""
    places: Places
    sha256: str
    """Of the resolved document and the tools. What a file of cases holds does not enter: each item's plan has
    its own."""
    name: str
    family: str
    seed: int
    tools: ToolInventory
    cases: CaseSource
    speakers: Mapping[str, SpeakerSpec]
    rooms: Mapping[str, Mapping[str, Dynamic]]
    """By name; each with every key of its kind filled in."""
    scenes: tuple[SceneSpec, ...]
    grid: GridSpec | None
    pairs: tuple[PairSpec, ...]
    splits: SplitSpec | None
    expect: Mapping[str, str]
    """What the audit must find: a cue to ``informative`` or ``uninformative``."""
    output: OutputSpec
