"""Clips as bytes: how long one is, and one cut into parts."""

from __future__ import annotations

import io
import wave


def split_wav(data: bytes, longest_s: float) -> tuple[bytes, ...]:
    """A WAV file as files of at most ``longest_s`` seconds, in order; their samples joined are the clip's.

    Raises ValueError for bytes that are no PCM WAV file.
    """
    try:
        with wave.open(io.BytesIO(data)) as clip:
            longest = max(1, round(longest_s * clip.getframerate()))
            if clip.getnframes() <= longest:
                return (data,)
            shape = clip.getparams()
            return tuple(
                _wav(shape, clip.readframes(longest)) for _ in range(-(-clip.getnframes() // longest))
            )
    except (wave.Error, EOFError) as error:
        raise ValueError(f"not a PCM WAV file: {error}") from error


def _wav(shape: wave._wave_params, frames: bytes) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as clip:
        clip.setnchannels(shape.nchannels)
        clip.setsampwidth(shape.sampwidth)
        clip.setframerate(shape.framerate)
        clip.writeframes(frames)
    return file.getvalue()
