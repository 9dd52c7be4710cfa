"""A clip as samples, and as the bytes of a file."""

from __future__ import annotations

import io
import wave
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]
"""One channel, full scale 1.0."""
FLOOR_DBFS = -120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip:
    """Samples and their rate."""

    samples: Samples
    rate_hz: int

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        return len(self.samples) / self.rate_hz

    def part(self, start_s: float, end_s: float) -> Clip:
        """The part between two times, cut to what there is."""
        start, end = round(start_s * self.rate_hz), round(end_s * self.rate_hz)
        return Clip(samples=self.samples[max(0, start) : max(0, end)], rate_hz=self.rate_hz)


def read_clip(wav: bytes) -> Clip:
    """The clip of a 16-bit PCM WAV file; channels are averaged. Raises ValueError for another file."""
    try:
        with wave.open(io.BytesIO(wav)) as file:
            if file.getsampwidth() != 2:
                raise ValueError("not 16-bit PCM")
            data = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float64) / 32768
            return Clip(
                samples=data.reshape(-1, file.getnchannels()).mean(axis=1), rate_hz=file.getframerate()
            )
    except (wave.Error, EOFError) as error:
        raise ValueError(f"not a PCM WAV file: {error}") from error


def write_clip(clip: Clip) -> bytes:
    """A clip as a 16-bit PCM WAV file; what exceeds full scale is clipped."""
    data = np.clip(np.round(clip.samples * 32768), -32768, 32767).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(clip.rate_hz)
        out.writeframes(data.tobytes())
    return file.getvalue()


def dbfs(samples: Samples) -> float:
    """RMS level; a square wave of full scale has 0 dBFS, silence ``FLOOR_DBFS``."""
    power = float(np.mean(samples**2)) if len(samples) else 0.0
    return max(FLOOR_DBFS, 10 * float(np.log10(power))) if power > 0 else FLOOR_DBFS


def frames(samples: Samples, length: int, step: int) -> Samples:
    """Overlapping frames, shape (frames, length); none where the clip is shorter than one."""
    if len(samples) < length:
        return np.empty((0, length))
    return np.lib.stride_tricks.sliding_window_view(samples, length)[::step]
