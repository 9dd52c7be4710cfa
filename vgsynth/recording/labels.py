"""What annotators write into the cells of the table, and what it means."""

from __future__ import annotations

import re
from collections.abc import Collection

from vgsynth.contract.action import MUTE_TEXT
from vgsynth.contract.suggest import did_you_mean

ADDRESSEES = ("assistant", "bystander", "self")
JUDGEMENTS = ("ok", "bad")
_TOOL = re.compile(r"tool\s*[:=]\s*(\S+)", re.IGNORECASE)
_BETWEEN = " + "


class LabelError(ValueError):
    """A cell that is no label: what is wrong, and what would be right."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


def read_target(text: str, tools: Collection[str] | None) -> str:
    """``[Mute]``, ``answer`` or ``tool:NAME``; "" for an empty cell. Letter case does not count.

    Where the ``tools`` are known, ``NAME`` alone will do. Raises LabelError.
    """
    written = text.strip()
    plain = written.strip("[]").strip().lower()
    if plain in ("", "answer"):
        return plain
    if plain == "mute":
        return MUTE_TEXT
    called = _TOOL.fullmatch(written)
    if called is None and (tools is None or plain not in {tool.lower() for tool in tools}):
        hint = did_you_mean(plain, [*(tools or ()), "mute", "answer"])
        raise LabelError(f"{written!r} is no target", hint or "write [Mute], answer or tool:NAME")
    name = (called[1] if called else plain).lower()
    known = {tool.lower(): tool for tool in tools} if tools is not None else {name: name}
    if name not in known:
        raise LabelError(
            f"there is no tool {name!r}", did_you_mean(name, known) or f"one of {', '.join(known)}"
        )
    return f"tool:{known[name]}"


def read_addressees(text: str, utterances: int | None) -> str:
    """The addressee of each utterance, in order: ``assistant + bystander``; "" for an empty cell.

    Anything but letters may stand between them; first letters will do. Raises LabelError, also where their
    number is not that of the ``utterances``.
    """
    words = re.findall(r"[^\W\d_]+", text.lower())
    found = [name for word in words for name in ADDRESSEES if name.startswith(word)]
    if len(found) != len(words):
        raise LabelError(f"{text.strip()!r} names no addressee", f"write {', '.join(ADDRESSEES)}")
    if found and utterances is not None and len(found) != utterances:
        raise LabelError(
            f"{text.strip()!r} names {len(found)} addressees for {utterances} utterances",
            "name one for each utterance, in order: assistant + bystander",
        )
    return _BETWEEN.join(found)


def read_judgement(text: str) -> str:
    """Whether the audio is what it should be: ``ok`` or ``bad``; "" for an empty cell. Raises LabelError."""
    plain = text.strip().lower()
    if plain not in ("", *JUDGEMENTS):
        raise LabelError(f"{text.strip()!r} is no judgement of the audio", "write ok or bad, or nothing")
    return plain


def addressees_label(addressees: Collection[str | None]) -> str:
    """The spec's addressees as annotators write them; "" where it does not give all of them."""
    stated = [addressee for addressee in addressees if addressee is not None]
    return _BETWEEN.join(stated) if len(stated) == len(addressees) else ""
