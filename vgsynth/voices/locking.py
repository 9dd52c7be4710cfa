"""One process at a time in a folder."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; a second process waits. Raises OSError where the folder cannot be written.

    Where the system has no ``fcntl`` (Windows), nothing is held: two processes may do the same work twice.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
