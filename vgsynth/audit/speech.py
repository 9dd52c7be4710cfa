"""Whether the audio says what the script says: word errors of a recogniser on a sample of items."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vgsynth.audit.folder import RenderedSet, focus
from vgsynth.audit.measure import clip_of
from vgsynth.audit.options import AuditOptions
from vgsynth.audit.recogniser import Recognise
from vgsynth.audit.values import figure, shown
from vgsynth.contract.manifest import ManifestRow
from vgsynth.voices.text import normalise_text

MAX_LISTED = 50
_SAME = {"ok": "okay", "alright": "all right", "gonna": "going to", "wanna": "want to"}
"""Spellings that sound alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Misheard:
    """An item whose words were heard otherwise."""

    item_id: str
    word_error_rate: float
    script: str
    heard: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WordErrors:
    """Word errors over some items: substitutions, insertions and deletions against the script's words."""

    items: int
    words: int
    errors: int
    rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptAndAudio:
    """What the recogniser heard, segment by segment. The sample: items whose ids' hashes come first."""

    items: int
    of: int
    """Audio items of the set."""
    overall: WordErrors
    near: WordErrors | None
    """Items whose segment in focus is near."""
    far: WordErrors | None
    limit: float
    beyond: int
    """Items above the limit."""
    listed: tuple[Misheard, ...]
    """Those, the worst first."""


def listen(
    rendered: RenderedSet,
    recognise: Recognise,
    options: AuditOptions,
    on_item: Callable[[int, int], None] = lambda _done, _total: None,
) -> ScriptAndAudio:
    """Recognise a sample of the set and count word errors."""
    audio = [row for row in rendered.rows if row.modality == "audio"]
    sample = sorted(audio, key=lambda row: _hash(row.item_id))[: options.recognise_items]
    counts: dict[str, list[tuple[int, int]]] = {"all": [], "near": [], "far": []}
    misheard = []
    memory: dict[str, str] = {}
    for done, row in enumerate(sample, start=1):
        samples = clip_of(rendered, row)
        heard = [_heard(row, index, samples, recognise, memory) for index in range(len(row.segments))]
        found = [word_errors(segment.spoken, text) for segment, text in zip(row.segments, heard, strict=True)]
        errors, words = sum(e for e, _ in found), max(1, sum(w for _, w in found))
        index = focus(row)
        room = None if index is None else row.segments[index].room
        for name in ("all", "near" if room is None else room.distance):
            counts[name].append((errors, words))
        if errors > options.word_error_limit * words:
            misheard.append(
                Misheard(
                    item_id=row.item_id,
                    word_error_rate=figure(errors / words),
                    script=shown(" / ".join(segment.spoken for segment in row.segments), 300),
                    heard=shown(" / ".join(heard), 300),
                )
            )
        on_item(done, len(sample))
    overall = _sum(counts["all"])
    assert overall is not None
    return ScriptAndAudio(
        items=len(sample),
        of=len(audio),
        overall=overall,
        near=_sum(counts["near"]),
        far=_sum(counts["far"]),
        limit=options.word_error_limit,
        beyond=len(misheard),
        listed=tuple(sorted(misheard, key=lambda m: (-m.word_error_rate, m.item_id))[:MAX_LISTED]),
    )


def _heard(
    row: ManifestRow,
    index: int,
    samples: NDArray[np.float64],
    recognise: Recognise,
    memory: dict[str, str],
) -> str:
    """One segment with its tail, by itself: a recogniser may pass over what comes after a pause."""
    segment = row.segments[index]
    end = segment.start_sample + segment.length_samples + segment.tail_samples
    later = [other.start_sample for other in row.segments[index + 1 :]]
    cut = samples[segment.start_sample : min([end, *later])]
    # The same segment sounds the same wherever nothing else does.
    key = f"{segment.audio_sha256} {cut.size}" if row.noise is None and segment.audio_sha256 else None
    if key is None or key not in memory:
        text = recognise(cut, row.sample_rate_hz or 1)
        if key is None:
            return text
        memory[key] = text
    return memory[key]


def word_errors(script: str, heard: str) -> tuple[int, int]:
    """Fewest substituted, inserted and deleted words between script and heard, and the script's words.

    Both are normalised as voices normalise text, so that ``9`` and ``nine`` are one word.
    """
    from rapidfuzz.distance import Levenshtein

    said, got = _words(script), _words(heard)
    return Levenshtein.distance(said, got), max(1, len(said))


def _words(text: str) -> list[str]:
    try:
        spoken = normalise_text(text)
    except ValueError:  # nothing speakable
        return []
    plain = re.sub(r"[^\w' ]+", " ", spoken.lower()).replace("_", " ").split()
    joined = " ".join(_SAME.get(word.strip("'"), word.strip("'")) for word in plain)
    return joined.split()


def _sum(counts: list[tuple[int, int]]) -> WordErrors | None:
    if not counts:
        return None
    errors, words = sum(e for e, _ in counts), sum(w for _, w in counts)
    return WordErrors(items=len(counts), words=words, errors=errors, rate=figure(errors / words))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
