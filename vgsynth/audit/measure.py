"""What can be measured on an item's WAV, without believing its row more than where speech was placed."""

from __future__ import annotations

import wave
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from vgsynth.acoustics.decay import measure_decay
from vgsynth.audit.folder import RenderedSet, focus
from vgsynth.contract.manifest import MANIFEST_NAME, ManifestRow, SegmentRow
from vgsynth.contract.problems import InputError, Place, Problem

FULL_SCALE = 32768.0
SILENCE_DBFS = -120.0
"""What digital silence counts as, where a number is needed."""
ACTIVE_DB = 40.0
"""A millisecond of a segment is speech if it lies at most this far below the segment's loudest one."""
TAIL_S = 0.2
"""How far behind the dry extent a tail is looked for."""
NO_TAIL_DB = -60.0
"""Less than this is no tail."""
STEP_S = 0.005
"""Hop of the energy envelope that decay rates are read from; a frame is two hops long."""
SLOPE_STEPS = 8
"""Frames to a straight line: 40 ms."""
SLOPE_RANGE_DB = 40.0
SLOPE_PERCENTILE = 5.0
MAX_PROBLEMS = 20

Samples = NDArray[np.float64]
"""Full scale is 1.0; shape (n,)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentMeasure:
    """One segment as it is in the clip."""

    level_dbfs: float | None
    """RMS over the dry extent; None for digital silence."""
    onset_ms: float | None
    """From where the row says that the segment starts to its first millisecond of speech."""
    clear: bool
    """Whether its level can be read off: nothing else sounds here, and the clip was not scaled."""
    silence_before: bool | None
    """Whether there is digital silence where nothing was placed before it; None where nothing can be said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemMeasure:
    """One clip. Fields about the segment in focus (:func:`vgsynth.audit.folder.focus`) may be None."""

    segments: tuple[SegmentMeasure, ...]
    duration_s: float
    pause_ms: float | None
    """From the last loud millisecond of the segment before to the first one of the segment in focus."""
    decay_db_per_s: float | None
    """How fast the segment's energy falls where it falls fast; see :func:`decay_rate_db_per_s`."""
    tail_db: float | None
    """Energy in the 200 ms behind the dry extent against that in its last 200 ms; only for a last segment."""
    tail_rt60_s: float | None
    """Reverberation time read from the tail that rings behind the clip's last segment."""


def measure_set(
    rendered: RenderedSet, on_item: Callable[[int], None] = lambda _: None
) -> dict[str, ItemMeasure]:
    """Measure every audio item, one WAV at a time, by item id.

    Raises InputError for WAVs that are missing or are not what their rows say (up to 20 of them at once).
    """
    found: dict[str, ItemMeasure] = {}
    problems: list[Problem] = []
    for done, (row, read) in enumerate(clips(rendered), start=1):
        if isinstance(read, str):
            problems.append(_problem(rendered, row, read))
            if len(problems) == MAX_PROBLEMS:
                break
        else:
            found[row.item_id] = measure_item(row, read)
        on_item(done)
    if problems:
        raise InputError(problems)
    return found


def clips(rendered: RenderedSet) -> Iterator[tuple[ManifestRow, Samples | str]]:
    """The audio items, each with its samples, or with what is wrong with its WAV."""
    for row in rendered.rows:
        if row.modality == "audio":
            yield row, read_clip(rendered.out, row)


def clip_of(rendered: RenderedSet, row: ManifestRow) -> Samples:
    """A row's samples. Raises InputError where they cannot be read."""
    read = read_clip(rendered.out, row)
    if isinstance(read, str):
        raise InputError([_problem(rendered, row, read)])
    return read


def _problem(rendered: RenderedSet, row: ManifestRow, message: str) -> Problem:
    place = Place(file=rendered.file(MANIFEST_NAME))
    fix = "see `vgsynth verify`, or render again"
    return Problem(place=place, path=row.item_id, message=message, fix=fix)


def read_clip(out: Path, row: ManifestRow) -> Samples | str:
    """A row's samples, float64 of shape (n,); or what is wrong with the file."""
    if row.wav is None:
        return "is an audio item without a WAV"
    path = PurePosixPath(row.wav)
    if path.is_absolute() or ".." in path.parts or "\\" in row.wav or "\0" in row.wav:
        return f"the WAV path {row.wav!r} leaves the folder"
    try:
        with wave.open(str(out / path), "rb") as file:
            form = (file.getnchannels(), file.getsampwidth(), file.getframerate())
            data = file.readframes(file.getnframes())
    except (OSError, EOFError, wave.Error) as error:
        return f"{row.wav} cannot be read: {getattr(error, 'strerror', None) or error or 'it ends too early'}"
    if form != (1, 2, row.sample_rate_hz):
        return f"{row.wav} is not 16-bit mono at {row.sample_rate_hz} Hz"
    if len(data) != 2 * row.length_samples:
        return f"{row.wav} does not hold the {row.length_samples} samples of its row"
    for segment in row.segments:
        if (
            not 0
            <= segment.start_sample
            < segment.start_sample + segment.length_samples
            <= row.length_samples
        ):
            return f"segment {segment.role} lies outside the clip"
    return np.frombuffer(data, dtype="<i2") / FULL_SCALE


def measure_item(row: ManifestRow, samples: Samples) -> ItemMeasure:
    """Measure one clip: float64, shape (n,), full scale 1.0."""
    rate = row.sample_rate_hz or 1
    in_focus = focus(row)
    measures = tuple(_segment(row, index, samples, rate) for index in range(len(row.segments)))
    pause = decay = tail_db = tail_rt60 = None
    if in_focus is not None:
        segment = row.segments[in_focus]
        decay = decay_rate_db_per_s(_extent(samples, segment), rate)
        if in_focus and row.noise is None:
            pause = _pause_ms(row, in_focus, samples, rate, measures[in_focus].onset_ms)
        if in_focus == len(row.segments) - 1:
            tail_db = _tail_db(samples, segment, rate)
            if row.noise is None and segment.tail_samples:
                end = segment.start_sample + segment.length_samples
                found = measure_decay(samples[end : end + segment.tail_samples], rate)
                tail_rt60 = None if found is None else found.rt60_s
    return ItemMeasure(
        segments=measures,
        duration_s=samples.size / rate,
        pause_ms=pause,
        decay_db_per_s=decay,
        tail_db=tail_db,
        tail_rt60_s=tail_rt60,
    )


def decay_rate_db_per_s(samples: Samples, sample_rate_hz: int) -> float | None:
    """How fast the energy of speech falls where it falls fast: a blind measure of reverberation, in dB/s.

    Straight lines through 40 ms of the energy envelope (frames of 10 ms, every 5 ms, those within 40 dB of
    the loudest); the fifth percentile of their slopes. Speech stops faster than a room does, whose energy
    falls by 60 / RT60 dB/s: so the measure rises towards that with reverberation. After the distribution of
    decay rates in J. Y. C. Wen, E. A. P. Habets and P. A. Naylor, "Blind Estimation of Reverberation Time
    Based on the Distribution of Signal Decay Rates", ICASSP 2008. None for speech too short to tell.
    """
    step = round(STEP_S * sample_rate_hz)
    steps = samples.size // step
    if steps < 2 * SLOPE_STEPS:
        return None
    energy = np.square(samples[: steps * step]).reshape(steps, step).sum(axis=1)
    level = 10.0 * np.log10(energy[1:] + energy[:-1] + 1e-12)
    lines = np.lib.stride_tricks.sliding_window_view(level, SLOPE_STEPS)
    lines = lines[lines.min(axis=1) >= level.max() - SLOPE_RANGE_DB]
    if len(lines) < SLOPE_STEPS:
        return None
    offsets = np.arange(SLOPE_STEPS) - (SLOPE_STEPS - 1) / 2.0
    slopes = (lines * offsets).sum(axis=1) / np.square(offsets).sum() / STEP_S
    return float(np.percentile(slopes, SLOPE_PERCENTILE))


def _segment(row: ManifestRow, index: int, samples: Samples, rate: int) -> SegmentMeasure:
    segment = row.segments[index]
    extent = _extent(samples, segment)
    onset = _first_loud(_level_by_ms(extent, rate))
    return SegmentMeasure(
        level_dbfs=_dbfs(float(np.square(extent).mean())),
        onset_ms=None if onset is None else float(onset),
        clear=row.noise is None and row.limit_gain_db == 0.0 and _alone(row, segment),
        silence_before=_silence_before(row, index, samples),
    )


def _alone(row: ManifestRow, segment: SegmentRow) -> bool:
    start, end = segment.start_sample, segment.start_sample + segment.length_samples
    return all(
        other is segment or other.start_sample >= end or _ring_end(other) <= start for other in row.segments
    )


def _ring_end(segment: SegmentRow) -> int:
    return segment.start_sample + segment.length_samples + segment.tail_samples


def _silence_before(row: ManifestRow, index: int, samples: Samples) -> bool | None:
    """Digital silence from where the last tail ends to where the direct sound sets out."""
    if row.noise is not None or row.dither != "none":
        return None
    segment = row.segments[index]
    start = max((_ring_end(other) for other in row.segments[:index]), default=0)
    end = segment.start_sample - segment.travel_samples
    return bool(np.all(samples[start:end] == 0.0)) if end > start else None


def _pause_ms(
    row: ManifestRow, index: int, samples: Samples, rate: int, onset_ms: float | None
) -> float | None:
    """What tails and quiet ends leave of a gap."""
    before, segment = row.segments[index - 1], row.segments[index]
    loudest = _level_by_ms(_extent(samples, before), rate).max(initial=SILENCE_DBFS)
    levels = _level_by_ms(samples[before.start_sample : segment.start_sample], rate)
    loud = np.flatnonzero(levels >= loudest - ACTIVE_DB)
    if onset_ms is None or not loud.size or loudest <= SILENCE_DBFS:
        return None
    between_ms = (segment.start_sample - before.start_sample) * 1000.0 / rate
    return between_ms - float(loud[-1] + 1) + onset_ms


def _tail_db(samples: Samples, segment: SegmentRow, rate: int) -> float:
    span = round(TAIL_S * rate)
    end = segment.start_sample + segment.length_samples
    inside = float(np.square(samples[max(segment.start_sample, end - span) : end]).sum())
    behind = float(np.square(samples[end : end + span]).sum())
    if not inside > 0.0 or not behind > 0.0:
        return NO_TAIL_DB
    return max(NO_TAIL_DB, 10.0 * float(np.log10(behind / inside)))


def _first_loud(levels: NDArray[np.float64]) -> int | None:
    loudest = levels.max(initial=SILENCE_DBFS)
    return None if loudest <= SILENCE_DBFS else int(np.argmax(levels >= loudest - ACTIVE_DB))


def _level_by_ms(samples: Samples, rate: int) -> NDArray[np.float64]:
    """Level of each whole millisecond, in dBFS."""
    edges = np.arange(0, samples.size * 1000 // rate + 1) * rate // 1000
    total = np.concatenate(([0.0], np.cumsum(np.square(samples))))
    power = np.diff(total[edges]) / np.maximum(np.diff(edges), 1)
    levels: NDArray[np.float64] = 10.0 * np.log10(np.maximum(power, 10.0 ** (SILENCE_DBFS / 10.0)))
    return levels


def _extent(samples: Samples, segment: SegmentRow) -> Samples:
    return samples[segment.start_sample : segment.start_sample + segment.length_samples]


def _dbfs(power: float) -> float | None:
    return float(10.0 * np.log10(power)) if power > 0.0 else None
