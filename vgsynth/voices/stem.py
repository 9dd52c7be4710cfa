"""A stem: one source, spoken or read, at the item's sample rate, trimmed. What levels and rooms work on."""

from __future__ import annotations

from dataclasses import dataclass

from vgsynth.voices.protocol import Audio


@dataclass(frozen=True, slots=True, kw_only=True)
class Stem:
    """Trimmed source audio and what is known of it."""

    samples: Audio
    """float32 mono at ``sample_rate_hz``, shape (n,), n >= 1, not silent."""
    sample_rate_hz: int
    sha256: str
    """Of ``samples`` as little-endian bytes."""
    spoken: str
    """What the voice was asked to say: the text after normalisation (a recording's transcript as is)."""
    pinned: bool
    """True where the engine is not deterministic, so that the cache is what keeps this output."""
    trimmed_start_samples: int
    trimmed_end_samples: int
