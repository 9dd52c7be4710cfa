"""Casting: balance by counting, stability by looking at what other cases do."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

import pytest

from vgsynth.contract.problems import Place
from vgsynth.plan.cast import Casting
from vgsynth.spec.model import Case, SpeakerSpec, VoiceEntry

EIGHT = tuple(f"v{i}" for i in range(8))


def speaker(name: str, voices: Sequence[str] = EIGHT, **options: object) -> SpeakerSpec:
    entries = tuple(VoiceEntry(engine="tone", name=voice) for voice in voices)
    return SpeakerSpec(name=name, voices=entries, **options)  # type: ignore[arg-type]


def case(ordinal: int, **fields: object) -> Case:
    return Case(id=f"c{ordinal}", ordinal=ordinal, fields=fields, place=Place(file="x"))


def cast_all(
    speakers: Sequence[SpeakerSpec], count: int, tools: int = 0, seed: int = 1
) -> list[tuple[str, ...]]:
    casting = Casting(seed, {s.name: s for s in speakers})
    found = []
    for i in range(count):
        strata = {s.name: (f"tool{i % tools}",) for s in speakers} if tools else {}
        chosen = casting.cast(case(i), stratum=strata)
        found.append(tuple(chosen[s.name].name for s in speakers))
    return found


WEARER, BYSTANDER = speaker("wearer"), speaker("bystander", differs_from=("wearer",))


def test_every_ordered_pair_of_voices_comes_up_once_in_56_cases() -> None:
    assert Counter(cast_all([WEARER, BYSTANDER], 56)) == Counter(permutations(EIGHT, 2))


@pytest.mark.parametrize("count", [8, 16, 40, 400])
def test_each_voice_is_used_equally_often_on_either_side(count: int) -> None:
    pairs = cast_all([WEARER, BYSTANDER], count)
    for side in (0, 1):
        assert set(Counter(pair[side] for pair in pairs).values()) == {count // 8}


def test_disjoint_pools_cross_fully() -> None:
    far = speaker("bystander", ["x", "y"], differs_from=("wearer",))
    near = speaker("wearer", ["a", "b", "c", "d"])
    assert set(Counter(cast_all([near, far], 8)).values()) == {1}


def test_three_speakers_never_share_a_voice() -> None:
    third = speaker("third", differs_from=("wearer", "bystander"))
    for chosen in cast_all([WEARER, BYSTANDER, third], 300):
        assert len(set(chosen)) == 3


def test_balance_within_a_stratum_that_would_alias_with_the_rotation() -> None:
    # Ten tools in turn against eight voices: counted over all cases, a tool would meet four voices only.
    pairs = cast_all([WEARER, BYSTANDER], 400, tools=10)
    for tool in range(10):
        mine = pairs[tool::10]
        for side in (0, 1):
            assert set(Counter(pair[side] for pair in mine).values()) == {5}


def test_adding_cases_behind_moves_nobody() -> None:
    assert cast_all([WEARER, BYSTANDER], 100)[:60] == cast_all([WEARER, BYSTANDER], 60)


def test_hashed_assignment_depends_on_the_case_alone() -> None:
    hashed = [
        speaker("wearer", assign="hashed"),
        speaker("bystander", differs_from=("wearer",), assign="hashed"),
    ]
    all_cases = cast_all(hashed, 200)
    casting = Casting(1, {s.name: s for s in hashed})
    for i in (150, 3, 77):
        chosen = casting.cast(case(i), stratum={})
        assert (chosen["wearer"].name, chosen["bystander"].name) == all_cases[i]
    assert all(a != b for a, b in all_cases)
    assert len(set(all_cases)) > 40


def test_a_seed_changes_the_rotation() -> None:
    assert cast_all([WEARER, BYSTANDER], 8, seed=1) != cast_all([WEARER, BYSTANDER], 8, seed=2)


def test_allowed_voices_bound_every_pool() -> None:
    casting = Casting(1, {"wearer": WEARER, "bystander": BYSTANDER})
    allowed = frozenset({"tone/v0", "tone/v3"})
    for i in range(20):
        chosen = casting.cast(case(i), stratum={}, allowed=allowed)
        assert {voice.id for voice in chosen.values()} == allowed


def test_an_exhausted_pool_is_told() -> None:
    casting = Casting(1, {"wearer": WEARER, "bystander": BYSTANDER})
    with pytest.raises(ValueError, match="no voice is left for speaker bystander"):
        casting.cast(case(0), stratum={}, allowed=frozenset({"tone/v0"}))
