"""The spec of the items that are kept: a short one that extends the recorded one and leaves cases out."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from vgsynth.contract.problems import InputError
from vgsynth.recording.files import proven_spec
from vgsynth.recording.script import Item, Script, script_of
from vgsynth.spec.model import Spec

_MARK = "# Written by `vgsynth agreement`"


def whole_cases(items: Sequence[Item], retained: Collection[str]) -> tuple[str, ...]:
    """The cases all of whose recorded items are retained: those of a pair stand or fall together."""
    lost = {item.case_id for item in items if item.id not in retained}
    return tuple(dict.fromkeys(item.case_id for item in items if item.case_id not in lost))


def write_retained_spec(spec: Spec, script: Script, file: Path, cases: Sequence[str]) -> None:
    """Write a spec that makes the items of some ``cases`` of ``spec``, each as it is among all of them.

    One that was written here before is overwritten. Raises InputError for another file of that name, without
    any case, and where a scene has a `when` of its own.
    """
    if not cases:
        raise InputError.at(str(file), "no case is kept, so there is no spec to write", "annotate more items")
    if file.exists() and not _is_ours(file):
        raise InputError.at(str(file), "is there already, and was not written by this", "choose another name")
    if not file.parent.resolve().is_relative_to(spec.root.resolve()):
        raise InputError.at(
            str(file), "lies outside the spec's folder tree", f"choose a name in {spec.file.parent}"
        )
    kept = frozenset(cases)
    with proven_spec(file, "\n".join(_lines(spec, file, cases)) + "\n") as narrowed:
        expected = tuple(item for item in script.items if item.case_id in kept)
        if script_of(narrowed).items != expected:
            raise InputError.at(
                str(spec.file),
                "a scene has a `when` of its own, which stands against the one that leaves cases out",
                "write the spec by hand, with `case.id` in each scene's `when`",
            )


def _lines(spec: Spec, file: Path, cases: Sequence[str]) -> Iterator[str]:
    base = Path(os.path.relpath(spec.file.resolve(), file.parent.resolve())).as_posix()
    yield f"{_MARK}: {len(cases)} cases that both annotators confirmed."
    yield "vgsynth: 1"
    yield f"name: {json.dumps(file.stem)}"
    yield f"family: {json.dumps(spec.family)}"
    yield f"extends: {json.dumps(base)}"
    if spec.document.get("cases") is not None:
        # Not by `cases`: who reads a case and which part it belongs to are settled among all of them.
        yield "defaults:"
        yield "  scene:"
        yield "    when:"
        yield "      case.id:"
        for case_id in cases:
            yield f"        - {json.dumps(case_id)}"


def _is_ours(file: Path) -> bool:
    try:
        return file.read_text(encoding="utf-8").startswith(_MARK)
    except (OSError, UnicodeDecodeError):
        return False
