"""Reads seeds, templates and pools, in the same YAML as scene specs (``on`` is a string)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scenes.vgbench.generate.speaker_switch.model import Context, Family, Material, Seed, Tool, Trigger
from vgsynth.contract.problems import InputError
from vgsynth.spec.nodes import flatten
from vgsynth.spec.yaml_reader import read_yaml


def read_material(folder: Path) -> Material:
    """Everything under ``folder``; tools come in the order of seeds.yaml.

    Raises InputError for a file that is not YAML, KeyError, TypeError or ValueError for one that lacks a
    part or refers to something that is not there.
    """
    pools = {name: tuple(entries) for name, entries in _yaml(folder / "pools.yaml").items()}
    seeds = _yaml(folder / "seeds.yaml")
    templates = folder / "templates"
    tools = tuple(_tool(name, listed, templates / f"{name}.yaml") for name, listed in seeds.items())
    return Material(tools=tools, pools=pools)


def _tool(name: str, listed: list[dict[str, Any]], file: Path) -> Tool:
    seeds = tuple(Seed(tool=name, **entry) for entry in listed)
    families = tuple(_family(id_, written) for id_, written in _yaml(file).items())
    known = {seed.id for seed in seeds}
    named = {context.seed for family in families for context in family.contexts}
    if named != known:
        raise ValueError(f"{file.name}: contexts must vary each seed of {name}: {sorted(named ^ known)}")
    prefixes = {seed.id.rpartition("-")[0] for seed in seeds}
    if len(prefixes) != 1:
        raise ValueError(f"seeds.yaml: the ids of {name} must start alike: {sorted(prefixes)}")
    return Tool(name=name, prefix=prefixes.pop(), seeds=seeds, families=families)


def _family(id_: str, written: Mapping[str, Any]) -> Family:
    return Family(
        id=id_,
        contexts=tuple(
            Context(id=f"{id_}/{name}", seed=entry["seed"], say=entry["say"], about=tuple(entry["about"]))
            for name, entry in written["contexts"].items()
        ),
        triggers=tuple(
            Trigger(id=f"{id_}/{name}", say=entry["say"], params=entry["params"])
            for name, entry in written["triggers"].items()
        ),
    )


def _yaml(file: Path) -> dict[str, Any]:
    root, problems = read_yaml(file.read_bytes(), file.name)
    if root is None or problems:
        raise InputError(problems)
    value, _ = flatten(root)
    if not isinstance(value, dict):
        raise ValueError(f"{file.name}: must be a mapping")
    return value
