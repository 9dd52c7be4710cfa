"""How a row's values are written for people: one spelling for the terminal and the page."""

from __future__ import annotations

import json

from vgsynth.contract.manifest import SegmentRow
from vgsynth.contract.target import Target


def target_words(target: Target) -> str:
    """``[Mute]``, ``answer``, or ``tool(param="value", ...)``."""
    match target.kind:
        case "mute":
            return "[Mute]"
        case "answer":
            return "answer"
        case "tool":
            params = ", ".join(
                f"{name}={json.dumps(value, ensure_ascii=False, allow_nan=False)}"
                for name, value in target.params.items()
            )
            return f"{target.tool}({params})"


def voice_words(segment: SegmentRow) -> str | None:
    """``engine/voice``, the recording's path, or None for text."""
    if segment.engine and segment.voice:
        return f"{segment.engine}/{segment.voice}"
    return segment.voice or segment.source_file


def samples_words(samples: int, rate_hz: int) -> str:
    """Seconds to a tenth of a millisecond, and the samples that are the truth."""
    return f"{samples / rate_hz:.4f} s ({samples:,} samples)"


def gap_words(samples: int, rate_hz: int) -> str:
    """A gap in milliseconds and samples."""
    return f"{number(samples * 1000 / rate_hz)} ms ({samples:,} samples)"


def level_words(level_dbfs: float | None) -> str | None:
    """A level in dBFS to a hundredth of a decibel, or None."""
    return None if level_dbfs is None else f"{level_dbfs:.2f} dBFS"


def number(value: float) -> str:
    """A number without needless digits: 600, 37.5, 0.45."""
    return f"{round(value, 4):.10g}"


def span_words(seconds: float) -> str:
    """A total duration: ``42.0 s``, ``12 min 30 s`` or ``3 h 05 min``."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def bytes_words(count: int) -> str:
    """Decimal bytes: ``812 B``, ``3.4 MB``."""
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"
