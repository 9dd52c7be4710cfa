"""Impulse responses by room: made once, kept on disk and in memory, with what was measured on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vgsynth.acoustics import measured, shoebox
from vgsynth.acoustics.decay import Method, direct_to_reverberant_db, measure_decay
from vgsynth.cache.arrays import ArrayCache
from vgsynth.contract.canonical import sha256_of
from vgsynth.plan.model import DryRoom, RirRoom, Room, ShoeboxRoom

K = TypeVar("K")
V = TypeVar("V")

IMPULSES_KEPT = 256
"""In memory, and of some 40 kB each: a spec that draws its rooms at random has thousands."""
SPECTRA_KEPT = 64
"""Of some 200 kB each."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Impulse:
    """An impulse response and what was measured on it."""

    samples: NDArray[np.float32]
    """Shape (n,); read-only."""
    direct_sample: int
    """Where the direct sound lies: 0, unless its travel time is kept."""
    rt60_s: float | None
    """None where no decay can be read, as in an anechoic response."""
    rt60_method: Method | None
    drr_db: float | None
    """None where nothing arrives but the direct sound."""


class RirStore:
    """Impulse responses of rooms. ``root`` is the spec's folder, where the paths of measured ones begin.

    The same room and sample rate give the same samples in every process.
    """

    def __init__(self, cache: ArrayCache, root: Path) -> None:
        self.cache = cache
        self.root = root
        self._impulses: dict[tuple[Room, int], Impulse | None] = {}
        self._spectra: dict[tuple[Room, int, int], NDArray[np.complex64]] = {}

    def impulse(self, room: Room, sample_rate_hz: int) -> Impulse | None:
        """The room's impulse response, or None for a dry room.

        Raises InputError for a room that cannot be had, or a file that is missing or unfit.
        """
        try:
            return self._impulses[room, sample_rate_hz]
        except KeyError:
            impulse = None if isinstance(room, DryRoom) else self._find_or_make(room, sample_rate_hz)
            _keep(self._impulses, (room, sample_rate_hz), impulse, IMPULSES_KEPT)
            return impulse

    def spectrum(self, room: Room, sample_rate_hz: int, length: int) -> NDArray[np.complex64]:
        """Spectrum of the room's response, zero-padded to ``length`` samples; shape (length // 2 + 1,)."""
        from scipy.fft import rfft

        key = (room, sample_rate_hz, length)
        spectrum = self._spectra.get(key)
        if spectrum is None:
            impulse = self.impulse(room, sample_rate_hz)
            if impulse is None:
                raise ValueError("a dry room has no impulse response")
            spectrum = rfft(impulse.samples, length)
            _keep(self._spectra, key, spectrum, SPECTRA_KEPT)
        return spectrum

    def cached(self, room: Room, sample_rate_hz: int) -> bool:
        """Whether the response need not be made: a look at the folder. A dry room needs none."""
        if isinstance(room, DryRoom) or (room, sample_rate_hz) in self._impulses:
            return True
        return self.cache.has(_key(room, sample_rate_hz))

    def _find_or_make(self, room: ShoeboxRoom | RirRoom, sample_rate_hz: int) -> Impulse:
        key = _key(room, sample_rate_hz)
        found = self.cache.get(key)
        if found is None:
            if isinstance(room, ShoeboxRoom):
                samples, direct_sample = shoebox.shoebox_impulse(room, sample_rate_hz)
            else:
                samples, direct_sample = measured.measured_impulse(room, self.root, sample_rate_hz)
            found = samples, _about(samples, direct_sample, sample_rate_hz)
            self.cache.put(key, *found)
        samples, about = found
        samples.setflags(write=False)
        return Impulse(samples=samples, **about)


def _keep(kept: dict[K, V], key: K, value: V, limit: int) -> None:
    """Add an entry; over the limit, the oldest one goes."""
    if len(kept) >= limit:
        del kept[next(iter(kept))]
    kept[key] = value


def _about(samples: NDArray[np.float32], direct_sample: int, sample_rate_hz: int) -> dict[str, Any]:
    decay = measure_decay(samples, sample_rate_hz)
    return {
        "direct_sample": direct_sample,
        "rt60_s": decay.rt60_s if decay else None,
        "rt60_method": decay.method if decay else None,
        "drr_db": direct_to_reverberant_db(samples, sample_rate_hz, direct_sample),
    }


def _key(room: ShoeboxRoom | RirRoom, sample_rate_hz: int) -> str:
    """Hash of all that the samples depend on: not the room's name, level or filter, which come later."""
    what: dict[str, Any]
    if isinstance(room, ShoeboxRoom):
        what = {
            "algorithm": shoebox.ALGORITHM,
            "pyroomacoustics": _version("pyroomacoustics"),
            "size_m": [float(v) for v in room.size_m],
            "source_m": [float(v) for v in room.source_m],
            "mic_m": [float(v) for v in room.mic_m],
            "rt60_s": float(room.rt60_s),
            "reference_m": float(room.reference_m),
        }
    else:
        what = {
            "algorithm": measured.ALGORITHM,
            "soxr": _version("soxr"),
            "sha256": room.sha256,
            "channel": room.channel,
        }
    return sha256_of({**what, "kind": room.kind, "travel": room.keep_travel, "rate": sample_rate_hz})


@cache
def _version(name: str) -> str:
    return version(name)
