"""A folder of takes into the places where a spec looks for them; and the tables that tell of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vgsynth.audit.values import Skipped
from vgsynth.recording.annotation import Annotation, read_annotation
from vgsynth.recording.files import write_file
from vgsynth.recording.placing import Options, Outcome, Placer
from vgsynth.recording.records import Record, read_records, records_bytes
from vgsynth.recording.script import Script, script_of
from vgsynth.recording.takes import Extra, find_takes
from vgsynth.recording.words import Listener
from vgsynth.spec.model import Spec

SAVE_EVERY = 50
"""Takes between two writings of the tables, so that whoever stops the work loses little of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """The two files that a run writes."""

    takes: Path
    annotation: Path

    @classmethod
    def of(cls, spec: Spec, folder: Path | None = None) -> Tables:
        """``NAME-takes.csv`` and ``NAME-annotation.csv``, beside the spec unless a folder is given."""
        folder = folder or spec.file.parent
        return cls(takes=folder / f"{spec.name}-takes.csv", annotation=folder / f"{spec.name}-annotation.csv")


@dataclass(slots=True, kw_only=True)
class Ingested:
    """What a run found and did."""

    records: dict[str, Record] = field(default_factory=dict)
    extra: tuple[Extra, ...] = ()
    written: int = 0
    replaced: list[str] = field(default_factory=list)
    """Prompts whose recording is another one than before."""
    unchanged: int = 0

    def note(self, prompt_id: str, known: Record | None, outcome: Outcome) -> None:
        """Count what became of a prompt's takes."""
        record = outcome.record
        self.records[prompt_id] = record
        self.written += outcome.written
        self.unchanged += outcome.unchanged
        if known is not None and "" != known.file_sha256 != record.file_sha256 != "":
            self.replaced.append(prompt_id)

    def counts(self) -> Counter[str]:
        """Prompts by state."""
        return Counter(record.state for record in self.records.values())

    @property
    def complete(self) -> bool:
        """Whether every prompt is ready and no file was left over."""
        return not self.extra and all(record.state == "ready" for record in self.records.values())

    def to_json(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "prompts": len(self.records),
            "states": dict(sorted(self.counts().items())),
            "written": self.written,
            "unchanged": self.unchanged,
            "replaced": self.replaced,
            "extra": [{"file": extra.file, "why": extra.why} for extra in self.extra],
            "open": [
                {"id": id_, "state": record.state, "findings": list(record.findings)}
                for id_, record in self.records.items()
                if record.state != "ready"
            ],
        }


def ingest(
    spec: Spec,
    folder: Path,
    tables: Tables,
    *,
    options: Options,
    listener: Listener | Skipped,
    on_take: Callable[[int, int], None] = lambda _done, _total: None,
) -> Ingested:
    """Bring the takes below ``folder`` to where the spec looks for them, as 16 kHz mono 16-bit WAV.

    A take that is the same as in the run before is left alone, and so is what annotators wrote. A file in the
    way that did not come from here is not overwritten unless asked for. Stopped at any moment and run again
    it goes on. Raises InputError for what makes the whole impossible: spec, folder, tables, disk.
    """
    script = script_of(spec)
    annotation = read_annotation(tables.annotation)
    known = read_records(tables.takes)
    takes = find_takes(folder, script.prompts, spec.root)
    found = Ingested(extra=takes.extra)
    placer = Placer(spec.root, folder, options, listener)
    with _saving(spec, script, annotation, known, tables, found) as save:
        for done, prompt in enumerate(script.prompts, start=1):
            before = known.get(prompt.id)
            found.note(prompt.id, before, placer.place(prompt, takes.by_prompt.get(prompt.id, ()), before))
            on_take(done, len(script.prompts))
            if done % SAVE_EVERY == 0:
                save()
    return found


@contextmanager
def _saving(
    spec: Spec,
    script: Script,
    annotation: Annotation,
    known: dict[str, Record],
    tables: Tables,
    found: Ingested,
) -> Iterator[Callable[[], None]]:
    """Write both tables at the end, however it comes about."""

    def save() -> None:
        records = {**known, **found.records}
        write_file(tables.annotation, annotation.updated(script, records, spec.root))
        write_file(tables.takes, records_bytes(script.prompts, records))

    try:
        yield save
    finally:
        save()
