"""Text and small pictures for a terminal, at a given width in characters."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import numpy as np

from vgsynth.contract.manifest import ManifestRow
from vgsynth.report.facts import segment_titles
from vgsynth.report.wav import Pcm
from vgsynth.report.words import number

ENVELOPE_FLOOR_DBFS = -60.0

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyphs:
    """The characters that pictures are made of."""

    steps: str
    """Eight rising bars."""
    near: str
    far: str
    tail: str
    rule: str
    tick: str


UNICODE = Glyphs(steps="▁▂▃▄▅▆▇█", near="█", far="▓", tail="░", rule="─", tick="┬")
ASCII = Glyphs(steps="_.,-=+*#", near="#", far="%", tail=":", rule="-", tick="+")


def printable(text: str, encoding: str) -> str:
    """Text that cannot steer a terminal and that ``encoding`` can hold.

    Control characters, bidirectional overrides and lone surrogates become escapes such as ``\\x1b``.
    """
    safe = "".join(
        char.encode("unicode_escape").decode()
        if char in _BIDI or unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")
        else char
        for char in text
    )
    return safe.encode(encoding, "backslashreplace").decode(encoding)


def envelope_line(pcm: Pcm, width: int, glyphs: Glyphs) -> str:
    """The peak of each of ``width`` stretches as a bar, from ENVELOPE_FLOOR_DBFS (blank below) to 0 dBFS."""
    if pcm.size == 0:
        return " " * width
    starts = np.minimum(np.arange(width) * pcm.size // width, pcm.size - 1)
    peaks = np.maximum.reduceat(np.abs(pcm.astype(np.int32)), starts) / 32768
    levels = 20 * np.log10(np.maximum(peaks, 1e-9))
    steps = np.ceil((levels - ENVELOPE_FLOOR_DBFS) / -ENVELOPE_FLOOR_DBFS * len(glyphs.steps)).astype(int)
    return "".join(" " if step <= 0 else glyphs.steps[min(step, len(glyphs.steps)) - 1] for step in steps)


def segment_line(row: ManifestRow, width: int, glyphs: Glyphs) -> str:
    """Each segment's dry extent and tail to scale. A segment has one character at least."""
    line = [" "] * width
    for segment in row.segments:
        start = column(segment.start_sample, row.length_samples, width)
        end = max(start + 1, column(segment.start_sample + segment.length_samples, row.length_samples, width))
        ring = segment.start_sample + segment.length_samples + segment.tail_samples
        for x in range(end, column(min(ring, row.length_samples), row.length_samples, width)):
            if line[x] == " ":
                line[x] = glyphs.tail
        far = segment.room is not None and segment.room.distance == "far"
        for x in range(start, min(end, width)):
            line[x] = glyphs.far if far else glyphs.near
    return "".join(line)


def label_lines(row: ManifestRow, width: int) -> tuple[str, ...]:
    """Role, speaker and voice of each segment under its start, and gaps between; on as few lines as fit."""
    rate_hz = row.sample_rate_hz or 1
    labels = []
    end_sample = 0
    for title, segment in zip(segment_titles(row), row.segments, strict=True):
        gap = segment.start_sample - end_sample
        if gap > 0:
            labels.append((end_sample, f"<{number(gap * 1000 / rate_hz)} ms>"))
        who = ", ".join(filter(None, (segment.speaker, segment.voice or segment.source_file)))
        labels.append((segment.start_sample, f"{title}: {who}"))
        end_sample = segment.start_sample + segment.length_samples
    lines: list[str] = []
    for sample, label in labels:
        words = label[:width]
        at = min(column(sample, row.length_samples, width), width - len(words))
        for i, line in enumerate(lines):
            if len(line) < at or not line:
                lines[i] = line.ljust(at) + words
                break
        else:
            lines.append(" " * at + words)
    return tuple(lines)


def axis_lines(row: ManifestRow, width: int, glyphs: Glyphs) -> tuple[str, str]:
    """A rule with a tick at each round number of seconds, and the numbers under it."""
    duration_s = row.length_samples / (row.sample_rate_hz or 1)
    step_s = _step_s(duration_s, most=max(1, width // 10))
    rule = [glyphs.rule] * width
    numbers = ""
    for n in range(int(duration_s / step_s) + 1):
        x = min(width - 1, round(n * step_s / duration_s * width))
        words = f"{number(n * step_s)} s" if n == 0 else number(n * step_s)
        if x + len(words) > width:
            break
        rule[x] = glyphs.tick
        numbers = numbers.ljust(x) + words
    return "".join(rule), numbers


def column(sample: int, length_samples: int, width: int) -> int:
    """The character that a sample falls on."""
    return min(width, sample * width // max(1, length_samples))


def _step_s(duration_s: float, most: int) -> float:
    steps = (base * 10.0**power for power in range(-4, 6) for base in (1, 2, 5))
    return next(step for step in steps if duration_s / step <= most)
