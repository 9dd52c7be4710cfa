"""Chosen examples as a folder that ``vgeval run`` takes: 16 kHz mono WAVs, a manifest, the tools."""

from __future__ import annotations

import io
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from vgeval.tasks.dataset import TOOLS_NAME
from vgeval.tasks.select import WEARVOX_FAMILY
from vgeval.tasks.wearvox.copy import Example, WearVox
from vgsynth.contract.canonical import sha256_hex, sha256_of
from vgsynth.contract.manifest import MANIFEST_NAME, Factors, ManifestRow, SegmentRow
from vgsynth.contract.problems import InputError

RATE_HZ = 16_000


def build(
    copy: WearVox,
    chosen: Sequence[Example],
    out: Path,
    *,
    protocol: str,
    on_done: Callable[[int], None] = lambda done: None,
) -> dict[str, int]:
    """Write the folder, whole or not at all. Returns how many examples each task has.

    Several channels are averaged: the systems here hear one. Raises InputError for a folder that is there
    already, and for a recording that cannot be read.
    """
    if out.exists():
        raise InputError.at(str(out), "is there already", "name a new folder")
    half = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        (half / "wav").mkdir(parents=True)
        index_sha256 = sha256_hex(copy.index.read_bytes())
        with (half / MANIFEST_NAME).open("w", encoding="utf-8") as manifest:
            for done, example in enumerate(chosen, start=1):
                manifest.write(_row(example, half, index_sha256, protocol).to_line())
                on_done(done)
        tools = json.dumps([tool.to_json() for tool in copy.tools], indent=2, ensure_ascii=False)
        (half / TOOLS_NAME).write_text(tools + "\n", encoding="utf-8")
        half.rename(out)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return dict(sorted(Counter(example.task for example in chosen).items()))


def _row(example: Example, folder: Path, index_sha256: str, protocol: str) -> ManifestRow:
    samples = _read(example.audio)
    data = _wav(samples)
    item_id = sha256_of(example.id)[:16] if not _is_plain(example.id) else example.id
    (folder / "wav" / f"{item_id}.wav").write_bytes(data)
    power = float(np.mean((samples / 32768.0) ** 2)) if len(samples) else 0.0
    peak = float(np.abs(samples.astype(np.float64)).max()) / 32768 if len(samples) else 0.0
    return ManifestRow(
        item_id=item_id,
        family=WEARVOX_FAMILY,
        case_id=example.id,
        condition=example.task,
        cell={},
        pair_id=None,
        split="test",
        modality="audio",
        policy=None,
        target=example.target,
        factors=Factors(),
        segments=(
            SegmentRow(role="recording", speaker="wearer", text=example.question, spoken=example.question),
        ),
        case={
            "reference": example.reference,
            "request": example.request,
            "task": example.task,
            "protocol": protocol,
        },
        wav=f"wav/{item_id}.wav",
        wav_sha256=sha256_hex(data),
        sample_rate_hz=RATE_HZ,
        length_samples=len(samples),
        duration_s=len(samples) / RATE_HZ,
        peak_dbfs=round(20 * float(np.log10(peak)), 6) if peak > 0 else None,
        rms_dbfs=round(10 * float(np.log10(power)), 6) if power > 0 else None,
        plan_sha256=sha256_of([example.id, example.task, example.request]),
        spec_sha256=index_sha256,
        versions={},
    )


def _is_plain(name: str) -> bool:
    """Whether an id can be a file's name."""
    return all(letter.isalnum() or letter in "-_." for letter in name) and name[0] != "." and len(name) < 100


def _read(audio: Path) -> Any:
    """A recording as 16-bit samples at 16 kHz, one channel. Raises InputError where it cannot be read."""
    import soundfile
    import soxr

    try:
        data, rate_hz = soundfile.read(audio, dtype="float32", always_2d=True)
    except (OSError, RuntimeError) as error:
        raise InputError.at(str(audio), f"cannot be read: {error}", "a WAV or FLAC file") from error
    mono = data.mean(axis=1)
    if rate_hz != RATE_HZ:
        mono = soxr.resample(mono, rate_hz, RATE_HZ, quality="VHQ")
    return np.clip(np.round(mono * 32768), -32768, 32767).astype("<i2")


def _wav(samples: Any) -> bytes:
    import wave

    file = io.BytesIO()
    with wave.open(file, "wb") as clip:
        clip.setnchannels(1)
        clip.setsampwidth(2)
        clip.setframerate(RATE_HZ)
        clip.writeframes(samples.tobytes())
    return file.getvalue()
