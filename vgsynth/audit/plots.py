"""Small plots as SVG, without a plotting library. Colours and fonts come from the page's style sheet.

Every plot has a title for those who do not see it; the same figures stand in a table beside it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from vgsynth.audit.predict import QuestionResult
from vgsynth.audit.speakers import Distinctness
from vgsynth.audit.values import Spread, shown

ROW_PX = 24
LABEL_PX = 150
PLOT_PX = 420
VALUE_PX = 150
MAX_MATRIX = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One line of a plot of ranges."""

    label: str
    spread: Spread
    asked: float | None = None
    """Marked by a tick."""


def cue_plot(question: QuestionResult) -> Markup:
    """Balanced accuracy of each tested cue with its interval, against chance and the margin above it.

    "" where no cue was tested.
    """
    cues = [
        cue for cue in question.cues if cue.score is not None and cue.interval is not None and not cue.note
    ]
    if not cues:
        return Markup("")
    top, height = 18, 18 + ROW_PX * len(cues) + 26
    bottom = height - 26
    parts = [
        _rect(
            _x(question.chance),
            top,
            _x(question.chance + question.margin) - _x(question.chance),
            bottom - top,
            "margin",
        ),
        *(_line(_x(v), top, _x(v), bottom, "grid") for v in (0.0, 0.25, 0.5, 0.75, 1.0)),
        *(_text(_x(v), height - 8, f"{v:g}", "tick middle") for v in (0.0, 0.25, 0.5, 0.75, 1.0)),
        _line(_x(question.chance), top - 4, _x(question.chance), bottom, "chance"),
        _text(_x(question.chance), 11, "chance", "tick middle"),
    ]
    for row, cue in enumerate(cues):
        assert cue.score is not None and cue.interval is not None
        y = top + ROW_PX * (row + 0.5)
        kind = cue.verdict
        parts += [
            _text(LABEL_PX - 10, y + 4, cue.cue, "label end"),
            _line(_x(cue.interval.low), y, _x(cue.interval.high), y, f"whisker {kind}"),
            _mark(_x(cue.score), y, kind),
            _text(
                LABEL_PX + PLOT_PX + 14,
                y + 4,
                f"{cue.score:.3f} [{cue.interval.low:.3f}, {cue.interval.high:.3f}]",
                "value",
            ),
        ]
    title = f"Balanced accuracy of each cue for {question.question}; chance {question.chance:.3f}"
    return _svg(LABEL_PX + PLOT_PX + VALUE_PX + 24, height, title, parts)


def range_plot(title: str, unit: str, bars: Sequence[Bar]) -> Markup:
    """Mean, smallest and largest of several measurements on one axis, each with what was asked for."""
    values = [v for bar in bars for v in (*bar.spread.range, *(() if bar.asked is None else (bar.asked,)))]
    ticks = _ticks(min(values), max(values))
    low, high = ticks[0], ticks[-1]

    def x(value: float) -> float:
        return LABEL_PX + PLOT_PX * ((value - low) / (high - low))

    top, height = 6, 6 + ROW_PX * len(bars) + 26
    bottom = height - 26
    parts = [_line(x(v), top, x(v), bottom, "grid") for v in ticks]
    parts += [_text(x(v), height - 8, f"{v:g}", "tick middle") for v in ticks]
    parts.append(_text(LABEL_PX + PLOT_PX + 30, height - 8, unit, "tick"))
    for row, bar in enumerate(bars):
        y = top + ROW_PX * (row + 0.5)
        mean, smallest, largest = bar.spread.range
        parts.append(_text(LABEL_PX - 10, y + 4, shown(bar.label, 24), "label end"))
        if bar.asked is not None:
            parts.append(_line(x(bar.asked), y - 9, x(bar.asked), y + 9, "asked"))
        parts += [
            _line(x(smallest), y, x(largest), y, "whisker measured"),
            _mark(x(mean), y, "measured"),
            _text(LABEL_PX + PLOT_PX + 14, y + 4, _words(bar.spread), "value"),
        ]
    return _svg(LABEL_PX + PLOT_PX + VALUE_PX + 24, height, f"{title}, {unit}", parts)


def voice_matrix(found: Distinctness) -> Markup:
    """Cosines between the mean vectors of all pairs of voices; "" for too many voices."""
    names = list(found.voices)
    if len(names) > MAX_MATRIX:
        return Markup("")
    cell, left, top = 38, 170, 10
    cosines = {frozenset(pair.voices): pair.cosine for pair in found.pairs}
    parts = []
    for i, first in enumerate(names[1:], start=1):
        y = float(top + cell * (i - 1))
        parts.append(_text(left - 8, y + cell / 2 + 4, shown(first, 24), "label end"))
        for j, second in enumerate(names[:i]):
            cosine = cosines[frozenset((first, second))]
            x = left + cell * j
            parts.append(
                Markup('<rect class="heat" x="{}" y="{}" width="{}" height="{}" fill-opacity="{}"/>').format(
                    x, f"{y:g}", cell - 2, cell - 2, f"{max(0.0, min(1.0, cosine)) * 0.85:.3f}"
                )
            )
            parts.append(_text(x + cell / 2 - 1, y + cell / 2 + 4, f"{cosine:.2f}", "value middle"))
    size = cell * (len(names) - 1)
    for j, second in enumerate(names[:-1]):
        at = f"translate({left + cell * (j + 0.5):.1f} {top + size + 10}) rotate(-40)"
        parts.append(Markup('<text class="label end" transform="{}">{}</text>').format(at, shown(second, 24)))
    worst = found.pairs[0]
    title = (
        f"Cosines between the mean embeddings of voices; the likest are {' and '.join(worst.voices)} with"
        f" {worst.cosine:.2f}"
    )
    return _svg(left + size + 20, top + size + 120, title, parts)


def _x(share: float) -> float:
    return LABEL_PX + PLOT_PX * share


def _ticks(low: float, high: float) -> list[float]:
    """Four to nine round values that span a range; a range of one value is widened."""
    if high - low < 1e-9:
        low, high = low - max(0.5, abs(low) * 0.1), high + max(0.5, abs(high) * 0.1)
    raw = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(base * power for base in (1, 2, 5, 10) if base * power >= raw)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(n * step, 10) for n in range(first, last + 1)]


def _words(found: Spread) -> str:
    mean, low, high = (f"{round(value, 3) + 0.0:.4g}" for value in found.range)
    return mean if low == high else f"{mean} ({low} to {high})"


def _mark(x: float, y: float, kind: str) -> Markup:
    """A filled dot for informative, a ring for uninformative, a diamond for undecided."""
    if kind == "undecided":
        points = f"{x:.1f},{y - 6:.1f} {x + 6:.1f},{y:.1f} {x:.1f},{y + 6:.1f} {x - 6:.1f},{y:.1f}"
        return Markup('<polygon class="mark undecided" points="{}"/>').format(points)
    return Markup('<circle class="mark {}" cx="{}" cy="{}" r="5"/>').format(kind, f"{x:.1f}", f"{y:.1f}")


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    numbers = (f"{value:.1f}" for value in (x1, y1, x2, y2))
    return Markup('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(kind, *numbers)


def _rect(x: float, y: float, width: float, height: float, kind: str) -> Markup:
    numbers = (f"{value:.1f}" for value in (x, y, width, height))
    return Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>').format(kind, *numbers)


def _text(x: float, y: float, text: str, kind: str) -> Markup:
    return Markup('<text class="{}" x="{}" y="{}">{}</text>').format(kind, f"{x:.1f}", f"{y:.1f}", text)


def _svg(width: float, height: float, title: str, parts: Sequence[Markup]) -> Markup:
    opening = Markup(
        '<svg role="img" viewBox="0 0 {0} {1}" width="{0}" height="{1}" aria-label="{2}">'
    ).format(f"{width:g}", f"{height:g}", shown(title, 300))
    return opening + Markup("").join(parts) + Markup("</svg>")
