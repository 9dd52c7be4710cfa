"""What is known of a rendered set as a whole: from its files, and from its author."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vgsynth.contract.canonical import sha256_of_file
from vgsynth.contract.manifest import MANIFEST_NAME
from vgsynth.contract.problems import InputError
from vgsynth.render.folder import DATASET, RESOLVED_SPEC, TOOLS
from vgsynth.voices.catalogue import known_voices

LICENCE = "Apache-2.0"
"""Of the scripts shipped here and of the embedded voices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """What only the author of a set can say of it; None where nothing was said."""

    licence: str | None = None
    url: str | None = None
    citation: str | None = None
    published: str | None = None
    """A date, ``YYYY-MM-DD``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceUse:
    """A voice and in how many items it is heard."""

    id: str
    items: int
    licence: str | None
    """None where the catalogue does not know the voice: recordings, other engines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """A rendered set."""

    out: Path
    name: str
    description: str
    policy: str | None
    """The spec's, where one holds for all scenes."""
    dataset: Mapping[str, Any]
    """``dataset.json``."""
    tools: tuple[str, ...]
    voices: tuple[VoiceUse, ...]
    licence: str | None
    """The author's word; else that of scripts and voices, where all voices are known to have it."""
    url: str | None
    citation: str | None
    published: str | None
    audit: Mapping[str, Any] | None
    """``audit.json``, where there is one for this very manifest."""

    @property
    def version(self) -> str:
        """Of the tools that made it."""
        return str(self.dataset["versions"]["vgbench"])


def about(out: Path, author: Author) -> About:
    """Read what describes the set in ``out``. Raises InputError where it is not a whole rendered set."""
    dataset = _json(out / DATASET)
    if _manifest_sha256(out) != dataset["manifest_sha256"]:
        raise InputError.at(
            str(out / MANIFEST_NAME),
            f"is not the manifest that {DATASET} was written with",
            "render again",
        )
    spec = _spec(out / RESOLVED_SPEC)
    licences = {voice.id: voice.licence for voice in known_voices()}
    voices = tuple(
        VoiceUse(id=id_, items=items, licence=licences.get(id_))
        for id_, items in sorted(dataset.get("voices", {}).items())
    )
    licence = LICENCE if all(voice.licence == LICENCE for voice in voices) else None
    return About(
        out=out,
        name=str(dataset["name"]),
        description=str(spec.get("description") or f"Items of the scenario {dataset['family']}.").strip(),
        policy=_one({scene.get("policy") for scene in spec.get("scenes", [])}),
        dataset=dataset,
        tools=tuple(str(tool["name"]) for tool in _json(out / TOOLS)),
        voices=voices,
        licence=author.licence or licence,
        url=author.url,
        citation=author.citation,
        published=author.published,
        audit=_audit(out / "audit.json", str(dataset["manifest_sha256"])),
    )


def _spec(file: Path) -> Mapping[str, Any]:
    from vgsynth.spec.nodes import flatten
    from vgsynth.spec.yaml_reader import read_yaml

    root, problems = read_yaml(_bytes(file), str(file))
    if problems:
        raise InputError(problems)
    spec: Mapping[str, Any] = flatten(root)[0] if root is not None else {}
    return spec


def _one(policies: set[str | None]) -> str | None:
    return policies.pop() if len(policies) == 1 else None


def _audit(file: Path, manifest_sha256: str) -> Mapping[str, Any] | None:
    if not file.is_file():
        return None
    found: Mapping[str, Any] = _json(file)
    return found if found.get("manifest_sha256") == manifest_sha256 else None


def _json(file: Path) -> Any:
    try:
        return json.loads(_bytes(file))
    except ValueError as error:
        raise InputError.at(str(file), f"is not JSON: {error}", "render again") from error


def _manifest_sha256(out: Path) -> str:
    file = out / MANIFEST_NAME
    with _readable(file):
        return sha256_of_file(file)


def _bytes(file: Path) -> bytes:
    with _readable(file):
        return file.read_bytes()


@contextmanager
def _readable(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why, fix = f"cannot be read: {error.strerror or error}", "name a folder that `vgsynth render` made"
        raise InputError.at(str(file), why, fix) from error
