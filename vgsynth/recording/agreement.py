"""How far two annotators agree, with each other and with the spec, and which items are kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from vgsynth.audit.values import plain
from vgsynth.recording.annotation import CHECK, OK
from vgsynth.recording.kappa import Kappa, kappa_of
from vgsynth.recording.labels import addressees_label
from vgsynth.recording.ratings import Rated
from vgsynth.recording.script import Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """An item of which the annotators said different things."""

    item_id: str
    label: str
    """``target`` or ``addressee``."""
    first: str
    second: str
    script: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstSpec:
    """How often an annotator said what the spec intends."""

    annotator: int
    label: str
    items: int
    """Those that the annotator labelled and of which the spec says something."""
    same: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """An item that is not kept, and all that speaks against it."""

    item_id: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The result. Without a spec, what it intends is not compared."""

    items: int
    labelled: tuple[int, int]
    """Items with a target by the first and by the second annotator."""
    target: Kappa | None
    addressee: Kappa | None
    disagreements: tuple[Disagreement, ...]
    against_spec: tuple[AgainstSpec, ...] | None
    retained: tuple[str, ...]
    left_out: tuple[LeftOut, ...]

    def to_json(self) -> dict[str, object]:
        """For scripts."""
        return dict(plain(self))


def agreement_of(rated: Sequence[Rated], intended: Mapping[str, Item] | None = None) -> Agreement:
    """Agreement over rated items; ``intended`` has the spec's items by id.

    An item is kept where both annotators gave it one target and one addressee of each utterance (those that
    the spec intends, where it says), its recordings are in their places, both called the audio ok or the
    checks found nothing, neither called it bad, and nothing is to be rechecked.
    """
    reasons = {item.item_id: tuple(_against(item, intended)) for item in rated}
    return Agreement(
        items=len(rated),
        labelled=_labelled(rated),
        target=_kappa(rated, "target"),
        addressee=_kappa(rated, "addressee"),
        disagreements=tuple(_disagreements(rated)),
        against_spec=None if intended is None else tuple(_against_spec(rated, intended)),
        retained=tuple(id_ for id_, against in reasons.items() if not against),
        left_out=tuple(LeftOut(item_id=id_, reasons=against) for id_, against in reasons.items() if against),
    )


def _labelled(rated: Sequence[Rated]) -> tuple[int, int]:
    first, second = (sum(bool(item.ratings[k].target) for item in rated) for k in (0, 1))
    return first, second


def _kappa(rated: Sequence[Rated], label: str) -> Kappa | None:
    both = [(item.case_id, *_said(item, label)) for item in rated if all(_said(item, label))]
    return kappa_of([a for _, a, _ in both], [b for _, _, b in both], [case for case, _, _ in both])


def _said(item: Rated, label: str) -> tuple[str, str]:
    first, second = (str(getattr(rating, label)) for rating in item.ratings)
    return first, second


def _disagreements(rated: Sequence[Rated]) -> Iterator[Disagreement]:
    for item in rated:
        for label in ("target", "addressee"):
            first, second = _said(item, label)
            if first and second and first != second:
                yield Disagreement(
                    item_id=item.item_id, label=label, first=first, second=second, script=item.script
                )


def _against_spec(rated: Sequence[Rated], intended: Mapping[str, Item]) -> Iterator[AgainstSpec]:
    for label in ("target", "addressee"):
        for k in (0, 1):
            pairs = [
                (_said(item, label)[k], _intends(intended[item.item_id], label))
                for item in rated
                if item.item_id in intended
            ]
            stated = [(said, meant) for said, meant in pairs if said and meant]
            yield AgainstSpec(
                annotator=k + 1, label=label, items=len(stated), same=sum(s == m for s, m in stated)
            )


def _intends(item: Item, label: str) -> str:
    return item.target if label == "target" else addressees_label(item.addressees)


def _against(item: Rated, intended: Mapping[str, Item] | None) -> Iterator[str]:
    """All that speaks against keeping an item."""
    if intended is not None and item.item_id not in intended:
        yield "not in the spec"
        return
    for label in ("target", "addressee"):
        first, second = _said(item, label)
        meant = "" if intended is None else _intends(intended[item.item_id], label)
        needed = label == "target" or bool(meant or first or second)
        if needed and not (first and second):
            missing = " and ".join(str(k) for k, said in ((1, first), (2, second)) if not said)
            yield f"no {label} by annotator {missing}"
        elif first != second:
            yield f"{label}: {first} against {second}"
        elif meant and first != meant:
            yield f"{label}: both say {first}, the spec {meant}"
    judged = [rating.audio for rating in item.ratings]
    if "bad" in judged:
        yield "audio: called bad by an annotator"
    elif item.script_audio not in (OK, CHECK):
        yield f"audio: {item.script_audio}"
    elif item.script_audio == CHECK and judged != ["ok", "ok"]:
        yield "audio: to be checked by both annotators" + (f" ({item.details})" if item.details else "")
    if item.recheck:
        yield f"recheck: {item.recheck}"
