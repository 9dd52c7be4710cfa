"""Small rendered folders for tests, made without rendering: short clips that differ from item to item."""

from __future__ import annotations

import io
import json
import wave
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.manifest import Factors, ManifestRow, SegmentRow
from vgsynth.contract.target import MUTE, Target
from vgsynth.contract.tools import Tool

TOOLS = [
    Tool(
        name="set_timer",
        description="Start a timer.",
        parameters={
            "type": "object",
            "properties": {"duration": {"type": "string"}},
            "required": ["duration"],
        },
    ),
    Tool(name="place_call", description="Call somebody.", parameters={"type": "object"}),
]


def wav_bytes(seconds: float, seed: int = 0, rate: int = 16_000) -> bytes:
    """A WAV file of noise."""
    samples = np.random.default_rng(seed).integers(-3000, 3000, int(seconds * rate)).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as clip:
        clip.setnchannels(1)
        clip.setsampwidth(2)
        clip.setframerate(rate)
        clip.writeframes(samples.tobytes())
    return file.getvalue()


def row(number: int, condition: str, wav: bytes | None, **changes: Any) -> ManifestRow:
    """A row of the speaker-switch family."""
    tool = TOOLS[number % 2].name
    item_id = f"c{number}.{condition}"
    length = 0 if wav is None else (len(wav) - 44) // 2
    fields: dict[str, Any] = {
        "item_id": item_id,
        "family": "speaker_switch",
        "case_id": f"c{number}",
        "condition": condition,
        "cell": {},
        "pair_id": None if wav is None else f"c{number}.pair",
        "split": "test" if number % 2 else "train",
        "modality": "text" if wav is None else "audio",
        "policy": "source_and_proximity",
        "target": MUTE if condition == "switch" else Target(kind="tool", tool=tool, params={"n": number}),
        "factors": Factors(),
        "segments": tuple(
            SegmentRow(role=role, speaker="wearer", text=f"Words {number} of {role}.", spoken="")
            for role in ("context", "trigger")
        ),
        "case": {"tool": tool, "params": {"n": number}},
        "wav": None if wav is None else f"wav/{item_id}.wav",
        "wav_sha256": None if wav is None else sha256_hex(wav),
        "sample_rate_hz": None if wav is None else 16_000,
        "length_samples": length,
        "duration_s": length / 16_000,
        "peak_dbfs": None,
        "rms_dbfs": None,
        "plan_sha256": "0",
        "spec_sha256": "0",
        "versions": {},
    }
    return ManifestRow(**{**fields, **changes})


def write_dataset(folder: Path, rows: Iterable[tuple[ManifestRow, bytes | None]]) -> Path:
    """A folder with manifest, tools and clips."""
    (folder / "wav").mkdir(parents=True)
    lines = []
    for each, wav in rows:
        lines.append(each.to_line())
        if wav is not None:
            (folder / str(each.wav)).write_bytes(wav)
    (folder / "manifest.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "tools.json").write_text(json.dumps([tool.to_json() for tool in TOOLS]), encoding="utf-8")
    return folder


def small_dataset(folder: Path, cases: int = 2, seconds: float = 0.05) -> Path:
    """``cases`` cases under the three conditions of speaker-switch."""
    rows = []
    for number in range(cases):
        for place, condition in enumerate(("same_speaker", "switch", "text_only")):
            wav = None if condition == "text_only" else wav_bytes(seconds, seed=10 * number + place)
            rows.append((row(number, condition, wav), wav))
    return write_dataset(folder, rows)
