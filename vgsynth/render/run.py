"""Rendering a spec into a folder: resumable, in any number of processes, the same bytes every time."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from vgsynth.contract.problems import InputError, Problem, ProblemLog
from vgsynth.plan.expand import expand
from vgsynth.plan.model import CasePlan, ItemPlan
from vgsynth.render.dataset import Dataset
from vgsynth.render.executors import open_executor
from vgsynth.render.folder import (
    DATASET,
    RESOLVED_SPEC,
    TOOLS,
    Entry,
    Folder,
    Ledger,
    disk_full,
    json_text,
)
from vgsynth.render.inspect import Totals
from vgsynth.render.versions import tool_versions
from vgsynth.render.work import Done, Order, item_key, render_case, stores
from vgsynth.spec.config import resolved_yaml
from vgsynth.spec.model import Spec

CASES_IN_FLIGHT_PER_JOB = 4
MOST_FAILED_ITEMS = 200
"""After so many the run stops: they have one cause, or the list is long enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to render. ``cache_bytes`` bounds the speech cache; impulse responses may take a quarter more."""

    jobs: int
    cache: Path
    cache_bytes: int
    dask: str | None = None
    sample: int | None = None
    """Render so many cases alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Where a run stands."""

    done: int
    total: int
    rendered: int
    seconds_of_audio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a run did."""

    items: int
    rendered: int
    kept: int
    dropped: int
    dataset: Dataset


def render_spec(
    spec: Spec,
    out: Path,
    settings: Settings,
    totals: Totals,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> Outcome:
    """Render ``spec`` into ``out``; what is there already and still right is kept.

    ``totals`` come from :func:`inspect_spec`, so that nothing is written for a spec with problems.

    Raises InputError, with all problems, for a folder that is another's, a missing voice, a full disk, or
    items that clip. Whatever was finished by then is kept for the next run.
    """
    folder = Folder(out=out.absolute())
    folder.claim(spec.name)
    with folder.locked(), Ledger(folder) as ledger:
        run = _Run(spec, folder, ledger, settings, totals.items, on_progress)
        return run.finish()


class _Run:
    """One run, while it lasts."""

    def __init__(
        self,
        spec: Spec,
        folder: Folder,
        ledger: Ledger,
        settings: Settings,
        total: int,
        on_progress: Callable[[Progress], None],
    ) -> None:
        self.spec = spec
        self.folder = folder
        self.ledger = ledger
        self.settings = settings
        self.total = total
        self.on_progress = on_progress
        self.versions = tool_versions()
        self.order = Order(
            out=folder.out,
            root=spec.root.absolute(),
            cache=settings.cache,
            cache_bytes=settings.cache_bytes,
            versions=tuple(sorted(self.versions.items())),
        )
        self.problems: list[Problem] = []
        self.failed = self.rendered = self.done = 0
        self.seconds = 0.0
        self.item_ids: set[str] = set()
        self.dataset = Dataset.empty(spec, sample=settings.sample)

    def finish(self) -> Outcome:
        """Render what is missing, then put the folder in order."""
        tmp = self.folder.tmp / "manifest.jsonl"
        with (
            disk_full(self.folder.manifest),
            tmp.open("wb") as manifest,
            self.folder.ledger.open("ab") as ledger_file,
        ):
            for plan, entry in self._entries(ledger_file):
                line = self._line(plan, entry)
                manifest.write(line)
                self.dataset.count(plan, entry.row, line)
        if self.problems:
            raise InputError(self.problems)
        return self._put_in_order(tmp)

    # -- rendering ---------------------------------------------------------------------------------------

    def _entries(self, ledger_file: BinaryIO) -> Iterator[tuple[ItemPlan, Entry]]:
        """Each item's entry in the spec's order; new ones go to the ledger as they come."""
        waiting: deque[tuple[CasePlan, dict[str, Entry], Future[Done] | None]] = deque()
        most = CASES_IN_FLIGHT_PER_JOB * self.settings.jobs
        log = ProblemLog()
        with open_executor(self.settings.jobs, self.settings.dask) as executor:
            for case in expand(self.spec, log, sample=self.settings.sample):
                waiting.append(self._start(case, executor))
                while len(waiting) > most or (waiting and _is_done(waiting[0][2])):
                    yield from self._collect(*waiting.popleft(), ledger_file)
                if self.failed > MOST_FAILED_ITEMS:
                    break
            while waiting:
                yield from self._collect(*waiting.popleft(), ledger_file)
        log.raise_if_any()

    def _start(
        self, case: CasePlan, executor: Executor
    ) -> tuple[CasePlan, dict[str, Entry], Future[Done] | None]:
        stems, _ = stores(self.order.root, self.order.cache, self.order.cache_bytes)
        finished: dict[str, Entry] = {}
        missing: list[tuple[ItemPlan, str]] = []
        for item in case.items:
            key = item_key(item, stems, self.versions)
            entry = self.ledger.finished(item.item_id, key)
            if entry is None:
                missing.append((item, key))
            else:
                finished[item.item_id] = entry
        future = executor.submit(render_case, tuple(missing), self.order) if missing else None
        return case, finished, future

    def _collect(
        self, case: CasePlan, entries: dict[str, Entry], future: Future[Done] | None, ledger_file: BinaryIO
    ) -> Iterator[tuple[ItemPlan, Entry]]:
        if future is not None:
            done = future.result()
            ledger_file.write(b"".join(entry.to_line() for entry in done.entries))
            ledger_file.flush()
            entries = {**entries, **{entry.item_id: entry for entry in done.entries}}
            self.rendered += len(done.entries)
            self.problems.extend(done.problems)
            self.failed += len(case.items) - len(entries)
        self.done += len(case.items)
        for item in case.items:
            entry = entries.get(item.item_id)
            if entry is not None:
                self.seconds += entry.row["duration_s"]
                self.item_ids.add(item.item_id)
                yield item, entry
        self.on_progress(
            Progress(done=self.done, total=self.total, rendered=self.rendered, seconds_of_audio=self.seconds)
        )

    def _line(self, plan: ItemPlan, entry: Entry) -> bytes:
        row = {**entry.row, "split": plan.split, "spec_sha256": self.spec.sha256}
        text = json.dumps(row, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode() + b"\n"

    # -- the folder --------------------------------------------------------------------------------------

    def _put_in_order(self, manifest: Path) -> Outcome:
        """Give the manifest its name, drop what the spec no longer has, compact the ledger."""
        write = self.folder.write
        write(self.folder.out / TOOLS, json_text([tool.to_json() for tool in self.spec.tools]))
        write(self.folder.out / RESOLVED_SPEC, resolved_yaml(self.spec))
        with disk_full(self.folder.manifest):
            manifest.replace(self.folder.manifest)
        write(self.folder.out / DATASET, json_text(self.dataset.to_json()))
        dropped = self._drop()
        return Outcome(
            items=self.done,
            rendered=self.rendered,
            kept=self.done - self.rendered,
            dropped=dropped,
            dataset=self.dataset,
        )

    def _drop(self) -> int:
        """Remove the WAVs of items that the ledger knows and the spec does not have any more."""
        gone = sorted(self.ledger.item_ids - self.item_ids)
        for item_id in gone:
            entry = self.ledger.entry(item_id)
            if entry is not None and entry.row["wav"] is not None:
                (self.folder.out / entry.row["wav"]).unlink(missing_ok=True)
        if gone or self.ledger.dead_lines:
            self._compact()
        return len(gone)

    def _compact(self) -> None:
        tmp = self.folder.tmp / f"ledger.{os.getpid()}"
        with Ledger(self.folder) as ledger, disk_full(self.folder.ledger), tmp.open("wb") as file:
            for item_id in sorted(self.item_ids):
                entry = ledger.entry(item_id)
                if entry is not None:
                    file.write(entry.to_line())
        tmp.replace(self.folder.ledger)


def _is_done(future: Future[Done] | None) -> bool:
    return future is None or future.done()
