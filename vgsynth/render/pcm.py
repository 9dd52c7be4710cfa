"""From floats to 16-bit PCM, once; and to the bytes of a WAV file."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from vgsynth.contract.problems import InputError
from vgsynth.render.levels import rms, to_db
from vgsynth.render.noise import tpdf_dither

FULL_SCALE = 32768.0
HIGHEST = 32767.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pcm:
    """Quantised samples, and what was taken off them so that they fit."""

    samples: NDArray[np.int16]
    """Little-endian, shape (n,)."""
    peak: int
    """Largest magnitude, as ``rms`` in steps of the quantiser."""
    rms: float
    limit_gain_db: float


def quantise(
    samples: NDArray[Any], *, dither_seed: int | None, limit: Literal["error", "scale"], item_id: str
) -> Pcm:
    """Round to 16 bits (halves to even), with triangular dither where a seed is given.

    Samples of full scale 1.0, shape (n,), float32 or float64. Where a sample does not fit, ``limit: error``
    raises InputError, which says by how much; ``limit: scale`` scales the whole clip so that its peak is
    32767.
    """
    steps = samples * samples.dtype.type(FULL_SCALE)
    dither = None if dither_seed is None else tpdf_dither(dither_seed, steps.size)
    rounded = _rounded(steps, dither)
    low, high = _extremes(rounded)
    gain = 1.0
    if high > HIGHEST or low < -FULL_SCALE:
        if limit == "error":
            raise _clips(max(high, -low), item_id)
        loudest = float(np.abs(steps).max())
        gain = (HIGHEST - (dither is not None)) / loudest  # dither moves a sample by one step at most
        rounded = _rounded(steps.astype(np.float64) * gain, dither)
        low, high = _extremes(rounded)
    return Pcm(
        samples=rounded.astype("<i2"),
        peak=int(max(high, -low)),
        rms=rms(rounded),
        limit_gain_db=20.0 * math.log10(gain),
    )


def wav_bytes(samples: NDArray[np.int16], sample_rate_hz: int) -> bytes:
    """A whole WAV file: the 44-byte header of mono 16-bit PCM, then the samples."""
    size = 2 * samples.size
    header = struct.pack(
        "<4sI4s4sIHHIIHH4sI",
        *(
            b"RIFF",
            36 + size,
            b"WAVE",
            b"fmt ",
            16,
            1,
            1,
            sample_rate_hz,
            2 * sample_rate_hz,
            2,
            16,
            b"data",
            size,
        ),
    )
    return header + samples.tobytes()


def _rounded(steps: NDArray[Any], dither: NDArray[np.float64] | None) -> NDArray[Any]:
    rounded: NDArray[Any] = np.rint(steps if dither is None else steps + dither)
    return rounded


def _extremes(steps: NDArray[Any]) -> tuple[float, float]:
    return (float(steps.min()), float(steps.max())) if steps.size else (0.0, 0.0)


def _clips(peak: float, item_id: str) -> InputError:
    over_db = to_db(peak / HIGHEST) or 0.0
    return InputError.at(
        item_id,
        f"clips: its peak is {to_db(peak / FULL_SCALE):+.2f} dBFS",
        f"lower its levels by {math.ceil(over_db * 10.0) / 10.0:.1f} dB or more, or say 'limit: scale'",
    )
