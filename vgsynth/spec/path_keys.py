"""Where in a document paths of files stand, and how they are made relative to the root."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from vgsynth.contract.problems import Problem
from vgsynth.spec.model import Path_
from vgsynth.spec.nodes import Node
from vgsynth.spec.places import path_text
from vgsynth.spec.tree import PathError, Tree

_Holder = tuple[Any, str | int, Path_]
"""A dict or list of nodes, the key of a node in it, and that node's path in the document."""


def normalise_paths(root: Node, tree: Tree, folder: str) -> list[Problem]:
    """Rewrite every path in a document of ``folder`` to be relative to the tree's root.

    Placeholders stay as they are. Returns the problems of paths that cannot stay inside the tree.
    """
    problems: list[Problem] = []
    done: set[int] = set()
    for container, key, path in list(_spec_paths(root)):
        node: Node = container[key]
        if id(node) in done:  # an alias shares what holds it
            continue
        try:
            # A grid's level is called what the author wrote, so that is kept.
            new = Node(place=node.place, value=tree.normal(folder, node.value), written=node.value)
        except PathError as error:
            problems.append(
                Problem(place=node.place, path=path_text(path), message=error.message, fix=error.fix)
            )
            continue
        container[key] = new
        done.add(id(new))
    return problems


def normalise_pool_paths(pools: Node, tree: Tree, folder: str) -> list[Problem]:
    """The same for a file that holds pools alone."""
    return normalise_paths(Node(place=pools.place, value={"pools": pools}), tree, folder)


def _spec_paths(root: Node) -> Iterator[_Holder]:
    for key in ("tools", "cases", "pools"):
        yield from _text(root, key, ())
    yield from _text(_child(root, "cases"), "from", ("cases",))
    for name, pool in _entries(_child(root, "pools")):
        yield from _voices(pool, ("pools", name))
    for name, speaker in _entries(_child(root, "speakers")):
        yield from _voices(_child(speaker, "voices"), ("speakers", name, "voices"))
        yield from _text(_child(speaker, "settings"), "path", ("speakers", name, "settings"))
    for name, room in _entries(_child(root, "rooms")):
        yield from _text(room, "path", ("rooms", name))
    yield from _text(_child(root, "noise"), "path", ("noise",))
    defaults = _child(root, "defaults")
    yield from _scene(_child(defaults, "scene"), ("defaults", "scene"))
    yield from _segment(_child(defaults, "segment"), ("defaults", "segment"))
    for index, scene in _items(_child(root, "scenes")):
        yield from _scene(scene, ("scenes", index))
    for axis, node in _entries(_child(root, "grid")):
        if axis not in ("of", "include", "exclude"):
            yield from _axis(node, ("grid", axis))


def _scene(scene: Node | None, at: Path_) -> Iterator[_Holder]:
    yield from _text(_child(scene, "noise"), "path", (*at, "noise"))
    for index, segment in _items(_child(scene, "segments")):
        yield from _segment(segment, (*at, "segments", index))
    yield from _changes(_child(scene, "change"), (*at, "change"))


def _segment(segment: Node | None, at: Path_) -> Iterator[_Holder]:
    yield from _text(segment, "play", at)
    yield from _text(_child(segment, "settings"), "path", (*at, "settings"))


def _voices(voices: Node | None, at: Path_) -> Iterator[_Holder]:
    yield from _text(voices, "path", at)
    for index, voice in _items(voices):
        yield from _text(voice, "path", (*at, index))


def _axis(axis: Node, at: Path_) -> Iterator[_Holder]:
    for level, changes in _entries(_child(axis, "levels")):
        yield from _changes(changes, (*at, "levels", level))
    for dotted, values in _entries(axis):
        inner = values.value
        keys = inner if isinstance(inner, dict) else range(len(inner)) if isinstance(inner, list) else ()
        for key in keys:
            yield from _change(inner, key, dotted, (*at, dotted, key))


def _changes(changes: Node | None, at: Path_) -> Iterator[_Holder]:
    for dotted, _ in _entries(changes):
        assert changes is not None
        yield from _change(changes.value, dotted, dotted, (*at, dotted))


def _change(container: Any, key: str | int, dotted: str, path: Path_) -> Iterator[_Holder]:
    if dotted == "noise":
        yield from _text(container[key], "path", path)
    elif dotted == "noise.path" or dotted.endswith((".play", ".settings.path")):
        yield from _strings(container, key, path)


def _text(node: Node | None, key: str, at: Path_) -> Iterator[_Holder]:
    if _child(node, key) is not None:
        assert node is not None
        yield from _strings(node.value, key, (*at, key))


def _strings(container: Any, key: str | int, path: Path_) -> Iterator[_Holder]:
    """The text at a key, or each option where it is a choice."""
    node = container[key]
    if isinstance(node.value, str) and node.value:
        yield container, key, path
    options = _child(node, "choice")
    for index, _ in _items(options):
        assert options is not None
        yield from _strings(options.value, index, (*path, "choice", index))


def _child(node: Node | None, key: str) -> Node | None:
    return node.value.get(key) if node is not None and isinstance(node.value, dict) else None


def _entries(node: Node | None) -> list[tuple[str, Node]]:
    return list(node.value.items()) if node is not None and isinstance(node.value, dict) else []


def _items(node: Node | None) -> list[tuple[int, Node]]:
    return list(enumerate(node.value)) if node is not None and isinstance(node.value, list) else []
