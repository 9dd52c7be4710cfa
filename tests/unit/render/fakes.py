"""Stems and plans that tests can foresee to the sample."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from vgsynth.acoustics.impulse import RirStore
from vgsynth.cache.arrays import ArrayCache
from vgsynth.contract.manifest import Factors
from vgsynth.contract.target import MUTE
from vgsynth.plan.model import DryRoom, ItemPlan, Room, SegmentPlan, ShoeboxRoom, Speech, Trim, VoicePlan
from vgsynth.voices.stem import Stem

RATE = 16_000
NEAR = DryRoom(name="near", distance="near")
VERSIONS = {"vgbench": "0"}


def shoebox(**changes: Any) -> ShoeboxRoom:
    """The room of the quick start."""
    fields: dict[str, Any] = {
        "name": "far",
        "distance": "far",
        "size_m": (6.0, 5.0, 3.0),
        "rt60_s": 0.45,
        "source_m": (4.5, 2.5, 1.6),
        "mic_m": (1.0, 2.5, 1.2),
        "level": "attenuated",
    }
    return ShoeboxRoom(**{**fields, **changes})


class FakeStems:
    """Stems by text. A text that is not given sounds like a babble of its own, 0.5 s long."""

    def __init__(self, **known: np.ndarray) -> None:
        self.known = known

    def stem(self, source: Any, trim: Trim | None, sample_rate_hz: int) -> Stem:
        samples = self.known.get(source.text)
        if samples is None:
            samples = babble(source.text, sample_rate_hz // 2)
        samples = np.asarray(samples, dtype=np.float32)
        return Stem(
            samples=samples,
            sample_rate_hz=sample_rate_hz,
            sha256=hashlib.sha256(samples.astype("<f4").tobytes()).hexdigest(),
            spoken=source.text,
            pinned=False,
            trimmed_start_samples=0,
            trimmed_end_samples=0,
        )

    def key(self, source: Any, trim: Trim | None, sample_rate_hz: int) -> str:
        return hashlib.sha256(f"{source}{trim}{sample_rate_hz}".encode()).hexdigest()


def babble(seed: str, length: int) -> np.ndarray:
    """Noise that swells and falls like syllables, the same for the same seed."""
    number = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")
    noise = np.random.default_rng(number).standard_normal(length)
    return (0.1 * noise * (1.2 + np.sin(np.arange(length) * 2 * np.pi * 4 / RATE))).astype(np.float32)


def click(length: int, *positions: int) -> np.ndarray:
    """Silence with unit impulses."""
    samples = np.zeros(length, dtype=np.float32)
    samples[list(positions)] = 1.0
    return samples


def rirs(folder: Path) -> RirStore:
    """An empty store."""
    return RirStore(ArrayCache(folder / "rirs", max_bytes=100_000_000), folder)


def segment(text: str, *, room: Room = NEAR, **changes: Any) -> SegmentPlan:
    """A segment at -23 dBFS, without fades."""
    fields: dict[str, Any] = {
        "role": "trigger",
        "speaker": "wearer",
        "source": Speech(voice=VoicePlan(engine="fake", name="one"), text=text),
        "trim": None,
        "level_dbfs": -23.0,
        "fade_samples": 0,
        "room": room,
    }
    return SegmentPlan(**{**fields, **changes})


def item(*segments: SegmentPlan, **changes: Any) -> ItemPlan:
    """An item of these segments."""
    fields: dict[str, Any] = {
        "item_id": "case-1.switch",
        "family": "speaker_switch",
        "case_id": "case-1",
        "condition": "switch",
        "cell": (),
        "pair_id": None,
        "split": None,
        "modality": "audio",
        "policy": None,
        "target": MUTE,
        "factors": Factors(),
        "segments": segments,
    }
    return ItemPlan(**{**fields, **changes})
