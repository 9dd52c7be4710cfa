"""The speaker-switch cases: what the generator makes, how it balances, how its texts read."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import inflect
import jsonschema
import pytest
import yaml
from rapidfuzz import fuzz, process
from rapidfuzz.utils import default_process

from scenes.vgbench.generate.speaker_switch.__main__ import CASES, main

SCENES = Path(__file__).resolve().parents[3] / "scenes"
TOOLS = {tool["name"]: tool for tool in yaml.safe_load((SCENES / "tools.yaml").read_text("utf-8"))["tools"]}
ALL: list[dict[str, Any]] = [json.loads(line) for line in CASES.read_text("ascii").splitlines()]
NEAR_DUPLICATE = 85.0
SAID = {
    inflect.engine().number_to_words(value).replace("-", " "): value  # type: ignore[union-attr]
    for value in range(101)
}
"""Numbers as they are said: ``seventy one``."""


def numbers_in(text: str) -> set[int]:
    """Every number that one or two neighbouring words may say."""
    words = plain_words(text)
    spans = {" ".join(words[i : i + n]) for i in range(len(words)) for n in (1, 2)}
    return {SAID[span] for span in spans & SAID.keys()}


def plain_words(text: str) -> list[str]:
    """Words in lower case, without endings."""
    return [word.removesuffix("'s").removesuffix("s") for word in re.findall(r"[a-z']+", text.lower())]


def test_the_committed_file_is_what_seeds_and_templates_make() -> None:
    assert main(["--check"]) == 0


def test_400_cases_40_a_tool_of_which_ten_are_hand_written() -> None:
    assert len(ALL) == 400
    assert Counter((case["tool"], case["origin"]) for case in ALL) == {
        (tool, origin): count for tool in TOOLS for origin, count in (("seed", 10), ("generated", 30))
    }
    ids = [case["id"] for case in ALL]
    assert len(set(ids)) == 400
    assert all(re.fullmatch(r"sw-[a-z]+-\d{3}", id_) for id_ in ids)


def test_every_seed_is_varied_three_times_by_others_words() -> None:
    seeds = {case["id"]: case for case in ALL if case["origin"] == "seed"}
    made = [case for case in ALL if case["origin"] == "generated"]
    assert Counter(case["seed_id"] for case in made) == dict.fromkeys(seeds, 3)
    assert all(seeds[case["seed_id"]]["tool"] == case["tool"] for case in made)


def test_params_fit_the_tools() -> None:
    for case in ALL:
        jsonschema.validate(case["params"], TOOLS[case["tool"]]["parameters"])


def test_params_are_said_in_the_trigger() -> None:
    """Every text of a parameter stands in the trigger, every number is said in it."""
    stated_otherwise = {"state"}
    for case in ALL:
        said = case["trigger"].lower()
        for name, value in case["params"].items():
            if name in stated_otherwise or (name == "quantity" and value == 1):
                continue
            if isinstance(value, int):
                dozen = value == 12 and "dozen" in said
                full = value == 100 and "all the way up" in said
                assert dozen or full or value in numbers_in(said), case
            else:
                missing = set(plain_words(value)) - set(plain_words(said))
                assert not missing, (case["id"], name, value)


@pytest.mark.parametrize("field", ["context", "trigger"])
def test_no_near_duplicates(field: str) -> None:
    texts = [default_process(case[field]) for case in ALL]
    likeness = process.cdist(texts, texts, scorer=fuzz.token_sort_ratio)
    for first, second in itertools.combinations(range(len(texts)), 2):
        assert likeness[first, second] < NEAR_DUPLICATE, (texts[first], texts[second])


def test_no_template_carries_the_set() -> None:
    """Within a tool, a generated context comes from a frame at most three times, a trigger at most twice."""
    made = [case for case in ALL if case["origin"] == "generated"]
    assert max(Counter(case["context_template"] for case in made).values()) <= 3
    assert max(Counter(case["trigger_template"] for case in made).values()) <= 2
    assert len({case["template"] for case in made}) == 50


def test_texts_are_plain_sentences_that_a_voice_reads_as_they_stand() -> None:
    for case in ALL:
        for field, most in (("context", 26), ("trigger", 19)):
            text = case[field]
            assert re.fullmatch(r"[A-Z][A-Za-z',.?! ]+[.?!]", text), text
            assert not re.search(r"\s{2}|\s[,.?!]|\b(\w+) \1\b(?<!that that)", text), text
            assert not re.search(r"\ba [aeio]|\ban [^aeiouh]|\bon next\b", text), text
            assert not re.search(r"[.?!] [a-z]", text), text
            assert len(text.split()) < most, text


def test_a_context_does_not_ask_for_the_tool() -> None:
    """The first word of a context is never a command's: what the agent is asked comes with the trigger."""
    verbs = ["set", "start", "send", "text", "call", "order", "buy", "pay", "transfer", "turn", "switch"]
    for case in ALL:
        assert case["context"].split()[0].lower().strip(",") not in verbs, case["context"]
