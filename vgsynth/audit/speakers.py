"""Who speaks, by a speaker embedding: are voices told apart, and does a trigger change the speaker?"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vgsynth.audit.embedder import Embed, Vector
from vgsynth.audit.folder import RenderedSet, focus, voice_id
from vgsynth.audit.measure import clip_of
from vgsynth.audit.options import AuditOptions
from vgsynth.audit.values import Skipped, Spread, figure, spread
from vgsynth.contract.manifest import ManifestRow

MIN_SAMPLES_S = 0.3
"""Less speech than this says little about its speaker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoicePair:
    """Two voices."""

    voices: tuple[str, str]
    cosine: float
    """Of their mean vectors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distinctness:
    """How well the set's voices are told apart on near segments, as they were rendered."""

    voices: Mapping[str, int]
    """Voice to the segments that stood for it."""
    within: Spread | None
    """Cosines of two segments of one voice."""
    across: Spread | None
    """Cosines of two segments of two voices."""
    pairs: tuple[VoicePair, ...]
    """All pairs of voices, the likest first."""
    attributed: int
    """Segments whose own voice's mean (without them) lies nearest, of those of voices with two or more."""
    attributable: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Speakers:
    """What the embedder found."""

    distinctness: Distinctness | Skipped
    cosines: Mapping[str, float]
    """Item id to the likeness of the speaker in focus to the one before."""
    compared: frozenset[str]
    """Ids of the items that were looked at; those with nothing before the segment in focus have no cosine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    item_id: str
    index: int


def compare_speakers(
    rendered: RenderedSet,
    embed: Embed,
    options: AuditOptions,
    on_item: Callable[[int, int], None] = lambda _done, _total: None,
) -> Speakers:
    """Embed what is needed and compare it. A segment that several items share is embedded once."""
    compared = _sample(rendered.rows, options.embed_items)
    near = _near_segments(rendered.rows, options.embed_per_voice)
    wanted = {place for places in near.values() for place in places}
    for row in compared:
        index = focus(row)
        if index:
            wanted |= {_Place(item_id=row.item_id, index=i) for i in (index - 1, index)}
    vectors = _vectors(rendered, wanted, embed, on_item)
    cosines = {}
    for row in compared:
        index = focus(row)
        if index:
            here, before = (vectors.get(_Place(item_id=row.item_id, index=i)) for i in (index, index - 1))
            if here is not None and before is not None:
                cosines[row.item_id] = round(_cosine(here, before), 4)
    by_voice = {
        voice: [found for place in places if (found := vectors.get(place)) is not None]
        for voice, places in near.items()
    }
    return Speakers(
        distinctness=distinctness({voice: found for voice, found in by_voice.items() if found}),
        cosines=cosines,
        compared=frozenset(row.item_id for row in compared),
    )


def distinctness(by_voice: Mapping[str, Sequence[Vector]]) -> Distinctness | Skipped:
    """How well voices are told apart, from unit vectors of their segments."""
    if len(by_voice) < 2:
        return Skipped(skipped="fewer than two voices have near segments that are long enough")
    means = {voice: _unit(np.mean(found, axis=0)) for voice, found in by_voice.items()}
    names = sorted(by_voice)
    within = [_cosine(a, b) for voice in names for a, b in combinations(by_voice[voice], 2)]
    across = [
        _cosine(a, b)
        for first, second in combinations(names, 2)
        for a in by_voice[first]
        for b in by_voice[second]
    ]
    pairs = [
        VoicePair(voices=(first, second), cosine=figure(_cosine(means[first], means[second])))
        for first, second in combinations(names, 2)
    ]
    attributed = attributable = 0
    for voice in names:
        found = by_voice[voice]
        for i, vector in enumerate(found):
            if len(found) < 2:
                continue
            own = _unit(np.mean([other for j, other in enumerate(found) if j != i], axis=0))
            attributable += 1
            attributed += all(
                _cosine(vector, own) > _cosine(vector, means[other]) for other in names if other != voice
            )
    return Distinctness(
        voices={voice: len(by_voice[voice]) for voice in names},
        within=spread(within),
        across=spread(across),
        pairs=tuple(sorted(pairs, key=lambda pair: (-pair.cosine, pair.voices))),
        attributed=attributed,
        attributable=attributable,
    )


def _sample(rows: Sequence[ManifestRow], most: int) -> list[ManifestRow]:
    """Audio items of whole cases, cases in the order of their ids' hashes, until there are ``most``."""
    by_case: dict[str, list[ManifestRow]] = {}
    for row in rows:
        if row.modality == "audio":
            by_case.setdefault(row.case_id, []).append(row)
    sample: list[ManifestRow] = []
    for case in sorted(by_case, key=_hash):
        if sample and len(sample) + len(by_case[case]) > most:
            break
        sample += by_case[case] if most else []
    return sample


def _near_segments(rows: Sequence[ManifestRow], most: int) -> dict[str, list[_Place]]:
    """For each voice some near segments, each speech once, in the order of its hash."""
    found: dict[str, dict[str, _Place]] = {}
    for row in rows:
        for index, segment in enumerate(row.segments):
            voice = voice_id(segment)
            near = segment.room is None or segment.room.distance == "near"
            if row.modality == "audio" and near and voice is not None and segment.stem_sha256 is not None:
                place = _Place(item_id=row.item_id, index=index)
                found.setdefault(voice, {}).setdefault(segment.stem_sha256, place)
    return {voice: [found[voice][stem] for stem in sorted(found[voice])[:most]] for voice in sorted(found)}


def _vectors(
    rendered: RenderedSet, wanted: set[_Place], embed: Embed, on_item: Callable[[int, int], None]
) -> dict[_Place, Vector]:
    rows = [
        row
        for row in rendered.rows
        if any(_Place(item_id=row.item_id, index=i) in wanted for i in range(len(row.segments)))
    ]
    vectors: dict[_Place, Vector] = {}
    shared: dict[str, Vector] = {}
    for done, row in enumerate(rows, start=1):
        samples = clip_of(rendered, row)
        for index, segment in enumerate(row.segments):
            place = _Place(item_id=row.item_id, index=index)
            rate = row.sample_rate_hz or 1
            if place not in wanted or segment.length_samples < MIN_SAMPLES_S * rate:
                continue
            start, end = segment.start_sample, segment.start_sample + segment.length_samples
            # The same segment sounds the same wherever nothing else does.
            key = segment.audio_sha256 if row.noise is None else None
            if key is None or key not in shared:
                vectors[place] = embed(samples[start:end], rate)
                if key is not None:
                    shared[key] = vectors[place]
            else:
                vectors[place] = shared[key]
        on_item(done, len(rows))
    return vectors


def _cosine(first: Vector, second: Vector) -> float:
    return float((first * second).sum())


def _unit(vector: NDArray[np.float64]) -> Vector:
    unit: Vector = vector / (np.sqrt(np.square(vector).sum()) + 1e-12)
    return unit


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
