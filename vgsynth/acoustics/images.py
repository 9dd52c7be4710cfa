"""Image sources of a rectangular room: how far each one is, and how many walls its sound met.

The closed form of J. B. Allen and D. A. Berkley, "Image method for efficiently simulating small-room
acoustics", JASA 65 (1979). It is written out here, and not left to ``ShoeBox.image_source_model``, since that
enumerates a whole octahedron of reflection orders as objects: fifty times slower, and gigabytes at the orders
that a long decay needs. A test holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

PART = 1 << 17
"""Images handed out at a time, about: it bounds memory."""

Images = tuple[NDArray[np.float64], NDArray[np.int64]]
"""Distances to the microphone in metres and reflection counts, both of shape (n,)."""


def images_within(
    size_m: tuple[float, float, float],
    source_m: tuple[float, float, float],
    mic_m: tuple[float, float, float],
    reach_m: float,
) -> Iterator[Images]:
    """All image sources that are no farther from the microphone than ``reach_m``, in parts of bounded size.

    Every image comes once, the source itself (no reflections) among them, in an order that depends on the
    arguments alone.
    """
    (x, nx), (y, ny), (z, nz) = (_axis(*axis, reach_m) for axis in zip(size_m, source_m, mic_m, strict=True))
    plane = (y[:, None] + z[None, :]).ravel()
    plane_counts = (ny[:, None] + nz[None, :]).ravel()
    order = np.argsort(plane, kind="stable")
    plane, plane_counts = plane[order], plane_counts[order]
    inside = np.searchsorted(plane, reach_m * reach_m - x, side="right")
    for start, end in _batches(inside):
        parts = range(start, end)
        squared = np.concatenate([plane[: inside[i]] + x[i] for i in parts])
        yield np.sqrt(squared), np.concatenate([plane_counts[: inside[i]] + nx[i] for i in parts])


def _batches(sizes: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Ranges of neighbours that hold about ``PART`` together, all of them once."""
    start = held = 0
    for index, size in enumerate(sizes):
        held += int(size)
        if held >= PART:
            yield start, index + 1
            start, held = index + 1, 0
    if held:
        yield start, len(sizes)


def _axis(
    size: float, source: float, mic: float, reach: float
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Squared offsets from the microphone, and reflection counts, of the images along one axis."""
    copies = np.arange(-int(reach / size) - 2, int(reach / size) + 3)
    mirrored = copies % 2 == 1
    offsets = copies * size + np.where(mirrored, size - source, source) - mic
    return np.square(offsets), np.abs(copies)
