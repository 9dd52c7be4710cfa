"""How each architecture turns clips into features, and into how many tokens of its prompt.

The processors of these models want more than clips (an image processor, torchvision, one clip a prompt): here
their feature extractor and tokenizer are used directly, and the tests hold the result against the processors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

RATE_HZ = 16_000
SHORTEST_SAMPLES = 1_600
"""A shorter clip is filled up with silence: a spectrogram needs some frames."""

Waveform = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """Clips as a model takes them."""

    inputs: dict[str, Any]
    """Arguments of the model: features and their masks."""
    tokens: tuple[int, ...]
    """How often the audio token stands in the prompt, clip by clip."""


def qwen3_omni(extractor: Any, clips: Sequence[Waveform]) -> Heard:
    """Whole clips, padded to the longest: features (clips, mel, frames) and mask (clips, frames)."""
    modelling: Any = import_module("transformers.models.qwen3_omni_moe.modeling_qwen3_omni_moe")
    found = extractor(
        list(clips),
        sampling_rate=RATE_HZ,
        padding=True,
        truncation=False,
        return_attention_mask=True,
        return_tensors="pt",
    )
    lengths = modelling._get_feat_extract_output_lengths(found["attention_mask"].sum(-1))
    return Heard(
        inputs={
            "input_features": found["input_features"],
            "feature_attention_mask": found["attention_mask"],
        },
        tokens=tuple(int(length) for length in lengths),
    )


def audio_flamingo3(extractor: Any, clips: Sequence[Waveform]) -> Heard:
    """Clips in windows of 30 s: features (windows, mel, 3000) and mask (windows, 3000)."""
    window = int(extractor.chunk_length * RATE_HZ)
    windows = [[clip[start : start + window] for start in range(0, len(clip), window)] for clip in clips]
    found = extractor(
        [part for parts in windows for part in parts],
        sampling_rate=RATE_HZ,
        return_attention_mask=True,
        return_tensors="pt",
    )
    frames = iter(found["attention_mask"].sum(-1).tolist())
    lengths = [sum(next(frames) for _ in parts) for parts in windows]
    # A convolution of stride 2, then pooling by 2.
    tokens = tuple(((length - 1) // 2 + 1 - 2) // 2 + 1 for length in lengths)
    return Heard(
        inputs={
            "input_features": found["input_features"],
            "input_features_mask": found["attention_mask"],
        },
        tokens=tokens,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """One family of models."""

    model_class: str
    """In transformers."""
    audio_token: str
    hear: Callable[[Any, Sequence[Waveform]], Heard]


ARCHITECTURES: dict[str, Architecture] = {
    "qwen3_omni": Architecture(
        model_class="Qwen3OmniMoeThinkerForConditionalGeneration",
        audio_token="<|audio_pad|>",
        hear=qwen3_omni,
    ),
    "audio_flamingo3": Architecture(
        model_class="AudioFlamingo3ForConditionalGeneration", audio_token="<sound>", hear=audio_flamingo3
    ),
}


def waveform(wav: bytes) -> Waveform:
    """The samples of a 16 kHz WAV file. Raises ValueError for another file."""
    import io
    import wave

    try:
        with wave.open(io.BytesIO(wav)) as clip:
            shape = (clip.getframerate(), clip.getnchannels(), clip.getsampwidth())
            if shape != (RATE_HZ, 1, 2):
                raise ValueError(f"not 16 kHz mono 16-bit, but {shape[0]} Hz, {shape[1]} channels")
            data = np.frombuffer(clip.readframes(clip.getnframes()), "<i2").astype(np.float32) / 32768
    except (wave.Error, EOFError) as error:
        raise ValueError(f"not a PCM WAV file: {error}") from error
    return np.pad(data, (0, max(0, SHORTEST_SAMPLES - len(data))))
