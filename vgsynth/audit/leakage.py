"""What two splits share that they should not: within a set, and between sets that are audited together.

Items without a split belong to none: a control grid on held-out cases leaks nothing by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from vgsynth.audit.duplicates import LikePairs, Likest
from vgsynth.audit.folder import RenderedSet, case_value, voice_id
from vgsynth.audit.texts import CaseKey, Text
from vgsynth.audit.values import shown
from vgsynth.contract.canonical import sha256_of
from vgsynth.contract.manifest import ManifestRow

MAX_LISTED = 10
MAX_SPLITS = 62
"""Bits of a mask; a set with more splits than this has no near-duplicates reported for the last ones."""
TEMPLATE = "case.template"
VOICE = "voice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """One kind of thing, and how many of them occur in more than one split."""

    kind: str
    about: str
    values: int
    """Different ones, in items that have a split."""
    shared: int
    """Those in more than one split; for near-duplicates pairs of texts in different splits."""
    forbidden: bool
    """Whether sharing is a fault: for cases, pairs, texts and audio always, else where splits go by it."""
    listed: tuple[str, ...]

    @property
    def fails(self) -> bool:
        """Whether this is a fault of the sets."""
        return self.forbidden and self.shared > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Leakage:
    """All kinds."""

    splits: dict[str, int]
    """Items in each, over all sets; ``none`` for those without one."""
    split_by: tuple[str, ...]
    """What the sets' specs split by, the audited set's first."""
    sets: tuple[str, ...]
    leaks: tuple[Leak, ...]


@dataclass(slots=True, kw_only=True)
class _Kind:
    about: str
    forbidden: bool
    splits: dict[str, dict[str, str]] = field(default_factory=dict)
    """Value to split to the first item there."""

    def note(self, value: str | None, row: ManifestRow, item: str) -> None:
        if value is not None and row.split is not None:
            self.splits.setdefault(value, {}).setdefault(row.split, item)


_ALWAYS: tuple[tuple[str, str], ...] = (
    ("case", "cases, by their id within a set"),
    ("same case", "cases, by their id and their fields, over all sets"),
    ("pair", "pairs, by their id within a set"),
    ("clip", "rendered clips, by their hash"),
    ("speech", "segments' source audio, by its hash"),
    ("recording", "recordings, by their path within a set"),
)


def find_leaks(sets: Sequence[RenderedSet]) -> tuple[Leak, ...]:
    """Everything but texts that occurs in more than one split."""
    split_by = {rendered.split_by for rendered in sets}
    fields = dict.fromkeys([TEMPLATE, *sorted(by for by in split_by if by and by.startswith("case."))])
    kinds = {name: _Kind(about=about, forbidden=True) for name, about in _ALWAYS}
    kinds[VOICE] = _Kind(about="voices", forbidden=VOICE in split_by)
    for name in fields:
        kinds[name] = _Kind(about=f"values of {name}", forbidden=name in split_by)
    for at, rendered in enumerate(sets):
        for row in rendered.rows:
            item = row.item_id if len(sets) == 1 else f"{rendered.name}: {row.item_id}"
            of_set = f" (set {at + 1})" if len(sets) > 1 else ""
            kinds["case"].note(f"{row.case_id}{of_set}", row, item)
            if len(sets) > 1:
                kinds["same case"].note(f"{row.case_id} {sha256_of(row.case)[:12]}", row, item)
            kinds["pair"].note(None if row.pair_id is None else f"{row.pair_id}{of_set}", row, item)
            kinds["clip"].note(row.wav_sha256, row, item)
            for segment in row.segments:
                kinds["speech"].note(segment.stem_sha256, row, item)
                kinds[VOICE].note(voice_id(segment), row, item)
                if segment.source_file is not None:
                    kinds["recording"].note(f"{segment.source_file}{of_set}", row, item)
            for name in fields:
                kinds[name].note(case_value(row, name), row, item)
    return tuple(_leak(name, kind) for name, kind in kinds.items() if kind.splits)


def count_splits(sets: Iterable[RenderedSet]) -> dict[str, int]:
    """Items of each split."""
    found = Counter(row.split or "none" for rendered in sets for row in rendered.rows)
    return dict(sorted(found.items()))


def text_leak(texts: Sequence[Text], names: Sequence[str]) -> Leak:
    """Texts that occur in more than one split; ``names`` are the sets'."""
    shared = [text for text in texts if len(text.splits) > 1]
    listed = (f"{shown(text.written, 80)!r}: {_where(text.splits, names)}" for text in shared[:MAX_LISTED])
    return Leak(
        kind="text",
        about="texts, letter case and punctuation aside",
        values=sum(bool(text.splits) for text in texts),
        shared=len(shared),
        forbidden=True,
        listed=tuple(listed),
    )


class NearTextLeak:
    """Gathers near-duplicates in different splits while pairs go by."""

    def __init__(self, texts: Sequence[Text], threshold: float, names: Sequence[str]) -> None:
        self._texts = texts
        self._threshold = threshold
        self._names = names
        splits = sorted({split for text in texts for split in text.splits})
        bits = {split: 1 << at for at, split in enumerate(splits[:MAX_SPLITS])}
        self._mask = np.array(
            [sum(bits.get(split, 0) for split in text.splits) for text in texts], dtype=np.int64
        )
        self._shared = 0
        self._likest = Likest(MAX_LISTED)

    def see(self, pairs: LikePairs) -> None:
        """Look at some pairs."""
        a, b = self._mask[pairs.first], self._mask[pairs.second]
        either = a | b
        several = (either & (either - 1)) != 0  # more than one bit
        shared = pairs.where((pairs.likeness >= self._threshold) & (a != 0) & (b != 0) & several)
        self._shared += int(shared.likeness.size)
        self._likest.add(shared)

    def found(self) -> Leak:
        """What there was."""
        return Leak(
            kind="near-duplicate text",
            about=f"pairs of texts with a token_sort_ratio of {self._threshold:g} or more",
            values=sum(bool(text.splits) for text in self._texts),
            shared=self._shared,
            forbidden=True,
            listed=tuple(self._line(*pair) for pair in self._likest.pairs()),
        )

    def _line(self, i: int, j: int, likeness: float) -> str:
        sides = (
            f"{shown(text.written, 80)!r} ({_where(text.splits, self._names)})"
            for text in (self._texts[i], self._texts[j])
        )
        return f"{likeness:.1f}: {' / '.join(sides)}"


def _leak(name: str, kind: _Kind) -> Leak:
    shared = {value: splits for value, splits in kind.splits.items() if len(splits) > 1}
    return Leak(
        kind=name,
        about=kind.about,
        values=len(kind.splits),
        shared=len(shared),
        forbidden=kind.forbidden,
        listed=tuple(
            f"{shown(value, 60)}: {', '.join(f'{split} ({item})' for split, item in sorted(splits.items()))}"
            for value, splits in list(shared.items())[:MAX_LISTED]
        ),
    )


def _where(splits: dict[str, CaseKey], names: Sequence[str]) -> str:
    def case(key: CaseKey) -> str:
        return key[1] if len(names) == 1 else f"{names[key[0]]}: {key[1]}"

    return ", ".join(f"{split} ({case(key)})" for split, key in sorted(splits.items()))
