"""Mutated specs: whatever is done to one, checking it is right or ends in an InputError with places.

``FUZZ_SPECS`` says how many are tried (300; CI: 5,000).
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from vgsynth.contract.problems import InputError
from vgsynth.render.inspect import inspect_spec
from vgsynth.spec.config import resolved_yaml
from vgsynth.spec.load import load_spec
from vgsynth.spec.scaffold import KINDS, scaffold_text

SPECS = int(os.environ.get("FUZZ_SPECS", "300"))
BATCHES = 10
SCENES = Path(__file__).parents[2] / "scenes"
ODD_VALUES: list[Any] = [
    None, True, 0, -1, 3.5, 10**30, 1e300, "", "x", "near", "{", "{case.}", "{nope.x}", "a/b", "../x", "none",
    [], {}, [[]], [None], {"": 1}, {"choice": []}, {"uniform": [2, 1]}, {"normal": [0, -1]}, {"kind": "dry"},
    {"gap_ms": 3}, "case.id", "\u2028", "é", "0x10", ["x", "x"], {"levels": {}}, {"choice": ["{case.x}", 3]},
    "/etc",
]  # fmt: skip
ODD_BYTES = b"\t|\x00|\xff|{|}|[|]|:|- |&a |*a|!x |\n|'|\"|#".split(b"|")


def _parts(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of all values below a document's root."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [inner for key, value in items for inner in ((*path, key), *_parts(value, (*path, key)))]


def _holder(document: Any, path: tuple[Any, ...]) -> Any:
    for step in path[:-1]:
        document = document[step]
    return document


def _delete(document: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    del _holder(document, path)[path[-1]]


def _odd(document: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    _holder(document, path)[path[-1]] = rng.choice(ODD_VALUES)


def _swap(document: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    other = rng.choice(_parts(document))
    a, b = _holder(document, path), _holder(document, other)
    if path[: len(other)] != other and other[: len(path)] != path:
        a[path[-1]], b[other[-1]] = b[other[-1]], a[path[-1]]


def _rename(document: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    holder = _holder(document, path)
    if isinstance(holder, dict):
        key = str(path[-1])
        at = rng.randrange(len(key) + 1)
        holder[key[:at] + rng.choice(["", "x", ".", " ", "_"]) + key[at + 1 :]] = holder.pop(path[-1])


def _copy(document: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    holder = _holder(document, path)
    if isinstance(holder, list):
        holder.append(holder[path[-1]])


def _type(document: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    holder = _holder(document, path)
    value = holder[path[-1]]
    holder[path[-1]] = rng.choice([str(value), [value], {"x": value}])


MUTATIONS: list[Callable[[Any, tuple[Any, ...], random.Random], None]] = [
    _delete,
    _odd,
    _swap,
    _rename,
    _copy,
    _type,
]


def _mutated_document(text: str, rng: random.Random) -> bytes:
    document = yaml.safe_load(text)
    for _ in range(rng.randint(1, 4)):
        parts = _parts(document)
        if parts:
            rng.choice(MUTATIONS)(document, rng.choice(parts), rng)
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True).encode()


def _mutated_bytes(text: str, rng: random.Random) -> bytes:
    data = bytearray(text.encode())
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                data[at] ^= 1 << rng.randrange(8)
            case 1:
                data[at:at] = rng.choice(ODD_BYTES)
            case 2:
                del data[at : at + rng.randint(1, 30)]
            case _:
                end = data.find(b"\n", at) + 1
                data[at:at] = data[at:end]
    return bytes(data)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that the shipped specs refer to."""
    folder = tmp_path_factory.mktemp("specs")
    (folder / "cases").mkdir()
    for name in ("tools.yaml", "voices.yaml", "cases/quickstart.jsonl"):
        (folder / name).write_bytes((SCENES / name).read_bytes())
    return folder


TEXTS = {
    **{kind: scaffold_text(kind) for kind in KINDS},
    "quickstart": (SCENES / "quickstart.yaml").read_text(encoding="utf-8"),
}


@pytest.mark.parametrize("batch", range(BATCHES))
def test_mutated_specs_are_right_or_say_where_they_are_wrong(batch: int, folder: Path) -> None:
    """And those that load give a resolved spec that loads to the same."""
    file, again = folder / "spec.yaml", folder / "resolved.yaml"
    loaded = 0
    for number in range(batch, SPECS, BATCHES):
        rng = random.Random(f"spec {number}")
        text = TEXTS[rng.choice(sorted(TEXTS))]
        data = (_mutated_document if rng.random() < 0.7 else _mutated_bytes)(text, rng)
        file.write_bytes(data)
        spec = None
        try:
            spec = load_spec(file)
            inspect_spec(spec)
        except InputError as error:
            for problem in error.problems:
                assert problem.place.line >= 1, (number, problem)
                assert problem.place.column >= 1, (number, problem)
                assert problem.message, (number, problem)
        except Exception as error:
            raise AssertionError(
                f"spec {number} raised {error!r}:\n{data.decode(errors='replace')}"
            ) from error
        if spec is None:
            continue
        loaded += 1
        again.write_text(resolved_yaml(spec), encoding="utf-8")
        resolved = load_spec(again)
        assert resolved.document == spec.document, number
        assert resolved.sha256 == spec.sha256, number
    assert loaded, "no mutation left a spec right: the round trip was not tried"
