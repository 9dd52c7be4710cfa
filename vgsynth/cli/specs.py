"""check, config, schema, new: writing specs."""

from __future__ import annotations

from pathlib import Path

import click

from vgcli.terminal import print_json, print_problems, say
from vgsynth.contract.problems import InputError, Problem
from vgsynth.spec.scaffold import KINDS


@click.command()
@click.argument("specs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Problems as JSON on stdout.")
def check(specs: tuple[Path, ...], as_json: bool) -> int:
    """Check specs, and report every error at once.

    Looks at the schema, at names and files, and at what every scene would be; nothing is rendered. Exit
    code 0 or 2.

    \b
    Example:
      vgsynth check scenes/quickstart.yaml
    """
    from vgsynth.render.inspect import inspect_spec
    from vgsynth.spec.load import load_spec

    problems: list[Problem] = []
    for file in specs:
        try:
            totals = inspect_spec(load_spec(file))
        except InputError as error:
            problems.extend(error.problems)
            continue
        if not as_json:
            say(f"{file}: right: {totals.cases:,} cases, {totals.items:,} scenes")
    if as_json:
        print_json({"problems": [_as_json(problem) for problem in problems]})
    else:
        print_problems(problems)
    return 2 if problems else 0


def _as_json(problem: Problem) -> dict[str, object]:
    return {
        "file": problem.place.file,
        "line": problem.place.line,
        "column": problem.place.column,
        "path": problem.path,
        "message": problem.message,
        "fix": problem.fix,
    }


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
def config(spec: Path) -> None:
    """Print the fully resolved spec: `extends` and `defaults` merged, every default filled in.

    \b
    Example:
      vgsynth config scenes/quickstart.yaml
    """
    from vgsynth.spec.config import resolved_yaml
    from vgsynth.spec.load import load_spec

    click.echo(resolved_yaml(load_spec(spec)), nl=False)


@click.command()
def schema() -> None:
    """Print the JSON Schema (draft-07) of specs, for editors.

    \b
    Example:
      vgsynth schema > scene.v1.json
    then write in a spec's first line:
      # yaml-language-server: $schema=scene.v1.json
    """
    from vgsynth.spec.config import schema_text

    click.echo(schema_text(), nl=False)


@click.command()
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("file", type=click.Path(path_type=Path))
def new(kind: str, file: Path) -> None:
    """Write a commented spec to start from. An existing file is never overwritten.

    \b
    Example:
      vgsynth new grid my_grid.yaml && vgsynth check my_grid.yaml
    """
    from vgsynth.spec.scaffold import new_spec

    new_spec(kind, file)
    say(f"wrote {file}; next: vgsynth check {file}")
