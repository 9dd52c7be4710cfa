"""Audio files made byte by byte, so that what they hold is known without the code that reads them."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np


def wav_bytes(
    data: bytes,
    *,
    rate_hz: int = 16_000,
    channels: int = 1,
    bits: int = 16,
    code: int = 1,
    claimed: int | None = None,
) -> bytes:
    """A RIFF file of ``data``; ``claimed`` is the size its header gives, where that is a lie."""
    size = len(data) if claimed is None else claimed
    block = channels * bits // 8
    form = struct.pack("<HHIIHH", code, channels, rate_hz, rate_hz * block, block, bits)
    riff = min(0xFFFFFFFF, 36 + size)
    return (
        b"RIFF" + struct.pack("<I", riff) + b"WAVEfmt " + struct.pack("<I", 16) + form
        + b"data" + struct.pack("<I", size) + data
    )  # fmt: skip


def pcm16(values: Any) -> bytes:
    """Whole numbers as 16-bit samples."""
    return np.asarray(values).astype("<i2").tobytes()


def pcm24(values: Any) -> bytes:
    """Whole numbers as 24-bit samples."""
    return b"".join(int(value).to_bytes(3, "little", signed=True) for value in values)
