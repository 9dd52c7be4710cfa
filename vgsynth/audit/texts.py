"""The texts of one or more sets, each once, with the cases and splits that they occur in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from vgsynth.audit.folder import RenderedSet

CaseKey = tuple[int, str]
"""Index of the set (0 is the one that is audited) and the case's id in it."""


@dataclass(slots=True, kw_only=True)
class Text:
    """One text, letter case and punctuation aside."""

    written: str
    """As it was written first."""
    words: str
    """Lower case, without punctuation."""
    cases: dict[CaseKey, None] = field(default_factory=dict)
    """In the order in which they occur."""
    roles: dict[str, None] = field(default_factory=dict)
    splits: dict[str, CaseKey] = field(default_factory=dict)
    """Each split it occurs in, and the first case there. Items without a split are left out."""

    def own_cases(self) -> list[str]:
        """The cases of the audited set."""
        return [case for at, case in self.cases if at == 0]


def collect_texts(sets: Sequence[RenderedSet]) -> tuple[Text, ...]:
    """Every segment's text, those of text items included, in the order in which they occur."""
    from rapidfuzz.utils import default_process

    found: dict[str, Text] = {}
    for at, rendered in enumerate(sets):
        for row in rendered.rows:
            for segment in row.segments:
                words = " ".join(default_process(segment.text).split())
                if not words:
                    continue
                text = found.setdefault(words, Text(written=segment.text, words=words))
                text.cases[at, row.case_id] = None
                text.roles[segment.role] = None
                if row.split is not None:
                    text.splits.setdefault(row.split, (at, row.case_id))
    return tuple(found.values())
