"""Writing what describes a set into its folder."""

from __future__ import annotations

from pathlib import Path

from vgsynth.contract.problems import InputError
from vgsynth.export.about import Author, about
from vgsynth.export.card import CARD_NAME, card
from vgsynth.export.croissant import CROISSANT_NAME, croissant_bytes


def describe(out: Path, author: Author) -> tuple[Path, ...]:
    """Write ``README.md`` and ``croissant.json`` into ``out``; returns the files.

    Raises InputError where ``out`` is not a whole rendered set, or cannot be written to.
    """
    known = about(out, author)
    files = {CARD_NAME: card(known).encode(), CROISSANT_NAME: croissant_bytes(known)}
    try:
        for name, content in files.items():
            part = out / f".{name}.part"
            part.write_bytes(content)
            part.replace(out / name)
    except OSError as error:
        raise InputError.at(str(out), f"cannot be written to: {error.strerror or error}", "") from error
    return tuple(out / name for name in files)
