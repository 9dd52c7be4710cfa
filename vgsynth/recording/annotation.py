"""The table of annotation: a row for each item, with cells for two annotators.

What the spec intends is not in it, so that it tells nobody what to write.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from vgsynth.contract.canonical import sha256_of
from vgsynth.recording.records import Record
from vgsynth.recording.script import Item, Script
from vgsynth.recording.tables import Table, read_table, table_bytes

ANNOTATORS = (1, 2)
LABELS = ("target", "addressee", "audio")
"""What each annotator says of an item: what an agent should do; who is spoken to, utterance by utterance; and
whether the audio is sound and says what the script says."""
CELLS = tuple(f"annotator_{number}_{label}" for number in ANNOTATORS for label in LABELS)
WRITTEN = (*CELLS, "notes", "recheck")
"""Columns that are people's. ``recheck`` is filled in where something changed behind labels; who has looked
again empties it."""
COLUMNS = ("item_id", "script", "recordings", "script_audio", "details", *WRITTEN, "case_id", "audio_id")
"""Those that are not people's are written anew each time. ``audio_id`` tells recordings and words apart from
others."""
BETWEEN = " | "
"""Between the utterances of a script."""
OK, CHECK, MISSING, GONE = "ok", "check", "missing", "not in the spec"


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A table as it is, or would be."""

    path: Path
    table: Table | None

    def updated(self, script: Script, records: Mapping[str, Record], root: Path) -> bytes:
        """The table for what is known now. What people wrote stays, in columns of their own too.

        ``root`` is where the recordings' paths begin. Rows of items that are gone stay where people wrote
        something.
        """
        before = {} if self.table is None else {row["item_id"]: row for row in self.table.rows}
        files = {prompt.id: _shown(root / prompt.file, self.path.parent) for prompt in script.prompts}
        rows = [_row(item, records, files, before.get(item.id, {})) for item in script.items]
        items = {item.id for item in script.items}
        gone = [
            {**row, "script_audio": GONE}
            for row in before.values()
            if row["item_id"] not in items and any(row[column].strip() for column in WRITTEN)
        ]
        more = () if self.table is None else tuple(c for c in self.table.columns if c not in COLUMNS)
        delimiter = "," if self.table is None else self.table.delimiter
        return table_bytes((*COLUMNS, *more), (*rows, *gone), delimiter=delimiter)


def read_annotation(path: Path) -> Annotation:
    """The table at ``path``, which need not exist. Raises InputError for one that cannot be read."""
    return Annotation(path=path, table=read_table(path, COLUMNS) if path.exists() else None)


def _row(
    item: Item, records: Mapping[str, Record], files: Mapping[str, str], before: Mapping[str, str]
) -> dict[str, str]:
    found = [records.get(id_, Record(state="missing")) for id_ in item.prompts]
    words = BETWEEN.join(f"{role}: {text.replace('|', '/')}" for role, text in item.script)
    audio_id = ""
    if all(record.in_place for record in found):
        # The letter in front keeps spreadsheets from reading 12e4567 as a number.
        audio_id = "r" + sha256_of([words, [record.file_sha256 for record in found]])[:12]
    known = before.get("audio_id", "")
    recheck = before.get("recheck", "")
    if known and audio_id not in ("", known) and any(before[cell].strip() for cell in CELLS):
        recheck = recheck or "recorded anew or worded otherwise since it was labelled"
    return {
        **before,
        "item_id": item.id,
        "case_id": item.case_id,
        "script": words,
        "recordings": " ".join(files[id_] for id_ in item.prompts),
        "script_audio": _verdict(found),
        "details": "; ".join(_details(item.prompts, found)),
        "audio_id": audio_id or known,
        "recheck": recheck,
    }


def _verdict(found: Sequence[Record]) -> str:
    if not all(record.in_place for record in found):
        return MISSING
    return OK if all(record.state == "ready" and record.compared for record in found) else CHECK


def _details(prompts: Sequence[str], found: Sequence[Record]) -> Iterator[str]:
    for id_, record in zip(prompts, found, strict=True):
        if record.state != "ready":
            yield f"{id_}: {record.state}" + (f" ({', '.join(record.findings)})" if record.findings else "")
        elif not record.compared:
            yield f"{id_}: not compared with the script"


def _shown(file: Path, folder: Path) -> str:
    return Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix()
