"""Piper (GPL): a local ``.onnx`` voice with its ``.onnx.json`` beside it, through the piper-tts package.

Piper draws noise inside the network. Here its scales are 0, so that the same call gives the same samples; the
voice is a little flatter for it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from vgsynth.plan.model import Setting
from vgsynth.voices.local_files import files_sha256
from vgsynth.voices.protocol import Utterance
from vgsynth.voices.settings import Number, Rules, Text, check_settings, not_installed, voice_error

SETTINGS: Rules = {
    "path": Text(wants_text="the path of a Piper voice, NAME.onnx"),
    "speaker": Number(low=0, high=10_000, whole=True),
    "speed": Number(low=0.5, high=2.0),
}


class PiperEngine:
    """Piper. The voice's name is the author's own; setting ``path`` is what counts."""

    deterministic = True

    def fingerprint(self, voice: str, settings: Mapping[str, Setting]) -> str:
        """The package's version and a hash of the two files."""
        model, config = _files(voice, settings)
        try:
            package = version("piper-tts")
        except PackageNotFoundError:
            raise not_installed(f"piper/{voice}", "piper-tts", "piper") from None
        return f"piper 1; piper-tts {package}; {files_sha256(model, config)}"

    def speak(self, text: str, voice: str, settings: Mapping[str, Setting]) -> Utterance:
        """At the voice's own rate."""
        model, config = _files(voice, settings)
        made = _load(voice, model, config)
        from piper import SynthesisConfig

        how = SynthesisConfig(
            speaker_id=int(settings.get("speaker", 0)),
            length_scale=1.0 / float(settings.get("speed", 1.0)),
            noise_scale=0.0,
            noise_w_scale=0.0,
        )
        spoken = [chunk.audio_float_array for chunk in made.synthesize(text, syn_config=how)]
        if not spoken:
            raise voice_error(f"piper/{voice}", f"no sounds are known for {text!r}", "write it in words")
        return Utterance(np.concatenate(spoken).astype(np.float32), int(made.config.sample_rate))


def _files(voice: str, settings: Mapping[str, Setting]) -> tuple[Path, Path]:
    check_settings(f"piper/{voice}", settings, SETTINGS)
    if "path" not in settings:
        raise voice_error(f"piper/{voice}", "setting 'path' is missing", "name the voice's .onnx file")
    model = Path(str(settings["path"]))
    return model, model.with_name(f"{model.name}.json")


@lru_cache(maxsize=4)
def _load(voice: str, model: Path, config: Path) -> Any:
    try:
        import onnxruntime
        from piper import PiperVoice
        from piper.config import PiperConfig
    except ImportError as error:
        raise not_installed(f"piper/{voice}", f"piper-tts ({error})", "piper") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # the sums of more threads may be in another order
    options.inter_op_num_threads = 1
    try:
        about = PiperConfig.from_dict(json.loads(config.read_text(encoding="utf-8")))
        session = onnxruntime.InferenceSession(
            str(model), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # onnxruntime's own kinds, and KeyError or ValueError for the description
        raise voice_error(f"piper/{voice}", f"{model} is no Piper voice: {str(error)[:200]}") from error
    return PiperVoice(config=about, session=session)
