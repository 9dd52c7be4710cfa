"""Rows as the page's data: a short entry for each item, and details in chunks that load on demand."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from vgsynth.contract.manifest import ManifestRow
from vgsynth.report.facets import NONE, Facet, raw_values
from vgsynth.report.facts import facts, segment_titles
from vgsynth.report.preview import preview
from vgsynth.report.survey import Survey
from vgsynth.report.wav import read_pcm, wav_path
from vgsynth.report.words import target_words

CHUNK_ITEMS = 25

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def safe_json(value: Any) -> Markup:
    """JSON that may stand inside a script element and inside a JavaScript program.

    ``<``, ``>`` and ``&`` are escapes, so that no text can end the element or open a comment; so are U+2028
    and U+2029, which end a line in older JavaScript. Lone surrogates, which are no text, become U+FFFD.
    Raises ValueError for NaN.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(_LONE_SURROGATE.sub("\ufffd", text).translate(_ESCAPES))


def head(found: Survey, *, embedded: bool, files: str) -> dict[str, Any]:
    """What the page's script needs before any item. ``files``: the chunks' folder, relative to the page."""
    return {
        "key": found.key,
        "embedded": embedded,
        "files": quote(files),
        "chunk": CHUNK_ITEMS,
        "speakers": list(found.speakers),
        "facets": [
            {"key": f.key, "label": f.label, "values": list(f.values), "names": list(f.names)}
            for f in found.facets
        ],
    }


def entries(rows: Iterable[ManifestRow], found: Survey) -> Iterator[Markup]:
    """One JSON array an item: ``[id, case, pair, target, rate, samples, facets, segments]``.

    ``facets``: for each facet the index of its value, or a list of them. ``segments``: ``[title, speaker,
    start, length, tail, far, text]``, with the speaker as an index and times in samples.
    """
    lookups = [(facet, facet.index()) for facet in found.facets]
    speakers = {name: i for i, name in enumerate(found.speakers)}
    for row in rows:
        raw = raw_values(row)
        yield safe_json(
            [
                row.item_id,
                row.case_id,
                row.pair_id,
                target_words(row.target),
                row.sample_rate_hz or 0,
                row.length_samples,
                [_indices(facet, lookup, raw.get(facet.key, (NONE,))) for facet, lookup in lookups],
                [
                    [
                        title,
                        speakers[segment.speaker],
                        segment.start_sample,
                        segment.length_samples,
                        segment.tail_samples,
                        int(segment.room is not None and segment.room.distance == "far"),
                        segment.text,
                    ]
                    for title, segment in zip(segment_titles(row), row.segments, strict=True)
                ],
            ]
        )


def chunks(
    rows: Iterable[ManifestRow], out: Path, *, embedded: bool, page_folder: Path
) -> Iterator[tuple[Markup, int]]:
    """JSON arrays of the details of CHUNK_ITEMS items each, in order, and how many items they hold.

    With ``embedded`` the WAVs are in them; else their addresses as seen from ``page_folder``, and previews.
    Holds one chunk at a time.
    """
    stream = iter(rows)
    while batch := list(islice(stream, CHUNK_ITEMS)):
        details = [_detail(row, out, embedded=embedded, page_folder=page_folder) for row in batch]
        yield safe_json(details), len(batch)


def _indices(facet: Facet, lookup: dict[str, int], raw: tuple[str, ...]) -> int | list[int]:
    found = sorted({lookup[facet.value_of(value)] for value in raw})
    return found[0] if len(found) == 1 else found


def _detail(row: ManifestRow, out: Path, *, embedded: bool, page_folder: Path) -> dict[str, Any]:
    detail: dict[str, Any] = {
        "id": row.item_id,
        "facts": [[f.group, f.label, f.value, int(f.measured)] for f in facts(row)],
        "row": row.to_json(),
    }
    path = wav_path(out, row)
    if path is None:
        return detail
    if embedded:
        detail["wav"] = base64.b64encode(path.read_bytes()).decode()
    else:
        # Quoted, a colon cannot pass for a scheme, nor a hash or question mark for the end of the path.
        relative = os.path.relpath(path.resolve(), page_folder.resolve())
        detail["url"] = quote(Path(relative).as_posix())
        detail["preview"] = preview(read_pcm(path), row.sample_rate_hz or 1)
    return detail
