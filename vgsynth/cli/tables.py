"""Tables for the terminal."""

from __future__ import annotations

from rich.console import Group
from rich.table import Table

from vgcli.terminal import duration, size
from vgsynth.render.forecast import Forecast
from vgsynth.spec.model import Spec


def forecast_table(spec: Spec, forecast: Forecast) -> Group:
    """What would be rendered."""
    counts = Table("condition", "cell", "scenes", title=spec.name, title_justify="left")
    counts.columns[2].justify = "right"
    for (condition, cell), count in forecast.by_condition_and_cell.items():
        counts.add_row(condition, cell or "-", f"{count:,}")
    work = (
        f"{forecast.cases:,} cases, {forecast.scenes:,} scenes, about {duration(forecast.hours * 3600)}"
        f" of audio, {size(forecast.bytes)}\n"
        f"{forecast.cached:,} there already, {forecast.to_render:,} to render,"
        f" {forecast.to_drop:,} to drop, {forecast.to_speak:,} utterances to speak;"
        f" about {duration(forecast.seconds)}"
    )
    return Group(counts, work)
