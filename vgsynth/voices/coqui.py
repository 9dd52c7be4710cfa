"""Coqui TTS (MPL): any of its models by name, or a model folder of one's own, through the coqui-tts package.

Most of its models draw noise. torch is seeded by the text before each call, and the first output is pinned by
the cache besides, since another version or number of threads may still say it otherwise.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from vgsynth.contract.problems import InputError
from vgsynth.plan.model import Setting
from vgsynth.voices.local_files import files_sha256, folder_files
from vgsynth.voices.protocol import Utterance
from vgsynth.voices.settings import Rules, Text, check_settings, not_installed, voice_error

SETTINGS: Rules = {
    "model": Text(wants_text="a model's name, such as tts_models/en/vctk/vits"),
    "path": Text(wants_text="the path of a model's folder: config.json and one .pth file"),
    "language": Text(wants_text="a language the model knows, such as en"),
}
ONLY_SPEAKER = "default"
"""The voice's name for a model with one speaker."""


class CoquiEngine:
    """Coqui TTS. The voice's name is the model's speaker, or ``default``; settings say which model."""

    deterministic = False

    def fingerprint(self, voice: str, settings: Mapping[str, Setting]) -> str:
        """The package's version, and the model's name or a hash of its folder."""
        _check(voice, settings)
        try:
            package = version("coqui-tts")
        except PackageNotFoundError:
            raise not_installed(f"coqui/{voice}", "coqui-tts", "coqui") from None
        model = settings.get("model")
        which = model if model else files_sha256(*folder_files(Path(str(settings["path"]))))
        return f"coqui 1; coqui-tts {package}; {which}"

    def speak(self, text: str, voice: str, settings: Mapping[str, Setting]) -> Utterance:
        """At the model's own rate."""
        _check(voice, settings)
        made = _load(str(settings.get("model", "")), str(settings.get("path", "")))
        import torch

        torch.manual_seed(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big"))
        options = {} if voice == ONLY_SPEAKER else {"speaker": voice}
        if "language" in settings:
            options["language"] = str(settings["language"])
        try:
            with contextlib.redirect_stdout(sys.stderr):  # it prints the sentences it is about to say
                spoken = made.tts(text=text, split_sentences=False, **options)
        except (ValueError, KeyError) as error:  # a speaker or a language that the model does not know
            raise voice_error(f"coqui/{voice}", str(error)[:300], "see the model's speakers") from error
        samples = np.asarray(spoken, dtype=np.float32).reshape(-1)
        return Utterance(samples, int(made.synthesizer.output_sample_rate))


def _check(voice: str, settings: Mapping[str, Setting]) -> None:
    check_settings(f"coqui/{voice}", settings, SETTINGS)
    if ("model" in settings) == ("path" in settings):
        raise voice_error(
            f"coqui/{voice}",
            "which model is not said, or said twice",
            "give either 'model' (a name) or 'path' (a folder)",
        )


@lru_cache(maxsize=2)
def _load(model: str, path: str) -> Any:
    """A loaded ``TTS`` object."""
    place = f"coqui model {model or path}"
    tts = _import(place)
    try:
        if model:
            return tts(model_name=model, progress_bar=False)
        folder = Path(path)
        weights = [file for file in folder_files(folder) if file.suffix == ".pth"]
        if len(weights) != 1:
            raise InputError.at(place, f"{len(weights)} .pth files in the folder", "leave one there")
        return tts(model_path=str(weights[0]), config_path=str(folder / "config.json"), progress_bar=False)
    except (KeyError, ValueError) as error:
        raise InputError.at(place, f"there is no such model ({error})", "see: tts --list_models") from error
    except OSError as error:  # requests' connection errors are OSErrors too
        raise InputError.at(
            place,
            f"cannot be loaded: {str(error)[:300]}",
            "check the network, or put the model's folder beside the spec and name it by 'path'",
        ) from error


def _import(place: str) -> Any:
    os.environ.setdefault("COQUI_TOS_AGREED", "0")  # else some models ask on the terminal, in mid-render
    try:
        from TTS.api import TTS
    except (ImportError, OSError) as error:  # OSError: a torchaudio built for another CUDA
        raise InputError.at(
            place, f"coqui-tts cannot be imported: {str(error)[:300]}", "run: pip install 'vgbench[coqui]'"
        ) from error
    return TTS
