"""``show_item``: one item in the terminal."""

from __future__ import annotations

import wave
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from vgsynth.contract.manifest import ManifestRow
from vgsynth.report.facts import differences, facts
from vgsynth.report.find import find_item, find_pair
from vgsynth.report.terminal import (
    ASCII,
    ENVELOPE_FLOOR_DBFS,
    UNICODE,
    Glyphs,
    axis_lines,
    envelope_line,
    label_lines,
    printable,
    segment_line,
)
from vgsynth.report.wav import read_pcm, wav_fault, wav_path

if TYPE_CHECKING:
    from rich.console import Console

PLAIN_WIDTH = 100
"""Characters where the output is not a terminal: the same whatever the environment says."""

MAX_LABEL_WIDTH = 30


def item_json(out: Path, item_id: str) -> str:
    """The item's row as one line of JSON, as in the manifest. Raises InputError as find_item does."""
    # Lone surrogates, which no output could hold, become JSON escapes.
    return find_item(out, item_id).to_line().encode("utf-8", "backslashreplace").decode()


def show_item(out: Path, item_id: str, *, console: Console) -> None:
    """Print an item of the rendered folder ``out``: timeline, envelope, facts, and how its pair differs.

    On a terminal it fits the width and uses colour; else it is plain text, PLAIN_WIDTH wide, with long values
    on one line each. Text from the manifest cannot steer the terminal. Raises InputError for an unknown item
    and for a missing or damaged manifest; a WAV that is missing or wrong is said in place of the envelope.
    """
    row = find_item(out, item_id)
    others = find_pair(out, row)
    printer = _Printer(console)
    printer.line(row.item_id, "bold")
    if row.modality == "audio":
        _picture(out, row, printer)
    for group, lines in groupby(facts(row), key=lambda fact: fact.group):
        printer.line("")
        printer.line("item" if group == "item" else f"segment {group}", "bold")
        printer.table([(fact.label, fact.value) for fact in lines])
    printer.line("")
    printer.line("files", "bold")
    files = (("WAV", row.wav), ("WAV sha256", row.wav_sha256))
    hashes = (("plan sha256", row.plan_sha256), ("spec sha256", row.spec_sha256))
    printer.table([(label, value) for label, value in (*files, *hashes) if value is not None])
    _pair(row, others, printer)


class _Printer:
    """Writes safe text at one width."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._encoding = console.encoding
        self._terminal = console.is_terminal
        self.width = max(40, console.width) if self._terminal else PLAIN_WIDTH
        self.glyphs: Glyphs = UNICODE if self._encoding.lower().replace("-", "").startswith("utf") else ASCII

    def line(self, words: str, style: str = "", *, indent: int = 0) -> None:
        from rich.padding import Padding
        from rich.text import Text

        text = Text(printable(words, self._encoding), style=style if self._terminal else "")
        if self._terminal and indent:
            self._console.print(Padding(text, (0, 0, 0, indent)))
        elif self._terminal:
            self._console.print(text)
        else:
            self._console.print(Text(" " * indent).append_text(text), soft_wrap=True)

    def table(self, lines: Sequence[tuple[str, str]]) -> None:
        """Labels and values, aligned; on a terminal long values fold beside their label."""
        from rich.padding import Padding
        from rich.table import Table
        from rich.text import Text

        safe = [
            (printable(label, self._encoding), printable(value, self._encoding)) for label, value in lines
        ]
        width = min(MAX_LABEL_WIDTH, max((len(label) for label, _ in safe), default=0))
        if not self._terminal:
            for label, value in safe:
                self._console.print(Text(f"  {label:<{width}}  {value}"), soft_wrap=True)
            return
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(width=width, overflow="fold")
        grid.add_column(overflow="fold")
        for label, value in safe:
            grid.add_row(Text(label, style="dim"), Text(value, style="bold" if label == "target" else ""))
        self._console.print(Padding(grid, (0, 0, 0, 2)))


def _picture(out: Path, row: ManifestRow, printer: _Printer) -> None:
    width = printer.width - 4
    printer.line("")
    for line in _envelope(out, row, width, printer.glyphs):
        printer.line(line, "cyan", indent=2)
    printer.line(segment_line(row, width, printer.glyphs).rstrip(), "blue", indent=2)
    for line in label_lines(row, width):
        printer.line(line, indent=2)
    for line in axis_lines(row, width, printer.glyphs):
        printer.line(line, "dim", indent=2)
    key = f"{printer.glyphs.near} near  {printer.glyphs.far} far  {printer.glyphs.tail} tail of the room"
    printer.line(f"{key}; peaks from {ENVELOPE_FLOOR_DBFS:g} to 0 dBFS", "dim", indent=2)


def _envelope(out: Path, row: ManifestRow, width: int, glyphs: Glyphs) -> Sequence[str]:
    try:
        path = wav_path(out, row)
        fault = None if path is None else wav_fault(path, row)
        if path is None or fault is not None:
            return (f"({fault or 'the row names no WAV'})",)
        return (envelope_line(read_pcm(path), width, glyphs).rstrip(),)
    except (ValueError, OSError, EOFError, wave.Error) as error:
        return (f"({error})",)


def _pair(row: ManifestRow, others: Sequence[ManifestRow], printer: _Printer) -> None:
    if row.pair_id is None:
        return
    printer.line("")
    printer.line(f"pair {row.pair_id}", "bold")
    if not others:
        printer.line("its partner is not in this manifest", indent=2)
    for other in others:
        printer.line(f"with {other.item_id} (this item -> that item)", indent=2)
        lines = []
        for difference in differences((row, other)):
            if not difference.measured:
                ours, theirs = (value or "none" for value in difference.values)
                prefix = "" if difference.group == "item" else f"{difference.group} "
                lines.append((f"{prefix}{difference.label}", f"{ours} -> {theirs}"))
        printer.table([*lines, ("same stems", _same_stems(row, other))])


def _same_stems(row: ManifestRow, other: ManifestRow) -> str:
    stems = [segment.stem_sha256 for segment in row.segments]
    theirs = [segment.stem_sha256 for segment in other.segments]
    shared = sum(a is not None and a == b for a, b in zip(stems, theirs, strict=False))
    return f"{shared} of {max(len(stems), len(theirs))}"
