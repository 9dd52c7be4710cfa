"""Makes rendered folders from synthetic sound, with labels, voices and cues as a test wants them."""

from __future__ import annotations

import hashlib
import io
import json
import wave
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vgsynth.contract.manifest import Factors, ManifestRow, NoiseRow, RoomRow, SegmentRow
from vgsynth.contract.target import ANSWER, MUTE, Target

RATE_HZ = 16_000
RT60_S = 0.4
ACT = Target(kind="tool", tool="set_timer", params={"minutes": 3})
NEAR = RoomRow(
    name="near", kind="dry", distance="near", level="attenuated", config={"gain_db": 0.0, "lowpass_hz": None}
)
FAR = RoomRow(
    name="far",
    kind="shoebox",
    distance="far",
    level="attenuated",
    config={"gain_db": 0.0, "lowpass_hz": None},
    rt60_asked_s=RT60_S,
    rt60_s=0.41,
    drr_db=-3.5,
)
Samples = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Part:
    """One segment to make."""

    text: str
    role: str = "trigger"
    voice: str = "tone/alto"
    speaker: str = "wearer"
    far: bool = False
    gap_ms: int = 0
    level_dbfs: float = -23.0
    asked_dbfs: float | None = None
    """What the row says was asked; default: what it is."""
    addressee: str | None = None
    seconds: float | None = None
    source_file: str | None = None


@dataclass(frozen=True, kw_only=True)
class Made:
    """One item to make."""

    case_id: str
    parts: tuple[Part, ...]
    target: Target = ACT
    condition: str = "same"
    split: str | None = None
    pair_id: str | None = None
    cell: Mapping[str, str] = field(default_factory=dict)
    case: Mapping[str, Any] = field(default_factory=dict)
    modality: str = "audio"
    snr_db: float | None = None
    spoil: str = ""
    """``early``: a click in the silence before the last part."""

    @property
    def item_id(self) -> str:
        """As the renderer names items."""
        return ".".join([self.case_id, self.condition, *(f"{k}-{v}" for k, v in self.cell.items())])


def number(*parts: object) -> int:
    """A seed from anything."""
    return int.from_bytes(hashlib.sha256(repr(parts).encode("utf-8", "backslashreplace")).digest()[:8])


@cache
def speech(text: str, voice: str, seconds: float | None) -> Samples:
    """Bursts of noise, coloured by the voice, that start and stop at once; RMS 1."""
    rng = np.random.default_rng(number(text, voice))
    wanted = round(RATE_HZ * (seconds if seconds is not None else 0.5 + 0.01 * (len(text) % 40)))
    pieces: list[Samples] = []
    length = 0
    while length < wanted:
        burst = rng.standard_normal(int(RATE_HZ * rng.uniform(0.06, 0.12)))
        pieces += [burst, 0.001 * rng.standard_normal(int(RATE_HZ * rng.uniform(0.03, 0.06)))]
        length += pieces[-1].size + pieces[-2].size
    sound = np.concatenate(pieces)[:wanted]
    sound[-400:] = rng.standard_normal(400)
    spectrum = np.fft.rfft(sound)
    f = np.fft.rfftfreq(sound.size, 1 / RATE_HZ)
    centre = 300.0 + number(voice) % 1500
    shaped = np.fft.irfft(spectrum * np.exp(-np.square((f - centre) / 1500.0)), sound.size)
    return np.asarray(shaped / np.sqrt(np.mean(np.square(shaped))))


def reverb() -> Samples:
    """An impulse response: the direct sound, and noise that falls by 60 dB in ``RT60_S`` seconds."""
    rng = np.random.default_rng(5)
    n = int(RATE_HZ * RT60_S * 1.2)
    response = 0.06 * rng.standard_normal(n) * 10 ** (-3 * np.arange(n) / (RT60_S * RATE_HZ))
    response[0] = 1.0
    return response


def placed(part: Part) -> tuple[Samples, int]:
    """A segment as it lies in the clip, tail included, and the length of its dry extent."""
    dry = speech(part.text, part.voice, part.seconds)
    wet = np.convolve(dry, reverb()) if part.far else dry
    level = np.sqrt(np.mean(np.square(wet[: dry.size])))
    return wet * (10 ** (part.level_dbfs / 20) / level), dry.size


def digest(data: bytes) -> str:
    """SHA-256 as hex digits."""
    return hashlib.sha256(data).hexdigest()


def dbfs(samples: Samples) -> float:
    """RMS level; full scale is 1.0."""
    return float(10 * np.log10(np.mean(np.square(samples))))


def wav_bytes(samples: Samples) -> bytes:
    """16-bit mono."""
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(np.round(samples * 32768).astype("<i2").tobytes())
    return data.getvalue()


def make_row(item: Made) -> tuple[ManifestRow, bytes | None]:
    """An item's row and its WAV."""
    clip = np.zeros(RATE_HZ * 30)
    segments, end, total = [], 0, 0
    for part in item.parts:
        engine, _, voice = part.voice.partition("/")
        words = {"role": part.role, "speaker": part.speaker, "text": part.text, "spoken": part.text}
        if item.modality == "text":
            segments.append(SegmentRow(**words, addressee=part.addressee))
            continue
        sound, dry = placed(part)
        gap = part.gap_ms * RATE_HZ // 1000
        start = end + gap
        clip[start : start + sound.size] += sound
        end, total = start + dry, max(total, start + sound.size)
        segments.append(
            SegmentRow(
                **words,
                addressee=part.addressee,
                engine=None if part.source_file else engine,
                voice=None if part.source_file else voice,
                source_file=part.source_file,
                stem_sha256=digest(speech(part.text, part.voice, part.seconds).tobytes()),
                audio_sha256=digest(sound.tobytes()),
                gap_before_samples=gap,
                start_sample=start,
                length_samples=dry,
                tail_samples=sound.size - dry,
                level_asked_dbfs=part.level_dbfs if part.asked_dbfs is None else part.asked_dbfs,
                level_dbfs=part.level_dbfs,
                room=FAR if part.far else NEAR,
            )
        )
    clip = clip[:total]
    if item.spoil == "early":
        clip[segments[-1].start_sample - 100] = 0.1
    noise = None
    if item.snr_db is not None:
        bed = np.random.default_rng(number(item.item_id)).standard_normal(total)
        level = -23.0 - item.snr_db
        clip = clip + bed * 10 ** (level / 20)
        noise = NoiseRow(kind="white", snr_db=item.snr_db, seed=1, level_dbfs=level)
    audio = item.modality == "audio"
    wav = wav_bytes(np.clip(clip, -0.999, 0.999)) if audio else None
    return (
        ManifestRow(
            item_id=item.item_id,
            family="made",
            case_id=item.case_id,
            condition=item.condition,
            cell=item.cell,
            pair_id=item.pair_id,
            split=item.split,
            modality="audio" if audio else "text",
            policy=None,
            target=item.target,
            factors=_factors(item) if audio else Factors(),
            segments=tuple(segments),
            case=item.case,
            wav=f"wav/{item.item_id}.wav" if audio else None,
            wav_sha256=None if wav is None else digest(wav),
            sample_rate_hz=RATE_HZ if audio else None,
            length_samples=total,
            duration_s=total / RATE_HZ,
            peak_dbfs=-1.0,
            rms_dbfs=-23.0,
            noise=noise,
            plan_sha256="0" * 64,
            spec_sha256="0" * 64,
            versions={},
        ),
        wav,
    )


def _factors(item: Made) -> Factors:
    at = next((i for i, part in enumerate(item.parts) if part.role == "trigger"), None)
    if at is None:
        return Factors()
    trigger = item.parts[at]
    return Factors(
        source="same" if trigger.speaker == item.parts[0].speaker else "different",
        distance="far" if trigger.far else "near",
        gap_ms=float(trigger.gap_ms) if at else None,
    )


def write_set(
    out: Path,
    items: Sequence[Made],
    *,
    name: str = "made",
    expect: Mapping[str, Any] | None = None,
    split_by: str | None = None,
) -> Path:
    """Write a folder as the renderer would."""
    (out / "wav").mkdir(parents=True)
    with (out / "manifest.jsonl").open("w", encoding="utf-8") as manifest:
        for item in items:
            row, wav = make_row(item)
            manifest.write(row.to_line())
            if wav is not None:
                (out / str(row.wav)).write_bytes(wav)
    dataset = {"name": name, "manifest_sha256": digest((out / "manifest.jsonl").read_bytes())}
    if expect is not None:
        dataset["expect"] = dict(expect)
    (out / "dataset.json").write_text(json.dumps(dataset), encoding="utf-8")
    spec = {"vgsynth": 1, **({"splits": {"by": split_by}} if split_by else {})}
    (out / "spec.yaml").write_text(json.dumps(spec), encoding="utf-8")
    return out


VOICES = ("tone/alto", "tone/bass", "tone/bell", "tone/reed", "tone/soprano", "tone/tenor")
NOUNS = [
    *("apples", "bread", "candles", "dates", "eggs", "flour", "grapes", "honey", "ice", "jam", "kale"),
    *("lemons", "milk", "nuts", "oats", "pears", "quince", "rice", "salt", "tea", "umbrellas", "vases"),
    *("walnuts", "yams", "zippers"),
]


def words_of(n: int) -> tuple[str, str]:
    """A context and a trigger of case ``n``, unlike those of other cases."""
    rng = np.random.default_rng(n)
    a, b, c, d, e, f = rng.choice(NOUNS, 6, replace=False)
    return f"we have {a} and {b} but not one {c}", f"order {d} with {e} or else {f}"


def scene(
    n: int, *, other: bool, far: bool, gap_ms: int, target: Target, condition: str = "grid", **more: Any
) -> Made:
    """Case ``n``: context by one voice, trigger by the same or another."""
    context, trigger = words_of(n)
    voice = VOICES[n % 6]
    return Made(
        case_id=f"case-{n:03d}",
        condition=condition,
        target=target,
        parts=(
            Part(role="context", text=context, voice=voice),
            Part(
                text=trigger,
                voice=VOICES[(n + 1 + n // 6 % 5) % 6] if other else voice,
                speaker="bystander" if other else "wearer",
                far=far,
                gap_ms=gap_ms,
            ),
        ),
        **more,
    )


def crossed(cases: int, policy: str = "source", **more: Any) -> list[Made]:
    """Source x distance x gap over some cases. Policies: source, source_and_proximity, gap."""
    items = []
    for n in range(cases):
        for other in (False, True):
            for far in (False, True):
                for gap in (0, 600):
                    mute = {
                        "source": other,
                        "source_and_proximity": other or far,
                        "gap": gap == 600,
                    }[policy]
                    cell = {
                        "source": "bystander" if other else "wearer",
                        "distance": "far" if far else "near",
                        "gap": str(gap),
                    }
                    items.append(
                        scene(
                            n,
                            other=other,
                            far=far,
                            gap_ms=gap,
                            target=MUTE if mute else ACT,
                            cell=cell,
                            **more,
                        )
                    )
    return items


__all__ = ["ACT", "ANSWER", "MUTE", "Made", "Part", "crossed", "make_row", "scene", "words_of", "write_set"]
