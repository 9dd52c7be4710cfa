"""The script of a spec: what people are to say for it, and in which items it is heard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from vgsynth.contract.action import MUTE_TEXT
from vgsynth.contract.problems import InputError, Problem, ProblemLog
from vgsynth.contract.target import Target
from vgsynth.plan.expand import expand
from vgsynth.plan.model import ItemPlan, SegmentPlan, Speech
from vgsynth.recording.people import TO_RECORD, is_recorded, to_be_recorded
from vgsynth.spec.model import Spec

NOTE_FIELDS = ("frame", "direction", "note")
"""Fields of a case that its reader is shown, where it has them."""
_PATH_FIX = 'write path: "recordings/NAME/{case.id}-{segment.role}.wav"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One utterance to record: one file, which may be heard in several items of its case."""

    id: str
    """``SPEAKER/NAME``, where NAME is what the spec calls the file: ``ann/side-001-first``. Unique."""
    speaker: str
    """Who reads it: the name of the voice."""
    part: str
    """The spec's speaker that is played: ``wearer``."""
    case_id: str
    role: str
    text: str
    file: str
    """Where the spec looks for the recording, relative to its root."""
    addressees: tuple[str, ...]
    """Who is spoken to: ``assistant``, ``bystander``, ``self``; empty where the spec does not say."""
    before: str
    """What is heard before it, in the first of its items; "" where it comes first."""
    before_is_own: bool
    """Whether the same speaker says that."""
    notes: tuple[tuple[str, str], ...]
    """Fields of the case that tell how to read it."""

    @property
    def take(self) -> str:
        """The file to record to, in a folder of takes."""
        return f"{self.id}.wav"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An item of the spec in which recordings are heard."""

    id: str
    case_id: str
    prompts: tuple[str, ...]
    """Ids of what is recorded in it, in order."""
    script: tuple[tuple[str, str], ...]
    """Role and text of each of its utterances."""
    addressees: tuple[str | None, ...]
    """Of each of its utterances; None where the spec does not say."""
    target: str
    """As :func:`target_label` writes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """All of them, in the order of the spec."""

    prompts: tuple[Prompt, ...]
    items: tuple[Item, ...]


def script_of(spec: Spec) -> Script:
    """What is to be recorded for a spec with voices of the engine ``recordings``; no recording need exist.

    Text conditions, ``play`` segments and voices that speak for themselves are left out. Raises InputError
    with every problem of the spec; where nothing is to be recorded; and where one file would have to hold two
    texts, or two files have one name.
    """
    if not is_recorded(spec):
        raise InputError.at(
            str(spec.file),
            "no voice of this spec is a person",
            "make one that has people for voices: vgsynth record-sheet SPEC --people ann,bob",
        )
    log = ProblemLog()
    collected = _Collected(spec, log)
    items = [
        item
        for case in expand(to_be_recorded(spec), log, hash_files=False)
        for plan in case.items
        if plan.modality == "audio" and (item := collected.add(plan)) is not None
    ]
    log.raise_if_any()
    if not items:
        raise InputError([_problem(spec, "nothing in this spec is to be recorded", "write `say` segments")])
    return Script(prompts=collected.prompts(), items=tuple(items))


def target_label(target: Target) -> str:
    """A target as annotators write it: ``[Mute]``, ``answer`` or ``tool:NAME``."""
    return {"mute": MUTE_TEXT, "answer": "answer"}.get(target.kind, f"tool:{target.tool}")


@dataclass(slots=True, kw_only=True)
class _Found:
    """A prompt on its way."""

    id: str
    speaker: str
    file: str
    item: ItemPlan
    segment: SegmentPlan
    before: SegmentPlan | None
    addressees: dict[str, None] = field(default_factory=dict)

    def prompt(self) -> Prompt:
        before = self.before
        return Prompt(
            id=self.id,
            speaker=self.speaker,
            part=self.segment.speaker,
            case_id=self.item.case_id,
            role=self.segment.role,
            text=self.segment.source.text,
            file=self.file,
            addressees=tuple(self.addressees),
            before="" if before is None else before.source.text,
            before_is_own=before is not None and before.speaker == self.segment.speaker,
            notes=tuple(_notes(self.item.case)),
        )


class _Collected:
    """The prompts of the items so far, by file; letter case does not tell files apart everywhere."""

    def __init__(self, spec: Spec, log: ProblemLog) -> None:
        self._spec = spec
        self._log = log
        self._by_file: dict[str, _Found] = {}
        self._by_id: dict[str, _Found] = {}

    def add(self, item: ItemPlan) -> Item | None:
        """Note what is to be recorded for an item; None where nothing is."""
        found = [
            self._prompt(item, before, segment, segment.source)
            for before, segment in zip((None, *item.segments), item.segments, strict=False)
            if isinstance(segment.source, Speech) and segment.source.voice.engine == TO_RECORD
        ]
        if not found:
            return None
        return Item(
            id=item.item_id,
            case_id=item.case_id,
            prompts=tuple(found),
            script=tuple((segment.role, segment.source.text) for segment in item.segments),
            addressees=tuple(segment.addressee for segment in item.segments),
            target=target_label(item.target),
        )

    def prompts(self) -> tuple[Prompt, ...]:
        """All of them."""
        return tuple(found.prompt() for found in self._by_file.values())

    def _prompt(
        self, item: ItemPlan, before: SegmentPlan | None, segment: SegmentPlan, source: Speech
    ) -> str:
        speaker, file = source.voice.name, self._file(source, item)
        new = _Found(
            id=f"{speaker}/{PurePosixPath(file).stem}",
            speaker=speaker,
            file=file,
            item=item,
            segment=segment,
            before=before,
        )
        found = self._by_file.setdefault(file.casefold(), new)
        if (found.speaker, found.segment.source.text) != (speaker, source.text):
            self._note(
                item,
                "one file would have to hold two recordings",
                "put what tells them apart into the voices' path: {segment.role}, {condition}",
                f"({file}: {found.segment.source.text!r} and {source.text!r})",
            )
        if self._by_id.setdefault(found.id.casefold(), found) is not found:
            self._note(
                item,
                "two recordings of one person have one file name in two folders",
                "put what tells them apart into the file's name",
                f"({file} and {self._by_id[found.id.casefold()].file})",
            )
        if segment.addressee is not None:
            found.addressees[segment.addressee] = None
        return found.id

    def _file(self, source: Speech, item: ItemPlan) -> str:
        path = str(dict(source.voice.settings).get("path") or "")
        pure = PurePosixPath(path)
        person = f"the voice recordings/{source.voice.name}"
        if not path:
            self._note(item, f"{person} has no `path`", _PATH_FIX)
        elif pure.is_absolute() or ".." in pure.parts:
            self._note(item, f"{person} has a path that leaves the spec's folder tree", _PATH_FIX, path)
        elif pure.suffix.lower() != ".wav":
            self._note(item, f"{person} has a path that is no WAV file", _PATH_FIX, path)
        return path

    def _note(self, item: ItemPlan, message: str, fix: str, detail: str = "") -> None:
        self._log.add(_problem(self._spec, message, fix), case_id=item.case_id, detail=detail)


def _notes(case: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in NOTE_FIELDS:
        value = case.get(name)
        if isinstance(value, str) and value.strip():
            yield name, value.replace("_", " ").strip()


def _problem(spec: Spec, message: str, fix: str) -> Problem:
    return Problem(place=spec.places.of(("speakers",)), path="speakers", message=message, fix=fix)
