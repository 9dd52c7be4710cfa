"""What a chat template puts around a response: headers, terminators, thoughts."""

from __future__ import annotations

from typing import Literal

Thinking = Literal["none", "optional", "opened"]
"""Whether a response begins with a block of thoughts: never, perhaps, or always, the template having
written the opening tag itself, so that the response holds the closing one alone."""

OPEN, CLOSE = "<think>", "</think>"


def without_chat(
    text: str, *, prefixes: tuple[str, ...], terminators: tuple[str, ...], thinking: Thinking
) -> str:
    """The response alone: behind the header, before the first terminator, without thoughts in front.

    Thoughts that never end are left in place, opening tag included: the strict parser refuses them.
    """
    text = text.lstrip()
    for prefix in prefixes:
        text = text.removeprefix(prefix).lstrip()
    end = min((at for at in map(text.find, terminators) if at >= 0), default=len(text))
    text = text[:end].strip()
    return text if thinking == "none" else _without_thoughts(text, opened=thinking == "opened")


def _without_thoughts(text: str, *, opened: bool) -> str:
    thoughts, closed, rest = text.partition(CLOSE)
    if closed and (thoughts.startswith(OPEN) or OPEN not in thoughts):
        return rest.strip()
    if opened and not text.startswith(OPEN):
        return OPEN + text
    return text
