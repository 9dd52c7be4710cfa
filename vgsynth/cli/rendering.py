"""plan, render, verify: making a dataset."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from vgcli.terminal import console, duration, print_json, progress_bar, say, size


def _spec_and_out(command: Callable[..., Any]) -> Callable[..., Any]:
    for decorate in (
        click.argument("spec", type=click.Path(path_type=Path)),
        click.option("-o", "--out", type=click.Path(path_type=Path), help="Folder; default: out/NAME."),
        click.option("-j", "--jobs", type=click.IntRange(1), help="Processes; default: the cores there are."),
        click.option(
            "--sample", type=click.IntRange(1), metavar="N", help="Only N cases, the same ones always."
        ),
        click.option("--json", "as_json", is_flag=True, help="Result as JSON on stdout."),
    ):
        command = decorate(command)
    return command


@click.command()
@_spec_and_out
def plan(spec: Path, out: Path | None, jobs: int | None, sample: int | None, as_json: bool) -> None:
    """Show what `render` would do: counts, hours, bytes, time, and what is cached, rendered or dropped.

    \b
    Example:
      vgsynth plan scenes/quickstart.yaml -o out/quickstart
    """
    from vgsynth.render.executors import available_cores
    from vgsynth.render.forecast import forecast
    from vgsynth.spec.load import load_spec

    loaded = load_spec(spec)
    with progress_bar("planning", None, unit="cases") as update:
        found = forecast(
            loaded, out or _default_out(loaded.name), jobs or available_cores(), update, sample=sample
        )
    if as_json:
        print_json(found.to_json())
        return
    from vgsynth.cli.tables import forecast_table

    console().print(forecast_table(loaded, found))


@click.command()
@_spec_and_out
@click.option(
    "--cache-gb", type=click.FloatRange(0.01), default=20.0, show_default=True, help="Speech cache."
)
@click.option("--dask", metavar="ADDRESS", help="Work on the Dask cluster of this scheduler.")
def render(
    spec: Path,
    out: Path | None,
    jobs: int | None,
    sample: int | None,
    as_json: bool,
    cache_gb: float,
    dask: str | None,
) -> None:
    """Render a spec into WAVs and a manifest.

    Stopped at any moment and run again it goes on where it was. What is there already and still right is
    kept, what the spec no longer has is dropped, a folder that is another's is refused.

    \b
    Example:
      vgsynth render scenes/quickstart.yaml -o out/quickstart -j 2
    """
    import time

    from vgsynth.cache.places import cache_dir
    from vgsynth.render.executors import available_cores
    from vgsynth.render.inspect import inspect_spec
    from vgsynth.render.run import Settings, render_spec
    from vgsynth.spec.load import load_spec

    started = time.monotonic()
    loaded = load_spec(spec)
    target = out or _default_out(loaded.name)
    settings = Settings(
        jobs=jobs or available_cores(),
        cache=cache_dir(),
        cache_bytes=int(cache_gb * 1e9),
        dask=dask,
        sample=sample,
    )
    totals = inspect_spec(loaded, sample=sample)
    with progress_bar(f"rendering {loaded.name}", totals.items) as update:
        outcome = render_spec(loaded, target, settings, totals, lambda at: update(at.done))
    if as_json:
        print_json({**outcome.dataset.to_json(), "rendered": outcome.rendered, "dropped": outcome.dropped})
        return
    data = outcome.dataset
    say(
        f"{target}: {data.items:,} items ({outcome.rendered:,} rendered, {outcome.kept:,} kept,"
        f" {outcome.dropped:,} dropped), {duration(data.samples_s)} of audio, {size(data.wav_bytes)},"
        f" in {duration(time.monotonic() - started)}"
    )


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Result as JSON on stdout.")
def verify(out: Path, as_json: bool) -> int:
    """Check every row against its WAV, and every pair against what it promises. Exit code 0 or 1.

    \b
    Example:
      vgsynth verify out/quickstart
    """
    from vgsynth.cache.places import cache_dir
    from vgsynth.render.verify import verify_folder
    from vgsynth.render.work import speech_cache

    with progress_bar("verifying", None, unit="rows") as update:
        found = verify_folder(out, speech_cache(cache_dir()), update)
    if as_json:
        print_json(
            {
                "rows": found.rows,
                "wavs": found.wavs,
                "pairs": found.pairs,
                "shared_segments": found.shared_segments,
                "shared_in_wavs": found.shared_in_wavs,
                "stems": found.stems,
                "findings": [{"item_id": f.item_id, "message": f.message} for f in found.findings],
            }
        )
    else:
        for finding in found.findings:
            click.echo(str(finding))
        say(
            f"{out}: {found.rows:,} rows, {found.wavs:,} WAVs, {found.pairs:,} pairs"
            f" ({found.shared_segments:,} shared segments the same by hash, {found.shared_in_wavs:,} of them"
            f" sample by sample; {found.stems:,} stems read back from the cache):"
            f" {len(found.findings) or 'nothing'} off"
        )
    return 1 if found.findings else 0


def _default_out(name: str) -> Path:
    return Path("out") / name
