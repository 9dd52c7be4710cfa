"""Loading a spec: read, check all that can be checked without a concrete scene, build."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.problems import InputError, Problem
from vgsynth.contract.suggest import nearest
from vgsynth.spec.build import (
    build_grid,
    build_output,
    build_pairs,
    build_rooms,
    build_speakers,
    build_splits,
)
from vgsynth.spec.build_scene import build_scene
from vgsynth.spec.cases import Cases, open_cases
from vgsynth.spec.changes import ChangeError
from vgsynth.spec.check_dynamic import check_dynamic
from vgsynth.spec.check_grid import check_grid, check_grid_of_scenes, speakers_together
from vgsynth.spec.check_pairs import check_pairs
from vgsynth.spec.check_rest import check_files, check_noise, check_splits, check_targets, check_when
from vgsynth.spec.check_scenes import base_of, check_scenes
from vgsynth.spec.check_speakers import check_speakers, check_together
from vgsynth.spec.document import resolved_document
from vgsynth.spec.draft import Draft
from vgsynth.spec.model import Path_, SceneSpec, Spec
from vgsynth.spec.places import Finder, path_text
from vgsynth.spec.schema import schema
from vgsynth.spec.schema_check import schema_problems
from vgsynth.spec.source import Source, read_source
from vgsynth.spec.tools import NO_TOOLS, read_tools


def load_spec(file: Path) -> Spec:
    """The spec in ``file``, checked.

    Raises InputError with every problem that can be found: of YAML, schema, names, files, tools; and where
    there are any, those of the cases too. What only a concrete scene can show (a case's field that is
    missing, a room that cannot be) is for expansion to find.
    """
    source = read_source(file)
    finder = Finder(source.places)
    log = _Log(source.problems)
    log.add(schema_problems(source.data, finder))
    if not isinstance(source.data, Mapping):
        raise InputError(log.problems)
    box, found = read_tools(source.data.get("tools"), finder, source.tree)
    log.add(found)
    unread = _misspelt(source.data) | (frozenset() if source.pools_read else {"pools"})
    draft = Draft(data=source.data, finder=finder, tree=source.tree, box=box, unread=unread)
    log.add_above(check_dynamic(draft))
    for check in (
        check_speakers,
        check_scenes,
        check_grid,
        check_files,
        check_targets,
        check_splits,
        check_when,
    ):
        log.add(check(draft))
    faulty = frozenset(name for name in ("of", *draft.axes()) if log.touches(("grid", name)))
    draft = replace(draft, faulty_axes=faulty)
    scenes = _scenes(draft, log)
    log.add(_check_built(draft, scenes))
    cases, found = open_cases(source.data.get("cases"), finder, source.tree, box or NO_TOOLS)
    log.add(found)
    if log.problems:
        if cases is not None and box is not None:
            log.add(_case_problems(cases))
        raise InputError(log.problems)
    assert box is not None and cases is not None
    return _built(file, source, draft, tuple(scenes.values()), cases)


class _Log:
    """Problems so far. Where one check found something, later ones have nothing to add: it is told once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: list[Problem] = []
        self._paths: set[str] = set()
        """Of every problem, those that were not told again included."""
        self.add(problems)

    def add(self, problems: Iterable[Problem]) -> None:
        """Add the problems of one check."""
        found = list(problems)
        told = {(problem.place.file, problem.path) for problem in self.problems if problem.path}
        places = {problem.place for problem in self.problems if not problem.path}
        self.problems += [p for p in found if (p.place.file, p.path) not in told and p.place not in places]
        self._paths |= {problem.path for problem in found}

    def add_above(self, problems: Iterable[Problem]) -> None:
        """Add those below which there is none yet."""
        self.add([problem for problem in problems if not self._touches(problem.path)])

    def touches(self, path: Path_) -> bool:
        """Whether any problem lies at a path or below it."""
        return self._touches(path_text(path))

    def _touches(self, text: str) -> bool:
        return any(path == text or path.startswith((text + ".", text + "[")) for path in self._paths)


def _misspelt(data: Mapping[str, object]) -> frozenset[str]:
    """Keys at the top that unknown keys there were probably meant to be."""
    known = schema()["properties"]
    return frozenset(near for key in data if key not in known and (near := nearest(key, known)) is not None)


def _scenes(draft: Draft, log: _Log) -> dict[str, SceneSpec]:
    """The scenes that can be built, by condition; what `change` has nothing for goes to the log."""
    shared = ("defaults", "level", "trim", "noise", "policy", "target")
    if any(log.touches((key,)) for key in shared) or not draft.scenes():
        return {}
    built: dict[str, SceneSpec] = {}
    errors: list[Problem] = []
    for index, (path, scene) in enumerate(draft.scenes()):
        base = index if "segments" in scene else base_of(draft, scene.get("like"))
        if base is None or log.touches(path) or log.touches(("scenes", base)):
            continue
        try:
            built[scene["condition"]] = build_scene(draft, index)
        except ChangeError as error:
            at = (*path, "change", error.dotted)
            errors.append(draft.finder.at_key(at, str(error), error.fix))
    log.add(errors)
    return built


def _check_built(draft: Draft, scenes: Mapping[str, SceneSpec]) -> Iterator[Problem]:
    """The checks that look at scenes as they will be."""
    yield from check_grid_of_scenes(draft, scenes)
    yield from check_pairs(draft, scenes)
    yield from check_noise(draft, scenes)
    heard = {name: scene for name, scene in scenes.items() if scene.modality == "audio"}
    yield from check_together(draft, {name: speakers_together(draft, s) for name, s in heard.items()})


def _case_problems(cases: Cases) -> tuple[Problem, ...]:
    """Of a full pass: a spec that is sent back anyway is sent back with these as well."""
    for _ in cases:
        pass
    return cases.problems


def _built(file: Path, source: Source, draft: Draft, scenes: tuple[SceneSpec, ...], cases: Cases) -> Spec:
    assert draft.box is not None
    speakers, rooms, grid = build_speakers(draft), build_rooms(draft), build_grid(draft)
    pairs, splits, output = build_pairs(draft), build_splits(draft), build_output(draft)
    document = resolved_document(
        draft,
        speakers=speakers,
        rooms=rooms,
        scenes=scenes,
        grid=grid,
        pairs=pairs,
        splits=splits,
        expect=dict(draft.part("expect")),
        output=output,
    )
    tools = draft.box.inventory
    return Spec(
        file=file,
        root=source.tree.root,
        document=document,
        places=source.places,
        sha256=_sha256([document, [tool.to_json() for tool in tools]]),
        name=document["name"],
        family=document["family"],
        seed=document["seed"],
        tools=tools,
        cases=cases,
        speakers=speakers,
        rooms=rooms,
        scenes=scenes,
        grid=grid,
        pairs=pairs,
        splits=splits,
        expect=document.get("expect", {}),
        output=output,
    )


def _sha256(value: object) -> str:
    """Of the JSON text with keys in their order: the order of axes, levels and parts has a meaning."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return sha256_hex(text.encode())
