"""How fast the embedded voices speak: one process against two, and the prepared model against the original.

    python benchmarks/speech.py [--json]

Needs the voices (vgsynth voices fetch). Models are loaded before the clock starts. The real-time factor is
seconds of work for each second of speech, before trimming.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time

from vgsynth.voices import kokoro_model
from vgsynth.voices.catalogue import DEFAULT_EIGHT
from vgsynth.voices.kokoro import KokoroEngine
from vgsynth.voices.text import normalise_text

TEXTS = ("Set an alarm for 7:30 tomorrow morning.", "Call mom.")
ROUNDS = 3

Task = tuple[str, str]


def speak(task: Task) -> float:
    """Say one text; how many seconds of audio it gave."""
    voice, text = task
    said = KokoroEngine().speak(normalise_text(text), voice, {})
    return said.samples.size / said.sample_rate_hz


def warm_up() -> None:
    """Load the model and both dictionaries."""
    for voice in ("af_aoede", "bf_emma"):
        speak((voice, "Hello."))


def plain_worker() -> None:
    """A worker on the model as it was fetched."""
    os.environ[kokoro_model.PLAIN_VARIABLE] = "1"
    warm_up()


def factor(pool: multiprocessing.pool.Pool, tasks: list[Task]) -> float:
    """Real-time factor of a pool over tasks."""
    started = time.perf_counter()
    audio_s = sum(pool.imap_unordered(speak, tasks, chunksize=1))
    return (time.perf_counter() - started) / audio_s


def main() -> None:
    """Measure and print."""
    tasks = [(voice_id.removeprefix("kokoro/"), text) for voice_id in DEFAULT_EIGHT for text in TEXTS]
    context = multiprocessing.get_context("spawn")
    rounds: dict[str, list[float]] = {"one": [], "two": [], "plain": []}
    with (
        context.Pool(1, warm_up) as one,
        context.Pool(2, warm_up) as two,
        context.Pool(1, plain_worker) as plain,
    ):
        for pool in (one, two, plain):
            pool.map(speak, tasks[:4], chunksize=1)  # the workers are up
        for _ in range(ROUNDS):  # in turn, so that a machine that slows down slows all
            for name, pool in (("one", one), ("two", two), ("plain", plain)):
                rounds[name].append(factor(pool, tasks))
    best = {name: min(found) for name, found in rounds.items()}
    figures = {
        "real_time_factor_one_process": best["one"],
        "real_time_factor_two_processes": best["two"],
        "one_process_vs_two": best["one"] / best["two"],
        "original_vs_prepared_model": best["plain"] / best["one"],
    }
    print(f"one process:   {best['one']:.3f} s of work a second of speech")
    print(
        f"two processes: {best['two']:.3f}, x {figures['one_process_vs_two']:.2f} as fast (aim: 1.5 or more)"
    )
    quicker = figures["original_vs_prepared_model"]
    print(f"model as fetched: {best['plain']:.3f}; the prepared one is x {quicker:.2f} as fast")
    if "--json" in sys.argv:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
