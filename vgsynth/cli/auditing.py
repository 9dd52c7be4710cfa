"""audit: does a rendered set test what it claims?"""

from __future__ import annotations

import json
from pathlib import Path

import click

from vgcli.terminal import console, print_json, say, steps_bar


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--beside",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Another rendered folder whose splits must not leak into this one's; may be given several times.",
)
@click.option("--json", "as_json", is_flag=True, help="Result as JSON on stdout.")
@click.option("--page", type=click.Path(path_type=Path), help="The page; default: OUT/audit.html.")
@click.option(
    "--listen", type=click.IntRange(0), default=40, show_default=True, help="Items for the recogniser."
)
@click.option(
    "--compare", type=click.IntRange(0), default=200, show_default=True, help="Items to compare speakers in."
)
def audit(
    out: Path, beside: tuple[Path, ...], as_json: bool, page: Path | None, listen: int, compare: int
) -> int:
    """Audit a rendered set: counts, what single cues tell, voices, rooms, words, duplicates, leakage.

    Writes OUT/audit.json and a page with plots. Exit code 1 where something that the spec expects does not
    hold, or something leaks between splits.

    \b
    Example:
      vgsynth audit out/quickstart
    """
    from vgsynth.audit.audit import audit_folder
    from vgsynth.audit.files import write_whole
    from vgsynth.audit.options import AuditOptions
    from vgsynth.audit.page import write_page
    from vgsynth.audit.table import audit_table

    options = AuditOptions(recognise_items=listen, embed_items=compare)
    with steps_bar() as on_progress:
        found = audit_folder(out, beside=beside, options=options, on_progress=on_progress)
    result = found.to_json()
    target = page or out / "audit.html"
    write_page(found, target)
    write_whole(out / "audit.json", json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    if as_json:
        print_json(result)
    else:
        console().print(audit_table(found))
        say(f"{target}: the same with plots; {out / 'audit.json'}: for scripts")
    return 1 if found.failures else 0
