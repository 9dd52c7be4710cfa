"""The checks that are left: files that are not there, stated tools, splits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vgsynth.contract.problems import Problem
from vgsynth.contract.suggest import did_you_mean
from vgsynth.spec.draft import Draft, mapping, names, options, utterances
from vgsynth.spec.model import Path_
from vgsynth.spec.tree import PathError


def check_files(draft: Draft) -> Iterator[Problem]:
    """Files named without placeholders that are missing, or that lie outside the tree."""
    for path, value in _file_paths(draft):
        for index, option in enumerate(options(value)):
            if not isinstance(option, str) or not option or "{" in option:
                continue
            at = (*path, "choice", index) if isinstance(value, Mapping) else path
            try:
                found = draft.tree.find(option)
            except PathError as error:
                yield draft.finder.at(at, error.message, error.fix)
                continue
            if found.is_dir():
                yield draft.finder.at(at, f"{option!r} is a folder", "name a file in it")


def _file_paths(draft: Draft) -> Iterator[tuple[Path_, Any]]:
    for name, room in draft.part("rooms").items():
        if mapping(room).get("kind") == "rir":
            yield ("rooms", name, "path"), mapping(room).get("path")
    yield ("noise", "path"), draft.part("noise").get("path")
    defaults = draft.part("defaults", "scene", "noise")
    yield ("defaults", "scene", "noise", "path"), defaults.get("path")
    yield ("defaults", "segment", "play"), draft.part("defaults", "segment").get("play")
    for at, scene in draft.scenes():
        yield (*at, "noise", "path"), mapping(scene.get("noise")).get("path")
        for path, segment in utterances(scene, at):
            yield (*path, "play"), segment.get("play")
    for path, dotted, value in draft.changes():
        if dotted == "noise":
            yield (*path, "path"), mapping(value).get("path")
        elif dotted == "noise.path" or dotted.endswith(".play"):
            yield path, value


def check_targets(draft: Draft) -> Iterator[Problem]:
    """Stated targets that name a tool: the tool exists and its parameters fit."""
    stated: list[tuple[Path_, Any]] = [
        (("target",), draft.data.get("target")),
        (("defaults", "scene", "target"), draft.part("defaults", "scene").get("target")),
        *(((*at, "target"), scene.get("target")) for at, scene in draft.scenes()),
    ]
    for path, written in stated:
        target = mapping(written)
        name = target.get("tool")
        if draft.box is None or not isinstance(name, str) or "{" in name or _has_placeholders(target):
            continue
        given = target.get("params")
        for fault in draft.box.call_faults(name, {} if given is None else given):
            # Without `params` the case's own are taken: expansion looks at those.
            if fault.path[0] == "tool" or given is not None:
                make = draft.finder.at_key if fault.of_key else draft.finder.at
                yield make((*path, *fault.path), fault.message, fault.fix)


def _has_placeholders(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_placeholders, value.values()))
    if isinstance(value, list):
        return any(map(_has_placeholders, value))
    return isinstance(value, str) and "{" in value


def check_noise(draft: Draft, scenes: Mapping[str, Any]) -> Iterator[Problem]:
    """Noise that `change` turned into a file's without naming the file."""
    for scene in scenes.values():
        noise = mapping(scene.noise)
        if noise.get("kind") == "file" and "path" not in noise:
            path = (*scene.path, "change", "noise.kind")
            yield draft.finder.at(path, "noise from a file needs its path", "set `noise` as a whole")


def check_splits(draft: Draft) -> Iterator[Problem]:
    """Parts that ask for more than there is, or are named twice."""
    splits = draft.part("splits")
    parts = mapping(splits.get("parts"))
    shares = [size for size in parts.values() if isinstance(size, float)]
    if sum(shares) > 1 + 1e-9:
        yield draft.finder.at(
            ("splits", "parts"), f"the shares add up to {sum(shares):g}", "stay at 1 or below"
        )
    rest = splits.get("rest", "train")
    if "stated" not in splits:
        for index, part in enumerate(names(splits.get("keep"))):
            if part not in (*parts, rest):
                path = ("splits", "keep", index) if isinstance(splits["keep"], list) else ("splits", "keep")
                fix = did_you_mean(part, (*parts, rest)) or f"there are: {', '.join((*parts, str(rest)))}"
                yield draft.finder.at(path, f"there is no part {part!r}", fix)
    if isinstance(rest, str) and rest in parts:
        fix = "it takes what is left: give it another name, or `rest` another"
        yield draft.finder.at_key(("splits", "parts", rest), f"the part {rest!r} is also the rest", fix)


def check_when(draft: Draft) -> Iterator[Problem]:
    """Conditions on cases in a spec that has none."""
    if "cases" in draft.data or "cases" in draft.unread:
        return
    for at, scene in draft.scenes():
        for key in mapping(scene.get("when")):
            if key != "case.id":
                yield draft.finder.at_key((*at, "when", key), "the spec has no cases", "add `cases`")
