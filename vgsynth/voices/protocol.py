"""What every voice engine is: text, a voice and settings in; float32 mono and a sample rate out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vgsynth.plan.model import Setting

Audio = NDArray[np.float32]
"""Mono samples, shape (n,), full scale 1.0."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """What an engine returns."""

    samples: Audio
    sample_rate_hz: int


class Engine(Protocol):
    """A voice engine. Made once in each process; ``speak`` may be called any number of times."""

    deterministic: bool
    """Whether the same call gives the same samples in any process on this kind of machine.

    Where it does not, the speech cache pins the first output, and the row says so.
    """

    def fingerprint(self, voice: str, settings: Mapping[str, Setting]) -> str:
        """What the output depends on besides text, voice and settings: engine version, asset hashes.

        Part of the cache key. Cheap: called for every utterance planned. Raises InputError where an asset
        is missing (naming the command that brings it) or the voice or a setting is unknown.
        """
        ...

    def speak(self, text: str, voice: str, settings: Mapping[str, Setting]) -> Utterance:
        """Speak normalised text. Raises InputError for what the user can mend."""
        ...
