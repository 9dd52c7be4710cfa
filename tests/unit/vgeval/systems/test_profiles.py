"""Every profile end to end: a local server that speaks its wire format and writes as its model writes.

What arrives is checked (the clip's bytes, roles, order, fields), and what is made of the output.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from tests.unit.vgeval.datasets import TOOLS, row, small_dataset, wav_bytes, write_dataset
from tests.unit.vgeval.server import Reply, Request, says, serving
from vgeval.methods.raw import RAW
from vgeval.parsing.normalisers import NORMALISERS
from vgeval.parsing.verdict import judge
from vgeval.prompt.instruction import render_prompt
from vgeval.runner.job import Job, prepare
from vgeval.runner.retries import Patience
from vgeval.systems.profile import PROFILES, load_profile, profile_names
from vgsynth.contract.prediction import Prediction, read_predictions
from vgsynth.contract.problems import InputError
from vgsynth.contract.tools import ToolInventory

INVENTORY = ToolInventory(tools=tuple(TOOLS))
PROMPT = render_prompt(INVENTORY)
CALL = '{"name": "set_timer", "arguments": {"duration": "9 minutes"}}'


def gemini(*parts: dict[str, Any], **fields: Any) -> Reply:
    candidate = {"content": {"role": "model", "parts": list(parts)}, "finishReason": "STOP"}
    return Reply(body=json.dumps({"candidates": [candidate], "modelVersion": "gemini-x", **fields}).encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a model writes: replies that mute, call a tool in its own syntax, and answer."""

    mute: Reply = field(default_factory=lambda: says("[Mute]"))
    tool: Reply
    answer: Reply = field(default_factory=lambda: says("It is four."))


STYLES = {
    "qwen3-omni": Style(tool=says(f"<tool_call>\n{CALL}\n</tool_call>")),
    "nemotron-3-nano-omni": Style(
        mute=says(None, reasoning_content="[Mute]"),
        tool=says(
            "<tool_call>\n<function=set_timer>\n<parameter=duration>\n9 minutes\n</parameter>\n</function>\n"
            "</tool_call>"
        ),
        answer=says("<think></think>It is four."),
    ),
    "gemini-flash": Style(
        mute=gemini({"text": "Nobody spoke to me.", "thought": True}, {"text": "[Mute]"}),
        tool=gemini({"text": "```json\n"}, {"text": CALL.replace("arguments", "params") + "\n```"}),
        answer=gemini({"text": "It is four."}),
    ),
    "gemini-flash-openai": Style(
        tool=says('```tool_code\nprint(default_api.set_timer(duration="9 minutes"))\n```')
    ),
    "kimi-audio": Style(tool=says(f"```json\n{CALL}\n```")),
    "step-audio-r1": Style(
        mute=says("The second voice is far away.\n</think>\n\n[Mute]"),
        tool=says(
            "The wearer asks.\n</think>\n"
            '<tool_call>function\nset_timer\n{"duration": "9 minutes"}</tool_call>'
        ),
        answer=says("A question.</think>It is four.<|EOT|>"),
    ),
    "audio-flamingo-3": Style(tool=says('[set_timer(duration="9 minutes")]')),
    "openai-server": Style(tool=says(f"`{CALL}`")),
    "judge-qwen3.5": Style(tool=says(CALL)),
}


def run_profile(
    tmp_path: Path, name: str, reply: Callable[[Request, int], Reply], **changes: Any
) -> tuple[list[Prediction], list[Request]]:
    data = tmp_path / "data"
    if not data.exists():
        small_dataset(data, cases=1)
    with serving(reply) as server:
        profile = load_profile(name)
        path = "/v1" if profile.kind == "openai_server" else ""
        job = Job(
            out=data,
            predictions=tmp_path / "pred",
            profile=replace(profile, base_url=server.url + path, **changes),
            method=RAW,
            patience=Patience(retries=1, wait_s=0.001, timeout_s=20),
            jobs=1,
        )
        with prepare(job) as prepared:
            prepared.send()
    return list(read_predictions(tmp_path / "pred")), server.requests


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "gemini-secret-key")
    monkeypatch.delenv("VGEVAL_API_KEY", raising=False)


def test_every_packaged_profile_is_tested_here() -> None:
    packaged = {file.stem for file in PROFILES.glob("*.yaml")}
    served = {name for name in packaged if load_profile(name).kind in ("openai_server", "gemini")}
    assert set(STYLES) == served
    assert all(load_profile(name).name == name for name in packaged)


@pytest.mark.parametrize("name", STYLES)
def test_outputs_are_read_in_the_models_own_style(name: str, tmp_path: Path) -> None:
    style = STYLES[name]
    replies = [style.tool, style.mute, style.answer]
    predictions, _ = run_profile(tmp_path, name, lambda request, number: replies[number])
    kinds = [
        (verdicts.strict.kind, verdicts.lenient.kind)
        for p in predictions
        for verdicts in [judge(str(p.raw), p.normalisation, INVENTORY)]
    ]
    assert kinds == [("invalid", "tool"), ("mute", "mute"), ("answer", "answer")]
    tool = predictions[0].action
    assert getattr(tool, "name", None) == "set_timer"
    assert getattr(tool, "params", None) == {"duration": "9 minutes"}
    assert {p.normalisation for p in predictions} == {load_profile(name).normaliser}


@pytest.mark.parametrize("name", [name for name in STYLES if not name.startswith("gemini-flash")])
def test_what_a_chat_server_is_sent(name: str, tmp_path: Path) -> None:
    profile = load_profile(name)
    predictions, requests = run_profile(tmp_path, name, lambda request, number: says("[Mute]"))
    assert [p.item_id for p in predictions] == ["c0.same_speaker", "c0.switch", "c0.text_only"]
    for prediction, sent in zip(predictions, requests, strict=True):
        assert sent.path == "/v1/chat/completions"
        body = sent.json
        assert body["model"] == profile.model
        assert (body["temperature"], body["max_tokens"]) == (0.0, profile.max_tokens)
        assert not {"tools", "tool_choice", "stream", "extra_body"} & set(body)
        for field_name, value in profile.extra_body.items():
            assert body[field_name] == value
        wav = tmp_path / "data" / "wav" / f"{prediction.item_id}.wav"
        assert sent.audio == ([wav.read_bytes()] if wav.exists() else [])
        roles = [turn["role"] for turn in body["messages"]]
        words = [part["text"] for part in sent.parts if part["type"] == "text"]
        if profile.system_role == "user":
            assert roles == ["user"]
            assert words[0].startswith(PROMPT.system)
        else:
            assert roles == ["system", "user"]
            assert body["messages"][0]["content"] == PROMPT.system
        if wav.exists():
            assert words[0].endswith(PROMPT.audio_request)
            order = [part["type"] for part in sent.parts]
            assert order == (
                ["text", "input_audio"] if profile.parts == "text_first" else ["input_audio", "text"]
            )
        else:
            assert words[0].endswith(PROMPT.transcript_request("Words 0 of context.\nWords 0 of trigger."))


def test_what_gemini_is_sent(tmp_path: Path) -> None:
    predictions, requests = run_profile(
        tmp_path, "gemini-flash", lambda request, number: gemini({"text": "[Mute]"})
    )
    for prediction, sent in zip(predictions, requests, strict=True):
        assert sent.path == "/v1beta/models/gemini-3.8-flash:generateContent"
        assert sent.headers["x-goog-api-key"] == "gemini-secret-key"
        assert sent.json["systemInstruction"] == {"parts": [{"text": PROMPT.system}]}
        assert sent.json["generationConfig"] == {"temperature": 0.0, "maxOutputTokens": 2048}
        assert not {"tools", "toolConfig"} & set(sent.json)
        (turn,) = sent.json["contents"]
        assert turn["role"] == "user"
        wav = tmp_path / "data" / "wav" / f"{prediction.item_id}.wav"
        if wav.exists():
            clip, words = turn["parts"]
            assert clip["inlineData"]["mimeType"] == "audio/wav"
            assert base64.b64decode(clip["inlineData"]["data"], validate=True) == wav.read_bytes()
            assert words == {"text": PROMPT.audio_request}
        else:
            assert len(turn["parts"]) == 1
    text = (tmp_path / "pred" / "ledger.jsonl").read_text(encoding="utf-8")
    assert "gemini-secret-key" not in text


GEMINI_FAULTS = {
    "blocked": (Reply(body=b'{"promptFeedback": {"blockReason": "SAFETY"}}'), "blocked the request: SAFETY"),
    "no candidates": (Reply(body=b'{"candidates": []}'), "no completion"),
    "candidates null": (Reply(body=b'{"candidates": null}'), "no completion"),
    "parts of another kind": (Reply(body=b'{"candidates": [{"content": {"parts": [5]}}]}'), "no completion"),
    "500": (Reply(status=500, body=b'{"error": {"message": "internal"}}'), "HTTP 500: .*internal"),
    "429": (Reply(status=429, body=b"quota for gemini-secret-key"), r"HTTP 429: quota for \[key\]"),
    "10 MB": (gemini({"text": "x" * 10_000_000}), "more than 4,000,000 bytes"),
    "half-closed": (replace(gemini({"text": "x"}), cut_at=9), "RemoteProtocolError"),
}


@pytest.mark.parametrize("name", GEMINI_FAULTS)
def test_geminis_faults_are_the_items_errors(name: str, tmp_path: Path) -> None:
    reply, message = GEMINI_FAULTS[name]
    predictions, requests = run_profile(tmp_path, "gemini-flash", lambda request, number: reply)
    assert len(requests) == (3 if name == "blocked" else 6)
    for prediction in predictions:
        with pytest.raises(RuntimeError, match=message):
            raise RuntimeError(prediction.error)


def test_a_candidate_without_words_is_an_empty_output_and_no_error(tmp_path: Path) -> None:
    empty = Reply(body=b'{"candidates": [{"finishReason": "MAX_TOKENS"}]}')
    predictions, _ = run_profile(tmp_path, "gemini-flash", lambda request, number: empty)
    assert [(p.raw, p.error) for p in predictions] == [("", None)] * 3
    assert predictions[0].decoding["served"] == {"finish_reason": "MAX_TOKENS"}


def test_a_request_too_large_for_gemini_is_not_sent(tmp_path: Path) -> None:
    clip = wav_bytes(480)
    write_dataset(tmp_path / "data", [(row(0, "switch", clip), clip)])
    predictions, requests = run_profile(
        tmp_path, "gemini-flash", lambda request, number: gemini({"text": "x"})
    )
    assert requests == []
    assert "of 20,000,000 allowed" in str(predictions[0].error)


def test_gemini_without_a_key_says_which_one_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GEMINI_API_KEY")
    with pytest.raises(InputError, match="GEMINI_API_KEY  gemini-flash needs a key; export GEMINI_API_KEY="):
        run_profile(tmp_path, "gemini-flash", lambda request, number: gemini())
    assert not (tmp_path / "pred").exists()


def test_step_audio_gets_long_clips_in_parts(tmp_path: Path) -> None:
    clip = wav_bytes(60)
    write_dataset(tmp_path / "data", [(row(0, "switch", clip), clip)])
    _, (sent,) = run_profile(tmp_path, "step-audio-r1", lambda request, number: says("</think>[Mute]"))
    lengths = [len(part) - 44 for part in sent.audio]
    assert lengths == [25 * 32_000, 25 * 32_000, 10 * 32_000]
    assert b"".join(part[44:] for part in sent.audio) == clip[44:]
    assert [part["type"] for part in sent.parts] == ["input_audio"] * 3 + ["text"]


def test_audio_as_a_data_url(tmp_path: Path) -> None:
    _, requests = run_profile(
        tmp_path, "qwen3-omni", lambda request, number: says("[Mute]"), audio_as="audio_url"
    )
    assert requests[0].parts[0]["type"] == "audio_url"
    assert requests[0].audio == [(tmp_path / "data" / "wav" / "c0.same_speaker.wav").read_bytes()]


def test_thoughts_that_a_server_split_off_are_kept_in_front(tmp_path: Path) -> None:
    replies = [
        says("[Mute]", reasoning_content="far away"),
        says("", reasoning="cut off"),
        says([{"type": "text", "text": "It is "}, {"type": "text", "text": "four."}]),
    ]
    predictions, _ = run_profile(tmp_path, "step-audio-r1", lambda request, number: replies[number])
    assert [p.raw for p in predictions[:2]] == ["<think>far away</think>[Mute]", "<think>cut off</think>"]
    kinds = [judge(str(p.raw), p.normalisation, INVENTORY).strict.kind for p in predictions]
    # The last one never closed the thoughts that the template opens.
    assert kinds == ["mute", "invalid", "invalid"]


@pytest.mark.parametrize("content", ["\ud83d", "caf\u00e9 \U0001f600", "\x00\u2028"])
def test_any_text_is_written_and_read_again(content: str, tmp_path: Path) -> None:
    predictions, _ = run_profile(tmp_path, "qwen3-omni", lambda request, number: says(content))
    assert predictions[0].raw == content.encode("utf-8", "replace").decode()


def test_keys_stand_in_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VGEVAL_API_KEY", "sk-very-secret")

    def tells(request: Request, number: int) -> Reply:
        assert request.headers["authorization"] == "Bearer sk-very-secret"
        told = request.headers["authorization"]
        return says(told) if number == 0 else Reply(status=500, body=f"bad {told}".encode())

    predictions, _ = run_profile(tmp_path, "qwen3-omni", tells)
    assert predictions[0].raw == "Bearer [key]"
    assert predictions[1].error == "HTTP 500: bad Bearer [key]"
    for file in (tmp_path / "pred").iterdir():
        assert b"sk-very-secret" not in file.read_bytes()


FILES = {
    "no YAML": ("{", ["not YAML"]),
    "a list": ("[]", ["is not of type 'object'"]),
    "all at once": (
        "name: Bad Name\ntitle: x\nkind: opnai\nmodel: m\nnormaliser: qwen_omni\nspeed: 3\n",
        ["'Bad Name' does not match", "'opnai' is not one of", "did you mean 'qwen3_omni'", "'speed' was"],
    ),
    "greedy decoding is not for profiles to change": (
        "name: x\ntitle: x\nkind: openai_server\nmodel: m\nextra_body: {temperature: 1}\n",
        ["extra_body: "],
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_bad_profiles_are_told_whole(name: str, tmp_path: Path) -> None:
    text, messages = FILES[name]
    (tmp_path / "p.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_profile(str(tmp_path / "p.yaml"))
    for message in messages:
        assert message in str(caught.value)
    assert len(caught.value.problems) == len(messages)


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(InputError, match="there is no profile 'qwen-omni'; did you mean 'qwen3-omni'"):
        load_profile("qwen-omni")


def test_the_hash_knows_what_may_change_an_output_and_nothing_else() -> None:
    profile = load_profile("qwen3-omni")
    assert profile.sha256 == replace(profile, base_url="http://elsewhere/v1", notes="", serve="").sha256
    for change in ({"max_tokens": 1}, {"system_role": "user"}, {"extra_body": {"top_k": 1}}, {"model": "x"}):
        assert profile.sha256 != replace(profile, **change).sha256  # type: ignore[arg-type]


def test_profiles_name_normalisers_that_exist() -> None:
    for name in profile_names():
        assert load_profile(name).normaliser in NORMALISERS
