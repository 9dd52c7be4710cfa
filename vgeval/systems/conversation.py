"""What is said to a system and what comes back, in no provider's format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from vgeval.tasks.item import Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Words."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Audio:
    """A clip: the bytes of a 16 kHz mono PCM WAV file."""

    wav: bytes = field(repr=False)


Part = Text | Audio


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn. Only the user's turns hold audio."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[Part, ...]

    @property
    def words(self) -> str:
        """Its words, without audio."""
        return "\n\n".join(part.text for part in self.parts if isinstance(part, Text))


Conversation = tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a system said."""

    text: str
    """The output, untouched. Thoughts that a server has split off stand in front again, as ``<think>``."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What the server told besides: finish reason, tokens, the model's name."""


class System(Protocol):
    """Anything that completes a conversation."""

    async def complete(self, conversation: Conversation, item: Item) -> Completion:
        """The next turn. ``item`` is for oracles: a system that is evaluated uses the conversation alone.

        Raises RequestError for whatever goes wrong on the way.
        """

    async def close(self) -> None:
        """Let go of connections and memory."""


class RequestError(Exception):
    """A request that came to nothing."""

    def __init__(self, message: str, *, retry: bool, after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry = retry
        """Whether the same request may succeed later."""
        self.after_s = after_s
        """How long the server asks to wait."""


class ServerRefusedError(RequestError):
    """The server is not there, or wants none of our requests: no item's fault, so the run stops."""
