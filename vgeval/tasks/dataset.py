"""A rendered folder: its tools, its manifest's hash, and its items, read one at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vgeval.tasks.item import Item
from vgeval.tasks.select import WEARVOX_FAMILY, Selection
from vgsynth.contract.canonical import sha256_of_file
from vgsynth.contract.manifest import MANIFEST_NAME, ManifestRow, read_manifest
from vgsynth.contract.problems import InputError, Place, Problem
from vgsynth.contract.suggest import did_you_mean
from vgsynth.contract.tools import Tool, ToolInventory

TOOLS_NAME = "tools.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A folder that ``vgsynth render`` made."""

    folder: Path
    tools: ToolInventory
    manifest_sha256: str
    """Of the manifest's bytes."""

    def items(self, selection: Selection) -> Iterator[Item]:
        """The selected items, in the order of the manifest. Raises InputError for a line that is no row."""
        taken = 0
        for row in read_manifest(self.folder):
            if selection.limit is not None and taken >= selection.limit:
                return
            if selection.takes(row):
                taken += 1
                yield item_of(row, self.folder)

    def check(self, selection: Selection) -> int:
        """Count the selected items. Raises InputError with every id that is there twice, every clip that is
        missing, a split that no row has, and for a selection that takes nothing."""
        manifest = str(self.folder / MANIFEST_NAME)
        problems: list[Problem] = []
        seen: set[str] = set()
        splits: set[str] = set()
        taken = 0

        def add(place: str, message: str, fix: str, line: int = 0) -> None:
            problems.append(Problem(place=Place(file=place, line=line), path="", message=message, fix=fix))

        for line, row in enumerate(read_manifest(self.folder), start=1):
            splits.add(row.split or "")
            if row.item_id in seen:
                add(manifest, f"the item {row.item_id!r} is there twice", "render again", line)
            seen.add(row.item_id)
            if not selection.takes(row):
                continue
            if selection.limit is not None and taken >= selection.limit:
                continue
            taken += 1
            if row.wav is not None and not (self.folder / row.wav).is_file():
                add(manifest, f"the clip {row.wav} is missing", "render again", line)
        for split in set(selection.splits) - splits:
            add("--split", f"no item is in the split {split!r}", did_you_mean(split, splits))
        if not taken and not problems:
            add(manifest, "no item is selected", "look at --task, --split and --limit")
        if problems:
            raise InputError(problems)
        return taken


def open_dataset(folder: Path) -> Dataset:
    """The dataset in a folder. Raises InputError with all that is missing or unreadable."""
    problems: list[Problem] = []
    tools = ToolInventory()
    sha256 = ""
    try:
        sha256 = sha256_of_file(folder / MANIFEST_NAME)
    except OSError as error:
        problems.append(_unreadable(folder / MANIFEST_NAME, error.strerror))
    try:
        listed = json.loads((folder / TOOLS_NAME).read_bytes())
        if not isinstance(listed, list):
            raise TypeError(f"a {type(listed).__name__}")
        tools = ToolInventory(tools=tuple(map(Tool.from_json, listed)))
    except OSError as error:
        problems.append(_unreadable(folder / TOOLS_NAME, error.strerror))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        problems.append(_unreadable(folder / TOOLS_NAME, f"not a list of tools: {error}"))
    if problems:
        raise InputError(problems)
    return Dataset(folder=folder, tools=tools, manifest_sha256=sha256)


def _unreadable(file: Path, why: str | None) -> Problem:
    place = Place(file=str(file))
    return Problem(place=place, path="", message=f"cannot be read: {why}", fix="render the spec first")


def item_of(row: ManifestRow, folder: Path) -> Item:
    """A row as an item. Text items have their segments' texts as lines."""
    note = str(row.case.get("request") or "") if row.family == WEARVOX_FAMILY else ""
    if row.wav is None:
        words = "\n".join(segment.text for segment in row.segments)
        return Item(item_id=row.item_id, transcript=words, note=note, case=row.case)
    return Item(
        item_id=row.item_id, wav=folder / row.wav, wav_sha256=row.wav_sha256, note=note, case=row.case
    )
