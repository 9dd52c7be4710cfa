"""Small pictures of a clip, for pages that cannot decode its WAV: an envelope and a coarse spectrogram.

A page opened from disk may play a file beside it but not read it. For such pages both pictures are made
here and travel as text.
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vgsynth.report.wav import Pcm

COLUMN_S = 0.02
MAX_COLUMNS = 256
BANDS = 64
WINDOW_S = 0.032
LEVELS = 64
FLOOR_DBFS = -100.0
CEILING_DBFS = -25.0

# One character a pixel: the levels 0 .. 63 in the order of base64's digits.
_DIGITS = np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", dtype=np.uint8)


def preview(pcm: Pcm, rate_hz: int) -> dict[str, Any]:
    """Envelope and spectrogram of a clip as small JSON.

    ``envelope``: base64 of int8 pairs (low, high) a column, as 127ths of ``peak`` (of full scale).
    ``spectrogram``: column by column, ``bands`` digits each, low frequencies first; the digits 0 .. 63 are
    dBFS from FLOOR_DBFS to CEILING_DBFS, evenly.
    """
    columns = int(np.clip(np.ceil(pcm.size / (COLUMN_S * rate_hz)), 1, MAX_COLUMNS))
    low, high = envelope(pcm, columns)
    peak = float(max(-low.min(), high.max(), 1e-9))
    pairs = np.round(np.stack([low, high], axis=1) * (127 / peak)).astype(np.int8)
    levels = np.clip(
        (spectrogram_dbfs(pcm, rate_hz, columns) - FLOOR_DBFS) / (CEILING_DBFS - FLOOR_DBFS), 0, 1
    )
    digits = _DIGITS[np.round(levels * (LEVELS - 1)).astype(np.intp)]
    return {
        "columns": columns,
        "peak": round(peak, 6),
        "envelope": base64.b64encode(pairs.tobytes()).decode(),
        "bands": BANDS,
        "spectrogram": digits.tobytes().decode(),
    }


def envelope(pcm: Pcm, columns: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Lowest and highest sample of ``columns`` equal stretches, full scale 1.0; each of shape (columns,)."""
    if pcm.size == 0:
        return np.zeros(columns, np.float32), np.zeros(columns, np.float32)
    starts = np.minimum(np.arange(columns) * pcm.size // columns, pcm.size - 1)
    scale = np.float32(1 / 32768)
    low = np.minimum.reduceat(pcm, starts).astype(np.float32) * scale
    return low, np.maximum.reduceat(pcm, starts).astype(np.float32) * scale


def spectrogram_dbfs(pcm: Pcm, rate_hz: int, columns: int) -> NDArray[np.float32]:
    """Mean level in each of BANDS equal bands up to half the sample rate, shape (columns, BANDS).

    Hann windows of the power of two nearest WINDOW_S, centred on equal stretches of the clip. Levels are
    those of sinusoids: a full-scale one has 0 dBFS in its bin.
    """
    size = max(2 * BANDS, 2 ** round(np.log2(WINDOW_S * rate_hz)))
    padded = np.pad(pcm.astype(np.float32) / 32768, size // 2)
    centres = (np.arange(columns) + 0.5) * pcm.size / columns
    starts = np.minimum(centres.astype(np.intp), max(pcm.size - 1, 0))
    window = np.hanning(size + 1)[:size].astype(np.float32)
    if pcm.size == 0:
        return np.full((columns, BANDS), FLOOR_DBFS, np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[starts] * window
    power = np.abs(np.fft.rfft(frames, axis=1)[:, : size // 2]) ** 2 * (2 / window.sum()) ** 2
    bands = power.reshape(columns, BANDS, -1).mean(axis=2)
    levels: NDArray[np.float32] = (10 * np.log10(bands + 1e-12)).astype(np.float32)
    return levels
