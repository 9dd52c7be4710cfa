"""Gemini's native API: ``generateContent`` with the clip inline (ai.google.dev/api/generate-content)."""

from __future__ import annotations

import base64
import json
from typing import Any

from vgeval.systems.arrange import arrange
from vgeval.systems.conversation import Audio, Completion, Conversation, Message, Part, RequestError
from vgeval.systems.http import (
    LONGEST_BODY,
    as_text,
    connection_error,
    no_completion,
    status_error,
    too_long,
)
from vgeval.systems.profile import Profile
from vgeval.systems.secrets import api_key, bytes_without_secret, without_secret
from vgeval.tasks.item import Item
from vgsynth.contract.problems import InputError

LONGEST_REQUEST = 20_000_000
"""Bytes of a request with inline data."""
_ROLES = {"user": "user", "assistant": "model"}


class Gemini:
    """A Gemini model. Raises InputError where the key or the HTTP client is missing."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._key = api_key(profile)
        try:
            import httpx
        except ImportError as error:
            raise InputError.at(
                profile.name, "httpx is not installed", "pip install 'vgbench[eval]'"
            ) from error
        base = (profile.base_url or "").rstrip("/")
        self._url = f"{base}/v1beta/models/{profile.model}:generateContent"
        headers = {"x-goog-api-key": self._key, "content-type": "application/json"}
        limits = httpx.Limits(max_connections=None)
        self._client = httpx.AsyncClient(headers=headers, timeout=None, limits=limits)

    async def complete(self, conversation: Conversation, item: Item) -> Completion:
        """The model's answer to a conversation. Raises RequestError."""
        import httpx

        body = json.dumps(request(conversation, self._profile)).encode()
        if len(body) > LONGEST_REQUEST:
            raise RequestError(
                f"a request of {len(body):,} bytes, of {LONGEST_REQUEST:,} allowed", retry=False
            )
        try:
            return completion(await self._post(body))
        except (httpx.HTTPError, httpx.StreamError) as error:
            raise connection_error(error) from None

    async def _post(self, request_body: bytes) -> bytes:
        body = bytearray()
        async with self._client.stream("POST", self._url, content=request_body) as response:
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > LONGEST_BODY:
                    raise too_long()
        if response.status_code != 200:
            told = without_secret(body.decode("utf-8", "replace"), self._key)
            raise status_error(response.status_code, told, response.headers.get("retry-after"))
        return bytes_without_secret(bytes(body), self._key)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def request(conversation: Conversation, profile: Profile) -> dict[str, Any]:
    """The body of a request. Greedy decoding."""
    arranged = arrange(conversation, profile)
    system = [{"text": message.words} for message in arranged if message.role == "system"]
    fields: dict[str, Any] = {
        "contents": [_content(message) for message in arranged if message.role != "system"],
        "generationConfig": {"temperature": 0.0, "maxOutputTokens": profile.max_tokens},
        **profile.extra_body,
    }
    return {"systemInstruction": {"parts": system}, **fields} if system else fields


def _content(message: Message) -> dict[str, Any]:
    return {"role": _ROLES[message.role], "parts": [_part(part) for part in message.parts]}


def _part(part: Part) -> dict[str, Any]:
    if not isinstance(part, Audio):
        return {"text": part.text}
    return {"inlineData": {"mimeType": "audio/wav", "data": base64.b64encode(part.wav).decode("ascii")}}


def completion(body: bytes) -> Completion:
    """The output in a response's body: its words without thoughts, a call as JSON.

    Raises RequestError for a body that holds none, not to be tried again where the API blocked the request.
    """
    try:
        data = json.loads(body)
        blocked = (data.get("promptFeedback") or {}).get("blockReason")
        if blocked:
            raise RequestError(f"the API blocked the request: {as_text(blocked)[:100]}", retry=False)
        candidate = data["candidates"][0]
        parts = (candidate.get("content") or {}).get("parts") or []
        text = "".join(_words(part) for part in parts)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise no_completion(body) from None
    details = {
        "finish_reason": candidate.get("finishReason"),
        "usage": data.get("usageMetadata"),
        "model": data.get("modelVersion"),
    }
    return Completion(text=text, details={key: value for key, value in details.items() if value is not None})


def _words(part: dict[str, Any]) -> str:
    if part.get("thought"):
        return ""
    call = part.get("functionCall")
    return json.dumps({"functionCall": call}) if call is not None else as_text(part.get("text"))
