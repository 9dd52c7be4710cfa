"""What a worker does: render the items of one case, write their WAVs, hand back their ledger entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from vgsynth.contract.canonical import sha256_of
from vgsynth.contract.problems import InputError, Problem
from vgsynth.plan.model import ItemPlan
from vgsynth.render.folder import Entry, Folder, disk_full, write_whole

if TYPE_CHECKING:
    from vgsynth.acoustics.impulse import RirStore
    from vgsynth.cache.arrays import ArrayCache
    from vgsynth.voices.store import StemStore

RENDER_VERSION = 1
"""Goes up when the same plan would give other samples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What every piece of work of one run shares."""

    out: Path
    root: Path
    cache: Path
    cache_bytes: int
    versions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What came of one case: entries of its items, and what was wrong with the others."""

    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]


DEFAULT_CACHE_BYTES = 20_000_000_000


def speech_cache(cache: Path, cache_bytes: int = DEFAULT_CACHE_BYTES) -> ArrayCache:
    """The cache of what voices spoke."""
    from vgsynth.cache.arrays import ArrayCache

    return ArrayCache(cache / "speech", max_bytes=cache_bytes)


@lru_cache(maxsize=2)
def stores(root: Path, cache: Path, cache_bytes: int = DEFAULT_CACHE_BYTES) -> tuple[StemStore, RirStore]:
    """Speech and impulse responses of this process."""
    from vgsynth.acoustics.impulse import RirStore
    from vgsynth.cache.arrays import ArrayCache
    from vgsynth.voices.store import StemStore

    return (
        StemStore(speech_cache(cache, cache_bytes), root),
        RirStore(ArrayCache(cache / "rirs", max_bytes=cache_bytes // 4), root),
    )


def item_key(plan: ItemPlan, stems: StemStore, versions: Mapping[str, str]) -> str:
    """Hash of all that an item's bytes depend on: its plan, the voices' assets, the code.

    Raises InputError where a voice's asset is missing.
    """
    speech = []
    if plan.modality == "audio":
        speech = [stems.key(s.source, s.trim, plan.sample_rate_hz) for s in plan.segments]
    return sha256_of([RENDER_VERSION, plan.sha256(), speech, dict(versions)])


def render_case(items: tuple[tuple[ItemPlan, str], ...], order: Order) -> Done:
    """Render items, given with their keys. An item that fails does not stop the others."""
    from vgsynth.render.item import render_item

    stems, rirs = stores(order.root, order.cache, order.cache_bytes)
    folder = Folder(out=order.out)
    entries: list[Entry] = []
    problems: list[Problem] = []
    for plan, key in items:
        try:
            row, wav = render_item(
                plan, stems=stems, rirs=rirs, spec_sha256="", versions=dict(order.versions)
            )
            size = mtime = 0
            if wav is not None and row.wav is not None:
                size, mtime = _write(folder, folder.out / row.wav, wav)
            # The split and the spec's hash belong to the whole set: they are put in with the manifest.
            line = replace(row, split=None).to_json()
            entries.append(Entry(item_id=plan.item_id, key=key, row=line, wav_bytes=size, wav_mtime_ns=mtime))
        except InputError as error:
            problems.extend(error.problems)
    return Done(entries=tuple(entries), problems=tuple(problems))


def _write(folder: Folder, path: Path, wav: bytes) -> tuple[int, int]:
    import os

    with disk_full(path):
        write_whole(path, wav, tmp=folder.tmp / f"{path.name}.{os.getpid()}")
    return len(wav), path.stat().st_mtime_ns
