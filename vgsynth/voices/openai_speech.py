"""Any endpoint that speaks as OpenAI's does: ``POST {base_url}/audio/speech``.

The voice is the endpoint's own name for it. Its output is not the same each time, so the first one is pinned
by the cache. The key comes from ``$OPENAI_API_KEY`` alone: it has no place in a spec.
"""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException

import numpy as np

from vgsynth.contract.canonical import sha256_of
from vgsynth.plan.model import Setting
from vgsynth.voices.protocol import Utterance
from vgsynth.voices.recordings import decode_bytes
from vgsynth.voices.settings import Number, Rules, Text, check_settings, voice_error

KEY_VARIABLE = "OPENAI_API_KEY"
BASE_URL_VARIABLE = "OPENAI_BASE_URL"
DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_MODEL = "gpt-4o-mini-tts"
SETTINGS: Rules = {
    "base_url": Text(wants_text="an address such as http://localhost:8000/v1"),
    "model": Text(wants_text="the endpoint's name of a model"),
    "instructions": Text(wants_text="how to say it"),
    "speed": Number(low=0.25, high=4.0),
    "timeout_s": Number(low=0.1, high=3600),
    "tries": Number(low=1, high=10, whole=True),
}
_NOT_SENT = frozenset({"base_url", "timeout_s", "tries"})
_PCM_RATE_HZ = 24_000
"""What OpenAI's ``pcm`` has; some servers send it whatever was asked for."""
_WORTH_ANOTHER_TRY = frozenset({408, 409, 429, 500, 502, 503, 504})


class OpenAISpeechEngine:
    """An OpenAI-compatible speech endpoint."""

    deterministic = False

    def fingerprint(self, voice: str, settings: Mapping[str, Setting]) -> str:
        """The address and what is sent besides the text."""
        check_settings(f"openai/{voice}", settings, SETTINGS)
        return f"openai 1; {sha256_of([_base_url(settings), _request('', voice, settings)])}"

    def speak(self, text: str, voice: str, settings: Mapping[str, Setting]) -> Utterance:
        """At the rate that the answer has. Tries again, a little later, where the server says it is busy."""
        check_settings(f"openai/{voice}", settings, SETTINGS)
        content_type, data = _post(_base_url(settings), _request(text, voice, settings), voice, settings)
        if content_type.startswith(("audio/pcm", "audio/l16")):
            steps = np.frombuffer(data[: len(data) // 2 * 2], dtype="<i2")
            return Utterance((steps / 32_768).astype(np.float32), _PCM_RATE_HZ)
        return decode_bytes(data, name=f"voice openai/{voice}")


def _base_url(settings: Mapping[str, Setting]) -> str:
    return str(settings.get("base_url") or os.environ.get(BASE_URL_VARIABLE) or DEFAULT_BASE_URL).rstrip("/")


def _request(text: str, voice: str, settings: Mapping[str, Setting]) -> dict[str, Setting]:
    sent = {name: value for name, value in settings.items() if name not in _NOT_SENT}
    return {"model": DEFAULT_MODEL, **sent, "input": text, "voice": voice, "response_format": "wav"}


def _post(
    base_url: str, body: Mapping[str, Setting], voice: str, settings: Mapping[str, Setting]
) -> tuple[str, bytes]:
    """The answer's content type (lower case) and bytes."""
    voice_id = f"openai/{voice}"
    headers = {"Content-Type": "application/json", "Accept": "audio/wav"}
    if key := os.environ.get(KEY_VARIABLE):
        headers["Authorization"] = f"Bearer {key}"
    if not base_url.startswith(("http://", "https://")):
        raise voice_error(voice_id, f"{base_url!r} is no web address", "begin it with http:// or https://")
    request = urllib.request.Request(f"{base_url}/audio/speech", json.dumps(body).encode(), headers)
    tries, timeout_s = int(settings.get("tries", 4)), float(settings.get("timeout_s", 60))
    for again in range(tries):
        if again:
            time.sleep(min(8.0, 0.25 * 2.0**again))
        try:
            with urllib.request.urlopen(request, timeout=timeout_s) as answer:
                return str(answer.headers.get("Content-Type", "")).lower(), answer.read()
        except urllib.error.HTTPError as error:
            why = f"{base_url} answered {error.code}: {error.read(300).decode(errors='replace').strip()}"
            if error.code in (401, 403):
                raise voice_error(voice_id, why, f"put the endpoint's key in ${KEY_VARIABLE}") from error
            if error.code not in _WORTH_ANOTHER_TRY:
                raise voice_error(voice_id, why, "check the model, the voice and the address") from error
        except (urllib.error.URLError, TimeoutError, ConnectionError, HTTPException) as error:
            why = f"{base_url} cannot be reached: {getattr(error, 'reason', None) or error or 'broken off'}"
    raise voice_error(voice_id, f"{why} ({tries} tries)", "check that the endpoint runs, or try later")
