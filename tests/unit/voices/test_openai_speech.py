"""An OpenAI-compatible endpoint, played by a server on this machine."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import numpy as np
import pytest

from tests.unit.voices.audio_files import pcm16, wav_bytes
from tests.unit.voices.servers import reply, serving
from vgsynth.contract.problems import InputError
from vgsynth.voices import openai_speech
from vgsynth.voices.openai_speech import OpenAISpeechEngine

STEPS = np.arange(-500, 500) * 30
ENGINE = OpenAISpeechEngine()
ASKED: list[tuple[str, dict[str, Any], str | None]] = []
ANSWERS: list[tuple[int, bytes, str]] = []


def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    ASKED.append((handler.path, json.loads(body), handler.headers.get("Authorization")))
    reply(handler, *(ANSWERS.pop(0) if len(ANSWERS) > 1 else ANSWERS[0]))


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(openai_speech.time, "sleep", lambda _: None)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    ASKED.clear()
    ANSWERS[:] = [(200, wav_bytes(pcm16(STEPS), rate_hz=24_000), "audio/wav")]
    with serving(answer) as url:
        yield f"{url}/v1"


def test_what_is_asked_and_what_comes_back(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    said = ENGINE.speak("Hello.", "alloy", {"base_url": address, "model": "tts-1", "speed": 1.5, "tries": 1})
    assert said.sample_rate_hz == 24_000
    np.testing.assert_allclose(said.samples, STEPS / 2**15, atol=6e-8, rtol=0)
    assert ASKED == [
        (
            "/v1/audio/speech",
            {"model": "tts-1", "speed": 1.5, "input": "Hello.", "voice": "alloy", "response_format": "wav"},
            "Bearer secret",
        )
    ]


def test_the_address_may_come_from_the_environment(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", address + "/")
    ENGINE.speak("Hello.", "alloy", {})
    assert ASKED[0][0] == "/v1/audio/speech"
    assert ASKED[0][2] is None


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        (wav_bytes(pcm16(STEPS), rate_hz=24_000, claimed=0xFFFFFFFF), "audio/wav"),
        (wav_bytes(pcm16(STEPS), rate_hz=24_000, claimed=0), "audio/wav"),
        (pcm16(STEPS), "audio/pcm"),
        (pcm16(STEPS) + b"\x00", "audio/L16; rate=24000"),
    ],
)
def test_streams_whose_sizes_lie(address: str, data: bytes, content_type: str) -> None:
    ANSWERS[:] = [(200, data, content_type)]
    said = ENGINE.speak("Hello.", "alloy", {"base_url": address})
    assert said.sample_rate_hz == 24_000
    np.testing.assert_allclose(said.samples, STEPS / 2**15, atol=6e-8, rtol=0)


def test_a_busy_server_is_asked_again(address: str) -> None:
    ANSWERS[:] = [(500, b"oops", "text/plain"), (429, b"slow down", "text/plain"), *ANSWERS]
    assert ENGINE.speak("Hello.", "alloy", {"base_url": address}).samples.size == 1000
    assert len(ASKED) == 3


@pytest.mark.parametrize(
    ("answered", "tries", "asked", "words"),
    [
        ((500, b"oops"), 2, 2, "answered 500: oops (2 tries)"),
        ((401, b"no key"), 4, 1, "put the endpoint's key in $OPENAI_API_KEY"),
        ((400, b"no voice"), 4, 1, "answered 400: no voice; check the model"),
        ((200, b"<html>hello</html>"), 4, 1, "no audio that can be decoded"),
    ],
)
def test_failures_are_one_clear_error(
    address: str, answered: tuple[int, bytes], tries: int, asked: int, words: str
) -> None:
    ANSWERS[:] = [(*answered, "text/plain")]
    with pytest.raises(InputError) as caught:
        ENGINE.speak("Hello.", "alloy", {"base_url": address, "tries": tries})
    assert words in str(caught.value)
    assert str(caught.value).startswith("voice openai/alloy  ")
    assert len(ASKED) == asked


def test_a_server_that_never_answers() -> None:
    with serving(lambda *_: time.sleep(0.6)) as url:
        start = time.perf_counter()
        with pytest.raises(InputError, match=r"cannot be reached: timed out \(1 tries\)"):
            ENGINE.speak("Hello.", "alloy", {"base_url": url, "timeout_s": 0.1, "tries": 1})
        assert time.perf_counter() - start < 0.5


def test_no_server_and_no_web_address() -> None:
    with pytest.raises(InputError, match="Connection refused"):
        ENGINE.speak("Hello.", "alloy", {"base_url": "http://127.0.0.1:9", "tries": 1})
    with pytest.raises(InputError, match="no web address"):
        ENGINE.speak("Hello.", "alloy", {"base_url": "file:///etc"})


def test_the_fingerprint_tells_apart_what_matters() -> None:
    base: dict[str, Any] = {"base_url": "http://a/v1", "model": "m"}
    same = [ENGINE.fingerprint("v", {**base, **extra}) for extra in ({}, {"tries": 2}, {"timeout_s": 3})]
    other = [
        ENGINE.fingerprint("v", {**base, **extra}) for extra in ({"model": "n"}, {"base_url": "http://b/v1"})
    ]
    assert len(set(same)) == 1
    assert len({*same, *other}) == 3
