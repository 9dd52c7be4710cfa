"""One pass over a manifest: totals, what can be filtered, and whether the WAVs are there.

Rows are read as a stream. What stays is proportional to the number of cases and of distinct values.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from vgsynth.contract.manifest import MANIFEST_NAME, ManifestRow, read_manifest
from vgsynth.contract.problems import InputError, Place, Problem
from vgsynth.contract.tools import Tool, ToolInventory
from vgsynth.report.facets import NONE, Facet, build_facets, raw_values
from vgsynth.report.wav import wav_fault, wav_path

MAX_PROBLEMS = 20
"""A folder that is broken throughout is not listed line by line: that is what ``vgsynth verify`` is for."""

KINDS = ("mute", "tool", "answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class CountRow:
    """One line of the table of counts: a condition (with its grid cell), and its items by target."""

    family: str
    condition: str
    cell: tuple[tuple[str, str], ...]
    by_kind: tuple[int, int, int]
    """In the order of KINDS."""
    by_tool: Mapping[str, int]

    @property
    def total(self) -> int:
        """All items of the line."""
        return sum(self.by_kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What a page says of a set as a whole."""

    key: str
    """16 hex digits of the manifest's SHA-256: which manifest the page and its files were made from."""
    items: int
    cases: int
    pairs: int
    audio_items: int
    audio_s: float
    wav_bytes: int
    manifest_bytes: int
    rates_hz: tuple[int, ...]
    counts: tuple[CountRow, ...]
    facets: tuple[Facet, ...]
    speakers: tuple[str, ...]
    """In order of appearance."""
    tools: tuple[Tool, ...]
    """As the folder lists them; empty where it does not."""

    @property
    def kind_totals(self) -> tuple[int, ...]:
        """Items by target, in the order of KINDS."""
        return tuple(sum(line.by_kind[i] for line in self.counts) for i in range(len(KINDS)))

    @property
    def tools_by_name(self) -> dict[str, Tool]:
        """The listed tools by name."""
        return {tool.name: tool for tool in self.tools}

    @property
    def tool_totals(self) -> dict[str, int]:
        """Items by the tool they ask for: the listed tools in their order, then any others."""
        totals = Counter({tool.name: 0 for tool in self.tools})
        for line in self.counts:
            totals.update(line.by_tool)
        return dict(totals)


def survey(out: Path) -> Survey:
    """Read the manifest of ``out`` once, and look at the header of each WAV.

    Raises InputError for a missing or damaged manifest, and for WAVs that are missing, of another format, or
    of another length than their rows say (all at once, up to MAX_PROBLEMS).
    """
    items = audio_items = samples_bytes = 0
    audio_s = 0.0
    cases: set[str] = set()
    pairs: set[str] = set()
    rates: set[int] = set()
    speakers: dict[str, None] = {}
    lines: defaultdict[tuple[str, str, tuple[tuple[str, str], ...]], Counter[tuple[str, str]]]
    lines = defaultdict(Counter)
    facet_counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    facet_items: Counter[str] = Counter()
    problems: list[Problem] = []
    for number, row in enumerate(read_manifest(out), start=1):
        items += 1
        cases.add(row.case_id)
        if row.pair_id is not None:
            pairs.add(row.pair_id)
        speakers.update((segment.speaker, None) for segment in row.segments)
        lines[row.family, row.condition, tuple(row.cell.items())][
            row.target.kind, row.target.tool or NONE
        ] += 1
        for key, values in raw_values(row).items():
            facet_items[key] += 1
            facet_counts[key].update(values)
        size, fault = _wav(out, row)
        if fault is not None and len(problems) < MAX_PROBLEMS:
            problems.append(_problem(out, number, row, fault))
        if row.wav is not None:
            audio_items += 1
            audio_s += row.duration_s
            samples_bytes += size
            rates.add(row.sample_rate_hz or 0)
    if problems:
        raise InputError(problems)
    for key, seen in facet_items.items():
        if seen < items:
            facet_counts[key][NONE] += items - seen
    digest, manifest_bytes = _digest(out / MANIFEST_NAME if out.is_dir() else out)
    return Survey(
        key=digest[:16],
        items=items,
        cases=len(cases),
        pairs=len(pairs),
        audio_items=audio_items,
        audio_s=audio_s,
        wav_bytes=samples_bytes,
        manifest_bytes=manifest_bytes,
        rates_hz=tuple(sorted(rates)),
        counts=tuple(_count_row(line, counted) for line, counted in lines.items()),
        facets=build_facets(facet_counts),
        speakers=tuple(speakers),
        tools=read_tools(out),
    )


def read_tools(out: Path) -> tuple[Tool, ...]:
    """The tools that the folder lists in ``tools.json``; none where there is no such file.

    Raises InputError where the file is not a list of tools.
    """
    file = out / "tools.json"
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        return ToolInventory(tools=tuple(Tool.from_json(tool) for tool in data)).tools
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError.at(str(file), f"not a list of tools: {error}", "render again") from error


def _wav(out: Path, row: ManifestRow) -> tuple[int, str | None]:
    """Size in bytes of a row's WAV, and what is wrong with it."""
    try:
        path = wav_path(out, row)
    except ValueError as error:
        return 0, str(error)
    if path is None:
        return 0, None
    fault = wav_fault(path, row)
    return (path.stat().st_size if fault is None else 0), fault


def _problem(out: Path, line: int, row: ManifestRow, fault: str) -> Problem:
    return Problem(
        place=Place(file=str(out / MANIFEST_NAME), line=line),
        path=row.item_id,
        message=fault,
        fix="render again (vgsynth verify lists all that is off)",
    )


def _count_row(
    line: tuple[str, str, tuple[tuple[str, str], ...]], counted: Counter[tuple[str, str]]
) -> CountRow:
    family, condition, cell = line
    by_kind: Counter[str] = Counter()
    by_tool: Counter[str] = Counter()
    for (kind, tool), count in counted.items():
        by_kind[kind] += count
        if tool != NONE:
            by_tool[tool] += count
    return CountRow(
        family=family,
        condition=condition,
        cell=cell,
        by_kind=(by_kind["mute"], by_kind["tool"], by_kind["answer"]),
        by_tool=dict(sorted(by_tool.items())),
    )


def _digest(file: Path) -> tuple[str, int]:
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return digest, stream.tell()
