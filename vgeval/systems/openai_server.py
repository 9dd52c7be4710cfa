"""Servers that speak OpenAI's chat completions, vLLM's above all.

Tools are listed in the prompt and never sent as ``tools``, so that no parser of the server rewrites the
output.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from vgeval.parsing.normalisers import NORMALISERS
from vgeval.systems.arrange import arrange
from vgeval.systems.conversation import Audio, Completion, Conversation, Message, Part
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

if TYPE_CHECKING:
    from openai import AsyncOpenAI


class OpenAIServer:
    """A system behind an OpenAI-compatible server. Raises InputError where URL or client are missing."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._key = api_key(profile)
        self._client = _client(profile, self._key)
        # The client imports the rest of itself here: seconds that are no request's.
        self._create = self._client.chat.completions.with_streaming_response.create

    async def complete(self, conversation: Conversation, item: Item) -> Completion:
        """The server's answer to a conversation. Raises RequestError."""
        import httpx
        import openai

        try:
            return completion(await self._post(request(conversation, self._profile)), self._profile)
        except openai.APIStatusError as error:
            told = without_secret(str(error.message), self._key)
            raise status_error(error.status_code, told, error.response.headers.get("retry-after")) from None
        except (openai.OpenAIError, httpx.HTTPError, httpx.StreamError) as error:
            raise connection_error(error.__cause__ or error) from None

    async def _post(self, fields: dict[str, Any]) -> bytes:
        body = bytearray()
        async with self._create(**fields) as response:
            async for chunk in response.iter_bytes():
                body += chunk
                if len(body) > LONGEST_BODY:
                    raise too_long()
        return bytes_without_secret(bytes(body), self._key)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _client(profile: Profile, key: str) -> AsyncOpenAI:
    try:
        import openai
    except ImportError as error:
        raise InputError.at(
            profile.name, "the openai client is not installed", "pip install 'vgbench[eval]'"
        ) from error
    if profile.base_url is None:
        raise InputError.at("--base-url", f"{profile.name} does not say where its server is", "give the URL")
    # Retries and the time limit are the runner's: one place for every kind of system and of fault.
    return openai.AsyncOpenAI(base_url=profile.base_url, api_key=key or "none", max_retries=0, timeout=None)


def request(conversation: Conversation, profile: Profile) -> dict[str, Any]:
    """The fields of a request. Greedy decoding."""
    fields: dict[str, Any] = {
        "model": profile.model,
        "messages": [_message(message, profile) for message in arrange(conversation, profile)],
        "temperature": 0.0,
        "max_tokens": profile.max_tokens,
    }
    if profile.extra_body:
        fields["extra_body"] = dict(profile.extra_body)
    return fields


def _message(message: Message, profile: Profile) -> dict[str, Any]:
    if message.role != "user":
        return {"role": message.role, "content": message.words}
    return {"role": "user", "content": [_part(part, profile) for part in message.parts]}


def _part(part: Part, profile: Profile) -> dict[str, Any]:
    if not isinstance(part, Audio):
        return {"type": "text", "text": part.text}
    data = base64.b64encode(part.wav).decode("ascii")
    if profile.audio_as == "audio_url":
        return {"type": "audio_url", "audio_url": {"url": f"data:audio/wav;base64,{data}"}}
    return {"type": "input_audio", "input_audio": {"data": data, "format": "wav"}}


def completion(body: bytes, profile: Profile) -> Completion:
    """The output in a response's body. Raises RequestError for a body that holds none."""
    try:
        data = json.loads(body)
        choice = data["choices"][0]
        message = choice["message"]
        content = message.get("content")
        thoughts = as_text(message.get("reasoning_content") or message.get("reasoning"))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise no_completion(body) from None
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    text = as_text(content)
    details = {
        "finish_reason": choice.get("finish_reason"),
        "usage": data.get("usage"),
        "model": data.get("model"),
        "reasoning": thoughts or None,
    }
    if thoughts and profile.reasoning_is_output and not text:
        text = thoughts
    elif thoughts and NORMALISERS[profile.normaliser].thinking != "none":
        text = f"<think>{thoughts}</think>{text}"
    return Completion(text=text, details={key: value for key, value in details.items() if value is not None})
