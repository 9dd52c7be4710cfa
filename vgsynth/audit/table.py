"""An audit in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from vgsynth.audit.asked import AskedAndMeasured
from vgsynth.audit.audit import Audit
from vgsynth.audit.counts import Counts
from vgsynth.audit.pivot import pivot
from vgsynth.audit.predict import QuestionResult
from vgsynth.audit.speakers import Distinctness
from vgsynth.audit.speech import ScriptAndAudio, WordErrors
from vgsynth.audit.values import Interval, Skipped, Spread, shown

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table
    from rich.text import Text

STYLES = {
    "informative": "yellow",
    "uninformative": "green",
    "undecided": "magenta",
    "not tested": "dim",
}
BAR = 17
"""Characters of the picture of an interval, from 0 to 1."""
LISTED = 5
COUNTED = ("factors", "conditions", "splits")
"""The tables of counts that the terminal shows; all are on the page and in the JSON."""


def audit_table(audit: Audit) -> Group:
    """Everything that matters of an audit, for a rich console of 80 columns or more."""
    from rich.console import Group

    return Group(*_parts(audit))


def _parts(audit: Audit) -> Iterator[RenderableType]:
    counts = audit.counts
    yield _line(
        f"{audit.name}: {counts.items:,} items ({counts.audio_items:,} with audio, {counts.hours:.2f} h),"
        f" {counts.cases:,} cases, {counts.pairs:,} pairs",
        "bold",
    )
    yield from _counts(counts)
    if isinstance(audit.cues, Skipped):
        yield _skipped("cues", audit.cues)
    else:
        for question in audit.cues:
            yield from _question(question)
        if not audit.cues:
            yield _line("cues: every item has the same label, so there is nothing to predict", "dim")
    yield from _asked(audit.asked)
    yield from _voices(audit.distinctness)
    yield from _speech(audit.speech)
    yield from _texts(audit)
    yield from _leakage(audit)
    yield from _verdict(audit)


def _counts(counts: Counts) -> Iterator[RenderableType]:
    for crossing in counts.crossings:
        if crossing.name not in COUNTED:
            continue
        found = pivot(crossing)
        table = _table(f"Items by {' × '.join(crossing.factors)}")
        for name in found.down:
            table.add_column(shown(name))
        for name in (*found.columns, "all"):
            table.add_column(shown(name, 20), justify="right")
        for levels, numbers, total in found.rows:
            table.add_row(*(_line(level) for level in levels), *(f"{n:,}" for n in (*numbers, total)))
        yield table


def _question(question: QuestionResult) -> Iterator[RenderableType]:
    classes = ", ".join(f"{shown(name, 30)} {n:,}" for name, n in question.classes.items())
    table = _table(
        f"{question.question}: {question.about} ({question.units:,} units, {question.cases:,} cases)",
        caption=f"{shown(classes, 200)}. Chance {question.chance:.3f}; always the most frequent:"
        f" accuracy {question.majority_accuracy:.3f}.",
    )
    table.add_column("cue")
    table.add_column("bal. acc.", justify="right")
    table.add_column("interval", justify="right")
    table.add_column("0 to 1, | chance", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for cue in question.cues:
        if cue.score is not None and cue.interval is not None and not cue.note:
            table.add_row(
                _line(cue.cue),
                f"{cue.score:.3f}",
                f"{cue.interval.low:.3f}-{cue.interval.high:.3f}",
                _bar(cue.score, cue.interval, question.chance),
                _line(cue.verdict, STYLES[cue.verdict]),
            )
    if table.row_count:
        yield table
        yield _line(question.rule, "dim")
    else:
        yield _line(f"\n{question.question}: {question.about} ({question.units:,} units)", "bold")
    by_note: dict[str, list[str]] = {}
    for cue in question.cues:
        if cue.note:
            by_note.setdefault(f"{cue.verdict}, {cue.note}", []).append(cue.cue)
    for note, cues in by_note.items():
        yield _line(f"{note}: {', '.join(cues)}", "dim")


def _bar(score: float, interval: Interval, chance: float) -> str:
    line = [" "] * BAR

    def at(value: float) -> int:
        return min(BAR - 1, max(0, round(value * (BAR - 1))))

    for x in range(at(interval.low), at(interval.high) + 1):
        line[x] = "-"
    line[at(chance)] = "|"
    line[at(score)] = "o"
    return "".join(line)


def _asked(asked: AskedAndMeasured | Skipped) -> Iterator[RenderableType]:
    if isinstance(asked, Skipped):
        yield _skipped("asked against measured", asked)
        return
    table = _table("Asked against measured (mean, smallest to largest)")
    for name in ("what", "asked", "measured", "n"):
        table.add_column(name, justify="right" if name == "n" else "left")
    levels = asked.levels
    if levels.deviation_db is not None:
        off = f", {levels.beyond:,} beyond tolerance" if levels.beyond else ""
        table.add_row(
            "level of dry and matched segments",
            "",
            _spread(levels.deviation_db, "dB off") + off,
            _n(levels.deviation_db),
        )
    for room in asked.rooms:
        name = shown(room.name, 30)
        if room.rt60_s is not None:
            table.add_row(
                f"RT60 of {name}", _spread(room.rt60_asked_s, "s"), _spread(room.rt60_s, "s"), _n(room.rt60_s)
            )
        if room.tail_rt60_s is not None:
            table.add_row(
                "  from the tails in the WAVs", "", _spread(room.tail_rt60_s, "s"), _n(room.tail_rt60_s)
            )
        if room.drr_db is not None:
            table.add_row(f"DRR of {name}", "", _spread(room.drr_db, "dB"), _n(room.drr_db))
        if room.level_change_db is not None and room.kind != "dry":
            table.add_row(
                f"level in {name} ({room.level})",
                "",
                _spread(room.level_change_db, "dB"),
                _n(room.level_change_db),
            )
    for gap in asked.gaps:
        if gap.pause_ms is not None:
            table.add_row(
                "pause before the trigger",
                f"{gap.asked_ms} ms",
                _spread(gap.pause_ms, "ms"),
                _n(gap.pause_ms),
            )
    for onset in asked.onsets:
        table.add_row(
            f"onset of {onset.distance} speech", "", _spread(onset.onset_ms, "ms later"), _n(onset.onset_ms)
        )
    if asked.silences:
        table.add_row("digital silence where due", "", f"{asked.silences_kept:,} kept", f"{asked.silences:,}")
    yield table
    yield from _listing("off their level", levels.listed, levels.beyond)
    yield from _listing("not silent", asked.silences_listed, asked.silences - asked.silences_kept)


def _voices(found: Distinctness | Skipped) -> Iterator[RenderableType]:
    if isinstance(found, Skipped):
        yield _skipped("voices", found)
        return
    nearest = found.pairs[0]
    yield _line(
        f"voices: {len(found.voices)}, cosine within a voice {_spread(found.within)}, across"
        f" voices {_spread(found.across)}; {found.attributed:,} of {found.attributable:,} near segments"
        f" attributed to their own voice; likest {' and '.join(nearest.voices)} ({nearest.cosine:.2f})"
    )


def _speech(found: ScriptAndAudio | Skipped) -> Iterator[RenderableType]:
    if isinstance(found, Skipped):
        yield _skipped("script against audio", found)
        return
    parts = [("all", found.overall), ("near", found.near), ("far", found.far)]
    yield _line(
        f"script against audio: {found.items:,} of {found.of:,} items heard; word errors "
        + ", ".join(f"{name} {_errors(errors)}" for name, errors in parts if errors is not None)
    )
    lines = [
        f"{m.item_id}: {m.word_error_rate:.0%}; script: {m.script}; heard: {m.heard}" for m in found.listed
    ]
    yield from _listing(f"above {found.limit:.0%} word errors", lines, found.beyond)


def _errors(errors: WordErrors) -> str:
    return f"{errors.rate:.1%} ({errors.errors:,} of {errors.words:,} words)"


def _texts(audit: Audit) -> Iterator[RenderableType]:
    found = audit.duplicates
    likest = f"; likest pair {found.likest.likeness:.1f}" if found.likest is not None else ""
    yield _line(
        f"texts: {found.texts:,}, {found.exact:,} of them in several cases; {found.near:,} near-duplicate"
        f" pairs (token_sort_ratio {found.threshold:g} or more){likest}"
    )
    lines = [
        f"{pair.likeness:.1f}: {pair.cases[0]} {pair.texts[0]!r} / {pair.cases[1]} {pair.texts[1]!r}"
        for pair in found.near_listed
    ]
    yield from _listing("near-duplicates", lines, found.near)
    exact = [f"{d.text!r} in {d.count:,} cases: {', '.join(d.cases[:3])}" for d in found.exact_listed]
    yield from _listing("duplicates", exact, found.exact)


def _leakage(audit: Audit) -> Iterator[RenderableType]:
    leakage = audit.leakage
    if set(leakage.splits) == {"none"}:
        yield _line("leakage: no item has a split", "dim")
        return
    splits = ", ".join(f"{shown(name, 30)} {n:,}" for name, n in leakage.splits.items())
    by = f"; split by {leakage.split_by[0]}" if leakage.split_by[0] else ""
    table = _table(f"Leakage between splits ({splits}{by})")
    table.add_column("kind")
    table.add_column("values", justify="right")
    table.add_column("in several splits", justify="right")
    table.add_column("")
    for leak in leakage.leaks:
        word, style = ("fails", "red") if leak.fails else ("", "") if not leak.shared else ("allowed", "dim")
        table.add_row(_line(leak.kind), f"{leak.values:,}", f"{leak.shared:,}", _line(word, style))
    yield table
    for leak in leakage.leaks:
        if leak.fails:
            yield from _listing(leak.about, leak.listed, leak.shared)


def _verdict(audit: Audit) -> Iterator[RenderableType]:
    if audit.expectations:
        table = _table("What the spec says must hold")
        for name in ("cue", "stated", "found", "holds", "figures"):
            table.add_column(name)
        for entry in audit.expectations:
            table.add_row(
                _line(entry.key),
                entry.stated,
                _line(entry.found, STYLES[entry.found]),
                _line("yes" if entry.holds else "no", "green" if entry.holds else "red"),
                _line(entry.why),
            )
        yield table
    for warning in audit.warnings:
        yield _line(f"look at: {warning}", "yellow")
    for failure in audit.failures:
        yield _line(f"fails: {failure}", "red")
    if not audit.failures:
        yield _line("passes", "green")


def _table(title: str, caption: str | None = None) -> Table:
    from rich import box
    from rich.table import Table

    return Table(
        title=_line(title, "bold"),
        caption=None if caption is None else _line(caption, "dim"),
        title_justify="left",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )


def _listing(what: str, lines: Sequence[str], total: int) -> Iterator[Text]:
    for line in lines[:LISTED]:
        yield _line(f"  {line}")
    if total > LISTED and lines:
        yield _line(f"  ... {total:,} {what} in all", "dim")


def _skipped(what: str, why: Skipped) -> Text:
    fix = f"; {why.fix}" if why.fix else ""
    return _line(f"{what}: not done, {why.skipped}{fix}", "dim")


def _line(text: str, style: str = "") -> Text:
    """Text of the set's own: never markup, never control characters."""
    from rich.text import Text

    lines = (shown(line, 2000) for line in text.split("\n"))
    return Text("\n".join(lines), style=style)


def _spread(found: Spread | None, unit: str = "") -> str:
    if found is None:
        return ""
    digits = 1 if unit.startswith("ms") else 2
    mean, low, high = (f"{round(value, digits) + 0.0:.{digits}f}" for value in found.range)
    words = mean if low == high else f"{mean} ({low} to {high})"
    return f"{words} {unit}".rstrip()


def _n(found: Spread) -> str:
    return f"{found.n:,}"
