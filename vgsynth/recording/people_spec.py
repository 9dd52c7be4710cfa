"""The spec that has people for voices: a short one that extends the spec of voices that speak."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from vgsynth.contract.problems import InputError, Problem
from vgsynth.recording.files import proven_spec
from vgsynth.recording.people import is_recorded
from vgsynth.recording.script import script_of
from vgsynth.spec.load import load_spec
from vgsynth.spec.model import Spec
from vgsynth.spec.places import path_text
from vgsynth.spec.safe_id import id_fault


def people_spec_file(base: Spec) -> Path:
    """Where :func:`write_people_spec` writes: ``NAME_recorded.yaml`` beside the spec."""
    return base.file.with_name(f"{base.file.stem}_recorded.yaml")


def write_people_spec(base: Spec, people: Sequence[str]) -> Spec:
    """Write the spec that is ``base`` with people for voices, and load it.

    ``people`` read for every speaker; without any, a reader stands for each voice of ``base``. A file that is
    there already stays, if it says the same. Raises InputError for names that are no file names or there
    twice, where ``base`` has recorded voices itself, where the file says something else, and where people
    cannot take the place of its voices.
    """
    if is_recorded(base):
        raise InputError.at(
            str(base.file), "its voices are people already", "leave out --people: the spec says who reads"
        )
    _check_names(base, people)
    file = people_spec_file(base)
    text = _text(base, _pools(base, people))
    if file.exists():
        if _read(file) != text:
            raise InputError.at(
                str(file),
                "is there already, and is not what would be written",
                f"go on with it as it is: vgsynth record-sheet {file}; or remove it",
            )
        return load_spec(file)
    with proven_spec(file, text) as spec:
        script_of(spec)
    return load_spec(file)


def _pools(base: Spec, people: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Speaker to the people of its pool."""
    if people:
        return dict.fromkeys(base.speakers, people)
    readers: dict[str, str] = {}
    for speaker in base.speakers.values():
        for voice in speaker.voices:
            readers.setdefault(voice.id, f"reader{len(readers) + 1}")
    return {name: [readers[v.id] for v in speaker.voices] for name, speaker in base.speakers.items()}


def _text(base: Spec, pools: Mapping[str, Sequence[str]]) -> str:
    lines = [
        f"# {base.file.name} with people for voices. Their recordings lie at `path`, relative to this file.",
        "# Who reads which case follows from the names: change them before the first recording, not after.",
        "vgsynth: 1",
        f"name: {_quoted(base.name + '_recorded')}",
        f"family: {_quoted(base.family)}",
        f"extends: {_quoted(base.file.name)}",
        "speakers:",
    ]
    for speaker, people in pools.items():
        lines.append(f"  {_quoted(speaker)}:")
        if base.speakers[speaker].settings:
            lines.append("    settings: null")  # they were for voices that speak
        lines.append("    voices:")
        for name in people:
            path = f"recordings/{name}/{{case.id}}-{{segment.role}}.wav"
            lines.append(f"      - {{engine: recordings, name: {_quoted(name)}, path: {_quoted(path)}}}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A YAML string: quoted, as JSON quotes, where it could be taken for something else."""
    plain = re.fullmatch(r"[A-Za-z_]\w*", text, re.ASCII) and text.lower() not in ("true", "false", "null")
    return text if plain else json.dumps(text)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _check_names(base: Spec, people: Sequence[str]) -> None:
    path = ("speakers",)
    folded = [name.casefold() for name in people]
    faults = [(name, *fault) for name in people if (fault := id_fault(name)) is not None]
    faults += [
        (name, f"{name!r} is there twice", "name each person once")
        for name in people
        if folded.count(name.casefold()) > 1
    ]
    if not base.speakers:
        faults.append(("", "nobody speaks in this spec", "give it `speakers`"))
    if faults:
        place = base.places.of(path)
        raise InputError(
            Problem(place=place, path=path_text(path), message=f"--people: {message}", fix=fix)
            for _, message, fix in faults
        )
