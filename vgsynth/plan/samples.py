"""From milliseconds to samples: the one place where it happens."""

from __future__ import annotations

from fractions import Fraction


def samples_from_ms(ms: float, sample_rate_hz: int) -> int:
    """Whole samples in ``ms`` milliseconds, rounded half up, exactly.

    ``ms`` counts as the decimal number that is written for it: 0.1 is one tenth, not its binary neighbour.
    Raises ValueError for a negative duration.
    """
    if ms < 0:
        raise ValueError(f"a duration is not negative: {ms} ms")
    if isinstance(ms, int):
        return (2 * ms * sample_rate_hz + 1000) // 2000
    exact = Fraction(repr(ms)) * sample_rate_hz / 1000
    return (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)


def ms_from_samples(samples: int, sample_rate_hz: int) -> float:
    """Milliseconds that ``samples`` last."""
    return samples * 1000 / sample_rate_hz
