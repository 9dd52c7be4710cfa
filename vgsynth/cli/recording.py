"""record-sheet, ingest, agreement: people in place of voices."""

from __future__ import annotations

from pathlib import Path

import click

from vgsynth.cli.terminal import say

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
