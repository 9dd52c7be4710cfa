"""Whether a take says what its prompt says, by a recogniser where one is installed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from vgsynth.audit.recogniser import load_recogniser
from vgsynth.audit.speech import word_errors
from vgsynth.audit.values import Skipped, shown
from vgsynth.recording.sound import RATE_HZ
from vgsynth.render.pcm import FULL_SCALE


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What was heard of a take."""

    text: str
    errors: int
    """Words substituted, inserted and deleted against the prompt's."""
    words: int

    @property
    def rate(self) -> float:
        """Word error rate."""
        return self.errors / self.words


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """A recogniser, by name and version."""

    name: str
    hear: Callable[[NDArray[np.int16]], str]

    def compare(self, samples: NDArray[np.int16], text: str) -> Heard:
        """Hear 16 kHz, 16-bit samples, shape (n,), and count word errors against ``text``."""
        heard = self.hear(samples)
        errors, words = word_errors(text, heard)
        return Heard(text=shown(heard, 300), errors=errors, words=words)


def installed_listener() -> Listener | Skipped:
    """The recogniser that the audit uses, loaded; or why there is none."""
    recognise = load_recogniser()
    if isinstance(recognise, Skipped):
        return recognise
    return Listener(
        name=f"whisper tiny.en, faster-whisper {version('faster-whisper')}",
        hear=lambda samples: recognise(samples.astype(np.float64) / FULL_SCALE, RATE_HZ),
    )
