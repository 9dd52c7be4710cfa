"""RMS and decibels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray


def energy(samples: NDArray[Any]) -> float:
    """Sum of squares, in float64. Not by BLAS, whose sums depend on its number of threads."""
    return float(np.square(samples, dtype=np.float64).sum())


def rms(samples: NDArray[Any]) -> float:
    """Root mean square; 0 for no samples."""
    return math.sqrt(energy(samples) / samples.size) if samples.size else 0.0


def to_db(amplitude: float) -> float | None:
    """Amplitude in dB of full scale (1.0); None for silence, which has no level."""
    return 20.0 * math.log10(amplitude) if amplitude > 0.0 else None


def from_db(level_db: float) -> float:
    """Amplitude of a level."""
    return float(10.0 ** (level_db / 20.0))
