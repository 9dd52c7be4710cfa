"""Makes ``rirs/living_room.flac``, a stand-in for a measured impulse response.

    python scenes/controls/make_rir.py

Not a measurement: direct sound, a dozen early reflections, and noise that decays by octave bands (0.55 s low,
0.45 s in the middle, 0.25 s high) down to a noise floor, 48 kHz, 24 bits, with 7.3 ms of travel in front,
as measured responses come. Put a measured file in its place to have the real thing.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import butter, sosfilt

RATE = 48_000
SECONDS = 0.7
TRAVEL = 350
BANDS_HZ_RT60_S = (
    (125, 0.55),
    (250, 0.52),
    (500, 0.47),
    (1000, 0.45),
    (2000, 0.42),
    (4000, 0.35),
    (8000, 0.25),
)
DIRECT_TO_REVERBERANT_DB = -3.0
FLOOR_DB = -75.0


def response() -> np.ndarray:
    """The impulse response, float64, peak 0.9."""
    rng = np.random.Generator(np.random.PCG64(20260925))
    count = int(RATE * SECONDS)
    time = np.arange(count) / RATE
    late = np.zeros(count)
    for centre, rt60 in BANDS_HZ_RT60_S:
        low, high = centre / 2**0.5, min(centre * 2**0.5, 0.49 * RATE)
        band = sosfilt(butter(2, [low, high], "bandpass", fs=RATE, output="sos"), rng.standard_normal(count))
        late += band / np.std(band) * 10 ** (-3 * time / rt60)
    early = np.zeros(count)
    for _ in range(12):
        at = int(RATE * rng.uniform(0.002, 0.045))
        early[at] += rng.choice([-1, 1]) * 0.5 * 10 ** (-3 * at / RATE / 0.45)
    late[: int(0.002 * RATE)] = 0
    late *= np.sqrt((10 ** (-DIRECT_TO_REVERBERANT_DB / 10) - np.sum(early**2)) / np.sum(late**2))
    whole = np.concatenate([np.zeros(TRAVEL), early + late])
    whole[TRAVEL] = 1.0
    whole += rng.standard_normal(len(whole)) * 10 ** (FLOOR_DB / 20)
    return 0.9 * whole / np.max(np.abs(whole))


if __name__ == "__main__":
    target = Path(__file__).parent / "rirs" / "living_room.flac"
    soundfile.write(target, response(), RATE, subtype="PCM_24")
    print(target.name, target.stat().st_size, "bytes")
