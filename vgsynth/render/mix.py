"""Segments on one time line, and the noise bed under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vgsynth.contract.problems import InputError
from vgsynth.plan.model import NoisePlan
from vgsynth.render.levels import energy, from_db, rms, to_db
from vgsynth.render.noise import noise_bed
from vgsynth.render.segment import Segment


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mix:
    """A time line, and where the speech starts on it."""

    samples: NDArray[Any]
    """float32, or float64 with a noise bed; shape (n,)."""
    start_samples: tuple[int, ...]
    """First sample of each segment's dry extent."""
    noise_dbfs: float | None = None


def place(segments: Sequence[Segment], gaps_before: Sequence[int], gap_after: int) -> Mix:
    """Put segments one behind the other, each its gap behind the dry extent of the one before.

    Tails ring on into gaps and what follows. Where a room keeps the direct sound's travel time, that comes
    on top of the gap. The time line ends ``gap_after`` behind the last dry extent, or where the last tail
    ends.
    """
    starts, slots = [], []
    position = 0
    for segment, gap in zip(segments, gaps_before, strict=True):
        slots.append(position + gap)
        starts.append(position + gap + segment.lead_samples)
        position = starts[-1] + segment.length_samples
    ends = [slot + segment.samples.size for slot, segment in zip(slots, segments, strict=True)]
    line = np.zeros(max([position + gap_after, *ends]), dtype=np.float32)
    for slot, end, segment in zip(slots, ends, segments, strict=True):
        line[slot:end] += segment.samples
    return Mix(samples=line, start_samples=tuple(starts))


def add_noise(
    mix: Mix, lengths: Sequence[int], plan: NoisePlan, sample_rate_hz: int, *, root: Path, item_id: str
) -> Mix:
    """Add a noise bed under the whole time line.

    Its RMS over all of it lies ``snr_db`` below the speech's RMS over the dry extents (what rings into them
    counts as speech). Raises InputError for an item without speech, or a noise file that is unfit.
    """
    extents = [mix.samples[s : s + n] for s, n in zip(mix.start_samples, lengths, strict=True)]
    spoken = sum(extent.size for extent in extents)
    speech = (sum(map(energy, extents)) / spoken) ** 0.5 if spoken else 0.0
    if not speech > 0.0:
        raise InputError.at(
            item_id, "an SNR needs speech, and there is none", "add a segment, or drop the noise"
        )
    bed = noise_bed(plan, mix.samples.size, sample_rate_hz, root)
    bed *= speech * from_db(-plan.snr_db) / rms(bed)
    return Mix(samples=mix.samples + bed, start_samples=mix.start_samples, noise_dbfs=to_db(rms(bed)))
