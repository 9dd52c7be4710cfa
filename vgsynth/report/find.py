"""Finding items in a manifest without reading all of it as rows."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator
from pathlib import Path

from rapidfuzz.distance import DamerauLevenshtein

from vgsynth.contract.manifest import MANIFEST_NAME, ManifestRow, read_manifest
from vgsynth.contract.problems import InputError

SUGGESTIONS = 3
CLOSE_ENOUGH = 0.6


def find_item(out: Path, item_id: str) -> ManifestRow:
    """The row of an item in the rendered folder ``out``.

    Raises InputError for an item that is not there (with the ids most like it), and for a missing or damaged
    manifest.
    """
    for row in _rows_with(out, item_id):
        if row.item_id == item_id:
            return row
    raise InputError.at(str(out / MANIFEST_NAME), f"there is no item {item_id!r}", _suggestion(out, item_id))


def find_pair(out: Path, row: ManifestRow) -> tuple[ManifestRow, ...]:
    """The other items of a row's pair, in the manifest's order; none where it has no pair."""
    if row.pair_id is None:
        return ()
    return tuple(
        other
        for other in _rows_with(out, row.pair_id)
        if other.pair_id == row.pair_id and other.item_id != row.item_id
    )


def _rows_with(out: Path, text: str) -> Iterator[ManifestRow]:
    """Rows whose line holds ``text`` as a JSON string: a sieve, since parsing rows is what takes time."""
    file = out / MANIFEST_NAME
    needles = {json.dumps(text, ensure_ascii=ascii_only) for ascii_only in (False, True)}
    try:
        lines = file.open(encoding="utf-8")
    except OSError as error:
        raise InputError.at(
            str(file), f"cannot read the manifest: {error.strerror}", "render the spec first"
        ) from error
    with lines:
        try:
            for number, line in enumerate(lines, start=1):
                if any(needle in line for needle in needles):
                    yield _row(file, number, line)
        except UnicodeDecodeError as error:
            raise InputError.at(str(file), f"not a manifest: {error}", "render again") from error


def _row(file: Path, number: int, line: str) -> ManifestRow:
    try:
        return ManifestRow.from_json(json.loads(line))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError.at(str(file), f"not a manifest row: {error}", "render again", line=number) from error


def _suggestion(out: Path, item_id: str) -> str:
    def likeness(other: str) -> float:
        return DamerauLevenshtein.normalized_similarity(item_id, other)

    # By likeness, then by id, so that the same typo always gets the same answer.
    near = heapq.nsmallest(SUGGESTIONS, ((-likeness(row.item_id), row.item_id) for row in read_manifest(out)))
    names = [name for score, name in near if -score >= CLOSE_ENOUGH]
    return f"did you mean {' or '.join(names)}?" if names else "vgsynth report shows what there is"
