"""What a folder of predictions is of: written when a run starts, compared when it goes on."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vgeval.methods.method import Method
from vgeval.prompt.instruction import INSTRUCTION_VERSION, Prompt
from vgeval.systems.profile import Profile
from vgeval.systems.secrets import without_credentials
from vgeval.tasks.dataset import Dataset
from vgsynth.contract.canonical import canonical_json, fields_of, sha256_of_file
from vgsynth.contract.problems import InputError, Place, Problem

RUN_NAME = "run.json"
RUN_SCHEMA = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What decides the outputs of a run. Two runs of one identity may share a ledger."""

    schema: int = RUN_SCHEMA
    system: str
    title: str
    model: str
    profile_sha256: str
    normalisation: str
    method: str
    method_sha256: str
    manifest_sha256: str
    prompt_sha256: str
    prompt_version: int
    temperature: float = 0.0
    max_tokens: int
    adapter_sha256: str | None = None
    """Of the weights of a LoRA adapter."""
    tools: tuple[dict[str, Any], ...] = field(default=())
    """The inventory, so that outputs can be parsed again without the dataset."""

    @property
    def decoding(self) -> dict[str, Any]:
        """What each prediction says about how it was made."""
        return {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "model": self.model,
            "profile_sha256": self.profile_sha256,
            "method_sha256": self.method_sha256,
            "adapter_sha256": self.adapter_sha256,
        }


def identity_of(profile: Profile, method: Method, prompt: Prompt, dataset: Dataset) -> Identity:
    """The identity of a run to be started."""
    return Identity(
        system=profile.name,
        title=profile.title,
        model=profile.model,
        profile_sha256=profile.sha256,
        normalisation=method.normaliser or profile.normaliser,
        method=method.name,
        method_sha256=method.sha256,
        manifest_sha256=dataset.manifest_sha256,
        prompt_sha256=prompt.sha256,
        prompt_version=INSTRUCTION_VERSION,
        max_tokens=profile.max_tokens,
        adapter_sha256=_adapter_sha256(profile),
        tools=tuple(tool.to_json() for tool in dataset.tools),
    )


def _adapter_sha256(profile: Profile) -> str | None:
    if profile.adapter is None:
        return None
    file = Path(profile.adapter) / "adapter_model.safetensors"
    try:
        return sha256_of_file(file)
    except OSError as error:
        raise InputError.at(
            str(file), f"cannot be read: {error.strerror}", "name a folder that peft wrote"
        ) from error


def claim(folder: Path, identity: Identity, profile: Profile) -> None:
    """Make the folder this run's, or check that it is.

    Raises InputError, with every difference, for the folder of another run, and for one that holds other
    things.
    """
    file = folder / RUN_NAME
    if file.exists():
        _compare(file, read_identity(folder), identity)
        return
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError.at(str(folder), "is not a folder of predictions", "name a new one")
    folder.mkdir(parents=True, exist_ok=True)
    shown = {**fields_of(identity), "base_url": without_credentials(profile.base_url or "")}
    write_whole(file, json.dumps(json.loads(canonical_json(shown)), indent=2, ensure_ascii=False) + "\n")


def read_identity(folder: Path) -> Identity:
    """The identity of a folder of predictions. Raises InputError where there is none."""
    file = folder / RUN_NAME
    try:
        data = json.loads(file.read_bytes())
        data.pop("base_url", None)
        return Identity(**{**data, "tools": tuple(data["tools"])})
    except OSError as error:
        raise InputError.at(
            str(file), f"cannot be read: {error.strerror}", "run `vgeval run` first"
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError.at(str(file), f"does not describe a run: {error}", "take another folder") from error


def _compare(file: Path, there: Identity, asked: Identity) -> None:
    names = [name for name in Identity.__slots__ if name not in ("title", "tools")]
    problems = [
        Problem(
            place=Place(file=str(file)),
            path=name,
            message=f"the folder has {getattr(there, name)!r}, this run {getattr(asked, name)!r}",
            fix="name a new folder",
        )
        for name in names
        if getattr(there, name) != getattr(asked, name)
    ]
    if problems:
        raise InputError(problems)


def write_whole(file: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    half = file.with_name(f".{file.name}.{os.getpid()}")
    half.write_text(text, encoding="utf-8")
    half.replace(file)
