"""What a render would do, without doing it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vgsynth.cache.places import cache_dir
from vgsynth.contract.problems import InputError, ProblemLog
from vgsynth.plan.model import ItemPlan, Speech
from vgsynth.render.folder import Folder, Ledger
from vgsynth.render.inspect import SECONDS_A_WORD, WAV_HEADER_BYTES, cell_name, estimated_seconds, expanded
from vgsynth.render.versions import tool_versions
from vgsynth.render.work import item_key, stores
from vgsynth.spec.model import Spec

SPEECH_SECONDS_A_SECOND = 0.55
"""Computing time of the embedded voices for a second of speech, on one core."""
ITEM_SECONDS = 0.002
"""Computing time of an item whose speech is there."""


@dataclass(slots=True, kw_only=True)
class Forecast:
    """Counts and estimates. What is not rendered yet is estimated from its words."""

    cases: int = 0
    scenes: int = 0
    audio_scenes: int = 0
    hours: float = 0.0
    bytes: int = 0
    cached: int = 0
    to_render: int = 0
    to_drop: int = 0
    to_speak: int = 0
    speech_seconds: float = 0.0
    seconds: float = 0.0
    conditions: Counter[str] = field(default_factory=Counter)
    cells: Counter[str] = field(default_factory=Counter)
    by_condition_and_cell: Counter[tuple[str, str]] = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "cases": self.cases,
            "scenes": self.scenes,
            "conditions": dict(self.conditions),
            "cells": dict(self.cells),
            "hours": round(self.hours, 6),
            "bytes": self.bytes,
            "cached": self.cached,
            "to_render": self.to_render,
            "to_drop": self.to_drop,
            "to_speak": self.to_speak,
            "seconds": round(self.seconds, 1),
        }


def forecast(
    spec: Spec,
    out: Path,
    jobs: int,
    on_progress: Callable[[int], None] = lambda _: None,
    *,
    sample: int | None = None,
) -> Forecast:
    """Look at the spec, the folder and the caches. Raises InputError with every problem of the spec."""
    folder = Folder(out=out.absolute())
    owner = folder.owner()
    if owner not in (None, spec.name):
        raise InputError.at(str(out), f"belongs to the spec {owner!r}", "choose another folder with -o")
    log = ProblemLog()
    found = Forecast()
    with Ledger(folder) as ledger:
        counter = _Counter(spec, ledger, found)
        for case in expanded(spec, log, hash_files=True, sample=sample):
            found.cases += 1
            for item in case.items:
                counter.count(item)
            on_progress(found.cases)
        log.raise_if_any()
        found.to_drop = len(ledger.item_ids) - counter.known
    found.seconds = (found.speech_seconds * SPEECH_SECONDS_A_SECOND + found.to_render * ITEM_SECONDS) / jobs
    return found


class _Counter:
    def __init__(self, spec: Spec, ledger: Ledger, found: Forecast) -> None:
        self.ledger = ledger
        self.found = found
        self.known = 0
        self.stems, _ = stores(spec.root.absolute(), cache_dir())
        self.versions = tool_versions()
        self.spoken: set[bytes] = set()
        self.known_ids = ledger.item_ids

    def count(self, item: ItemPlan) -> None:
        found = self.found
        found.scenes += 1
        found.conditions[item.condition] += 1
        cell = cell_name(item)
        if cell:
            found.cells[cell] += 1
        found.by_condition_and_cell[item.condition, cell] += 1
        self.known += item.item_id in self.known_ids
        seconds = self._seconds_if_finished(item)
        if seconds is None:
            found.to_render += 1
            self._count_speech(item)
            seconds = estimated_seconds(item)
        else:
            found.cached += 1
        if item.modality == "audio":
            found.audio_scenes += 1
            found.hours += seconds / 3600
            found.bytes += WAV_HEADER_BYTES + 2 * round(seconds * item.sample_rate_hz)

    def _seconds_if_finished(self, item: ItemPlan) -> float | None:
        if item.item_id not in self.known_ids:
            return None
        try:
            key = item_key(item, self.stems, self.versions)
        except InputError:
            # A voice that is not there yet: nothing made with it can be up to date.
            return None
        entry = self.ledger.finished(item.item_id, key)
        return None if entry is None else float(entry.row["duration_s"])

    def _count_speech(self, item: ItemPlan) -> None:
        if item.modality == "text":
            return
        for segment in item.segments:
            if not isinstance(segment.source, Speech):
                continue
            name = f"{segment.source.voice!r}{segment.trim!r}{segment.source.text}"
            digest = hashlib.blake2b(name.encode(), digest_size=8).digest()
            if digest in self.spoken:
                continue
            self.spoken.add(digest)
            try:
                if self.stems.cached(segment.source, segment.trim, item.sample_rate_hz):
                    continue
            except InputError:
                pass
            self.found.to_speak += 1
            self.found.speech_seconds += SECONDS_A_WORD * len(segment.source.text.split())
