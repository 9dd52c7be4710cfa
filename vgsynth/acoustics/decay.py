"""How long a room rings, and how much of what arrives came straight: RT60 and DRR of an impulse response."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Method = Literal["T30", "T20"]

START_DB = -5.0
END_DB: dict[Method, float] = {"T30": -35.0, "T20": -25.0}
MIN_SPAN_DB = 5.0
"""A decay that falls by less within the range of the fit is a step, not a decay."""
MAX_FLOOR_SHARE = 0.1
"""The steady floor's share of the energy left at the fit's lower end: ISO 3382 asks for 10 dB below it."""
DIRECT_WINDOW_S = 0.0025


@dataclass(frozen=True, slots=True, kw_only=True)
class Decay:
    """A reverberation time and the range of the decay curve that it was read from."""

    rt60_s: float
    method: Method


def decay_curve_db(samples: NDArray[Any]) -> NDArray[np.float64]:
    """Energy that is still to come at each sample, in dB of the whole; shape (n,), starts at 0.

    Schroeder's backward integration (M. R. Schroeder, "New Method of Measuring Reverberation Time", JASA 37,
    1965). Behind the last non-zero sample the curve is -inf.
    """
    left = _energy_left(samples)
    with np.errstate(divide="ignore", invalid="ignore"):
        curve: NDArray[np.float64] = 10.0 * np.log10(left / left[0])
    return curve


def measure_decay(samples: NDArray[Any], sample_rate_hz: int) -> Decay | None:
    """Broadband RT60 of an impulse response: samples of any float type, shape (n,).

    A straight line is fitted to the decay curve from -5 to -35 dB (T30); where the response ends, or meets a
    noise floor, too early for that, from -5 to -25 dB (T20). None where neither can be read: an anechoic
    response has no decay. Ranges and floor rule follow ISO 3382-2.
    """
    left = _energy_left(samples)
    if not left.size or not left[0] > 0.0:
        return None
    floor_power = _floor_power(samples)
    for method, end_db in END_DB.items():
        first, last = (int(np.argmax(left <= left[0] * 10.0 ** (db / 10.0))) for db in (START_DB, end_db))
        if last - first < 3 or left[last - 1] <= 0.0:
            continue
        if floor_power * (left.size - last) > MAX_FLOOR_SHARE * left[last - 1]:
            continue
        curve = 10.0 * np.log10(left[first:last])
        if curve[0] - curve[-1] >= MIN_SPAN_DB:
            return Decay(rt60_s=-60.0 / (_slope(curve) * sample_rate_hz), method=method)
    return None


def direct_to_reverberant_db(samples: NDArray[Any], sample_rate_hz: int, direct_sample: int) -> float | None:
    """Energy within 2.5 ms of the direct sound's sample against all other energy, in dB.

    None where nothing arrives outside that window (no reverberation), or nothing within it.
    """
    reach = round(DIRECT_WINDOW_S * sample_rate_hz)
    power = np.square(np.asarray(samples, dtype=np.float64))
    start, end = max(0, direct_sample - reach), direct_sample + reach + 1
    direct = float(power[start:end].sum())
    reverberant = float(power[:start].sum() + power[end:].sum())
    if direct <= 0.0 or reverberant <= 0.0:
        return None
    return float(10.0 * np.log10(direct / reverberant))


def _energy_left(samples: NDArray[Any]) -> NDArray[np.float64]:
    power = np.square(np.asarray(samples, dtype=np.float64))
    return np.cumsum(power[::-1])[::-1]


def _floor_power(samples: NDArray[Any]) -> float:
    """Mean power of the last tenth: a noise floor, or how far down a response was cut off."""
    end = np.asarray(samples[-max(1, len(samples) // 10) :], dtype=np.float64)
    return float(np.mean(np.square(end)))


def _slope(curve: NDArray[np.float64]) -> float:
    """Least-squares slope of equally spaced values, per step. No BLAS: its threads round differently."""
    steps = np.arange(curve.size) - (curve.size - 1) / 2.0
    return float((steps * curve).sum() / np.square(steps).sum())
