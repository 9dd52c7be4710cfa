"""``audit_folder``: all parts of an audit, in one frozen result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vgsynth.audit.asked import AskedAndMeasured, hold_against
from vgsynth.audit.counts import Counts, count
from vgsynth.audit.cues import Subject, subject_of
from vgsynth.audit.duplicates import DuplicateFinder, Duplicates, like_pairs
from vgsynth.audit.embedder import Embed, load_embedder
from vgsynth.audit.expect import (
    Expectation,
    Stated,
    check_expectations,
    read_expectations,
    with_stated_cues,
)
from vgsynth.audit.folder import RenderedSet, load_set
from vgsynth.audit.leakage import Leakage, NearTextLeak, count_splits, find_leaks, text_leak
from vgsynth.audit.measure import ItemMeasure, measure_set
from vgsynth.audit.options import AuditOptions, Progress, no_progress
from vgsynth.audit.predict import QuestionResult, ask
from vgsynth.audit.questions import questions
from vgsynth.audit.recogniser import Recognise, load_recogniser
from vgsynth.audit.speakers import Distinctness, Speakers, compare_speakers
from vgsynth.audit.speech import ScriptAndAudio, listen
from vgsynth.audit.texts import collect_texts
from vgsynth.audit.values import Skipped, plain
from vgsynth.contract.problems import InputError
from vgsynth.render.folder import DATASET

AUDIT_SCHEMA = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What an audit found. The same folder and options give the same result."""

    schema: int = AUDIT_SCHEMA
    name: str
    manifest_sha256: str
    options: AuditOptions
    counts: Counts
    cues: tuple[QuestionResult, ...] | Skipped
    """By question, the main one first."""
    distinctness: Distinctness | Skipped
    asked: AskedAndMeasured | Skipped
    speech: ScriptAndAudio | Skipped
    duplicates: Duplicates
    leakage: Leakage
    expectations: tuple[Expectation, ...]

    @property
    def failures(self) -> tuple[str, ...]:
        """Why the audit fails: what the spec states and is not so, and what leaks between splits."""
        stated = [
            f"expect {entry.key}: {entry.stated}, found {entry.found} ({entry.why})"
            for entry in self.expectations
            if not entry.holds
        ]
        leaks = [
            f"{leak.shared:,} of {leak.about} in more than one split"
            for leak in self.leakage.leaks
            if leak.fails
        ]
        return (*stated, *leaks)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What deserves a look and does not make the audit fail."""
        found = []
        if self.duplicates.exact:
            found.append(f"{self.duplicates.exact:,} texts occur in more than one case")
        if self.duplicates.near:
            found.append(
                f"{self.duplicates.near:,} pairs of texts of different cases are near-duplicates"
                f" (token_sort_ratio {self.duplicates.threshold:g} or more)"
            )
        if isinstance(self.asked, AskedAndMeasured):
            found += self.asked.warnings
        if isinstance(self.speech, ScriptAndAudio) and self.speech.beyond:
            found.append(
                f"{self.speech.beyond:,} of {self.speech.items:,} items were heard with more than"
                f" {self.speech.limit:.0%} word errors"
            )
        if isinstance(self.distinctness, Distinctness):
            missed = self.distinctness.attributable - self.distinctness.attributed
            if missed:
                found.append(f"{missed:,} near segments lie nearer to another voice than to their own")
        return tuple(found)

    def to_json(self) -> dict[str, Any]:
        """A plain JSON object; ``failures`` and ``warnings`` included."""
        result: dict[str, Any] = plain(self)
        return {**result, "failures": list(self.failures), "warnings": list(self.warnings)}


def audit_folder(
    out: Path,
    *,
    beside: Sequence[Path] = (),
    options: AuditOptions | None = None,
    on_progress: Progress = no_progress,
    embedder: Embed | Skipped | None = None,
    recogniser: Recognise | Skipped | None = None,
) -> Audit:
    """Audit a rendered folder.

    ``beside`` names further rendered folders whose splits must not leak into this one's, nor the other way
    round. ``embedder`` and ``recogniser`` default to those that are installed.

    Raises InputError for folders that cannot be read, WAVs that are not what their rows say, and
    expectations that name cues or verdicts that do not exist.
    """
    options = options or AuditOptions()
    sets = [load_set(folder) for folder in _distinct(out, beside)]
    rendered = sets[0]
    stated = read_expectations(rendered.expect, rendered.file(DATASET))
    audio_items = sum(row.modality == "audio" for row in rendered.rows)
    measures = measure_set(rendered, lambda done: on_progress("measuring", done, audio_items))
    speakers = _speakers(rendered, options, embedder, on_progress)
    cues = _cues(rendered, measures, speakers, stated, options, on_progress)
    duplicates, leakage = _texts(sets, options, on_progress)
    return Audit(
        name=rendered.name,
        manifest_sha256=rendered.manifest_sha256,
        options=options,
        counts=count(rendered.rows),
        cues=cues,
        distinctness=speakers if isinstance(speakers, Skipped) else speakers.distinctness,
        asked=hold_against(rendered.rows, measures) if measures else _NO_AUDIO,
        speech=_speech(rendered, options, recogniser, on_progress),
        duplicates=duplicates,
        leakage=leakage,
        expectations=check_expectations(
            stated,
            () if isinstance(cues, Skipped) else cues,
            cues.skipped if isinstance(cues, Skipped) else "",
        ),
    )


_NO_AUDIO = Skipped(skipped="the set has no audio items")


def _distinct(out: Path, beside: Sequence[Path]) -> list[Path]:
    if len({folder.resolve() for folder in (out, *beside)}) <= len(beside):
        raise InputError.at(str(out), "a folder is named twice", "name each once")
    return [out, *beside]


def _speakers(
    rendered: RenderedSet, options: AuditOptions, embedder: Embed | Skipped | None, on_progress: Progress
) -> Speakers | Skipped:
    if not any(row.modality == "audio" for row in rendered.rows):
        return _NO_AUDIO
    if not options.embed_items and not options.embed_per_voice:
        return Skipped(skipped="not asked for")
    embed = load_embedder() if embedder is None else embedder
    if isinstance(embed, Skipped):
        return embed
    return compare_speakers(
        rendered, embed, options, lambda done, total: on_progress("comparing speakers", done, total)
    )


def _cues(
    rendered: RenderedSet,
    measures: Mapping[str, ItemMeasure],
    speakers: Speakers | Skipped,
    stated: Sequence[Stated],
    options: AuditOptions,
    on_progress: Progress,
) -> tuple[QuestionResult, ...] | Skipped:
    if not measures:
        return _NO_AUDIO
    try:
        import sklearn  # noqa: F401
        from threadpoolctl import threadpool_limits
    except ImportError:
        return Skipped(skipped="scikit-learn is not installed", fix="pip install 'vgbench[audit]'")
    cosines = {} if isinstance(speakers, Skipped) else speakers.cosines
    subjects: list[Subject] = []
    for row in rendered.rows:
        if row.item_id in measures:
            subject = subject_of(row, measures[row.item_id], cosines)
            if subject is not None:
                subjects.append(subject)
    asked = with_stated_cues(questions(subjects), stated)
    total = sum(len(question.cues) for question in asked)
    done = 0

    def on_cue(more: int) -> None:
        nonlocal done
        done += more
        on_progress("probing cues", done, total)

    # Sums must not depend on how many cores there are.
    with threadpool_limits(limits=1):
        compared = _compared(speakers, options)
        return tuple(ask(question, options, speakers=compared, on_cue=on_cue) for question in asked)


def _compared(speakers: Speakers | Skipped, options: AuditOptions) -> frozenset[str] | Skipped:
    if isinstance(speakers, Skipped):
        return speakers
    return speakers.compared if options.embed_items else Skipped(skipped="not asked for")


def _speech(
    rendered: RenderedSet,
    options: AuditOptions,
    recogniser: Recognise | Skipped | None,
    on_progress: Progress,
) -> ScriptAndAudio | Skipped:
    if not any(row.modality == "audio" for row in rendered.rows):
        return _NO_AUDIO
    if not options.recognise_items:
        return Skipped(skipped="not asked for")
    recognise = load_recogniser() if recogniser is None else recogniser
    if isinstance(recognise, Skipped):
        return recognise
    return listen(rendered, recognise, options, lambda done, total: on_progress("listening", done, total))


def _texts(
    sets: Sequence[RenderedSet], options: AuditOptions, on_progress: Progress
) -> tuple[Duplicates, Leakage]:
    """Duplicates and leaks, from one pass over all pairs of texts."""
    names = [rendered.name for rendered in sets]
    texts = collect_texts(sets)
    duplicates = DuplicateFinder(texts, options.near_duplicate)
    near = NearTextLeak(texts, options.near_duplicate, names)
    for pairs in like_pairs(
        texts, options.near_duplicate, lambda done: on_progress("comparing texts", done, len(texts))
    ):
        duplicates.see(pairs)
        near.see(pairs)
    leaks = (*find_leaks(sets), text_leak(texts, names), near.found())
    leakage = Leakage(
        splits=count_splits(sets),
        split_by=tuple(rendered.split_by or "" for rendered in sets),
        sets=tuple(names),
        leaks=tuple(leak for leak in leaks if leak.values),
    )
    return duplicates.found(), leakage
