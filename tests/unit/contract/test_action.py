"""The canonical action text: formatting and parsing are inverse, and nothing else is an action."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vgsynth.contract.action import Answer, Invalid, Mute, ToolCall, format_action, parse_action

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
CALL = '{"name": "set_timer", "params": {"minutes": 5}}'


@given(st.text(min_size=1), st.dictionaries(st.text(), JSON, max_size=4))
def test_calls_survive(name: str, params: dict[str, Any]) -> None:
    call = ToolCall(name=name, params=params)
    assert parse_action(format_action(call)) == call


@given(st.text())
def test_any_text_is_an_action_or_invalid_and_formats_back(text: str) -> None:
    action = parse_action(text)
    if not isinstance(action, Invalid):
        assert parse_action(format_action(action)) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("[Mute]", Mute()),
        ("  [Mute]\n", Mute()),
        (CALL, ToolCall(name="set_timer", params={"minutes": 5})),
        ("Mute", Answer(text="Mute")),
        ("It is half past four.", Answer(text="It is half past four.")),
        ("A set is {1, 2}.", Answer(text="A set is {1, 2}.")),
        ("[laughs] No.", Answer(text="[laughs] No.")),
    ],
)
def test_actions(text: str, action: object) -> None:
    assert parse_action(text) == action


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "[mute]",
        "[Mute].",
        "［Mute］",
        "[Mute] because nobody spoke to me",
        f"[Mute] {CALL}",
        f"Sure: {CALL}",
        f"{CALL} Done.",
        f"{CALL}{CALL}",
        f"[{CALL}]",
        f"```json\n{CALL}\n```",
        "{'name': 'set_timer', 'params': {}}",
        '{"name": "x", "params": {},}',
        '{"name": "x", "arguments": {}}',
        '{"name": "x", "params": null}',
        '{"name": "x"}',
        '{"name": "", "params": {}}',
        '{"name": "x", "params": {}, "id": 1}',
        '{"name": "x", "name": "y", "params": {}}',
        '{"name": "x", "params": {"a": NaN}}',
        '{"name": "x", "params": {"a": 1}',
        '{"name": "x", "params": ' + "[" * 100_000,
        '{"name": "x", "params": {"a": ' + "[" * 200 + "]" * 200 + "}}",
        '{"name": "x", "params": {"a": 1e999}}',
        '{"name": "x", "params": {"a": "\\ud800"}}',
        "[set_timer]",
        "[set_timer(minutes=5)]",
        "[set_timer",
        "<think>hm",
        f"<tool_call>{CALL}</tool_call>",
    ],
)
def test_everything_else_is_invalid(text: str) -> None:
    assert isinstance(parse_action(text), Invalid)


@pytest.mark.parametrize("action", [Answer(text=""), Answer(text="[Mute]"), Answer(text=CALL)])
def test_what_has_no_canonical_text_is_refused(action: Answer) -> None:
    with pytest.raises(ValueError, match="no canonical text"):
        format_action(action)
