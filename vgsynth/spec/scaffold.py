"""Specs to start from: ``vgsynth new KIND FILE``."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from vgsynth.contract.problems import InputError
from vgsynth.contract.suggest import did_you_mean
from vgsynth.spec.schema import SCHEMA_FILE, schema_text

KINDS = ("switch", "grid", "side-talk", "self-talk", "free")


def scaffold_text(kind: str) -> str:
    """The commented spec of a kind. Raises InputError for a kind that there is not."""
    if kind not in KINDS:
        fix = did_you_mean(kind, KINDS) or f"use one of {', '.join(KINDS)}"
        raise InputError.at(kind, "there is no such kind of spec", fix)
    return files("vgsynth.spec").joinpath("scaffolds", f"{kind}.yaml").read_text(encoding="utf-8")


def new_spec(kind: str, file: Path) -> None:
    """Write a spec of a kind, and beside it the schema that editors complete it by, unless that is there.

    Raises InputError where the file exists (it is never overwritten), has another ending than YAML's, or
    cannot be written.
    """
    text = scaffold_text(kind)
    if file.suffix not in (".yaml", ".yml"):
        raise InputError.at(str(file), "a spec's file ends in .yaml", f"name it {file.name}.yaml")
    _write_new(file, text)
    schema = file.with_name(SCHEMA_FILE)
    if not schema.exists():
        _write_new(schema, schema_text())


def _write_new(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(file, error) from None
    try:
        with file.open("x", encoding="utf-8", newline="\n") as handle:
            handle.write(text)
    except FileExistsError:
        raise InputError.at(
            str(file), "the file exists, and is left as it is", "choose another name"
        ) from None
    except OSError as error:
        raise _cannot_write(file, error) from None


def _cannot_write(file: Path, error: OSError) -> InputError:
    return InputError.at(str(file), f"cannot write: {error.strerror or error}", "choose another place")
