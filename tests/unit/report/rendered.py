"""Makes a folder like the renderer's, from synthetic speech, for the tests of what looks at it."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import wave
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vgsynth.contract.manifest import Factors, ManifestRow, RoomRow, SegmentRow
from vgsynth.contract.target import ANSWER, MUTE, Target
from vgsynth.contract.tools import Tool

RATE_HZ = 16_000
HOSTILE = (
    "</script><script>window.pwned=1</script>",
    "<img src=x onerror='window.pwned=2'> \" ' ` ${window.pwned=3} {{ 7*7 }} {% raw %} <!-- -->",
    "שלום עולם \u202e reversed \u2066 isolate",
    "line\u2028separator\u2029 nul\x00 esc\x1b[31m bell\x07 \ud800 lone",
    "🔥👩‍👩‍👧‍👦 emoji مرحبا 漢字",
    "very long " * 400,
)
"""Texts that a page or a terminal must only ever show."""

TOOLS = (
    Tool(
        name="set_light",
        description="Switch a light.",
        parameters={"type": "object", "properties": {"room": {"type": "string"}, "on": {"type": "boolean"}}},
    ),
    Tool(
        name="send_message",
        description="Send a message to a contact.",
        parameters={"type": "object", "properties": {"to": {"type": "string"}, "text": {"type": "string"}}},
    ),
    Tool(
        name="set_timer",
        description="Start a timer.",
        parameters={"type": "object", "properties": {"minutes": {"type": "integer"}}},
    ),
)
CASES: tuple[tuple[str, str, Target], ...] = (
    (
        "I am going to read in the living room for a while.",
        "Turn off the kitchen lights.",
        Target(kind="tool", tool="set_light", params={"room": "kitchen", "on": False}),
    ),
    (
        "The train leaves at nine, so I should write to Ana.",
        "Tell Ana that I will be late.",
        Target(kind="tool", tool="send_message", params={"to": "Ana", "text": "I will be late"}),
    ),
    (
        "The pasta is in the water now.",
        "Set a timer for eleven minutes.",
        Target(kind="tool", tool="set_timer", params={"minutes": 11}),
    ),
)
VOICES = {"wearer": ("af_aoede", "am_puck"), "bystander": ("bm_lewis", "bf_emma")}
PITCH_HZ = {"af_aoede": 205.0, "am_puck": 118.0, "bm_lewis": 95.0, "bf_emma": 190.0}
NEAR = RoomRow(name="near", kind="dry", distance="near", level="matched", config={"kind": "dry"})
FAR = RoomRow(
    name="far",
    kind="shoebox",
    distance="far",
    level="attenuated",
    config={"size_m": [6.0, 5.0, 3.0], "mic_m": [1.0, 2.5, 1.2], "source_m": [4.5, 2.5, 1.6]},
    rt60_asked_s=0.45,
    rt60_s=0.4521,
    drr_db=-1.37,
)


@dataclass(frozen=True, kw_only=True)
class Part:
    """One segment to make."""

    role: str
    speaker: str
    text: str
    voice: str
    far: bool = False
    gap_ms: int = 0


@cache
def spoken(text: str, voice: str) -> NDArray[np.float32]:
    """Something with the look of speech: harmonics under moving formants, in syllables, with hiss."""
    rng = np.random.default_rng(
        int.from_bytes(hashlib.sha256(f"{text}|{voice}".encode("utf-8", "replace")).digest()[:8])
    )
    syllables = min(14, max(3, len(text) // 5))
    pieces = []
    for n in range(syllables):
        t = np.arange(int(RATE_HZ * rng.uniform(0.11, 0.2))) / RATE_HZ
        f0 = PITCH_HZ[voice] * (1.1 - 0.25 * n / syllables) * (1 + 0.04 * np.sin(2 * np.pi * 3 * t))
        phase = 2 * np.pi * np.cumsum(f0) / RATE_HZ
        formants = rng.uniform([300, 900, 2300], [800, 2200, 3200])
        voiced = np.zeros_like(t)
        for k in range(1, int(5000 / PITCH_HZ[voice])):
            weight = sum(1 / (1 + ((k * PITCH_HZ[voice] - f) / 110) ** 2) for f in formants) + 0.02
            voiced += weight * np.sin(k * phase) / np.sqrt(k)
        voiced *= np.sin(np.pi * np.arange(t.size) / t.size) ** 0.6
        hiss = np.diff(rng.standard_normal(int(RATE_HZ * rng.uniform(0.02, 0.07))), prepend=0) * 0.25
        pieces += [hiss * np.hanning(hiss.size), voiced]
    speech = np.concatenate(pieces)
    return (speech / np.sqrt(np.mean(speech**2))).astype(np.float32)


def placed(part: Part) -> tuple[NDArray[np.float32], int]:
    """A segment as it lies in the clip, tail included, and the length of its dry extent."""
    speech = spoken(part.text, part.voice) * np.float32(10 ** (-23 / 20))
    if not part.far:
        return speech, speech.size
    rng = np.random.default_rng(7)
    decay = rng.standard_normal(6400) * np.exp(-6.91 * np.arange(6400) / (0.45 * RATE_HZ)) * 0.035
    decay[0] = 0.28
    return np.convolve(speech, decay).astype(np.float32), speech.size


def dbfs(samples: NDArray[Any]) -> float:
    """RMS level; full scale is 1.0."""
    return float(10 * np.log10(np.mean(np.square(samples, dtype=np.float64))))


def audio_row(item: dict[str, Any], parts: Sequence[Part]) -> tuple[ManifestRow, bytes]:
    """A row and its WAV. ``item``: the fields that the design gives."""
    clip = np.zeros(RATE_HZ * 60, np.float32)
    end = total = 0
    segments = []
    for part in parts:
        samples, dry = placed(part)
        gap = part.gap_ms * RATE_HZ // 1000
        start = end + gap
        clip[start : start + samples.size] += samples
        end, total = start + dry, max(total, start + samples.size)
        stem = spoken(part.text, part.voice)
        segments.append(
            SegmentRow(
                role=part.role,
                speaker=part.speaker,
                text=part.text,
                spoken=part.text,
                engine="kokoro",
                voice=part.voice,
                stem_sha256=hashlib.sha256(stem.tobytes()).hexdigest(),
                audio_sha256=hashlib.sha256(samples.tobytes()).hexdigest(),
                gap_before_samples=gap,
                start_sample=start,
                length_samples=dry,
                tail_samples=samples.size - dry,
                trimmed_start_samples=320,
                trimmed_end_samples=1210,
                level_asked_dbfs=-23.0,
                level_before_dbfs=-19.5,
                gain_db=-3.5,
                level_dbfs=dbfs(samples[:dry]),
                fade_samples=80,
                room=FAR if part.far else NEAR,
            )
        )
    pcm = np.clip(np.round(clip[:total] * 32768), -32768, 32767).astype("<i2")
    data = wav_bytes(pcm)
    row = blank_row(
        **item,
        segments=tuple(segments),
        modality="audio",
        wav=f"wav/{item['item_id']}.wav",
        wav_sha256=hashlib.sha256(data).hexdigest(),
        sample_rate_hz=RATE_HZ,
        length_samples=total,
        duration_s=total / RATE_HZ,
        peak_dbfs=float(20 * np.log10(np.abs(pcm.astype(int)).max() / 32768)),
        rms_dbfs=dbfs(pcm / 32768),
    )
    return row, data


def text_row(item: dict[str, Any], parts: Sequence[Part]) -> tuple[ManifestRow, None]:
    """A row without audio."""
    segments = tuple(SegmentRow(role=p.role, speaker=p.speaker, text=p.text, spoken=p.text) for p in parts)
    return blank_row(**item, segments=segments, modality="text"), None


def blank_row(**fields: Any) -> ManifestRow:
    """A row with something in every field."""
    usual: dict[str, Any] = {
        "family": "speaker_switch",
        "condition": "only",
        "cell": {},
        "pair_id": None,
        "split": "test",
        "policy": "source_and_proximity",
        "target": MUTE,
        "factors": Factors(),
        "case": {"origin": "made for tests"},
        "wav": None,
        "wav_sha256": None,
        "sample_rate_hz": None,
        "length_samples": 0,
        "duration_s": 0.0,
        "peak_dbfs": None,
        "rms_dbfs": None,
        "plan_sha256": "a1" * 32,
        "spec_sha256": "b2" * 32,
        "versions": {"vgbench": "0.1.0"},
    }
    return ManifestRow(**{**usual, **fields})


def wav_bytes(pcm: NDArray[np.int16], rate_hz: int = RATE_HZ) -> bytes:
    """16-bit mono WAV."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(pcm.tobytes())
    return buffer.getvalue()


def switch_case(n: int, split: str = "test") -> Iterator[tuple[ManifestRow, bytes | None]]:
    """Same speaker, switch, and text alone."""
    context, trigger, target = CASES[n % len(CASES)]
    wearer, bystander = VOICES["wearer"][n % 2], VOICES["bystander"][n % 2]
    case = f"switch-{n:03d}"
    first = Part(role="context", speaker="wearer", text=context, voice=wearer)
    shared = {"case_id": case, "split": split}
    yield audio_row(
        {
            **shared,
            "item_id": f"{case}.same_speaker",
            "condition": "same_speaker",
            "pair_id": f"{case}.pair",
            "target": target,
            "factors": Factors(source="same", distance="near", gap_ms=0.0),
        },
        [first, Part(role="trigger", speaker="wearer", text=trigger, voice=wearer)],
    )
    yield audio_row(
        {
            **shared,
            "item_id": f"{case}.switch",
            "condition": "switch",
            "pair_id": f"{case}.pair",
            "target": MUTE,
            "factors": Factors(source="different", distance="far", gap_ms=600.0),
        },
        [
            first,
            Part(role="trigger", speaker="bystander", text=trigger, voice=bystander, far=True, gap_ms=600),
        ],
    )
    yield text_row(
        {
            **shared,
            "item_id": f"{case}.text_only",
            "condition": "text_only",
            "target": target,
            "factors": Factors(source="same"),
        },
        [first, Part(role="trigger", speaker="wearer", text=trigger, voice=wearer)],
    )


def grid_case(n: int) -> Iterator[tuple[ManifestRow, bytes | None]]:
    """Source by distance by gap."""
    context, trigger, target = CASES[n % len(CASES)]
    for speaker, distance, gap_ms in product(("wearer", "bystander"), ("near", "far"), (0, 600)):
        obey = speaker == "wearer" and distance == "near"
        yield audio_row(
            {
                "item_id": f"grid-{n:03d}.{speaker}-{distance}-{gap_ms}",
                "family": "control_grid",
                "case_id": f"grid-{n:03d}",
                "condition": f"{speaker}-{distance}-{gap_ms}",
                "cell": {"source": speaker, "distance": distance, "gap": f"{gap_ms} ms"},
                "target": target if obey else MUTE,
                "factors": Factors(
                    source="same" if speaker == "wearer" else "different",
                    distance=distance,
                    gap_ms=float(gap_ms),
                ),
            },
            [
                Part(role="context", speaker="wearer", text=context, voice="af_aoede"),
                Part(
                    role="trigger",
                    speaker=speaker,
                    text=trigger,
                    voice="af_aoede" if speaker == "wearer" else "bm_lewis",
                    far=distance == "far",
                    gap_ms=gap_ms,
                ),
            ],
        )


def side_talk_case(n: int) -> Iterator[tuple[ManifestRow, bytes | None]]:
    """Four turns among three people, of which the last is for the assistant or not."""
    turns = [
        ("context", "wearer", "Are you coming on Friday?"),
        ("reply", "friend", "If the rain stops, yes."),
        ("reply", "wearer", "Bring a coat then."),
        ("trigger", "wearer", "What is the weather on Friday?"),
    ]
    voices = {"wearer": "am_puck", "friend": "bf_emma"}
    yield audio_row(
        {
            "item_id": f"side-{n:03d}",
            "family": "side_talk",
            "case_id": f"side-{n:03d}",
            "condition": "side_talk",
            "target": ANSWER,
            "split": "dev",
            "factors": Factors(source="same", distance="near", gap_ms=350.0),
        },
        [
            Part(role=role, speaker=who, text=text, voice=voices[who], gap_ms=0 if i == 0 else 350)
            for i, (role, who, text) in enumerate(turns)
        ],
    )


def hostile_case() -> Iterator[tuple[ManifestRow, bytes | None]]:
    """Texts that try to be something else than text, in each field that an author writes."""
    for n, text in enumerate(HOSTILE):
        condition = "<b onclick=window.pwned=4>bold</b>" if n == 0 else "hostile"
        yield audio_row(
            {
                "item_id": f"hostile-{n}",
                "family": "hostile",
                "case_id": "hostile",
                "condition": condition,
                "split": None,
                "policy": None,
                "target": Target(kind="tool", tool="set_light", params={"room": text[:300]}),
                "factors": Factors(distance="near"),
                "case": {"note": text},
            },
            [Part(role="context", speaker="<i>wearer</i>", text=text, voice="am_puck")],
        )


def write_out(
    folder: Path, items: Iterator[tuple[ManifestRow, bytes | None]], name: str = "quickstart"
) -> Path:
    """The folder of these rows, as the renderer would leave it."""
    (folder / "wav").mkdir(parents=True)
    with (folder / "manifest.jsonl").open("w", encoding="utf-8") as manifest:
        for row, data in items:
            # Escaped, since UTF-8 cannot hold the lone surrogate that one text has.
            manifest.write(json.dumps(row.to_json(), sort_keys=True) + "\n")
            if row.wav is not None and data is not None:
                (folder / row.wav).write_bytes(data)
    (folder / "tools.json").write_text(json.dumps([tool.to_json() for tool in TOOLS]))
    (folder / "dataset.json").write_text(json.dumps({"name": name}))
    return folder


def everything(switches: int = 3, grids: int = 1) -> Iterator[tuple[ManifestRow, bytes | None]]:
    """All kinds of items."""
    for n in range(switches):
        yield from switch_case(n, split="test" if n % 3 else "dev")
    for n in range(grids):
        yield from grid_case(n)
    yield from side_talk_case(0)
    yield from hostile_case()


def many(count: int) -> Iterator[tuple[ManifestRow, bytes | None]]:
    """A large set that is quick to make: two real pairs under many names, all playing the same two WAVs."""
    pairs = [item for item in switch_case(0) if item[1] is not None]
    for n in range(count):
        row, data = pairs[n % 2]
        case = f"case-{n // 2:05d}"
        yield (
            dataclasses.replace(
                row, item_id=f"{case}.{row.condition}", case_id=case, pair_id=f"{case}.pair", wav=row.wav
            ),
            data if n < 2 else None,
        )
