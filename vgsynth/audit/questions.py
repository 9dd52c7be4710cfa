"""Questions that cues are asked: label by label, over which units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vgsynth.audit.cues import CUES, UTTERANCE_CUES, Cue, Subject
from vgsynth.contract.manifest import ManifestRow

ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question:
    """One label, over units that each belong to a case."""

    name: str
    about: str
    subjects: tuple[Subject, ...]
    labels: tuple[str, ...]
    """One for each subject."""
    cues: tuple[Cue, ...]

    @property
    def classes(self) -> dict[str, int]:
        """Labels and how often each occurs, in the order of the alphabet."""
        return dict(sorted(Counter(self.labels).items()))


def questions(subjects: Sequence[Subject]) -> tuple[Question, ...]:
    """What can be asked of a set, the main question first; those whose label never varies are left out.

    ``action``: mute or act. ``kind``: mute, tool or answer, where that is another question. ``tool``: which
    tool, among the items that ask for one. ``addressed``: whether an utterance is the one that addresses the
    assistant, among utterances of items that hold both kinds.
    """
    action = Question(
        name="action",
        about="stay silent, or act",
        subjects=tuple(subjects),
        labels=tuple("mute" if s.row.target.kind == "mute" else "act" for s in subjects),
        cues=CUES,
    )
    kind = replace(
        action,
        name="kind",
        about="stay silent, call a tool, or answer",
        labels=tuple(s.row.target.kind for s in subjects),
    )
    asking = [s for s in subjects if s.row.target.kind == "tool"]
    tool = replace(
        action,
        name="tool",
        about="which tool, among the items that ask for one",
        subjects=tuple(asking),
        labels=tuple(str(s.row.target.tool) for s in asking),
    )
    found = [action, kind, tool, _addressed(subjects)]
    if len(kind.classes) == len(action.classes):
        found.remove(kind)
    return tuple(question for question in found if len(question.classes) > 1)


def _addressed(subjects: Sequence[Subject]) -> Question:
    utterances = [
        replace(subject, index=index)
        for subject in subjects
        if _addresses_several(subject.row)
        for index in range(len(subject.row.segments))
    ]
    return Question(
        name="addressed",
        about="whether an utterance is the one that addresses the assistant",
        subjects=tuple(utterances),
        labels=tuple("assistant" if s.segment.addressee == ASSISTANT else "other" for s in utterances),
        cues=UTTERANCE_CUES,
    )


def _addresses_several(row: ManifestRow) -> bool:
    addressees = [segment.addressee for segment in row.segments]
    return ASSISTANT in addressees and len(set(addressees)) > 1
