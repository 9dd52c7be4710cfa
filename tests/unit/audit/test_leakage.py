"""What splits share that they should not, and texts that are nearly the same."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from tests.unit.audit.made import ACT, Made, Part, scene, write_set
from vgsynth.audit.audit import audit_folder
from vgsynth.audit.duplicates import DuplicateFinder, like_pairs
from vgsynth.audit.leakage import Leak
from vgsynth.audit.options import AuditOptions
from vgsynth.audit.texts import Text

OPTIONS = AuditOptions(embed_items=0, embed_per_voice=0, recognise_items=0, resamples=50)


def leaks(*folders: Path) -> dict[str, Leak]:
    audit = audit_folder(folders[0], beside=folders[1:], options=OPTIONS)
    return {leak.kind: leak for leak in audit.leakage.leaks}


def case(n: int, split: str, **more: object) -> Made:
    return replace(scene(n, other=False, far=False, gap_ms=0, target=ACT), split=split, **more)


def test_clean_splits_leak_nothing(tmp_path: Path) -> None:
    items = [case(n, "test" if n < 3 else "train") for n in range(12)]
    made = write_set(tmp_path / "set", items)  # of few nouns: only what is nearly the same counts here
    audit = audit_folder(made, options=replace(OPTIONS, near_duplicate=97.0))
    assert audit.failures == ()
    assert audit.leakage.splits == {"test": 3, "train": 9}


def test_a_case_on_both_sides_is_found(tmp_path: Path) -> None:
    items = [case(0, "test"), case(0, "train", condition="again"), case(1, "train")]
    found = leaks(write_set(tmp_path / "set", items))
    assert found["case"].shared == 1 and found["case"].fails
    assert found["speech"].fails and found["text"].fails
    assert not found["voice"].fails  # voices are shared by design unless splits go by them


def test_voices_and_templates_are_held_out_where_splits_go_by_them(tmp_path: Path) -> None:
    """Six voices turn round: cases 0 and 6 share one. Template t0 is on both sides, t1 and t2 are not."""
    templates = ["t0", "t1", "t1", "t2", "t0", "t2"]
    items = [case(n, "test" if n in (0, 3) else "train", case={"template": templates[n]}) for n in range(6)]
    found = leaks(write_set(tmp_path / "a", items, split_by="case.template"))
    assert (found["case.template"].values, found["case.template"].shared) == (3, 2)
    assert found["case.template"].fails
    assert not found["voice"].shared
    more = [*items, case(6, "train", case={"template": "t9"})]
    found = leaks(write_set(tmp_path / "b", more, split_by="voice"))
    assert found["voice"].shared == 1 and found["voice"].fails
    assert not found["case.template"].forbidden


def test_near_duplicates_across_splits_are_found_and_within_one_are_not(tmp_path: Path) -> None:
    def saying(n: int, split: str, text: str) -> Made:
        return Made(case_id=f"c{n}", split=split, parts=(Part(text=text),))

    near = [
        saying(0, "test", "please order two boxes of green tea"),
        saying(1, "train", "please order two boxes of green teas"),
        saying(2, "train", "the dog is barking at the neighbour"),
        saying(3, "train", "the dog is barking at a neighbour"),
    ]
    found = leaks(write_set(tmp_path / "set", near))
    assert found["near-duplicate text"].shared == 1
    assert found["near-duplicate text"].fails


def test_sets_beside_each_other_share_no_split_across(tmp_path: Path) -> None:
    first = write_set(tmp_path / "first", [case(0, "test"), case(1, "train")], name="first")
    second = write_set(
        tmp_path / "second", [case(0, "train", condition="other"), case(2, "train")], name="second"
    )
    found = leaks(first, second)
    assert found["same case"].shared == 1 and found["same case"].fails
    assert found["text"].fails


words = st.sampled_from(["a", "tea", "two", "boxes", "of", "green", "black", "order", "lock", "the", "door"])
sentences = st.lists(words, min_size=1, max_size=8).map(" ".join)


@given(st.lists(sentences, min_size=2, max_size=25, unique=True), st.sampled_from([70.0, 85.0, 95.0]))
def test_blocks_find_the_very_pairs_that_comparing_all_finds(texts: list[str], threshold: float) -> None:
    given_texts = [Text(words=text, written=text, cases={(0, f"c{n}"): None}) for n, text in enumerate(texts)]
    found = set()
    for block in like_pairs(given_texts, threshold):
        kept = block.where(block.likeness >= threshold)
        found |= {frozenset(pair) for pair in zip(kept.first.tolist(), kept.second.tolist(), strict=True)}
    wanted = {
        frozenset((i, j))
        for i, j in itertools.combinations(range(len(texts)), 2)
        if fuzz.token_sort_ratio(texts[i], texts[j]) >= threshold
    }
    assert found == wanted
    finder = DuplicateFinder(given_texts, threshold)
    for block in like_pairs(given_texts, threshold):
        finder.see(block)
    assert finder.found().near == len(wanted)
