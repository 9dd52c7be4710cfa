"""Writes the spec reference from the schema: ``python -m vgsynth.spec.reference docs/spec-reference.md``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from vgsynth.spec.changes import NOISE_FIELDS, SEGMENT_FIELDS
from vgsynth.spec.pair_fields import PAIR_SCENE_FIELDS, PAIR_SEGMENT_FIELDS
from vgsynth.spec.schema import schema
from vgsynth.spec.show import flow

_INTRO = """\
# Spec reference

Made from `vgsynth/spec/scene.v1.json` by `python -m vgsynth.spec.reference docs/spec-reference.md`: change
the schema, not this page. `vgsynth new KIND FILE` writes a commented spec to start from, `vgsynth check`
finds every error in one, `vgsynth config` shows one with every default filled in.

A spec is a YAML file: scenes (who says what, where, after how long a pause) over cases. Each scene gives one
item for each case; a grid gives one for each cell. Keys in **bold** are required.
"""

_VALUES = """\
## Placeholders and distributions

A text may hold placeholders, which are filled in for each item:

| placeholder | stands for |
|---|---|
| `{case.<field>}` | a field of the case, `{case.params.time}` one inside another; `{case.id}` |
| `{speaker.<name>}` | the voice that the speaker has in this case, as `engine/name` |
| `{cell.<axis>}` | the level of a grid axis |
| `{condition}` | the scene's condition |
| `{segment.role}` | the segment's role; inside segments and voice settings alone |

A text that is one placeholder and nothing else keeps its type: a number stays a number. `{{` and `}}` are
braces that are meant as such. YAML takes `{case.x}` without quotes for a mapping: write `"{case.x}"`.

Wherever a number may stand, so may a distribution; `choice` may stand for text as well.

| distribution | draws |
|---|---|
| `{uniform: [a, b]}` | any number from a to b |
| `{normal: [mean, sd], min: a, max: b}` | a normal distribution, cut off at `min` and `max` if given |
| `{choice: [a, b, c]}` | one of the values |

With `per: case` all scenes of a case share a draw; by default (`per: scene`) each has its own. A draw depends
on the seed, the item's (or case's) id and the place in the scene, and on nothing else: adding cases or scenes
changes no other draw. Numbers are rounded to 9 significant digits.
"""

_PRECEDENCE = """\
`level` and `trim` may stand in several places. What is nearest to the utterance counts, key by key: on the
utterance, on its scene, in `defaults.segment`, in `defaults.scene`, at the top. `noise`, `policy` and
`target` go the same way from the scene on.
"""

_CHANGES = """\
### Paths of a scene

What `change` and grid axes set, by dotted path:
"""

_FILES = """\
## Files, names and YAML

- Paths are relative to the file that they are written in, and may not leave the spec's folder (or the one
  above it that `root` names), not even through symbolic links. Write `/` between folders.
- `extends` merges other specs under this one: mappings key by key, lists as a whole; a key set to `null` is
  removed. A distribution, and a room or noise of another `kind`, is replaced as a whole.
- Cases in JSONL have one object a line. In CSV a column `params.time` is `time` in `params`; an empty cell is
  an absent field; cells are text, but for `params.*`, which take the type that the tool's schema asks for,
  and columns that end in `:json`. Both are read as streams.
- Ids (of cases and conditions) become file names: letters, digits, `.`, `_` and `-`, at most 80, no names of
  Windows devices, and no two that differ in letter case alone. An item's id is
  `<case>.<condition>`, in a grid with `.<axis>-<level>_<axis>-<level>`, with repeats `.r1`, `.r2` ...
- YAML is that of version 1.2: `no`, `on`, `012`, `1:30` and dates are text; `1e3`, `.5` and `0x1F` are
  numbers; a key given twice, a tag, a merge key (`<<`), infinities and several documents in a file are
  errors.
"""

# Heading and definition (or key at the top: /output).
_SECTIONS: tuple[tuple[str, str], ...] = (
    ("Tools", "tool"),
    ("Cases", "case"),
    ("Cases from a file", "cases_from"),
    ("Speakers", "speaker"),
    ("Voices", "voice"),
    ("Dry rooms", "dry_room"),
    ("Shoebox rooms", "shoebox_room"),
    ("Measured rooms", "rir_room"),
    ("Level", "level"),
    ("Trim", "trim"),
    ("Noise", "noise"),
    ("Output", "/output"),
    ("Defaults", "defaults"),
    ("Scenes", "scene"),
    ("Utterances", "utterance"),
    ("Boundaries", "boundary"),
    ("Grid", "grid"),
    ("Pairs", "pair"),
    ("Splits", "splits"),
)


def reference_text() -> str:
    """The page, as Markdown."""
    return "\n".join(_lines()).rstrip() + "\n"


def _lines() -> Iterator[str]:
    whole = schema()
    yield _INTRO
    yield "## Top level\n"
    yield from _table(whole)
    yield ""
    yield _VALUES
    for heading, name in _SECTIONS:
        part = whole["properties"][name[1:]] if name.startswith("/") else whole["definitions"][name]
        yield from _section(heading, part)
        if heading == "Trim":
            yield _PRECEDENCE
        elif heading == "Scenes":
            yield from _changes()
        elif heading == "Grid":
            yield from _axes(whole["definitions"]["axis"])
        elif heading == "Pairs":
            yield from _pair_fields()
    yield _FILES


def _section(heading: str, part: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {heading}\n"
    yield f"{part['description']}\n"
    forms = [form for form in part.get("anyOf", [part]) if form.get("properties")]
    merged = {"properties": {k: v for form in forms for k, v in form["properties"].items()}}
    required = [set(form.get("required", ())) for form in forms]
    yield from _table({**merged, "required": set.intersection(*required)})
    yield ""
    for example in part.get("examples", ())[-1:]:
        if heading not in ("Output", "Defaults"):
            yield f"For example `{flow(example)}`.\n"


def _table(part: Mapping[str, Any]) -> Iterator[str]:
    yield "| key | what it is | default | example |"
    yield "|---|---|---|---|"
    for key, value in part["properties"].items():
        name = f"**`{key}`**" if key in part.get("required", ()) else f"`{key}`"
        default = f"`{flow(value['default'])}`" if "default" in value else ""
        example = f"`{flow(value['examples'][0])}`" if value.get("examples") else ""
        yield f"| {name} | {_cell(value['description'])}{_values(value)} | {default} | {example} |"


def _values(value: Mapping[str, Any]) -> str:
    """The words that may stand, where the description does not name them all."""
    enums = [form["enum"] for form in (value, *value.get("anyOf", ())) if "enum" in form]
    words = [str(word) for enum in enums for word in enum]
    if not words or all(word in value["description"] for word in words):
        return ""
    return f" One of {', '.join(f'`{word}`' for word in words)}."


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "\\<")


def _changes() -> Iterator[str]:
    yield _CHANGES
    yield "| path | sets |"
    yield "|---|---|"
    for field in SEGMENT_FIELDS:
        what = "the boundary before that utterance" if field == "gap_ms" else f"its `{field}`"
        yield f"| `<role>.{field}` | {what} |"
    yield "| `boundary.gap_ms` | the scene's only boundary; where none is written, the one before `trigger` |"
    yield "| `noise` | the noise as a whole, or `none` |"
    for field in NOISE_FIELDS:
        yield f"| `noise.{field}` | its `{field}` |"
    yield "| `initiator` | who opened the session |"
    yield ""


def _axes(axis: Mapping[str, Any]) -> Iterator[str]:
    yield "Each other key is an axis. There are three ways to write one:\n"
    meaning = (
        "values; each level is called what it is written as",
        "values with names of their own",
        "levels that set several things at once",
    )
    for example, what in zip(axis["examples"], meaning, strict=True):
        yield f"- `{flow(example)}`: {what}"
    yield ""


def _pair_fields() -> Iterator[str]:
    fields = ", ".join(f"`<role>.{field}`" for field in PAIR_SEGMENT_FIELDS)
    scene = ", ".join(f"`{field}`" for field in PAIR_SCENE_FIELDS)
    yield f"`may_differ_in` takes {fields}; and {scene}. An item belongs to one pair at most.\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference_text(), encoding="utf-8", newline="\n")
