"""record-sheet, ingest, agreement: people in place of voices."""

from __future__ import annotations

from pathlib import Path

import click

from vgcli.terminal import console, print_json, say, steps_bar

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("record-sheet")
@click.argument("spec", type=_FILE)
@click.option("-o", "--out", type=_FILE, help="The page; default: NAME-sheet.html beside the spec.")
@click.option("--people", metavar="NAME,...", help="Who reads, in place of the spec's voices.")
@click.option("--csv", "table", type=_FILE, help="The same as a table.")
def record_sheet(spec: Path, out: Path | None, people: str | None, table: Path | None) -> None:
    """Write a page to print: what each person says for a spec, to whom, and into which file.

    A spec whose voices speak for themselves gets a second one beside it, SPEC_recorded.yaml, in which people
    are its voices; without --people, a reader stands for each voice. All that comes after uses that spec.

    \b
    Example:
      vgsynth record-sheet side_talk.yaml --people ann,bob,cid,dee --csv prompts.csv
    """
    from vgsynth.recording.files import write_file
    from vgsynth.recording.people import is_recorded
    from vgsynth.recording.people_spec import write_people_spec
    from vgsynth.recording.script import script_of
    from vgsynth.recording.sheet import readers_of, sheet_csv, sheet_html
    from vgsynth.spec.load import load_spec

    loaded = load_spec(spec)
    if people is not None or not is_recorded(loaded):
        names = [name.strip() for name in (people or "").split(",") if name.strip()]
        loaded = write_people_spec(loaded, names)
        say(f"{loaded.file}: the spec with people for voices")
    readers = readers_of(script_of(loaded).prompts)
    page = out or loaded.file.with_name(f"{loaded.name}-sheet.html")
    write_file(page, sheet_html(loaded, readers))
    if table is not None:
        write_file(table, sheet_csv(readers))
    count = sum(len(reader.prompts) for reader in readers)
    say(f"{page}: {count:,} files to record, by {', '.join(reader.name for reader in readers)}")
    say(f"next: vgsynth ingest FOLDER --spec {loaded.file}")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--spec", required=True, type=_FILE, help="The spec with people for voices.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Folder of the tables; default: the spec's."
)
@click.option(
    "--several",
    type=click.Choice(["list", "last"]),
    default="list",
    show_default=True,
    help="Where a prompt has several takes: list them, or use the last.",
)
@click.option("--replace", is_flag=True, help="Overwrite files that did not come from here.")
@click.option(
    "--listen/--no-listen", default=True, help="Compare takes with the script, if a recogniser is installed."
)
@click.option(
    "--word-errors",
    type=click.FloatRange(0.0),
    default=0.25,
    show_default=True,
    metavar="RATE",
    help="Word error rate above which a take is to be checked.",
)
@click.option("--json", "as_json", is_flag=True, help="Result as JSON on stdout.")
def ingest(
    *,
    folder: Path,
    spec: Path,
    out: Path | None,
    several: str,
    replace: bool,
    listen: bool,
    word_errors: float,
    as_json: bool,
) -> int:
    """Bring takes to where a spec looks for them, as 16 kHz mono WAV, and check them.

    Takes are matched by name: FOLDER/ann/side-001-first.flac is ann's take of side-001-first, whatever the
    format. Writes NAME-takes.csv (what was found of each take) and NAME-annotation.csv (for two annotators;
    what they wrote is kept). Run again, it looks at new and changed takes alone. Exit code 1 where a take is
    missing, doubled, left over or to be checked.

    \b
    Example:
      vgsynth ingest takes --spec side_talk_recorded.yaml
    """
    from vgsynth.audit.values import Skipped
    from vgsynth.cli.recording_tables import ingested_tables
    from vgsynth.recording.ingest import Tables
    from vgsynth.recording.ingest import ingest as bring_in
    from vgsynth.recording.placing import Options
    from vgsynth.recording.words import installed_listener
    from vgsynth.spec.load import load_spec

    loaded = load_spec(spec)
    tables = Tables.of(loaded, out)
    listener = installed_listener() if listen else Skipped(skipped="not asked for (--no-listen)")
    options = Options(last_take=several == "last", replace=replace, word_error_limit=word_errors)
    with steps_bar() as update:
        found = bring_in(
            loaded,
            folder,
            tables,
            options=options,
            listener=listener,
            on_take=lambda done, total: update("ingesting", done, total),
        )
    if as_json:
        skipped = listener.skipped if isinstance(listener, Skipped) else None
        print_json(
            {
                **found.to_json(),
                "takes_table": str(tables.takes),
                "annotation_table": str(tables.annotation),
                "not_compared": skipped,
            }
        )
    else:
        console().print(ingested_tables(found))
        if isinstance(listener, Skipped):
            say(
                f"not compared with the script: {listener.skipped}"
                + (f"; {listener.fix}" * bool(listener.fix))
            )
        say(f"{tables.takes}: every take; {tables.annotation}: for the annotators")
    return 0 if found.complete else 1


@click.command()
@click.argument("tables", nargs=-1, required=True, type=_FILE)
@click.option("--spec", type=_FILE, help="Compare with what this spec intends, too.")
@click.option("--retain", type=_FILE, metavar="FILE", help="Write a spec of the cases that are kept.")
@click.option("--json", "as_json", is_flag=True, help="Result as JSON on stdout.")
def agreement(tables: tuple[Path, ...], spec: Path | None, retain: Path | None, as_json: bool) -> None:
    """How far two annotators agree (Cohen's kappa), where they do not, and which items are kept.

    Give one table that both have filled in, or a copy from each.

    \b
    Example:
      vgsynth agreement ann1.csv ann2.csv --spec side_talk_recorded.yaml --retain side_talk_kept.yaml
    """
    from vgsynth.recording.agreement import agreement_of
    from vgsynth.recording.ratings import read_ratings
    from vgsynth.recording.retained import whole_cases, write_retained_spec
    from vgsynth.recording.script import script_of
    from vgsynth.spec.load import load_spec

    if retain is not None and spec is None:
        raise click.UsageError("--retain needs --spec")
    loaded = None if spec is None else load_spec(spec)
    script = None if loaded is None else script_of(loaded)
    rated = read_ratings(tables, None if loaded is None else [tool.name for tool in loaded.tools])
    found = agreement_of(rated, None if script is None else {item.id: item for item in script.items})
    if as_json:
        print_json(found.to_json())
    else:
        from vgsynth.cli.recording_tables import agreement_tables

        console().print(agreement_tables(found))
    if retain is not None and loaded is not None and script is not None:
        cases = whole_cases(script.items, frozenset(found.retained))
        write_retained_spec(loaded, script, retain, cases)
        say(f"{retain}: {len(cases):,} cases; next: vgsynth render {retain}")
