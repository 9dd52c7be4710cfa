"""``write_page``: an audit as one self-contained HTML page with plots."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from vgsynth.audit.asked import AskedAndMeasured
from vgsynth.audit.audit import Audit
from vgsynth.audit.files import write_whole
from vgsynth.audit.pivot import pivot
from vgsynth.audit.plots import Bar, cue_plot, range_plot, voice_matrix
from vgsynth.audit.speakers import Distinctness
from vgsynth.audit.speech import ScriptAndAudio
from vgsynth.audit.values import Skipped, Spread, shown
from vgsynth.contract.problems import InputError

if TYPE_CHECKING:
    from markupsafe import Markup

OPEN_ROWS = 40
"""Tables of counts with more rows than this are folded."""


def write_page(audit: Audit, target: Path) -> None:
    """Write the page: no script, nothing asked of other machines; the same audit gives the same bytes.

    Raises InputError for a name that is no page's and for a file that cannot be written.
    """
    if target.suffix.lower() not in (".html", ".htm"):
        raise InputError.at(str(target), "the page is an HTML file", "give a name that ends in .html")
    write_whole(target, page_html(audit))


def page_html(audit: Audit) -> str:
    """The page's text."""
    import jinja2
    from markupsafe import Markup

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("vgsynth.audit"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["fixed"] = lambda value, digits: f"{round(value, digits) + 0.0:.{digits}f}"
    environment.filters["shown"] = lambda text, longest=300: shown(str(text), longest)
    style = (files("vgsynth.audit") / "templates" / "page.css").read_text(encoding="utf-8")
    return environment.get_template("page.html.j2").render(
        audit=audit,
        style=Markup(style),
        style_hash="sha256-" + base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        pivots=[(crossing, pivot(crossing)) for crossing in audit.counts.crossings],
        open_rows=OPEN_ROWS,
        cues=None if isinstance(audit.cues, Skipped) else [(q, cue_plot(q)) for q in audit.cues],
        asked=audit.asked if isinstance(audit.asked, AskedAndMeasured) else None,
        asked_plots=_asked_plots(audit.asked) if isinstance(audit.asked, AskedAndMeasured) else (),
        voices=audit.distinctness if isinstance(audit.distinctness, Distinctness) else None,
        matrix=voice_matrix(audit.distinctness) if isinstance(audit.distinctness, Distinctness) else "",
        speech=audit.speech if isinstance(audit.speech, ScriptAndAudio) else None,
    )


def _asked_plots(asked: AskedAndMeasured) -> list[tuple[str, Markup]]:
    """Title and plot of what there is to plot."""
    groups: list[tuple[str, str, list[Bar]]] = [
        ("Reverberation time", "s", []),
        ("Pause before the trigger", "ms", []),
    ]
    levels: list[Bar] = []
    for room in asked.rooms:
        wanted = None if room.rt60_asked_s is None else room.rt60_asked_s.mean
        _add(groups[0][2], f"{room.name}: response", room.rt60_s, wanted)
        _add(groups[0][2], f"{room.name}: tails", room.tail_rt60_s, wanted)
        _add(levels, room.name, room.level_change_db, 0.0)
    for gap in asked.gaps:
        try:
            wanted = float(gap.asked_ms)
        except ValueError:  # a range of gaps
            wanted = None
        _add(groups[1][2], f"gap {gap.asked_ms} ms", gap.pause_ms, wanted)
    onsets: list[Bar] = []
    for onset in asked.onsets:
        _add(onsets, onset.distance, onset.onset_ms, 0.0)
    groups += [
        ("Measured level less the level asked for, by room", "dB", levels),
        ("Onset after the row's start", "ms", onsets),
    ]
    return [(title, range_plot(title, unit, bars)) for title, unit, bars in groups if bars]


def _add(bars: list[Bar], label: str, found: Spread | None, asked: float | None) -> None:
    if found is not None:
        bars.append(Bar(label=label, spread=found, asked=asked))
