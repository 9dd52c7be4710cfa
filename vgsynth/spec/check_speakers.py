"""Speakers and pools: names that do not exist, voices listed twice, pools too small, one voice for two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from vgsynth.contract.problems import Problem
from vgsynth.contract.suggest import did_you_mean
from vgsynth.spec.draft import Draft, mapping, names, sequence
from vgsynth.spec.model import Path_


def voice_id(entry: Any) -> str | None:
    """``engine/name`` of a voice entry; None where it is not one."""
    if isinstance(entry, str):
        return entry if "/" in entry else None
    entry = mapping(entry)
    engine, name = entry.get("engine"), entry.get("name")
    return f"{engine}/{name}" if isinstance(engine, str) and isinstance(name, str) else None


def entries_of(draft: Draft, speaker: str) -> list[tuple[Path_, Any]]:
    """The voice entries that a speaker's ``voices`` stand for, each with the path where it is written."""
    at: Path_ = ("speakers", speaker, "voices")
    voices = draft.part("speakers", speaker).get("voices")
    if isinstance(voices, str) and "/" not in voices:
        at, voices = ("pools", voices), sequence(draft.part("pools").get(voices))
    elif not isinstance(voices, list):
        return [(at, voices)]
    return [((*at, number), entry) for number, entry in enumerate(voices)]


def pool_ids(draft: Draft, speaker: str) -> list[str]:
    """Ids of the voices that a speaker may have."""
    return [found for _, entry in entries_of(draft, speaker) if (found := voice_id(entry)) is not None]


def check_speakers(draft: Draft) -> Iterator[Problem]:
    """Problems of ``pools`` and ``speakers``."""
    for name, pool in draft.part("pools").items():
        yield from _repeats(draft, pool, ("pools", name))
    speakers = draft.part("speakers")
    for name, speaker in speakers.items():
        at: Path_ = ("speakers", name)
        voices = mapping(speaker).get("voices")
        yield from _repeats(draft, voices, (*at, "voices"))
        yield from _unknown_pool(draft, voices, (*at, "voices"))
        yield from _unknown_others(draft, name, mapping(speaker), at)
    yield from _circles(draft, speakers)
    for name in speakers:
        yield from _too_few(draft, name)


def _repeats(draft: Draft, voices: Any, at: Path_) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, entry in enumerate(sequence(voices)):
        found = voice_id(entry)
        if found in seen:
            yield draft.finder.at((*at, index), f"the voice {found} is listed twice", "list it once")
        if found is not None:
            seen.add(found)


def _unknown_pool(draft: Draft, voices: Any, at: Path_) -> Iterator[Problem]:
    pools = draft.part("pools")
    if not isinstance(voices, str) or not voices or "/" in voices or voices in pools:
        return
    if "pools" in draft.unread:
        return
    known = f"there are: {', '.join(pools)}" if pools else "declare it in `pools`, or write engine/name"
    yield draft.finder.at(at, f"there is no pool {voices!r}", did_you_mean(voices, pools) or known)


def _unknown_others(draft: Draft, name: str, speaker: Mapping[str, Any], at: Path_) -> Iterator[Problem]:
    speakers = draft.part("speakers")
    written = speaker.get("differs_from")
    for index, other in enumerate(names(written)):
        path = (*at, "differs_from", index) if isinstance(written, list) else (*at, "differs_from")
        if other == name:
            yield draft.finder.at(path, f"{name} is to differ from itself", "name another speaker")
        elif other not in speakers:
            known = f"there are: {', '.join(speakers)}"
            yield draft.finder.at(
                path, f"there is no speaker {other!r}", did_you_mean(other, speakers) or known
            )


def _circles(draft: Draft, speakers: Mapping[str, Any]) -> Iterator[Problem]:
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> Iterator[Problem]:
        if name in above:
            circle = " → ".join((*above[above.index(name) :], name))
            yield draft.finder.at(
                ("speakers", above[-1], "differs_from"),
                f"differs_from goes round in a circle: {circle}",
                "keep one direction: it holds both ways",
            )
        elif name not in done:
            done.add(name)
            for other in names(mapping(speakers.get(name)).get("differs_from")):
                if other != name and other in speakers:
                    yield from visit(other, (*above, name))

    for name in speakers:
        yield from visit(name, ())


def _too_few(draft: Draft, name: str) -> Iterator[Problem]:
    """Whether the voices of those it differs from could take up a speaker's whole pool."""
    own = list(dict.fromkeys(pool_ids(draft, name)))
    others = [o for o in names(draft.part("speakers", name).get("differs_from")) if o != name]
    pools = {other: set(pool_ids(draft, other)) for other in others}
    if not own or not _can_be_taken(own, pools):
        return
    yield draft.finder.at(
        ("speakers", name, "voices"),
        f"no voice may be left for {name}: {' and '.join(others)} can have all of {', '.join(own)}",
        "add voices to the pool",
    )


def _can_be_taken(voices: list[str], pools: Mapping[str, set[str]]) -> bool:
    """Whether each voice can belong to a different one of the others: a matching, grown voice by voice."""
    holder: dict[str, str] = {}

    def give(voice: str, tried: set[str]) -> bool:
        for other, pool in pools.items():
            if voice in pool and other not in tried:
                tried.add(other)
                if other not in holder or give(holder[other], tried):
                    holder[other] = voice
                    return True
        return False

    return len(voices) <= len(pools) and all(give(voice, set()) for voice in voices)


def check_together(draft: Draft, together: Mapping[str, set[str]]) -> Iterator[Problem]:
    """Two speakers of one scene who may get the same voice.

    ``together`` gives, for each condition, the speakers who may speak in it.
    """
    order = list(draft.part("speakers"))
    told: set[tuple[str, str]] = set()
    for condition, group in together.items():
        present = [name for name in order if name in group]
        for first, second in combinations(present, 2):
            theirs = set(pool_ids(draft, second))
            shared = [voice for voice in pool_ids(draft, first) if voice in theirs]
            if not shared or (first, second) in told or _kept_apart(draft, first, second):
                continue
            told.add((first, second))
            yield draft.finder.at(
                ("speakers", second),
                f"{second} can get the same voice as {first} (both may be {shared[0]}), and both speak in"
                f" condition {condition}",
                f"add `differs_from: {first}`",
            )


def _kept_apart(draft: Draft, first: str, second: str) -> bool:
    return first in names(draft.part("speakers", second).get("differs_from")) or second in names(
        draft.part("speakers", first).get("differs_from")
    )
