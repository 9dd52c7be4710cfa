"""Whether the audio says what the script says: word errors of a recogniser on a sample of items."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass

from vgsynth.audit.folder import RenderedSet, focus
from vgsynth.audit.measure import read_clip
from vgsynth.audit.options import AuditOptions
from vgsynth.audit.recogniser import Recognise
from vgsynth.audit.values import figure, shown
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
    """What the recogniser heard. The sample is the items whose ids' hashes come first."""

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
    for done, row in enumerate(sample, start=1):
        samples = read_clip(rendered.out, row)
        assert not isinstance(samples, str), "clips were read before"
        script = " ".join(segment.spoken for segment in row.segments)
        heard = recognise(samples, row.sample_rate_hz or 1)
        errors, words = word_errors(script, heard)
        index = focus(row)
        room = None if index is None else row.segments[index].room
        for name in ("all", "near" if room is None else room.distance):
            counts[name].append((errors, words))
        if errors > options.word_error_limit * words:
            misheard.append(
                Misheard(
                    item_id=row.item_id,
                    word_error_rate=figure(errors / words),
                    script=shown(script, 300),
                    heard=shown(heard, 300),
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
