"""Takes into the places where the spec looks for them: matched, checked, converted, and remembered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from vgsynth.audit.values import Skipped
from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.problems import InputError
from vgsynth.recording.annotation import Annotation, read_annotation
from vgsynth.recording.files import write_file
from vgsynth.recording.records import FIGURES, Record, read_records, records_bytes
from vgsynth.recording.script import Prompt, Script, script_of
from vgsynth.recording.sound import RATE_HZ, Sound, converted, faults, is_silent, measure
from vgsynth.recording.takes import Extra, Takes, find_takes
from vgsynth.recording.words import Listener
from vgsynth.render.pcm import wav_bytes
from vgsynth.spec.model import Spec
from vgsynth.voices.recordings import read_channels

CHECKS = 1
"""Raised when the checks or the conversion change: then every take is looked at again."""
SAVE_EVERY = 50
"""Takes between two writings of the tables, so that whoever stops the work loses little of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What may be chosen."""

    last_take: bool = False
    """Of several takes the last one is used; else none."""
    replace: bool = False
    """Files that are in the way and did not come from here are overwritten."""
    word_error_limit: float = 0.25
    """Word error rate above which a take is to be looked at."""


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
    work = _Work(spec, folder, takes, options, listener, known, found)
    with _saving(spec, script, annotation, known, tables, found) as save:
        for done, prompt in enumerate(script.prompts, start=1):
            record = work.record(prompt)
            if prompt.id in known and "" != known[prompt.id].file_sha256 != record.file_sha256 != "":
                found.replaced.append(prompt.id)
            found.records[prompt.id] = record
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


class _Work:
    """One prompt after the other."""

    def __init__(
        self,
        spec: Spec,
        folder: Path,
        takes: Takes,
        options: Options,
        listener: Listener | Skipped,
        known: dict[str, Record],
        found: Ingested,
    ) -> None:
        self._root = spec.root
        self._folder = folder
        self._takes = takes
        self._options = options
        self._listener = None if isinstance(listener, Skipped) else listener
        self._known = known
        self._found = found
        self._checked_by = f"checks {CHECKS}"
        if self._listener is not None:
            limit = f"{options.word_error_limit:g}"
            self._checked_by += f"; {self._listener.name}, word error rate up to {limit}"

    def record(self, prompt: Prompt) -> Record:
        """What becomes of a prompt's takes."""
        target = self._root / prompt.file
        there = _sha256(target)
        known = self._known.get(prompt.id)
        ours = known is not None and known.file == prompt.file and there in ("", known.file_sha256)
        kept = there if ours else ""
        blank = Record(state="missing", file=prompt.file, text=prompt.text, file_sha256=kept)
        files = self._takes.by_prompt.get(prompt.id, ())
        if len(files) > 1 and not self._options.last_take:
            return replace(blank, state="doubled", findings=(f"takes: {', '.join(files)}",))
        if not files and not there:
            return blank
        take = files[-1] if files else ""
        source = self._folder / take if files else target
        take_sha256 = _sha256(source) if files else there
        if known is not None and ours and self._same(known, prompt, take_sha256, there, bool(files)):
            self._found.unchanged += 1
            return replace(known, take=take or known.take)
        return self._looked_at(prompt, replace(blank, take=take, take_sha256=take_sha256), source, there)

    def _same(self, known: Record, prompt: Prompt, take_sha256: str, there: str, has_take: bool) -> bool:
        """Whether a take, or the file in its place where there is no take now, is as it was."""
        took = not has_take or known.take_sha256 == take_sha256
        checked = known.checked_by == self._checked_by or (self._listener is None and known.compared)
        settled = known.state in ("ready", "check", "refused")
        return took and checked and settled and known.text == prompt.text and known.file_sha256 == there

    def _looked_at(self, prompt: Prompt, record: Record, source: Path, there: str) -> Record:
        checked = replace(record, checked_by=self._checked_by)
        name = record.take or prompt.file
        try:
            channels = read_channels(source, name=name)
            sound = measure(channels, name=name)
        except InputError as error:
            return replace(checked, state="refused", findings=tuple(p.message for p in error.problems))
        checked = replace(checked, figures=_figures(sound))
        if is_silent(sound):
            return replace(
                checked, state="refused", findings=(f"silent: {sound.peak_dbfs:.1f} dBFS at most",)
            )
        samples = converted(channels, name=name)
        data = wav_bytes(samples, RATE_HZ)
        sha256 = sha256_hex(data) if record.take else there
        if there not in ("", sha256, record.file_sha256) and not self._options.replace:
            blocked = f"another file is in its place: {prompt.file}"
            return replace(checked, state="blocked", findings=(blocked,))
        if there != sha256:
            write_file(self._root / prompt.file, data)
            self._found.written += 1
        findings = faults(sound, prompt.text)
        checked = replace(checked, file_sha256=sha256)
        if self._listener is not None:
            heard = self._listener.compare(samples, prompt.text)
            checked = replace(checked, heard=heard.text, word_error_rate=f"{heard.rate:.3f}")
            if heard.rate > self._options.word_error_limit:
                findings += (f"words differ: heard {heard.text!r}",)
        return replace(checked, state="check" if findings else "ready", findings=findings)


def _figures(sound: Sound) -> dict[str, str]:
    values = {name: getattr(sound, name) for name in FIGURES}
    return {
        name: "" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
        for name, value in values.items()
    }


def _sha256(path: Path) -> str:
    """Of a file's bytes; "" where there is no such file."""
    try:
        return sha256_hex(path.read_bytes())
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise InputError.at(
            str(path), f"cannot be read: {error.strerror or error}", "make it readable, or move it away"
        ) from error
