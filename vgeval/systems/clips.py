"""Clips as bytes: how long one is, and one cut into parts."""

from __future__ import annotations

import io
import wave


def split_wav(data: bytes, longest_s: float, *, shortest_s: float = 0.0) -> tuple[bytes, ...]:
    """A WAV file as files of at most ``longest_s`` seconds, in order; their samples joined are the clip's.

    A last part under ``shortest_s`` stays with the one before. Raises ValueError for bytes that are no PCM
    WAV file.
    """
    try:
        with wave.open(io.BytesIO(data)) as clip:
            longest = max(1, round(longest_s * clip.getframerate()))
            if clip.getnframes() <= longest:
                return (data,)
            lengths = [longest] * (clip.getnframes() // longest)
            rest = clip.getnframes() % longest
            if rest and rest < shortest_s * clip.getframerate():
                lengths[-1] += rest
            elif rest:
                lengths.append(rest)
            shape = clip.getparams()
            return tuple(_wav(shape, clip.readframes(length)) for length in lengths)
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
