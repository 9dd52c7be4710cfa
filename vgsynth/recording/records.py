"""The table of takes: for each prompt, which file was its take, what was measured, and what is off.

It is also what the next run goes by: a take that is the same as then is not looked at again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from vgsynth.contract.problems import InputError
from vgsynth.recording.script import Prompt
from vgsynth.recording.tables import problem, read_table, table_bytes

State = Literal["ready", "check", "refused", "blocked", "doubled", "missing"]
"""ready: in its place, nothing is off. check: in its place, something is off. refused: the take cannot be
used. blocked: another file is in its place. doubled: several takes, none chosen. missing: no take."""
TAKE, FOUND = "take", "found"
"""Where the file in a prompt's place came from: a take, or it was there before."""
FIGURES = ("sample_rate_hz", "channels", "duration_s", "speech_s", "level_dbfs", "peak_dbfs", "noise_dbfs")
_FIELDS = (
    "state",
    "findings",
    "take",
    "take_sha256",
    "file",
    "file_sha256",
    "file_from",
    "text",
    "checked_by",
)
COLUMNS = (
    "id", "state", "findings", "text", "heard", "word_error_rate", "take", "file", *FIGURES,
    "take_sha256", "file_sha256", "file_from", "checked_by",
)  # fmt: skip
_BETWEEN = "; "


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What is known of a prompt's recording."""

    state: State
    findings: tuple[str, ...] = ()
    take: str = ""
    """Looked at last, relative to the folder of takes; "" where there was none."""
    take_sha256: str = ""
    file: str = ""
    file_sha256: str = ""
    """Of the file in its place; "" where there is none, or one that nobody has looked at."""
    file_from: str = ""
    """``take`` or ``found``: only the former is overwritten unasked."""
    text: str = ""
    heard: str = ""
    word_error_rate: str = ""
    """Empty where nobody listened."""
    figures: Mapping[str, str] = field(default_factory=dict)
    checked_by: str = ""
    """The checks that it went through."""

    @property
    def in_place(self) -> bool:
        """Whether the spec finds a recording."""
        return self.file_sha256 != ""

    @property
    def compared(self) -> bool:
        """Whether somebody listened to it."""
        return self.word_error_rate != ""


def read_records(path: Path) -> dict[str, Record]:
    """The records of a table, by prompt id; none where there is no table yet. Raises InputError."""
    if not path.exists():
        return {}
    table = read_table(path, COLUMNS)
    fix = "move it away: it is written anew, and every take is looked at again"
    wrong = [
        problem(path, line, f"{row['state']!r} is no state of a take", fix)
        for line, row in zip(table.lines, table.rows, strict=True)
        if row["state"] not in get_args(State)
    ]
    if wrong:
        raise InputError(wrong)
    return {row["id"]: _record(row) for row in table.rows}


def records_bytes(prompts: Iterable[Prompt], records: Mapping[str, Record]) -> bytes:
    """The table of the records that there are, in the order of the prompts."""
    return table_bytes(
        COLUMNS, (_cells(prompt.id, records[prompt.id]) for prompt in prompts if prompt.id in records)
    )


def _record(row: Mapping[str, str]) -> Record:
    texts = {name: row[name] for name in (*_FIELDS, "heard", "word_error_rate")}
    findings = tuple(filter(None, texts.pop("findings").split(_BETWEEN)))
    return Record(
        **{name: value for name, value in texts.items() if name != "state"},
        state=row["state"],  # type: ignore[arg-type]
        findings=findings,
        figures={name: row[name] for name in FIGURES},
    )


def _cells(prompt_id: str, record: Record) -> dict[str, str]:
    return {
        "id": prompt_id,
        **{name: str(getattr(record, name)) for name in (*_FIELDS, "heard", "word_error_rate")},
        "findings": _BETWEEN.join(record.findings),
        **record.figures,
    }
