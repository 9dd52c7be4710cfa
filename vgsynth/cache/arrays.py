"""A bounded, content-addressed store of float32 arrays, safe under concurrent processes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


class ArrayCache:
    """Arrays by key (64 hex digits), each with a small JSON object beside it.

    Entries appear whole or not at all. When the folder grows over ``max_bytes``, the entries that were used
    longest ago go. A damaged entry counts as absent.
    """

    def __init__(self, folder: Path, *, max_bytes: int) -> None:
        self.folder = folder
        self.max_bytes = max_bytes

    def get(self, key: str) -> tuple[NDArray[np.float32], dict[str, Any]] | None:
        """The array and its object, or None."""
        raise NotImplementedError

    def has(self, key: str) -> bool:
        """Whether the key is there, by a look at the folder alone."""
        raise NotImplementedError

    def put(self, key: str, array: NDArray[np.float32], about: Mapping[str, Any]) -> None:
        """Store an array. A key that is there already is left as it is."""
        raise NotImplementedError
