"""Profiles: what there is to know about a system, as data.

Each is a YAML file, in ``vgeval/systems/profiles`` or anywhere else; ``profile.v1.json`` says what it may
hold.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import jsonschema
import yaml

from vgeval.parsing.normalisers import NORMALISERS
from vgsynth.contract.canonical import sha256_of
from vgsynth.contract.problems import InputError, Place, Problem
from vgsynth.contract.suggest import did_you_mean

Kind = Literal["openai_server", "gemini", "transformers", "baseline"]

PROFILES = Path(__file__).parent / "profiles"
SCHEMA = Path(__file__).parent / "profile.v1.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """How a system is reached, and how it talks."""

    name: str
    title: str
    kind: Kind
    model: str = ""
    """As the server, or the class that loads it, knows it."""
    normaliser: str = "common"
    max_tokens: int = 512
    base_url: str | None = None
    api_key_env: str | None = None
    """The environment variable that holds the key. Keys stand nowhere else."""
    system_role: Literal["system", "user"] = "system"
    """``user`` where the template has no system role: the instruction is put in front of the request."""
    parts: Literal["audio_first", "text_first"] = "audio_first"
    audio_as: Literal["input_audio", "audio_url"] = "input_audio"
    longest_clip_s: float | None = None
    """A longer clip is sent as several parts of at most this length."""
    reasoning_is_output: bool = False
    """Whether text that a server's reasoning parser took is the output where it left nothing else."""
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the request: ``chat_template_kwargs``, ``stop`` ..."""
    architecture: str = ""
    """Of models in process: a name of ``vgeval.systems.local.frontends.ARCHITECTURES``."""
    dtype: str = "bfloat16"
    device: str = "auto"
    adapter: str | None = None
    """Folder of a LoRA adapter, for models in process."""
    serve: str = ""
    """The command that serves it."""
    notes: str = ""

    def with_changes(self, *, base_url: str | None, model: str | None, adapter: str | None) -> Profile:
        """The profile with what a command line says instead. Raises InputError for what makes no sense."""
        changes: dict[str, Any] = {"base_url": base_url, "model": model, "adapter": adapter}
        if base_url is not None and not base_url.startswith(("http://", "https://")):
            raise InputError.at("--base-url", f"{base_url!r} is no http or https URL", "http://HOST:PORT/v1")
        if adapter is not None and self.kind != "transformers":
            raise InputError.at(
                "--adapter", f"{self.name} is not loaded in process", "give it to the server instead"
            )
        return replace(self, **{name: value for name, value in changes.items() if value is not None})

    @property
    def sha256(self) -> str:
        """Hash of all that may change an output, but for the adapter, whose place says nothing."""
        about = {"title", "serve", "notes", "base_url", "api_key_env", "device", "adapter"}
        return sha256_of({name: getattr(self, name) for name in self.__slots__ if name not in about})


def profile_names() -> tuple[str, ...]:
    """The packaged profiles."""
    return tuple(sorted(file.stem for file in PROFILES.glob("*.yaml"))) + BASELINES


BASELINES = ("baseline/always-mute", "baseline/always-act")


def load_profile(name: str) -> Profile:
    """A packaged profile by its name, a baseline, or the profile of a YAML file.

    Raises InputError for a name that there is not, and with everything that is wrong in a file.
    """
    if name in BASELINES:
        return Profile(name=name, title=name, kind="baseline", model=name, normaliser="strict")
    packaged = PROFILES / f"{name}.yaml"
    file = packaged if "/" not in name and packaged.is_file() else Path(name)
    if file.suffix not in (".yaml", ".yml"):
        hint = did_you_mean(name, profile_names()) or f"one of {', '.join(profile_names())}, or a YAML file"
        raise InputError.at("--model", f"there is no profile {name!r}", hint)
    return read_profile(file)


def read_profile(file: Path) -> Profile:
    """The profile of a YAML file. Raises InputError with everything that is wrong in it."""
    try:
        data = yaml.safe_load(file.read_bytes())
    except OSError as error:
        raise InputError.at(str(file), f"cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError.at(str(file), f"not YAML: {' '.join(str(error).split())}") from error
    schema = json.loads(SCHEMA.read_bytes())
    errors = list(jsonschema.Draft7Validator(schema).iter_errors(data))
    problems = [_problem(file, ".".join(map(str, error.absolute_path)), error.message) for error in errors]
    if isinstance(data, dict):
        name = data.get("normaliser", "common")
        if isinstance(name, str) and name not in NORMALISERS:
            fix = did_you_mean(name, NORMALISERS) or f"one of {', '.join(NORMALISERS)}"
            problems.append(_problem(file, "normaliser", f"there is no normaliser {name!r}", fix))
    if problems:
        raise InputError(problems)
    return Profile(**data)


def _problem(file: Path, path: str, message: str, fix: str = "see docs/evaluation.md") -> Problem:
    return Problem(place=Place(file=str(file)), path=path, message=message, fix=fix)
