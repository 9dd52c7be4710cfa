"""The prompt: frozen, and made of the contract."""

from __future__ import annotations

import json

from vgeval.prompt.instruction import render_prompt
from vgsynth.contract.action import Mute, ToolCall, parse_action
from vgsynth.contract.tools import Tool, ToolInventory

TIMER = Tool(
    name="set_timer",
    description="Start a timer.",
    parameters={"type": "object", "properties": {"minutes": {"type": "integer"}}},
    examples=("Set a timer.",),
)
CALL = Tool(name="call", description="Call «somebody».", parameters={"type": "object"})


def test_the_prompt_is_frozen() -> None:
    """If this fails, predictions made before are no longer comparable: raise the version on purpose."""
    tools = ToolInventory(tools=(TIMER, CALL))
    assert render_prompt(tools).sha256 == "a76c6ed0ed29be1859f0282ffca171bd2c042a0f25e5b92014666de91582649d"


def test_the_forms_of_actions_are_those_of_the_contract() -> None:
    lines = render_prompt(ToolInventory(tools=(TIMER, CALL))).system.splitlines()
    actions = [parse_action(line) for line in lines if line.startswith(("[", '{"name": "<'))]
    assert actions == [Mute(), ToolCall(name="<tool>", params={"<parameter>": "<value>"})]


def test_tools_stand_in_their_order_without_examples() -> None:
    system = render_prompt(ToolInventory(tools=(TIMER, CALL))).system
    shown = [json.loads(line) for line in system.splitlines() if '"description"' in line]
    assert [tool["name"] for tool in shown] == ["set_timer", "call"]
    assert shown[0]["parameters"] == TIMER.parameters
    assert "Set a timer." not in system
    assert "«somebody»" in system


def test_hash_knows_tools_their_order_and_nothing_else() -> None:
    both = render_prompt(ToolInventory(tools=(TIMER, CALL)))
    assert both.sha256 == render_prompt(ToolInventory(tools=(TIMER, CALL))).sha256
    assert both.sha256 != render_prompt(ToolInventory(tools=(CALL, TIMER))).sha256
    assert both.sha256 != render_prompt(ToolInventory(tools=(TIMER,))).sha256


def test_a_transcript_is_taken_as_it_is() -> None:
    prompt = render_prompt(ToolInventory())
    assert "\n\nSay {transcript} and {x}.\n\n" in prompt.transcript_request("Say {transcript} and {x}.")
