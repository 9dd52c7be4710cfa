"""Verifying a rendered folder: every row against its WAV, every pair against what it promises.

Nothing of the renderer is used: the WAVs are read as a stranger would read them.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vgsynth.cache.arrays import ArrayCache
from vgsynth.contract.canonical import sha256_hex, sha256_of_file
from vgsynth.contract.manifest import ManifestRow, SegmentRow, read_manifest
from vgsynth.contract.problems import InputError
from vgsynth.render.folder import DATASET, Folder

LEVEL_TOLERANCE_DB = 0.05
"""Rounding to 16 bits moves the RMS of audible speech by far less."""
FLOAT_TOLERANCE_DB = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is off."""

    item_id: str
    message: str

    def __str__(self) -> str:
        return f"{self.item_id}: {self.message}" if self.item_id else self.message


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What was looked at, and what was found."""

    rows: int
    wavs: int
    pairs: int
    shared_segments: int
    """Segments that the members of a pair share, compared by hash."""
    shared_in_wavs: int
    """Those of them that were also compared sample by sample in the WAVs."""
    stems: int
    """Stems that were read back from the speech cache and compared with their rows."""
    findings: tuple[Finding, ...]


def verify_folder(
    out: Path, speech: ArrayCache, on_progress: Callable[[int], None] = lambda _: None
) -> Verified:
    """Check a folder, and the stems that the speech cache still has against its rows.

    Raises InputError where it is no rendered folder at all.
    """
    folder = Folder(out=out)
    if folder.owner() is None:
        raise InputError.at(str(out), "there is nothing here", "render a spec into it first")
    return _Verification(folder, speech, on_progress).run()


Samples = NDArray[np.int16]


class _Verification:
    def __init__(self, folder: Folder, speech: ArrayCache, on_progress: Callable[[int], None]) -> None:
        self.folder = folder
        self.speech = speech
        self.stems: dict[str, bool] = {}
        self.on_progress = on_progress
        self.findings: list[Finding] = []
        self.rows = self.wavs = self.pairs = self.shared = self.shared_in_wavs = 0
        self.seen: set[str] = set()

    def run(self) -> Verified:
        dataset = self._dataset()
        rules = {pair["name"]: frozenset(pair["may_differ_in"]) for pair in dataset.get("pairs", ())}
        for _, rows in groupby(read_manifest(self.folder.manifest), key=lambda row: row.case_id):
            self._case(list(rows), rules)
        self._whole(dataset)
        return Verified(
            rows=self.rows,
            wavs=self.wavs,
            pairs=self.pairs,
            shared_segments=self.shared,
            shared_in_wavs=self.shared_in_wavs,
            stems=sum(self.stems.values()),
            findings=tuple(self.findings),
        )

    def _find(self, item_id: str, message: str) -> None:
        self.findings.append(Finding(item_id=item_id, message=message))

    # -- the set as a whole ------------------------------------------------------------------------------

    def _dataset(self) -> dict[str, Any]:
        try:
            data = json.loads((self.folder.out / DATASET).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError.at(
                str(self.folder.out / DATASET), f"cannot be read: {error}", "render the spec again"
            ) from error
        if not isinstance(data, dict):
            raise InputError.at(str(self.folder.out / DATASET), "is not an object", "render the spec again")
        return data

    def _whole(self, dataset: dict[str, Any]) -> None:
        if sha256_of_file(self.folder.manifest) != dataset.get("manifest_sha256"):
            self._find("", "manifest.jsonl is not the one that dataset.json was written with")
        if self.rows != dataset.get("items"):
            self._find("", f"manifest.jsonl has {self.rows} rows, dataset.json says {dataset.get('items')}")
        known = {f"{item_id}.wav" for item_id in self.seen}
        for file_ in sorted(self.folder.wav.iterdir()):
            if file_.name not in known:
                self._find("", f"wav/{file_.name} belongs to no row")

    # -- rows --------------------------------------------------------------------------------------------

    def _case(self, rows: list[ManifestRow], rules: dict[str, frozenset[str]]) -> None:
        audio: dict[str, Samples] = {}
        for row in rows:
            self.rows += 1
            if row.item_id in self.seen:
                self._find(row.item_id, "has two rows")
            self.seen.add(row.item_id)
            samples = self._wav(row) if row.modality == "audio" else None
            if samples is not None:
                audio[row.item_id] = samples
                self.wavs += 1
                self._measures(row, samples)
            self.on_progress(self.rows)
        for pair_id in dict.fromkeys(row.pair_id for row in rows if row.pair_id is not None):
            members = [row for row in rows if row.pair_id == pair_id]
            if len(members) != 2:
                self._find(pair_id, f"the pair has {len(members)} members")
                continue
            self.pairs += 1
            self._pair(members[0], members[1], audio, rules)

    def _wav(self, row: ManifestRow) -> Samples | None:
        import soundfile

        if row.wav is None:
            self._find(row.item_id, "is an audio item without a WAV")
            return None
        try:
            data = (self.folder.out / row.wav).read_bytes()
        except OSError as error:
            self._find(row.item_id, f"{row.wav}: {error.strerror}")
            return None
        if sha256_hex(data) != row.wav_sha256:
            self._find(row.item_id, f"{row.wav}: the file's SHA-256 is not the row's")
        try:
            with soundfile.SoundFile(io.BytesIO(data)) as file:
                form = (file.format, file.subtype, file.channels, file.samplerate)
                samples: Samples = file.read(dtype="int16")
        except soundfile.LibsndfileError as error:
            self._find(row.item_id, f"{row.wav}: cannot be decoded: {error}")
            return None
        wanted = ("WAV", "PCM_16", 1, row.sample_rate_hz)
        if form != wanted:
            self._find(row.item_id, f"{row.wav}: is {form}, not {wanted}")
            return None
        if len(samples) != row.length_samples:
            self._find(row.item_id, f"{row.wav}: {len(samples)} samples, the row says {row.length_samples}")
            return None
        return samples

    def _measures(self, row: ManifestRow, samples: Samples) -> None:
        peak = int(np.max(np.abs(samples.astype(np.int32)), initial=0))
        self._compare(row, "peak", _dbfs(peak / 32768), row.peak_dbfs, FLOAT_TOLERANCE_DB)
        self._compare(row, "RMS", _rms_dbfs(samples), row.rms_dbfs, FLOAT_TOLERANCE_DB)
        if row.duration_s != row.length_samples / (row.sample_rate_hz or 1):
            self._find(row.item_id, f"the duration {row.duration_s} s is not its samples'")
        self._time_line(row)
        self._silence(row, samples)
        for segment in row.segments:
            end = segment.start_sample + segment.length_samples
            if not 0 <= segment.start_sample < end <= row.length_samples:
                self._find(row.item_id, f"segment {segment.role} lies outside the clip")
                continue
            self._stem(row, segment)
            if _clean(row, segment):
                level = _rms_dbfs(samples[segment.start_sample : end])
                self._compare(row, f"level of {segment.role}", level, segment.level_dbfs, LEVEL_TOLERANCE_DB)
                asked = _asked_dbfs(segment)
                if level is not None and asked is not None and abs(level - asked) > LEVEL_TOLERANCE_DB:
                    said = f"level of {segment.role} is {_db(level)}, asked was {_db(asked)}"
                    self._find(row.item_id, said)

    def _time_line(self, row: ManifestRow) -> None:
        """Each segment starts its gap (and its direct sound's travel) behind the end of the one before."""
        position = 0
        for segment in row.segments:
            start = position + segment.gap_before_samples + segment.travel_samples
            if segment.start_sample != start:
                self._find(row.item_id, f"{segment.role} starts at {segment.start_sample}, not at {start}")
            position = segment.start_sample + segment.length_samples
        trigger = next((s for s in row.segments[1:] if s.role == "trigger"), None)
        if trigger is not None and row.sample_rate_hz:
            gap_ms = trigger.gap_before_samples * 1000 / row.sample_rate_hz
            if row.factors.gap_ms != gap_ms:
                self._find(row.item_id, f"the factor gap_ms is {row.factors.gap_ms}, the gap is {gap_ms}")

    def _silence(self, row: ManifestRow, samples: Samples) -> None:
        """Where no segment and no tail is, there is digital silence; so a shifted clip shows."""
        if row.noise is not None or row.dither != "none":
            return
        silent = np.ones(len(samples), dtype=bool)
        for segment in row.segments:
            end = segment.start_sample + segment.length_samples + segment.tail_samples
            silent[max(segment.start_sample - segment.travel_samples, 0) : end] = False
        if np.any(samples[silent]):
            self._find(row.item_id, "there is sound where the row has none")

    def _stem(self, row: ManifestRow, segment: SegmentRow) -> None:
        """Read a stem back, once, and hold it against the row."""
        key = segment.stem_key
        if key is None or key in self.stems:
            return
        kept = self.speech.get(key)
        self.stems[key] = kept is not None
        if kept is None:
            return
        samples = np.ascontiguousarray(kept[0], dtype="<f4")
        if sha256_hex(samples.data) != segment.stem_sha256:
            self._find(row.item_id, f"the stem of {segment.role} in the speech cache is not the row's")
        if len(samples) != segment.length_samples:
            self._find(row.item_id, f"{segment.role} is not as long as its stem")

    def _compare(
        self, row: ManifestRow, what: str, measured: float | None, said: float | None, tolerance: float
    ) -> None:
        if (measured is None) != (said is None) or (
            measured is not None and said is not None and abs(measured - said) > tolerance
        ):
            self._find(row.item_id, f"{what} is {_db(measured)}, the row says {_db(said)}")

    # -- pairs -------------------------------------------------------------------------------------------

    def _pair(
        self,
        first: ManifestRow,
        second: ManifestRow,
        audio: dict[str, Samples],
        rules: dict[str, frozenset[str]],
    ) -> None:
        assert first.pair_id is not None
        name = first.pair_id.removeprefix(f"{first.case_id}.").partition(".r")[0]
        if name not in rules:
            self._find(first.pair_id, f"dataset.json knows no pair {name!r}")
            return
        may = rules[name]
        if [s.role for s in first.segments] != [s.role for s in second.segments]:
            if "segments" not in may:
                self._find(first.pair_id, "the members have different segments")
            return
        for a, b in zip(first.segments, second.segments, strict=True):
            self._shared(first, second, a, b, audio, may)

    def _shared(
        self,
        first: ManifestRow,
        second: ManifestRow,
        a: SegmentRow,
        b: SegmentRow,
        audio: dict[str, Samples],
        may: frozenset[str],
    ) -> None:
        pair, role = str(first.pair_id), a.role

        def allowed(*fields: str) -> bool:
            return any(f"{role}.{field}" in may for field in fields)

        if (a.text, a.spoken) != (b.text, b.spoken) and not allowed("text"):
            self._find(pair, f"the words of {role} differ")
        if first.modality != "audio" or second.modality != "audio":
            return
        same_source = not allowed("speaker", "text", "play", "settings", "trim")
        if same_source and a.stem_sha256 != b.stem_sha256:
            self._find(pair, f"the speech of {role} differs (stem {a.stem_sha256} / {b.stem_sha256})")
        if not same_source or allowed("room", "level", "fade"):
            return
        self.shared += 1
        if a.audio_sha256 != b.audio_sha256:
            self._find(pair, f"the audio of {role} differs")
        one, other = audio.get(first.item_id), audio.get(second.item_id)
        if one is None or other is None or not (_exact(first, a) and _exact(second, b)):
            return
        self.shared_in_wavs += 1
        if not np.array_equal(
            one[a.start_sample :][: a.length_samples], other[b.start_sample :][: b.length_samples]
        ):
            self._find(pair, f"the samples of {role} differ between the WAVs")


def _alone(row: ManifestRow, segment: SegmentRow) -> bool:
    """Whether nothing else sounds within the segment's dry extent."""
    start, end = segment.start_sample, segment.start_sample + segment.length_samples
    return row.noise is None and all(
        other is segment
        or other.start_sample >= end
        or other.start_sample + other.length_samples + other.tail_samples <= start
        for other in row.segments
    )


def _clean(row: ManifestRow, segment: SegmentRow) -> bool:
    """Whether the segment's level can be read off the WAV."""
    return _alone(row, segment) and row.limit_gain_db == 0


def _exact(row: ManifestRow, segment: SegmentRow) -> bool:
    """Whether the segment's samples in the WAV are its own, to the last bit."""
    return _clean(row, segment) and row.dither == "none"


def _asked_dbfs(segment: SegmentRow) -> float | None:
    """The level that a segment's dry extent must have; None where the room decides it."""
    room = segment.room
    if room is None or segment.level_asked_dbfs is None:
        return None
    if room.level == "matched":
        return segment.level_asked_dbfs
    if room.kind == "dry" and room.config["lowpass_hz"] is None:
        return segment.level_asked_dbfs + float(room.config["gain_db"])
    return None


def _rms_dbfs(samples: Samples) -> float | None:
    if not len(samples):
        return None
    return _dbfs(float(np.sqrt(np.mean(np.square(samples.astype(np.float64))))) / 32768)


def _dbfs(ratio: float) -> float | None:
    return float(20 * np.log10(ratio)) if ratio > 0 else None


def _db(value: float | None) -> str:
    return "digital silence" if value is None else f"{value:.3f} dBFS"
