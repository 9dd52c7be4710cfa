"""Reading what an audit looks at: a rendered folder's rows, and what its spec promised."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vgsynth.contract.manifest import ManifestRow, SegmentRow, read_manifest
from vgsynth.contract.problems import InputError
from vgsynth.render.folder import DATASET, RESOLVED_SPEC

TRIGGER = "trigger"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RenderedSet:
    """A rendered folder, its audio aside."""

    out: Path
    name: str
    rows: tuple[ManifestRow, ...]
    expect: Mapping[str, Any]
    """As the spec stated it: cue to verdict. Not checked yet."""
    manifest_sha256: str
    split_by: str | None
    """``case``, ``case.<field>`` or ``voice``; None without splits, and where cases state their split."""

    def file(self, name: str) -> str:
        """A file of the folder, as messages name it."""
        return str(self.out / name)


def load_set(out: Path) -> RenderedSet:
    """Read a folder that ``vgsynth render`` wrote. Raises InputError for anything else."""
    rows = tuple(read_manifest(out))
    if not rows:
        raise InputError.at(str(out / "manifest.jsonl"), "there are no items to audit", "render a spec first")
    dataset = _dataset(out / DATASET)
    expect = dataset.get("expect") or {}
    if not isinstance(expect, Mapping):
        raise InputError.at(str(out / DATASET), "`expect` is not an object", "render the spec again")
    return RenderedSet(
        out=out,
        name=str(dataset.get("name") or out.resolve().name),
        rows=rows,
        expect=expect,
        manifest_sha256=str(dataset.get("manifest_sha256", "")),
        split_by=_split_by(out / RESOLVED_SPEC),
    )


def focus(row: ManifestRow) -> int | None:
    """Index of the segment that an item turns on: the trigger, else the last; None without segments."""
    for index, segment in enumerate(row.segments):
        if segment.role == TRIGGER:
            return index
    return len(row.segments) - 1 if row.segments else None


def voice_id(segment: SegmentRow) -> str | None:
    """``engine/voice`` as specs write it; the recording's path where that is all there is."""
    if segment.engine and segment.voice:
        return f"{segment.engine}/{segment.voice}"
    return segment.voice or segment.source_file


def case_value(row: ManifestRow, dotted: str) -> str | None:
    """A field of the case, such as ``case.template``, as text; None where the case has none."""
    value: Any = {"id": row.case_id, **row.case}
    for part in dotted.removeprefix("case.").split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    if value is None or isinstance(value, Mapping | list):
        return None
    return str(value)


def _dataset(path: Path) -> Mapping[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError.at(str(path), f"cannot be read: {error}", "render the spec again") from error
    if not isinstance(data, dict):
        raise InputError.at(str(path), "is not an object", "render the spec again")
    return data


def _split_by(path: Path) -> str | None:
    """What the resolved spec splits by. A folder without it was not split by anything we know of."""
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError.at(str(path), f"cannot be read: {error}", "render the spec again") from error
    try:
        document = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise InputError.at(str(path), "is not YAML", "render the spec again") from error
    splits = document.get("splits") if isinstance(document, dict) else None
    by = splits.get("by") if isinstance(splits, dict) else None
    return by if isinstance(by, str) else None
