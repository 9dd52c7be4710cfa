"""The nearest right name, for whoever typed a wrong one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_CLOSE_ENOUGH = 0.6


def nearest(name: object, candidates: Iterable[object], *, close_enough: float = _CLOSE_ENOUGH) -> str | None:
    """The candidate most like ``name``, letter case aside; None where none is close.

    ``close_enough`` is the least share of characters that they have in common, of 1.
    """
    by_folded = {str(candidate).casefold(): str(candidate) for candidate in candidates}
    close = get_close_matches(str(name).casefold(), by_folded, n=1, cutoff=close_enough)
    return by_folded[close[0]] if close else None


def did_you_mean(name: object, candidates: Iterable[object]) -> str:
    """``"did you mean 'far'?"``, or ``""`` where no candidate is close."""
    found = nearest(name, candidates)
    return f"did you mean {found!r}?" if found is not None else ""
