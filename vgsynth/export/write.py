"""Writing what describes a set into its folder."""

from __future__ import annotations

import json
from pathlib import Path

from vgsynth.audit.files import write_whole
from vgsynth.export.about import Author, about
from vgsynth.export.card import CARD_NAME, card
from vgsynth.export.croissant import CROISSANT_NAME, croissant


def describe(out: Path, author: Author) -> tuple[Path, ...]:
    """Write ``README.md`` and ``croissant.json`` into ``out``; returns the files.

    Raises InputError where ``out`` is not a whole rendered set, or cannot be written to.
    """
    known = about(out, author)
    files = {
        out / CARD_NAME: card(known),
        out / CROISSANT_NAME: json.dumps(croissant(known), indent=2, ensure_ascii=False) + "\n",
    }
    for file, text in files.items():
        write_whole(file, text)
    return tuple(files)
