"""How fast items are rendered once their speech is there: against the naive way, and against a floor.

    python benchmarks/render.py [--json]

The items are those of scenes/quickstart.yaml: ten commands as pairs and as a grid, so that segments recur.
Speech and impulse responses are cached before the clock starts.

* ours: from cached stems to a WAV and a row with hashes, one process (and two).
* naive: pydub gain, fades, silence and append, and ``room.simulate()`` for each far segment.
* floor: one forward and one inverse FFT of each far segment, and one raw write of each clip's bytes.

Rounds take turns, so that a machine that slows down slows all; figures are medians.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from vgsynth.cache.places import cache_dir
from vgsynth.contract.problems import ProblemLog
from vgsynth.plan.expand import expand
from vgsynth.plan.model import ItemPlan
from vgsynth.render.executors import open_executor
from vgsynth.render.folder import Folder
from vgsynth.render.versions import tool_versions
from vgsynth.render.work import DEFAULT_CACHE_BYTES, Order, item_key, render_case, stores
from vgsynth.spec.load import load_spec

SPEC = Path(__file__).resolve().parents[1] / "scenes" / "quickstart.yaml"
ROUNDS = 5
COPIES = 8
"""How often the set is rendered in a round, for the clocks' sake; each time with other items' ids."""
Case = tuple[tuple[ItemPlan, str], ...]
RATE_HZ = 16_000


def naive(items: Sequence[ItemPlan], sounds: dict[str, np.ndarray], out: Path) -> None:
    """What one writes first."""
    import pyroomacoustics as pra
    from pydub import AudioSegment

    def segment(samples: np.ndarray) -> AudioSegment:
        pcm = np.clip(np.round(samples * 32768), -32768, 32767).astype("<i2")
        return AudioSegment(pcm.tobytes(), sample_width=2, frame_rate=RATE_HZ, channels=1)

    for item in items:
        clip = AudioSegment.empty().set_frame_rate(RATE_HZ)
        for number, part in enumerate(item.segments):
            sound = segment(sounds[f"{item.item_id} {number}"])
            sound = sound.apply_gain(-23.0 - sound.dBFS).fade_in(5).fade_out(5)
            if part.room.kind == "shoebox":
                absorption, order = pra.inverse_sabine(part.room.rt60_s, part.room.size_m)
                room = pra.ShoeBox(
                    part.room.size_m, fs=RATE_HZ, materials=pra.Material(absorption), max_order=order
                )
                room.add_source(part.room.source_m, signal=np.asarray(sound.get_array_of_samples()) / 32768.0)
                room.add_microphone(part.room.mic_m)
                room.simulate()
                far = room.mic_array.signals[0]
                sound = segment(far / np.abs(far).max() * 0.1)
            gap_ms = part.gap_before_samples * 1000 // RATE_HZ
            clip = clip + AudioSegment.silent(gap_ms, frame_rate=RATE_HZ) + sound
        clip.export(out / f"{item.item_id}.wav", format="wav")


def floor(items: Sequence[ItemPlan], sounds: dict[str, np.ndarray], sizes: dict[str, int], out: Path) -> None:
    """What cannot be left out."""
    import scipy.fft

    for item in items:
        for number, part in enumerate(item.segments):
            if part.room.kind == "shoebox":
                sound = sounds[f"{item.item_id} {number}"]
                size = scipy.fft.next_fast_len(sound.size + RATE_HZ // 2, real=True)
                scipy.fft.irfft(scipy.fft.rfft(sound, size), size)
        (out / f"{item.item_id}.wav").write_bytes(b"\0" * sizes[item.item_id])


def timed(job: Callable[[], object]) -> float:
    """Seconds that a job takes."""
    started = time.perf_counter()
    job()
    return time.perf_counter() - started


def main() -> None:
    """Measure and print."""
    from dataclasses import replace

    spec = load_spec(SPEC)
    stems, _ = stores(spec.root, cache_dir(), DEFAULT_CACHE_BYTES)
    versions = tool_versions()
    log = ProblemLog()
    cases: list[Case] = []
    for case in expand(spec, log, hash_files=True):
        audio = [item for item in case.items if item.modality == "audio"]
        cases.append(tuple((item, item_key(item, stems, versions)) for item in audio))
    log.raise_if_any()
    items = [item for case in cases for item, _ in case]
    sounds = {
        f"{item.item_id} {number}": stems.stem(part.source, part.trim, RATE_HZ).samples
        for item in items
        for number, part in enumerate(item.segments)
    }
    copies = [
        tuple((replace(item, item_id=f"{item.item_id}.{n}"), key) for item, key in case)
        for n in range(COPIES)
        for case in cases
    ]
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "out"
        folder = Folder(out=out)
        (out / "wav").mkdir(parents=True)
        folder.tmp.mkdir(parents=True)
        order = Order(
            out=out,
            root=spec.root,
            cache=cache_dir(),
            cache_bytes=DEFAULT_CACHE_BYTES,
            versions=tuple(versions.items()),
        )
        plain = Path(scratch) / "plain"
        plain.mkdir()
        for case in copies[: len(cases)]:
            assert not render_case(case, order).problems
        sizes = {item.item_id: (out / "wav" / f"{item.item_id}.0.wav").stat().st_size for item in items}
        rounds: dict[str, list[float]] = {"ours": [], "two": [], "naive": [], "floor": []}
        with open_executor(2) as two:
            list(two.map(render_case, copies[:4], [order] * 4))  # the workers are up
            for _ in range(ROUNDS):
                jobs: dict[str, tuple[Callable[[], object], int]] = {
                    "ours": (lambda: [render_case(case, order) for case in copies], COPIES),
                    "two": (lambda: list(two.map(render_case, copies, [order] * len(copies))), COPIES),
                    "floor": (
                        lambda: [floor(items, sounds, sizes, plain) for _ in range(COPIES)],
                        COPIES,
                    ),
                    "naive": (lambda: naive(items[:20], sounds, plain), 1),
                }
                for name, (job, times) in jobs.items():
                    count = 20 if name == "naive" else len(items) * times
                    rounds[name].append(timed(job) / count)
    took = {name: statistics.median(found) for name, found in rounds.items()}
    figures = {
        "ours_ms": 1e3 * took["ours"],
        "naive_ms": 1e3 * took["naive"],
        "floor_ms": 1e3 * took["floor"],
        "times_naive": took["naive"] / took["ours"],
        "of_floor": took["ours"] / took["floor"],
        "two_processes": took["ours"] / took["two"],
    }
    print(f"{len(items)} items of {SPEC.name}, medians of {ROUNDS} rounds, a clip:")
    print(f"  ours   {figures['ours_ms']:.2f} ms, with its row and hashes")
    print(f"  naive  {figures['naive_ms']:.2f} ms: ours is {figures['times_naive']:.1f} x as fast (aim: 40)")
    print(f"  floor  {figures['floor_ms']:.2f} ms: ours takes {figures['of_floor']:.2f} x as long (aim: 1.6)")
    print(f"  two processes are {figures['two_processes']:.2f} x as fast as one (aim: 1.6)")
    if "--json" in sys.argv[1:]:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
