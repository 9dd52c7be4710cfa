"""The voices that are known by name, and what was measured of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Accent = Literal["US", "GB", "none"]
Sex = Literal["female", "male", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownVoice:
    """One row of the table of voices."""

    id: str
    """``engine/name``, as specs write it."""
    accent: Accent
    sex: Sex
    licence: str
    note: str = ""
    fallback: bool = False


DEFAULT_EIGHT = (
    "kokoro/af_aoede",
    "kokoro/af_jessica",
    "kokoro/bf_emma",
    "kokoro/bf_isabella",
    "kokoro/am_eric",
    "kokoro/am_puck",
    "kokoro/bm_daniel",
    "kokoro/bm_lewis",
)
"""Four women and four men whose speaker embeddings lie well apart (``benchmarks/voices_distinct.py``)."""

TWELVE = (*DEFAULT_EIGHT, "kokoro/af_river", "kokoro/am_michael", "kokoro/am_onyx", "kokoro/bf_lily")
"""The eight and the next four that lie well apart."""

_ENGLISH = [
    "af_alloy",
    "af_aoede",
    "af_bella",
    "af_heart",
    "af_jessica",
    "af_kore",
    "af_nicole",
    "af_nova",
    "af_river",
    "af_sarah",
    "af_sky",
    "am_adam",
    "am_echo",
    "am_eric",
    "am_fenrir",
    "am_liam",
    "am_michael",
    "am_onyx",
    "am_puck",
    "am_santa",
    "bf_alice",
    "bf_emma",
    "bf_isabella",
    "bf_lily",
    "bm_daniel",
    "bm_fable",
    "bm_george",
    "bm_lewis",
]
_JAPANESE = ["jf_alpha", "jf_gongitsune", "jf_nezumi", "jf_tebukuro", "jm_kumo"]
_AVOID = {"af_nicole": "avoid: whispered, DNSMOS 1.9", "am_santa": "avoid: DNSMOS 3.0"}


def _kokoro(name: str) -> KnownVoice:
    voice_id = f"kokoro/{name}"
    pool = "default eight" if voice_id in DEFAULT_EIGHT else "twelve" if voice_id in TWELVE else ""
    return KnownVoice(
        id=voice_id,
        accent="GB" if name[0] == "b" else "US",
        sex="female" if name[1] == "f" else "male",
        licence="Apache-2.0",
        note=_AVOID.get(name, pool) if name in _ENGLISH else "Japanese style, for smoke tests alone",
        fallback=name not in _ENGLISH,
    )


KOKORO_VOICES = {name: _kokoro(name) for name in (*_ENGLISH, *_JAPANESE)}
"""Kokoro's voices by the engine's own name: the English ones, then the fallback ones."""

TONE_VOICES = {
    name: KnownVoice(
        id=f"tone/{name}", accent="none", sex="none", licence="Apache-2.0", note="test tones, not speech"
    )
    for name in ("alto", "bass", "bell", "reed", "soprano", "tenor")
}
"""The test voice's names."""


def known_voices() -> tuple[KnownVoice, ...]:
    """All voices that are known by name, in a fixed order. Engines that load any model have none here."""
    return (*KOKORO_VOICES.values(), *TONE_VOICES.values())
