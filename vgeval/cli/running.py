"""run, parse: from a manifest to predictions."""

from __future__ import annotations

from pathlib import Path

import click

from vgcli.terminal import print_json, progress_bar, say


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--model", required=True, metavar="PROFILE", help="A profile's name, or its YAML file.")
@click.option("-o", "--predictions", required=True, type=click.Path(path_type=Path), help="Folder for them.")
@click.option("--method", default="raw", show_default=True, help="raw, aura, tws or shanks.")
@click.option("-j", "--jobs", type=click.IntRange(1, 1024), default=8, show_default=True, help="At a time.")
@click.option("--task", "tasks", multiple=True, metavar="TASK", help="Only these tasks (can be repeated).")
@click.option(
    "--split", "splits", multiple=True, metavar="SPLIT", help="Only these splits (can be repeated)."
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N items.")
@click.option("--base-url", metavar="URL", help="Where the server is.")
@click.option("--served-model", metavar="NAME", help="The model's name there.")
@click.option("--adapter", type=click.Path(path_type=Path), help="LoRA adapter, for models in process.")
@click.option("--retries", type=click.IntRange(0), default=4, show_default=True, help="After a failed try.")
@click.option("--timeout", type=click.FloatRange(0.01), default=120.0, show_default=True, help="In seconds.")
@click.option("--retry-errors", is_flag=True, help="Send items again that ended as errors before.")
@click.option("--json", "as_json", is_flag=True, help="Result as JSON on stdout.")
def run(
    *,
    out: Path,
    model: str,
    predictions: Path,
    method: str,
    jobs: int,
    tasks: tuple[str, ...],
    splits: tuple[str, ...],
    limit: int | None,
    base_url: str | None,
    served_model: str | None,
    adapter: Path | None,
    retries: int,
    timeout: float,
    retry_errors: bool,
    as_json: bool,
) -> int:
    """Ask a system about every item of a rendered folder.

    Stopped at any moment and run again it goes on where it was: no output is lost, no finished item is sent
    again. An item that fails after all tries is kept as an error. Exit code 1 says that there are some.

    \b
    Example:
      vgeval run out/quickstart --model baseline/always-mute -o pred/mute
      vgeval run out/vgbench/speaker_switch --model qwen3-omni -j 32 --split test -o pred/qwen
    """
    from vgeval.methods.registry import find_method
    from vgeval.runner.job import Job, prepare
    from vgeval.runner.retries import Patience
    from vgeval.systems.profile import load_profile
    from vgeval.tasks.select import Selection

    profile = load_profile(model).with_changes(
        base_url=base_url, model=served_model, adapter=str(adapter) if adapter else None
    )
    job = Job(
        out=out,
        predictions=predictions,
        profile=profile,
        method=find_method(method),
        selection=Selection(tasks=tasks, splits=splits, limit=limit),
        patience=Patience(retries=retries, timeout_s=timeout),
        jobs=jobs,
        retry_errors=retry_errors,
    )
    with prepare(job) as run_:
        if run_.to_send < run_.total:
            say(f"{run_.total - run_.to_send} of {run_.total} items are done already")
        with progress_bar("asking", run_.to_send) as update:
            written = run_.send(update)
    if as_json:
        print_json({"items": written.items, "errors": written.errors, "invalid": written.invalid})
    else:
        say(f"{written.items} items in {predictions}: {written.errors} errors, {written.invalid} no action")
    if written.errors:
        say("errors stay in the counts; --retry-errors sends those items again")
    return 1 if written.errors else 0


@click.command()
@click.argument("predictions", type=click.Path(path_type=Path), nargs=-1, required=True)
def parse(predictions: tuple[Path, ...]) -> None:
    """Parse recorded outputs again, without sending anything: after a change of a normaliser, or a crash.

    \b
    Example:
      vgeval parse pred/qwen
    """
    from vgeval.runner.predictions import parse_again

    for folder in predictions:
        written = parse_again(folder)
        say(f"{written.items} items in {folder}: {written.errors} errors, {written.invalid} no action")
