"""Verdicts: the table of outputs, and what holds for every output."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vgeval.parsing.normalisers import NORMALISERS
from vgeval.parsing.verdict import judge, lenient, strict
from vgsynth.contract.action import ToolCall, format_action
from vgsynth.contract.tools import Tool, ToolInventory

TABLE = json.loads((Path(__file__).parents[3] / "cases" / "actions.json").read_text(encoding="utf-8"))
TOOLS = ToolInventory(
    tools=tuple(Tool(name=name, description="", parameters={"type": "object"}) for name in TABLE["tools"])
)
NAMES = st.sampled_from(sorted(NORMALISERS))

PIECES = st.sampled_from(
    [
        *"[]{}()<>\"'`,:\\ \n",
        "[Mute]",
        "mute",
        "<think>",
        "</think>",
        "<tool_call>",
        "</tool_call>",
        "<function=set_timer>",
        "<parameter=a>",
        "</parameter>",
        "</function>",
        "```json\n",
        "```",
        '{"name": "set_timer", "params": {"minutes": 5}}',
        '"arguments": ',
        "function\nset_timer\n{}",
        "set_timer(minutes=5)",
        "print(",
        "<|im_end|>",
        "<|EOT|>",
        "NaN",
        "\\ud800",
        "\x00",
        "Sure.",
    ]
)
OUTPUTS = st.text(max_size=60) | st.lists(PIECES, max_size=12).map("".join)


def raw_of(case: dict[str, Any]) -> str:
    raw = case["raw"]
    return raw if isinstance(raw, str) else raw["repeat"] * raw["times"]


@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: case["name"])
def test_table(case: dict[str, Any]) -> None:
    found = judge(raw_of(case), case["normaliser"], TOOLS)
    assert (found.strict.kind, found.lenient.kind) == (case["strict"], case["lenient"]), found
    for verdict in (found.strict, found.lenient):
        assert verdict.tool == (case["tool"] if verdict.kind == "tool" else None)
        assert bool(verdict.reason) == (verdict.kind == "invalid")


def test_the_table_is_large_and_its_names_are_unique() -> None:
    names = [case["name"] for case in TABLE["cases"]]
    assert len(names) >= 60
    assert len(set(names)) == len(names)
    assert {case["normaliser"] for case in TABLE["cases"]} == set(NORMALISERS)


@settings(deadline=None)
@given(OUTPUTS, NAMES)
def test_no_output_raises_and_lenient_agrees_wherever_strict_sees_an_action(raw: str, name: str) -> None:
    found = judge(raw, name, TOOLS)
    if found.strict.kind in ("mute", "tool"):
        assert found.lenient == found.strict
    if found.strict.kind == "answer":
        assert found.lenient.kind in ("answer", "tool")
    for verdict in (found.strict, found.lenient):
        assert (verdict.tool in TOOLS) == (verdict.kind == "tool")
        json.dumps(verdict.text).encode()


@settings(deadline=None)
@given(OUTPUTS)
def test_the_strict_normaliser_changes_nothing(raw: str) -> None:
    assert lenient(raw, "strict", TOOLS) == strict(raw, TOOLS)


@settings(deadline=None)
@given(
    st.sampled_from(["set_timer", "send_message"]),
    st.dictionaries(st.text(min_size=1), st.text() | st.integers() | st.booleans() | st.none(), max_size=4),
    NAMES,
)
def test_a_canonical_call_is_read_by_every_profile(
    name: str, params: dict[str, Any], normaliser: str
) -> None:
    text = format_action(ToolCall(name=name, params=params))
    terminated = any(token in text for token in NORMALISERS[normaliser].terminators)
    raw = f"</think>{text}" if NORMALISERS[normaliser].thinking == "opened" else text
    if not terminated and "</think>" not in text:
        assert strict(raw, TOOLS, normaliser).tool == name


@settings(deadline=None)
@given(st.dictionaries(st.text(min_size=1), st.text() | st.booleans() | st.none(), max_size=4))
def test_what_python_writes_is_read_as_what_json_writes(params: dict[str, Any]) -> None:
    call = {"name": "set_timer", "params": params}
    try:
        json.dumps(call, ensure_ascii=False).encode()
        printable = all(key.isprintable() and str(value).isprintable() for key, value in params.items())
    except UnicodeEncodeError:
        return
    if printable:
        assert lenient(repr(call), "common", TOOLS).tool == "set_timer"


PIECE_OF_MANY = [
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    "`",
    ",",
    "\\",
    "(",
    "<",
    "a",
    "{'",
    '{"a":',
    "[Mute]",
    "<think>",
    "</think>",
    "<tool_call>",
    "<function=a>",
    "<parameter=a>b</parameter>",
    "a(",
    "[a]",
    "\\'",
    "```",
    '{"name":',
]


@pytest.mark.parametrize("piece", PIECE_OF_MANY)
@pytest.mark.parametrize(("before", "after"), [("", ""), ('{"name": ', "}"), ("<tool_call>", "</tool_call>")])
def test_time_is_linear(piece: str, before: str, after: str) -> None:
    """Eight times the text may take up to twenty times as long: quadratic would be 64 times."""

    def seconds(length: int) -> float:
        raw = before + piece * (length // len(piece)) + after
        best = float("inf")
        for _ in range(2):
            start = time.perf_counter()
            for name in ("nemotron3_omni", "audio_flamingo3"):
                judge(raw, name, TOOLS)
            best = min(best, time.perf_counter() - start)
        return best

    assert seconds(80_000) < 20 * seconds(10_000) + 0.02
