"""A model, its tokenizer, feature extractor and chat template, from a folder or a model hub."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from vgeval.systems.local.frontends import ARCHITECTURES, Architecture
from vgeval.systems.profile import Profile
from vgsynth.contract.problems import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What is needed to generate."""

    architecture: Architecture
    model: Any
    tokenizer: Any
    extractor: Any
    template: str


def check(profile: Profile) -> None:
    """Raise InputError with all that keeps a model from being loaded, without loading it."""
    try:
        torch, transformers = _libraries()
    except (ImportError, OSError) as error:
        raise InputError.at(
            profile.name, f"torch and transformers are needed: {error}", "pip install 'vgbench[local]'"
        ) from error
    name = ARCHITECTURES[profile.architecture].model_class
    if not hasattr(transformers, name):
        version = transformers.__version__
        raise InputError.at(profile.name, f"transformers {version} has no {name}", "install a newer one")
    if not hasattr(torch, profile.dtype):
        raise InputError.at(profile.name, f"torch has no dtype {profile.dtype!r}", "float32 or bfloat16")
    if profile.adapter is not None and not (Path(profile.adapter) / "adapter_config.json").is_file():
        raise InputError.at(profile.adapter, "holds no adapter_config.json", "name a folder that peft wrote")


def load(profile: Profile) -> Loaded:
    """Load a profile's model. Raises InputError where that fails."""
    torch, transformers = _libraries()
    architecture = ARCHITECTURES[profile.architecture]
    if not sys.stderr.isatty():
        transformers.utils.logging.disable_progress_bar()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(profile.model)
        extractor = transformers.AutoFeatureExtractor.from_pretrained(profile.model)
        template = tokenizer.chat_template or _processor_template(profile.model)
        model = getattr(transformers, architecture.model_class).from_pretrained(
            profile.model, dtype=getattr(torch, profile.dtype), device_map=profile.device
        )
        if profile.adapter is not None:
            model = import_module("peft").PeftModel.from_pretrained(model, profile.adapter)
    except (OSError, ValueError, ImportError, KeyError, RuntimeError) as error:
        told = " ".join(str(error).split())[:500]
        raise InputError.at(profile.model, f"cannot be loaded: {told}", "check the model's folder") from error
    return Loaded(
        architecture=architecture,
        model=model.eval(),
        tokenizer=tokenizer,
        extractor=extractor,
        template=template,
    )


def _processor_template(model: str) -> str:
    """The chat template that stands with the processor, as older repositories have it."""
    file = import_module("transformers.utils").cached_file(model, "chat_template.json")
    return str(json.loads(Path(str(file)).read_bytes())["chat_template"])


def _libraries() -> tuple[Any, Any]:
    """torch and transformers. Raises ImportError, or OSError where a library of theirs is broken."""
    return import_module("torch"), import_module("transformers")
