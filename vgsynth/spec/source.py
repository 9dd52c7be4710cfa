"""From files to one document: the spec, what it extends, and its pools, merged with all positions kept."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from vgsynth.contract.problems import InputError, Place, Problem
from vgsynth.spec.merge import merge
from vgsynth.spec.nodes import Node, flatten
from vgsynth.spec.path_keys import normalise_paths, normalise_pool_paths
from vgsynth.spec.places import SourcePlaces
from vgsynth.spec.tree import PathError, Tree
from vgsynth.spec.yaml_reader import read_yaml


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A merged document; paths in it are relative to the tree's root."""

    data: Any
    places: SourcePlaces
    tree: Tree
    problems: tuple[Problem, ...]
    pools_read: bool
    """False where `pools` names a file that could not be read."""


def read_source(file: Path) -> Source:
    """Read a spec and the files that it extends.

    Raises InputError where there is no document to look at; all other problems are in the result.
    """
    reading = _Reading()
    top = reading.read(file, str(PurePath(file)), ())
    if top is None:
        raise InputError(reading.problems)
    tree = reading.tree(file)
    for part in reading.parts:
        reading.normalise(part, tree)
    document = reading.merged(top)
    if isinstance(document.value, dict):
        for key in ("extends", "root"):
            document.value.pop(key, None)
            document.keys.pop(key, None)
        reading.bring_in_pools(document, tree)
    data, places = flatten(document)
    return Source(
        data=data, places=places, tree=tree, problems=tuple(reading.problems), pools_read=reading.pools_read
    )


def read_bytes(file: Path) -> bytes:
    """A file's bytes. Raises PathError, in plain words, for one that cannot be read."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise PathError("there is no such file", "check the path, or start one with `vgsynth new`") from None
    except IsADirectoryError:
        raise PathError("this is a folder", "name a file in it") from None
    except (OSError, ValueError) as error:
        raise PathError(f"cannot read the file: {getattr(error, 'strerror', None) or error}", "") from None


@dataclass(slots=True, kw_only=True, eq=False)
class _Part:
    """One file, and those it extends in order."""

    file: Path
    node: Node
    from_place: Place | None
    """Where another file extends this one."""
    bases: list[_Part] = field(default_factory=list)


class _Reading:
    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.parts: list[_Part] = []
        self.pools_read = True

    def read(
        self, file: Path, shown: str, above: tuple[Path, ...], place: Place | None = None
    ) -> _Part | None:
        try:
            data = read_bytes(file)
        except PathError as error:
            path = "extends" if place else ""
            message = f"{shown}: {error.message}" if place else error.message
            self.note(place or Place(file=shown), path, message, error.fix)
            return None
        node, problems = read_yaml(data, shown)
        self.problems.extend(problems)
        if node is None:
            return None
        part = _Part(file=file, node=node, from_place=place)
        for base_place, written in self.extended(node):
            self.read_base(part, base_place, written, shown, (*above, file.resolve()))
        self.parts.append(part)
        return part

    def extended(self, node: Node) -> list[tuple[Place, str]]:
        """The paths that a file extends."""
        found = node.value.get("extends") if isinstance(node.value, dict) else None
        if found is None:
            return []
        items = found.value if isinstance(found.value, list) else [found]
        wrong = [item for item in items if not isinstance(item.value, str) or not item.value]
        for item in wrong:
            self.note(item.place, "extends", "must be a path or a list of paths", "for example base.yaml")
        return [] if wrong else [(item.place, item.value) for item in items]

    def read_base(self, part: _Part, place: Place, written: str, shown: str, above: tuple[Path, ...]) -> None:
        base = part.file.parent / written
        if base.resolve() in above:
            names = " → ".join(p.name for p in (*above[above.index(base.resolve()) :], base))
            self.note(place, "extends", f"extends goes round in a circle: {names}", "remove one of them")
            return
        found = self.read(
            base, posixpath.normpath(posixpath.join(posixpath.dirname(shown), written)), above, place
        )
        if found is not None:
            part.bases.append(found)

    def tree(self, file: Path) -> Tree:
        """The folder tree: as the spec or the last file it extends says, else the spec's folder."""
        folder = file.resolve().parent
        for part in reversed(self.parts):
            written = part.node.value.get("root") if isinstance(part.node.value, dict) else None
            if written is None:
                continue
            if not isinstance(written.value, str) or not written.value:
                self.note(written.place, "root", "must be a path", "write `root: ..`")
                break
            root = (part.file.resolve().parent / written.value).resolve()
            if folder.is_relative_to(root):
                shown = _upwards(PurePath(file).parent, len(folder.relative_to(root).parts))
                return Tree(root=root, shown=shown)
            self.note(written.place, "root", f"{written.value!r} does not hold the spec", "write .. or ../..")
            break
        return Tree(root=folder, shown=PurePath(file).parent.as_posix())

    def normalise(self, part: _Part, tree: Tree) -> None:
        try:
            folder = tree.folder_of(part.file)
        except PathError as error:
            self.note(part.from_place or part.node.place, "extends", error.message, error.fix)
            return
        self.problems.extend(normalise_paths(part.node, tree, folder))

    def merged(self, part: _Part) -> Node:
        if not part.bases:
            return part.node
        base: Node | None = None
        for other in part.bases:
            base = merge(base, self.merged(other))
        return merge(base, part.node)

    def bring_in_pools(self, document: Node, tree: Tree) -> None:
        """Put the mapping that a file of pools holds where its path stands."""
        pools = document.value.get("pools")
        if pools is None or not isinstance(pools.value, str) or not pools.value:
            return
        path = pools.value
        del document.value["pools"], document.keys["pools"]
        self.pools_read = False
        if any(problem.path == "pools" for problem in self.problems):
            return
        try:
            data = read_bytes(tree.find(path))
            folder = posixpath.dirname(path)
        except PathError as error:
            self.note(pools.place, "pools", error.message, error.fix)
            return
        node, problems = read_yaml(data, tree.show(path))
        self.problems.extend(problems)
        if node is not None:
            self.problems.extend(normalise_pool_paths(node, tree, folder))
            document.value["pools"] = node
            document.keys["pools"] = pools.place
            self.pools_read = True

    def note(self, place: Place, path: str, message: str, fix: str) -> None:
        self.problems.append(Problem(place=place, path=path, message=message, fix=fix))


def _upwards(folder: PurePath, steps: int) -> str:
    return posixpath.normpath(posixpath.join(folder.as_posix(), *[".."] * steps))
