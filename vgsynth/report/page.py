"""``write_report``: a rendered folder as one page."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup

from vgsynth.contract.manifest import read_manifest
from vgsynth.contract.problems import InputError
from vgsynth.report.files import atomic_text, chunk_name, files_folder, remove_stale
from vgsynth.report.pack import CHUNK_ITEMS, chunks, entries, head, safe_json
from vgsynth.report.survey import KINDS, Survey, survey
from vgsynth.report.words import bytes_words, span_words

INLINE_BUDGET_BYTES = 20_000_000

Progress = Callable[[int, int], None]
"""Called with the number of items done and the number of all."""

PARTS = ("errors", "wav", "spectrum", "store", "state", "sound", "figure", "panel", "list", "main")
"""The page's program, in the order in which its parts stand in one function."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSummary:
    """What was written."""

    page: Path
    items: int
    cases: int
    pairs: int
    embedded: bool
    """True where the audio is inside the page; False where the page reads it from the folder."""
    wav_bytes: int
    page_bytes: int
    files: Path | None
    """The folder of details that belongs to the page; None where all is inside it."""


def write_report(
    out: Path,
    target: Path,
    *,
    inline_budget_bytes: int = INLINE_BUDGET_BYTES,
    on_progress: Progress | None = None,
) -> ReportSummary:
    """Write a page that shows the rendered folder ``out`` to the HTML file ``target``.

    The audio is inside the page where WAVs and manifest together take at most ``inline_budget_bytes``. Else
    the page plays the WAVs from where they are, and its details lie in a folder beside it, named after it
    (``report.html``: ``report_files``). Either way it works from disk and asks no other machine for
    anything.

    The page appears whole or not at all; one that was there stays usable until then. The same folder gives
    the same bytes. Raises InputError for a manifest or WAV that cannot be shown and for a target that cannot
    be written.
    """
    _check_target(out, target)
    found = survey(out)
    embedded = found.wav_bytes + found.manifest_bytes <= inline_budget_bytes
    folder = files_folder(target)
    try:
        if not embedded:
            _write_chunks(out, folder / found.key, found, target.parent, on_progress)
        with atomic_text(target) as file:
            for piece in _page(out, target, found, embedded=embedded, on_progress=on_progress):
                file.write(piece)
        remove_stale(folder, keep=None if embedded else found.key)
    except OSError as error:
        fix = "free some space, or write the report elsewhere"
        raise InputError.at(
            str(target), f"cannot write the report: {error.strerror or error}", fix
        ) from error
    return ReportSummary(
        page=target,
        items=found.items,
        cases=found.cases,
        pairs=found.pairs,
        embedded=embedded,
        wav_bytes=found.wav_bytes,
        page_bytes=target.stat().st_size,
        files=None if embedded else folder,
    )


def _check_target(out: Path, target: Path) -> None:
    if target.suffix.lower() not in (".html", ".htm"):
        # Whatever else has a name in a rendered folder is data: a slip must not overwrite it.
        raise InputError.at(str(target), "the report is an HTML page", "give a name that ends in .html")
    if target.is_dir():
        raise InputError.at(str(target), "this is a folder", "give the name of a file")
    if not target.parent.is_dir():
        raise InputError.at(str(target), f"there is no folder {target.parent}", "make it first")
    if out.exists() and not out.is_dir():
        raise InputError.at(str(out), "not a folder", "give the folder that vgsynth render wrote")


def _write_chunks(
    out: Path, folder: Path, found: Survey, page_folder: Path, on_progress: Progress | None
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    done = 0
    parts = chunks(read_manifest(out), out, embedded=False, page_folder=page_folder)
    for number, (details, count) in enumerate(parts):
        with atomic_text(folder / chunk_name(number)) as file:
            # A script, since a page opened from disk may load scripts beside it but not read files.
            file.write(f'vgsynthChunk("{found.key}",{number},{details});\n')
        done += count
        if on_progress is not None:
            on_progress(done, found.items)


def _page(
    out: Path, target: Path, found: Survey, *, embedded: bool, on_progress: Progress | None
) -> Iterator[str]:
    import jinja2

    def embedded_chunks() -> Iterator[Markup]:
        done = 0
        for details, count in chunks(read_manifest(out), out, embedded=True, page_folder=target.parent):
            yield details
            done += count
            if on_progress is not None:
                on_progress(done, found.items)

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("vgsynth.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["span"] = span_words
    environment.filters["bytes"] = bytes_words
    environment.filters["json"] = safe_json
    style, script = _template("page.css"), _program()
    folder = f"{files_folder(target).name}/{found.key}"
    return environment.get_template("page.html.j2").generate(
        name=_name(out),
        found=found,
        kinds=KINDS,
        embedded=embedded,
        folder=folder,
        chunk_items=CHUNK_ITEMS,
        style=Markup(style),
        style_hash=_csp_hash(style),
        script=Markup(script),
        script_hash=_csp_hash(script),
        head=safe_json(head(found, embedded=embedded, files=folder)),
        entries=entries(read_manifest(out), found),
        chunks=embedded_chunks() if embedded else (),
    )


def _name(out: Path) -> str:
    """The set's own name where it tells one, else the folder's."""
    try:
        told: Any = json.loads((out / "dataset.json").read_text(encoding="utf-8")).get("name")
    except (OSError, ValueError, AttributeError):
        told = None
    return told if isinstance(told, str) and told else out.resolve().name


def _program() -> str:
    parts = "".join(_template(f"{part}.js") for part in PARTS)
    return f'(() => {{\n"use strict";\n{parts}}})();\n'


def _template(name: str) -> str:
    return (files("vgsynth.report") / "templates" / name).read_text(encoding="utf-8")


def _csp_hash(text: str) -> str:
    """A content security policy's name for an inline script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
