"""A document with the position of every part: what the readers return and ``extends`` merges."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from vgsynth.contract.problems import Place
from vgsynth.spec.model import Path_
from vgsynth.spec.places import SourcePlaces


@dataclass(slots=True, kw_only=True)
class Node:
    """A scalar, a ``dict[str, Node]`` or a ``list[Node]``, and where it stands."""

    place: Place
    value: Any
    keys: dict[str, Place] = field(default_factory=dict)
    """Of a mapping: where its keys stand."""
    written: str | None = None
    """Of a scalar whose value does not tell: how it was written."""
    size: int = 1
    """Values in it, itself included."""


def flatten(root: Node) -> tuple[Any, SourcePlaces]:
    """The plain data of a node, and the places of its parts by path."""
    places = SourcePlaces(whole=root.place)

    def plain(node: Node, path: Path_) -> Any:
        places.values[path] = node.place
        value = node.value
        if isinstance(value, dict):
            for key, place in node.keys.items():
                places.keys[*path, key] = place
            return {key: plain(child, (*path, key)) for key, child in value.items()}
        if isinstance(value, list):
            return [plain(child, (*path, index)) for index, child in enumerate(value)]
        if node.written is not None:
            places.written[path] = node.written
        return value

    return plain(root, ()), places
