"""wearvox: a user's copy made ready to be run."""

from __future__ import annotations

from pathlib import Path

import click

from vgcli.terminal import print_json, progress_bar, say


@click.command()
@click.argument("copy", type=click.Path(path_type=Path))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="New folder.")
@click.option("--ids", type=click.Path(path_type=Path), help="File of the protocol's ids, one a line.")
@click.option("--count", type=click.IntRange(1), default=384, show_default=True, help="Without --ids.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the choice without --ids.")
@click.option("--json", "as_json", is_flag=True, help="Result as JSON on stdout.")
def wearvox(copy: Path, out: Path, ids: Path | None, count: int, seed: int, as_json: bool) -> None:
    """Make a copy of WearVox into a folder that `vgeval run` takes.

    The paper's protocol is a fixed list of 384 examples: give it with --ids. Without one, as many are
    chosen by a seed, each task in its share; the manifest says which way it was.

    \b
    Example:
      vgeval wearvox data/wearvox -o out/wearvox --ids wearvox384.txt
      vgeval run out/wearvox --model qwen3-omni -o pred/wearvox
    """
    from vgeval.tasks.wearvox.build import build
    from vgeval.tasks.wearvox.copy import read_copy
    from vgeval.tasks.wearvox.protocol import by_ids, stratified

    found = read_copy(copy)
    if ids is not None:
        chosen = by_ids(found.examples, ids)
        protocol = f"ids of {ids.name}"
    else:
        chosen = stratified(found.examples, count, seed)
        protocol = f"stratified, seed {seed}: {len(chosen)} of {len(found.examples)}"
        say(f"no file of ids: {protocol}")
    with progress_bar("reading", len(chosen)) as update:
        counts = build(found, chosen, out, protocol=protocol, on_done=update)
    if as_json:
        print_json({"protocol": protocol, "tasks": counts})
    else:
        say(f"{len(chosen)} examples in {out}: {', '.join(f'{n} {task}' for task, n in counts.items())}")
