"""The prompt sheet: what each reader says, to whom, behind what, and into which file. As HTML and as CSV."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from vgsynth.recording.script import Prompt
from vgsynth.recording.tables import table_bytes
from vgsynth.spec.model import Spec
from vgsynth.voices.text import spoken_seconds_estimate

COLUMNS = ("id", "file", "speaker", "part", "case_id", "role", "say", "to", "before", "before_by", "notes")
_TO = {
    "assistant": "to the assistant",
    "bystander": "to a person near you",
    "self": "to yourself, thinking aloud",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A person, and all that they read."""

    name: str
    prompts: tuple[Prompt, ...]

    @property
    def minutes(self) -> float:
        """About how long the speech alone lasts."""
        return sum(spoken_seconds_estimate(prompt.text) for prompt in self.prompts) / 60


def readers_of(prompts: Sequence[Prompt]) -> tuple[Reader, ...]:
    """The prompts by reader: readers by name, each one's prompts in the order of the spec."""
    by_name: dict[str, list[Prompt]] = {}
    for prompt in prompts:
        by_name.setdefault(prompt.speaker, []).append(prompt)
    return tuple(Reader(name=name, prompts=tuple(by_name[name])) for name in sorted(by_name))


def sheet_html(spec: Spec, readers: Sequence[Reader]) -> bytes:
    """A page to print: no script, nothing asked of other machines; the same spec gives the same bytes."""
    import jinja2
    from markupsafe import Markup

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("vgsynth.recording"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["to_whom"] = to_whom
    style = (files("vgsynth.recording") / "templates" / "sheet.css").read_text(encoding="utf-8")
    page = environment.get_template("sheet.html.j2").render(
        spec=spec,
        readers=readers,
        style=Markup(style),
        style_hash="sha256-" + base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
    )
    return page.encode("utf-8", "xmlcharrefreplace")


def sheet_csv(readers: Sequence[Reader]) -> bytes:
    """The same as a table, a row for each file to record."""
    return table_bytes(COLUMNS, (_row(prompt) for reader in readers for prompt in reader.prompts))


def to_whom(prompt: Prompt) -> str:
    """Whom the reader speaks to, in words; "" where the spec does not say."""
    return ", and the same ".join(_TO[addressee] for addressee in prompt.addressees)


def _row(prompt: Prompt) -> dict[str, str]:
    return {
        "id": prompt.id,
        "file": prompt.take,
        "speaker": prompt.speaker,
        "part": prompt.part,
        "case_id": prompt.case_id,
        "role": prompt.role,
        "say": prompt.text,
        "to": " ".join(prompt.addressees),
        "before": prompt.before,
        "before_by": "" if not prompt.before else "self" if prompt.before_is_own else "other",
        "notes": "; ".join(f"{name}: {value}" for name, value in prompt.notes),
    }
