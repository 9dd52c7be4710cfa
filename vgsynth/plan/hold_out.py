"""Which split each case belongs to, and which voices that split may use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vgsynth.contract.problems import Problem, ProblemLog
from vgsynth.plan.splits import Deal, SplitError
from vgsynth.spec.model import Case, Spec, SplitSpec
from vgsynth.spec.places import path_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A case's part, and the ids of the voices it may use (None: all)."""

    part: str | None
    voices: frozenset[str] | None = None


NO_SPLIT = Split(part=None)


class Splitter:
    """Deals the cases of a spec to its parts; reads all cases once where it has to count them."""

    def __init__(self, spec: Spec, log: ProblemLog) -> None:
        self._spec = spec
        self._log = log
        self._deal: Deal | None = None
        self._voices: Mapping[str, frozenset[str]] = {}
        if spec.splits is not None and spec.splits.stated is None:
            self._deal_out(spec.splits)

    def part(self, case: Case) -> Split:
        """The split of a case."""
        splits = self._spec.splits
        if splits is None:
            return NO_SPLIT
        if splits.stated is not None:
            return self._stated(splits.stated, case)
        if self._deal is None:
            return NO_SPLIT
        part = self._deal.part(_stratum(splits, case), _group(splits, case))
        return Split(part=part, voices=self._voices.get(part))

    def keeps(self, case: Case) -> bool:
        """Whether the items of a case are made: its part is among those that the spec keeps."""
        splits = self._spec.splits
        return splits is None or not splits.keep or self.part(case).part in splits.keep

    def _stated(self, stated: str, case: Case) -> Split:
        value = case_field(case, stated)
        if not isinstance(value, str) or not value:
            self._note(f"{stated} names no split", "give each case the field, as a word", case)
            return NO_SPLIT
        return Split(part=value)

    def _deal_out(self, splits: SplitSpec) -> None:
        try:
            if splits.by == "voice":
                self._hold_out_voices(splits)
            self._deal = Deal(self._spec.seed, _of_cases(splits, self._voices), self._groups(splits))
        except SplitError as error:
            self._note(str(error), "ask for fewer, or add cases", None)

    def _groups(self, splits: SplitSpec) -> Iterator[tuple[str, str]]:
        for case in self._spec.cases:
            yield _stratum(splits, case), _group(splits, case)

    def _hold_out_voices(self, splits: SplitSpec) -> None:
        """Deal the voices themselves; cases follow in the same proportion, and use their part's voices."""
        ids = sorted({voice.id for s in self._spec.speakers.values() for voice in s.voices})
        deal = Deal(self._spec.seed, splits, (("", voice) for voice in ids))
        parts: dict[str, set[str]] = {}
        for voice in ids:
            parts.setdefault(deal.part("", voice), set()).add(voice)
        self._voices = {part: frozenset(voices) for part, voices in parts.items()}

    def _note(self, message: str, fix: str, case: Case | None) -> None:
        assert self._spec.splits is not None
        path = self._spec.splits.path
        problem = Problem(place=self._spec.places.of(path), path=path_text(path), message=message, fix=fix)
        self._log.add(problem, case_id=case.id if case else "")


def _of_cases(splits: SplitSpec, voices: Mapping[str, frozenset[str]]) -> SplitSpec:
    """The split of the cases: as written, or in proportion to the voices that each part has."""
    if splits.by != "voice":
        return splits
    total = sum(map(len, voices.values()))
    shares = tuple((name, len(voices.get(name, ())) / total) for name, _ in splits.parts)
    return SplitSpec(
        path=splits.path, by="case", parts=shares, rest=splits.rest, within=splits.within, stated=None
    )


def _group(splits: SplitSpec, case: Case) -> str:
    return case.id if splits.by in ("case", "voice") else str(case_field(case, splits.by))


def _stratum(splits: SplitSpec, case: Case) -> str:
    return "" if splits.within is None else str(case_field(case, splits.within))


def case_field(case: Case, dotted: str) -> object:
    """``case.a.b`` in the case's fields; None where it is absent."""
    value: object = {"id": case.id, **case.fields}
    for part in dotted.removeprefix("case.").split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
