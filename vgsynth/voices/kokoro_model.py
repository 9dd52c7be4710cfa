"""Kokoro's network as a session of onnxruntime, prepared once for each machine.

The prepared model lies beside the original: rewritten (``kokoro_graph``), optimised by onnxruntime for this
kind of processor, and used only after it gave the same bytes as the original. Measured on a core with AVX-512
VNNI, against the original with onnxruntime's defaults: 1.5 times as fast, and loaded in half the time. Graph
optimisation levels, memory arena, memory pattern, buffer reuse and flushing of denormals make no difference
above noise (6 %) and are left alone. Weights turned back into floats: 0.8 times as fast.
"""

from __future__ import annotations

import contextlib
import os
import platform
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from vgsynth.contract.canonical import sha256_of
from vgsynth.voices import assets, kokoro_graph
from vgsynth.voices.locking import alone
from vgsynth.voices.protocol import Audio
from vgsynth.voices.settings import not_installed

THREADS_VARIABLE = "VGSYNTH_SPEECH_THREADS"
"""Threads of one process (default 1: several processes make better use of the cores than several threads)."""
PLAIN_VARIABLE = "VGSYNTH_PLAIN_MODEL"
"""Set to 1 to use the model as it was fetched."""
_TRIAL_TOKENS = (50, 83, 54, 156, 31, 16, 65, 156, 87, 123, 54, 46, 3, 16, 81, 102, 61, 16, 102, 68, 4)
"""A short sentence, for the comparison of the two models."""


def infer(tokens: list[int], style: Audio, speed: float) -> Audio:
    """Audio at 24 kHz, shape (n,), of at most 508 tokens and one style row, shape (256,)."""
    return _run(session(), tokens, style, speed)


@lru_cache(maxsize=1)
def session() -> Any:
    """The session of this process, on the prepared model where there is one."""
    original = assets.verified_path(assets.model_asset())
    prepared = None if os.environ.get(PLAIN_VARIABLE) == "1" else prepared_model(original)
    if prepared is not None:
        try:
            return _session(prepared, optimised=True)
        except Exception:  # onnxruntime's own kinds: a file damaged on disk is made anew next time
            prepared.unlink(missing_ok=True)
    return _session(original)


def prepared_model(original: Path) -> Path | None:
    """The prepared model, made now if it is not there (some seconds, once); None where the original must do.

    That is so without the ``onnx`` package, where the folder cannot be written, and on processors where the
    two models differ. The audio is the same either way.
    """
    target = original.with_name(f"{original.stem}.{_machine_key()}.onnx")
    refused = target.with_suffix(".refused")
    if not target.exists() and not refused.exists():
        # Whatever fails here (no onnx, a full disk, a runtime that cannot save), the original still speaks.
        with contextlib.suppress(Exception), alone(original.parent):
            if not target.exists() and not refused.exists():
                _prepare(original, target, refused)
    return target if target.exists() else None


def _prepare(original: Path, target: Path, refused: Path) -> None:
    with tempfile.TemporaryDirectory(dir=original.parent, prefix=".preparing-") as folder:
        rewritten, optimised = Path(folder) / "rewritten.onnx", Path(folder) / "optimised.onnx"
        kokoro_graph.with_matrix_products(original, rewritten)
        _session(rewritten, save_to=optimised)
        if _is_exact(Path(folder) / "extreme.onnx") and _speak_alike(original, optimised):
            optimised.replace(target)
        else:
            refused.touch()


def _is_exact(path: Path) -> bool:
    """Whether products of the largest bytes do not saturate here."""
    width = 384
    kokoro_graph.extreme_product(path, width)
    (product,) = _session(path).run(None, {"a": np.full((1, 64, width), 255, dtype=np.uint8)})
    return bool((product == 255 * width * np.array([127, -128])).all())


def _speak_alike(original: Path, optimised: Path) -> bool:
    style = np.linspace(-0.3, 0.3, 256, dtype=np.float32)
    said = [
        _run(made, [*_TRIAL_TOKENS], style, speed=1.0)
        for made in (_session(original), _session(optimised, optimised=True))
    ]
    return np.array_equal(said[0], said[1])


def _run(made: Any, tokens: list[int], style: Audio, speed: float) -> Audio:
    feeds = {
        "tokens": np.array([[0, *tokens, 0]], dtype=np.int64),
        "style": style[np.newaxis],
        "speed": np.array([speed], dtype=np.float32),
    }
    return np.asarray(made.run(None, feeds)[0], dtype=np.float32).reshape(-1)


def _session(path: Path, *, optimised: bool = False, save_to: Path | None = None) -> Any:
    runtime = _runtime()
    options = runtime.SessionOptions()
    options.log_severity_level = 3  # else it warns that the saved model suits this machine alone, as is meant
    options.intra_op_num_threads = int(os.environ.get(THREADS_VARIABLE) or 1)
    options.inter_op_num_threads = 1
    if optimised:
        options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    if save_to:
        options.optimized_model_filepath = str(save_to)
    return runtime.InferenceSession(str(path), sess_options=options, providers=["CPUExecutionProvider"])


def _runtime() -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise not_installed("kokoro", "onnxruntime", "kokoro") from error
    return onnxruntime


def _machine_key() -> str:
    """Names what the prepared model depends on: the rewriting, the runtime, and the kind of processor."""
    parts = [kokoro_graph.VERSION, _runtime().__version__, platform.machine(), *_processor()]
    return sha256_of(parts)[:16]


def _processor() -> Iterator[str]:
    """The processor's abilities as Linux lists them; elsewhere its name."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as lines:
            yield next(
                (line.split(":", 1)[1] for line in lines if line.startswith(("flags", "Features"))), ""
            )
    except OSError:
        yield platform.processor()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=session.cache_clear)  # threads of a session do not live on in a child
