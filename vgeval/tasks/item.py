"""One item as a system meets it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vgsynth.contract.canonical import sha256_hex


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A clip, or words alone. Audio is read when it is needed, and not kept."""

    item_id: str
    wav: Path | None = None
    """The clip: 16 kHz mono PCM WAV. None for items of words alone."""
    wav_sha256: str | None = None
    transcript: str = ""
    """The words, one utterance a line, for items of words alone; empty for clips."""
    note: str = ""
    """What a system reads beside the item: search results, the language to translate into."""
    case: Mapping[str, Any] = field(default_factory=dict)
    """The author's fields of the case. For oracles alone: no system that is evaluated looks at it."""

    def read_wav(self) -> bytes | None:
        """The bytes of the clip. Raises OSError where there is none, ValueError where it is another one."""
        if self.wav is None:
            return None
        data = self.wav.read_bytes()
        if self.wav_sha256 is not None and sha256_hex(data) != self.wav_sha256:
            raise ValueError(f"{self.wav.name} is not the file that the manifest was written for")
        return data
