"""Near-duplicates: how alike two scripts are."""

from __future__ import annotations

from rapidfuzz import fuzz, process
from rapidfuzz.utils import default_process

LIMIT = 80.0
"""Two scripts of one field must be less alike than this, in RapidFuzz's token sort ratio (0 to 100)."""


class Scripts:
    """The scripts of one field that have been taken so far."""

    def __init__(self) -> None:
        self._taken: list[str] = []

    def admits(self, script: str) -> bool:
        """Whether a script is unlike all that were taken."""
        return not process.extract(
            default_process(script),
            self._taken,
            scorer=fuzz.token_sort_ratio,
            processor=None,
            score_cutoff=LIMIT,
            limit=1,
        )

    def take(self, script: str) -> None:
        """Count a script as taken."""
        self._taken.append(default_process(script))
