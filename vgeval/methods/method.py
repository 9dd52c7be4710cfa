"""The shape of a method, and the first turn that all of them share."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

from vgeval.parsing.verdict import response
from vgeval.prompt.instruction import Prompt
from vgeval.systems.conversation import Audio, Conversation, Message, Text
from vgsynth.contract.canonical import sha256_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One item with its prompt: all that a method may use."""

    prompt: Prompt
    wav: bytes | None = field(default=None, repr=False)
    """The clip. None for items of words alone."""
    transcript: str = ""
    note: str = ""
    """What is read beside the item."""
    normaliser: str = "strict"
    """The profile's, by which :meth:`plain` takes chat wrapping off."""

    def plain(self, output: str) -> str:
        """An output without chat wrapping: what a later turn may quote."""
        return response(output, self.normaliser)

    @property
    def request(self) -> Message:
        """The user's turn that asks for the action."""
        if self.wav is None:
            words = self.noted(self.prompt.transcript_request(self.transcript))
            return Message(role="user", parts=(Text(text=words),))
        words = self.noted(self.prompt.audio_request)
        return Message(role="user", parts=(Audio(wav=self.wav), Text(text=words)))

    def noted(self, words: str) -> str:
        """The words of a turn that asks for the action, behind the item's note."""
        return f"{self.note}\n\n{words}" if self.note else words

    @property
    def instruction(self) -> Message:
        """The system's turn."""
        return Message(role="system", parts=(Text(text=self.prompt.system),))


Procedure = Generator[Conversation, str, str]
"""Yields what to ask next, is sent the output as it came, returns the output to be scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A named way of asking."""

    name: str
    about: str
    ask: Callable[[Question], Procedure]
    texts: Mapping[str, Any] = field(default_factory=dict)
    """Every word and number that it adds to the prompt."""
    normaliser: str | None = None
    """For outputs that the method writes itself; None where it returns one of the model's, to be read by the
    profile's normaliser."""

    @property
    def sha256(self) -> str:
        """Hash of name, texts and options."""
        return sha256_of({"name": self.name, "texts": dict(self.texts)})
