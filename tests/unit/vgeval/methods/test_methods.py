"""Methods as conversations: what is asked in which order, and which text is scored."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.unit.vgeval.datasets import TOOLS, wav_bytes
from vgeval.methods.aura import action_text
from vgeval.methods.method import Question
from vgeval.methods.operators.clip import read_clip
from vgeval.methods.registry import METHODS, find_method
from vgeval.methods.tws import operator_call
from vgeval.parsing.verdict import judge
from vgeval.prompt.instruction import render_prompt
from vgeval.systems.conversation import Audio, Conversation, Message, Text
from vgsynth.contract.problems import InputError
from vgsynth.contract.tools import ToolInventory

INVENTORY = ToolInventory(tools=tuple(TOOLS))
PROMPT = render_prompt(INVENTORY)
WAV = wav_bytes(9.2)
CALL = '{"name": "set_timer", "params": {"duration": "5 minutes"}}'
Reply = Callable[[int, Conversation], str]


def play(name: str, reply: Reply, question: Question | None = None) -> tuple[str, list[Conversation]]:
    """Run a method against scripted replies. Returns the output and every conversation that was sent."""
    asked: list[Conversation] = []
    question = question or Question(prompt=PROMPT, wav=WAV, normaliser="qwen3_omni")
    procedure = METHODS[name].ask(question)
    conversation = next(procedure)
    while True:
        asked.append(conversation)
        try:
            conversation = procedure.send(reply(len(asked) - 1, conversation))
        except StopIteration as done:
            return done.value, asked


def clips(conversation: Conversation) -> list[bytes]:
    return [part.wav for message in conversation for part in message.parts if isinstance(part, Audio)]


def roles(conversation: Conversation) -> str:
    return "".join(message.role[0] for message in conversation)


def script(*replies: str) -> Reply:
    return lambda number, conversation: replies[number]


@pytest.mark.parametrize("name", METHODS)
def test_every_method_keeps_to_user_and_assistant_in_turn(name: str) -> None:
    _, asked = play(name, lambda number, conversation: "[Mute]")
    for conversation in asked:
        assert roles(conversation).removeprefix("s") in ("u", "uau", "uauau", "uauauau")
        assert all(part.text for message in conversation for part in message.parts if isinstance(part, Text))
        assert not any(
            isinstance(part, Audio)
            for message in conversation
            if message.role != "user"
            for part in message.parts
        )


@pytest.mark.parametrize("name", METHODS)
def test_words_alone_are_asked_about_once(name: str) -> None:
    question = Question(prompt=PROMPT, transcript="Set a timer.", normaliser="qwen3_omni")
    said = f"Thought: hm\nAction: tool\nPayload: {CALL}" if name.startswith("aura") else CALL
    output, asked = play(name, script(said), question)
    assert output == CALL
    assert len(asked) == 1
    assert clips(asked[0]) == []
    assert "Set a timer." in asked[0][-1].words


def test_raw_is_one_turn() -> None:
    output, asked = play("raw", script("<think>x</think>[Mute]<|im_end|>"))
    assert output == "<think>x</think>[Mute]<|im_end|>"
    assert [roles(c) for c in asked] == ["su"]
    assert asked[0][0] == Message(role="system", parts=(Text(text=PROMPT.system),))
    assert asked[0][1].parts == (Audio(wav=WAV), Text(text=PROMPT.audio_request))


def test_shanks_notes_every_chunk_and_acts_at_the_end() -> None:
    notes = ["<think>hm</think>One.", "Two.<|im_end|>", "Three.", "[Mute]<|im_end|>"]
    output, asked = play("shanks", script(*notes))
    assert output == "[Mute]<|im_end|>"
    assert [roles(c) for c in asked] == ["su", "suau", "suauau", "suauauau"]
    heard = [read_clip(wav) for wav in clips(asked[-1])]
    assert [clip.duration_s for clip in heard] == pytest.approx([4.0, 4.0, 1.2])
    assert b"".join(wav[44:] for wav in clips(asked[-1])) == WAV[44:]
    assert [m.words for m in asked[-1] if m.role == "assistant"] == ["One.", "Two.", "Three."]
    # Nothing that comes later is heard before.
    for number, conversation in enumerate(asked[:-1], start=1):
        assert len(clips(conversation)) == number
    assert "has ended" in asked[-1][-1].words


@pytest.mark.parametrize(
    ("name", "seconds", "chunks"),
    [
        ("shanks", 4.0, [4.0]),
        ("shanks", 4.3, [4.3]),
        ("shanks", 4.5, [4.0, 0.5]),
        ("shanks", 0.2, [0.2]),
        ("shanks-3s", 7.0, [3.0, 3.0, 1.0]),
        ("shanks-5s", 7.0, [5.0, 2.0]),
    ],
)
def test_shanks_chunks(name: str, seconds: float, chunks: list[float]) -> None:
    question = Question(prompt=PROMPT, wav=wav_bytes(seconds))
    _, asked = play(name, lambda number, conversation: "[Mute]", question)
    assert [read_clip(wav).duration_s for wav in clips(asked[-1])] == pytest.approx(chunks)


@pytest.mark.parametrize(("name", "heard"), [("aura", []), ("aura-audio", [WAV])])
def test_aura_transcribes_then_acts(name: str, heard: list[bytes]) -> None:
    replies = script("The rice is on.\nSet a timer.", "Thought: not the wearer\nAction: mute\nPayload:")
    output, asked = play(name, replies)
    assert output == "[Mute]"
    assert [roles(c) for c in asked] == ["u", "su"]
    assert clips(asked[0]) == [WAV]
    assert clips(asked[1]) == heard
    assert "The rice is on.\nSet a timer." in asked[1][-1].words
    assert asked[1][0].words.startswith(PROMPT.system)


def test_aura_is_asked_again_until_it_acts() -> None:
    turns = ("Words.", "Thought: let me see.", f"Thought: now.\nAction: tool\nPayload: {CALL}")
    output, asked = play("aura", script(*turns))
    assert output == CALL
    assert [roles(c) for c in asked] == ["u", "su", "suau"]


def test_aura_without_an_action_is_invalid() -> None:
    output, asked = play("aura", lambda number, conversation: "Thought: hm.")
    assert len(asked) == 4
    assert METHODS["aura"].normaliser == "common"
    assert judge(output, "common", INVENTORY).lenient.kind == "invalid"


AURA_TURNS = {
    "mute": ("Thought: x\nAction: mute\nPayload:", "mute"),
    "mute without a payload": ("Thought: x\nAction: Mute", "mute"),
    "mute in brackets": ("Action: [Mute]", "mute"),
    "bold": ("**Thought:** x\n**Action:** mute", "mute"),
    "tool": (f"Action: tool\nPayload: {CALL}", "tool"),
    "tool in a fence": (f"Action: tool\nPayload: ```json\n{CALL}\n```", "tool"),
    "tool, another turn behind": (f"Action: tool\nPayload: {CALL}\nObservation: done\nAction: mute", "tool"),
    "answer": ("Action: answer\nPayload: It is four.", "answer"),
    "answer on the next lines": ("Action: answer\nPayload:\nIt is\nfour.", "answer"),
    "tool with words": ("Action: tool\nPayload: set a timer", "invalid"),
    "tool without a payload": ("Action: tool", "invalid"),
    "answer with a call": (f"Action: answer\nPayload: {CALL}", "invalid"),
    "answer that mentions [Mute]": ("Action: answer\nPayload: I say [Mute].", "invalid"),
    "unknown tool": ('Action: tool\nPayload: {"name": "x", "params": {}}', "invalid"),
}


@pytest.mark.parametrize("name", AURA_TURNS)
def test_aura_turns(name: str) -> None:
    turn, kind = AURA_TURNS[name]
    text = action_text(turn)
    assert text is not None
    assert judge(text, "common", INVENTORY).lenient.kind == kind


@pytest.mark.parametrize("turn", ["", "Thought: x", "Action: wait", "I take action: mute", CALL, "[Mute]"])
def test_aura_turns_without_an_action(turn: str) -> None:
    assert action_text(turn) is None


def test_tws_gets_results_and_keeps_the_original() -> None:
    replies = script(
        '{"operator": "activity", "args": {}}',
        '<think>louder</think>```json\n{"operator": "louder", "args": {"start_s": 2, "end_s": 3}}\n```',
        "[Mute]<|im_end|>",
    )
    output, asked = play("tws", replies)
    assert output == "[Mute]<|im_end|>"
    assert [roles(c) for c in asked] == ["su", "suau", "suauau"]
    assert asked[1][3].words.startswith("Speech or other sound: ")
    original, louder = clips(asked[2])
    assert original == WAV
    assert read_clip(louder).duration_s == pytest.approx(1.0)
    assert "the last operator" not in asked[2][-1].words


def test_tws_has_three_calls() -> None:
    calls = lambda number, conversation: '{"operator": "level", "args": {}}'  # noqa: E731
    output, asked = play("tws", calls)
    assert len(asked) == 4
    assert output == '{"operator": "level", "args": {}}'
    assert judge(output, "qwen3_omni", INVENTORY).lenient.kind == "invalid"
    assert "That was the last operator" in asked[3][-1].words


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ('{"operator": "level"}', ("level", {})),
        ("{'operator': 'part', 'args': {'start_s': 1,}}", ("part", {"start_s": 1})),
        ('{"operator": "level", "args": "all"}', ("level", {})),
        ('{"operator": 5}', None),
        (CALL, None),
        ("[Mute]", None),
        ('I use {"operator": "level"}', None),
        ('{"operator": "level"', None),
        ("{" * 100_000 + "}", None),
    ],
)
def test_operator_calls(text: str, call: object) -> None:
    assert operator_call(text) == call


def test_methods_differ_in_hash_and_are_found_by_name() -> None:
    assert len({method.sha256 for method in METHODS.values()}) == len(METHODS)
    assert all(find_method(name).name == name for name in METHODS)
    with pytest.raises(InputError, match="there is no method 'awra'; did you mean 'aura'"):
        find_method("awra")
