"""Casting: which voice each speaker has in a case.

Balanced speakers rotate evenly. With n voices the first speaker has voice p mod n in case p; a speaker who
differs from it starts just behind that voice and moves on by one each time the rotation has gone round, so
that over n (n - 1) cases every ordered pair of different voices comes up exactly once, and every voice
equally often on either side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vgsynth.plan.draws import draw_bits, draw_unit
from vgsynth.spec.model import Case, SpeakerSpec, VoiceEntry


def casting_order(speakers: Mapping[str, SpeakerSpec]) -> tuple[SpeakerSpec, ...]:
    """Speakers such that each comes behind those it differs from (the loader has refused cycles)."""
    ordered: dict[str, SpeakerSpec] = {}

    def visit(speaker: SpeakerSpec) -> None:
        for other in speaker.differs_from:
            if other not in ordered:
                visit(speakers[other])
        ordered.setdefault(speaker.name, speaker)

    for speaker in speakers.values():
        visit(speaker)
    return tuple(ordered.values())


class Casting:
    """Deals voices to the cases of one pass over a spec, in the order of the cases."""

    def __init__(self, seed: int, speakers: Mapping[str, SpeakerSpec]) -> None:
        self._seed = seed
        self._speakers = casting_order(speakers)
        self._pools = {s.name: _shuffled(seed, s.voices) for s in self._speakers}
        self._counts: dict[tuple[str, tuple[str, ...]], int] = {}

    def cast(
        self, case: Case, *, stratum: Mapping[str, tuple[str, ...]], allowed: frozenset[str] | None = None
    ) -> dict[str, VoiceEntry]:
        """Each speaker's voice in ``case``.

        ``stratum`` gives each speaker's values of ``balance_within`` (empty: counted by the case's ordinal).
        ``allowed`` narrows every pool to some voice ids (those of the case's split), if it is given.
        Raises ValueError where a pool has no voice left.
        """
        chosen: dict[str, VoiceEntry] = {}
        turns: dict[str, int] = {}
        for speaker in self._speakers:
            pool = self._pools[speaker.name]
            if allowed is not None:
                pool = [voice for voice in pool if voice.id in allowed]
            others = [chosen[name] for name in speaker.differs_from]
            turn = self._turn(speaker, case, stratum.get(speaker.name, ()), len(pool))
            turns[speaker.name] = turn
            if not others:
                candidates, index = pool, turn
            else:
                lead = speaker.differs_from[0]
                lead_pool = len(self._pools[lead]) if allowed is None else self._size(lead, allowed)
                candidates = _behind(pool, others[0], turns[lead])
                candidates = [v for v in candidates if v.id not in {other.id for other in others}]
                index = turns[lead] // max(lead_pool, 1)
            if not candidates:
                raise ValueError(f"no voice is left for speaker {speaker.name}")
            if speaker.assign == "hashed":
                index = int(draw_unit(self._seed, case.id, f"voice.{speaker.name}") * len(candidates))
            chosen[speaker.name] = candidates[index % len(candidates)]
        return chosen

    def _size(self, name: str, allowed: frozenset[str]) -> int:
        return sum(voice.id in allowed for voice in self._pools[name])

    def _turn(self, speaker: SpeakerSpec, case: Case, stratum: tuple[str, ...], pool: int) -> int:
        if not stratum:
            return case.ordinal
        key = (speaker.name, stratum)
        count = self._counts.get(key, 0)
        self._counts[key] = count + 1
        # Strata start in different rounds of the rotation, so that together they meet all pairs; in whole
        # rounds, so that each stratum is balanced by itself.
        return count + pool * (draw_bits(self._seed, "\x1f".join(stratum), "rotation") % 1009)


def _shuffled(seed: int, voices: Iterable[VoiceEntry]) -> list[VoiceEntry]:
    return sorted(voices, key=lambda voice: (draw_bits(seed, voice.id, "rotation"), voice.id))


def _behind(pool: Sequence[VoiceEntry], other: VoiceEntry, turn: int) -> list[VoiceEntry]:
    """The pool from the voice behind ``other`` on; a pool without ``other``, from its turn's voice on."""
    ids = [voice.id for voice in pool]
    start = ids.index(other.id) + 1 if other.id in ids else turn % max(len(pool), 1)
    return [*pool[start:], *pool[:start]]
