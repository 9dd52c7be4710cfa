"""What the recording commands found, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table

from vgsynth.audit.values import Interval, shown
from vgsynth.recording.agreement import Agreement
from vgsynth.recording.ingest import Ingested
from vgsynth.recording.kappa import Kappa

MOST_ROWS = 40


def ingested_tables(found: Ingested) -> Group:
    """What became of the takes, and what is left to do."""
    counts = found.counts()
    parts: list[RenderableType] = [
        f"{len(found.records):,} prompts: "
        + ", ".join(
            f"{count:,} {state}" for state, count in sorted(counts.items(), key=lambda c: (-c[1], c[0]))
        )
        + f"; {found.written:,} files written, {found.unchanged:,} takes as before"
    ]
    if found.replaced:
        parts.append(f"recorded anew: {_listed(found.replaced)}")
    missing = [id_ for id_, record in found.records.items() if record.state == "missing"]
    if missing:
        parts.append(f"missing: {_listed(missing)}")
    off = [(id_, r) for id_, r in found.records.items() if r.state not in ("ready", "missing")]
    if off:
        parts.append(
            _table(
                ("prompt", "state", "why"),
                ((id_, record.state, "; ".join(record.findings)) for id_, record in off),
                len(off),
            )
        )
    if found.extra:
        rows = ((extra.file, extra.why) for extra in found.extra)
        parts.append(_table(("left over", "why"), rows, len(found.extra)))
    return Group(*parts)


def agreement_tables(found: Agreement) -> Group:
    """Agreement, confusion, disagreements, and what is kept."""
    first, second = found.labelled
    parts: list[RenderableType] = [
        f"{found.items:,} items; annotator 1 labelled {first:,}, annotator 2 {second:,}"
    ]
    measured = [
        (name, kappa) for name in ("target", "addressee") if (kappa := getattr(found, name)) is not None
    ]
    if measured:
        table = Table("label", "items", "agreement", "95 %", "kappa", "95 %")
        for name, kappa in measured:
            table.add_row(name, f"{kappa.items:,}", *_agreement_cells(kappa))
        parts.append(table)
    for name, kappa in measured:
        if any(a != b for a, b, _ in kappa.confusion):
            parts.append(_confusion(name, kappa))
    if found.disagreements:
        rows = ((d.item_id, d.label, d.first, d.second, d.script) for d in found.disagreements)
        parts.append(
            _table(("item", "label", "annotator 1", "annotator 2", "script"), rows, len(found.disagreements))
        )
    if found.against_spec is None:
        parts.append("not compared with what the spec intends: give --spec")
    else:
        parts += [
            f"annotator {a.annotator}, {a.label}: {a.same:,} of {a.items:,} as the spec intends"
            for a in found.against_spec
            if a.items
        ]
    parts.append(f"kept: {len(found.retained):,} of {found.items:,} items")
    if found.left_out and any(found.labelled):
        rows_out = ((left.item_id, "; ".join(left.reasons)) for left in found.left_out)
        parts.append(_table(("left out", "why"), rows_out, len(found.left_out)))
    return Group(*parts)


def _agreement_cells(kappa: Kappa) -> tuple[str, str, str, str]:
    return (
        f"{kappa.agreement:.3f}",
        _interval(kappa.agreement_interval),
        "-" if kappa.kappa is None else f"{kappa.kappa:.3f}",
        _interval(kappa.kappa_interval),
    )


def _interval(interval: Interval | None) -> str:
    return "-" if interval is None else f"{interval.low:.3f} to {interval.high:.3f}"


def _confusion(name: str, kappa: Kappa) -> Table:
    """First annotator down, second across."""
    labels = sorted({label for a, b, _ in kappa.confusion for label in (a, b)})
    counts = {(a, b): n for a, b, n in kappa.confusion}
    table = Table(f"{name}: 1 down, 2 across", *map(escape, labels))
    for a in labels:
        table.add_row(escape(a), *(str(counts.get((a, b), "")) for b in labels))
    return table


def _table(columns: tuple[str, ...], rows: Iterator[tuple[str, ...]], count: int) -> Group:
    table = Table(*columns)
    for _, row in zip(range(MOST_ROWS), rows, strict=False):
        table.add_row(*(escape(shown(cell, 200)) for cell in row))
    more = [f"... and {count - MOST_ROWS:,} more"] if count > MOST_ROWS else []
    return Group(table, *more)


def _listed(ids: list[str]) -> str:
    more = f" and {len(ids) - MOST_ROWS:,} more" if len(ids) > MOST_ROWS else ""
    return escape(", ".join(ids[:MOST_ROWS]) + more)
