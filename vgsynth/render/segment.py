"""One segment: stem, then fade, level and room. What it sounds like wherever it is placed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vgsynth.acoustics.impulse import RirStore
from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.problems import InputError, Place, Problem
from vgsynth.plan.model import DryRoom, Room, SegmentPlan
from vgsynth.render.levels import from_db, rms, to_db
from vgsynth.voices.stem import Stem

LOWPASS_ORDER = 4
MEMO_BYTES = 64 << 20
"""Rendered segments kept in memory: a grid uses each of them in several cells."""

Samples = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Segment:
    """A rendered segment: ``lead_samples``, then the dry extent, then the tail."""

    samples: Samples
    """float32, shape (lead + length + tail,), read-only."""
    lead_samples: int
    """Travel time of the direct sound, where it is kept."""
    length_samples: int
    tail_samples: int
    level_before_dbfs: float | None
    gain_db: float
    """What brought the dry speech to its asked level, before the room."""
    level_dbfs: float | None
    """RMS of the dry extent as it is here."""
    sha256: str
    """Of ``samples`` as little-endian bytes."""


def render_segment(plan: SegmentPlan, stem: Stem, rirs: RirStore, *, item_id: str, path: str) -> Segment:
    """Fade the stem in and out, set its level, and let the room act on it.

    The gain is taken from the faded stem, so that a dry segment's RMS is the asked one. Then:

    * the room's impulse response, ``gain_db``, and a low-pass filter (Butterworth of order 4, run forwards:
      it delays by a few samples and never starts early);
    * ``keep_tail: False`` cuts at the end of the dry extent, with another fade-out;
    * ``matched``: all of it is scaled until the RMS over the dry extent is the asked level again.

    Raises InputError, naming the item and the segment, for a fade longer than half the stem and for a
    segment of which nothing is left; and what :meth:`RirStore.impulse` raises.
    """
    key = (stem.sha256, stem.sample_rate_hz, plan.level_dbfs, plan.fade_samples, plan.room)
    segment = _memo.get(key)
    if segment is None:
        segment = _render(plan, stem, rirs, item_id=item_id, path=path)
        _memo.put(key, segment)
    return segment


def _render(plan: SegmentPlan, stem: Stem, rirs: RirStore, *, item_id: str, path: str) -> Segment:
    fade, room, length = plan.fade_samples, plan.room, stem.samples.size
    if 2 * fade > length:
        raise _problem(
            item_id,
            path,
            f"a fade of {fade} samples at each end is too long for speech of {length} samples",
            f"at most {length // 2} samples ({1000 * (length // 2) // stem.sample_rate_hz} ms) fit",
        )
    dry = _faded(stem.samples, fade, fade)
    level = rms(dry)
    if not level > 0.0:
        raise _problem(item_id, path, "the speech is silent", "check the voice or the recording")
    gain = from_db(plan.level_dbfs) / level
    samples, lead = _in_room(dry, room, stem.sample_rate_hz, rirs)
    if room.lowpass_hz is not None:
        samples = _lowpassed(samples, room.lowpass_hz, stem.sample_rate_hz)
    if not isinstance(room, DryRoom) and not room.keep_tail:
        samples = _faded(samples[: lead + length], 0, fade)
    if samples is not dry:
        level = rms(samples[lead : lead + length])
    if room.level == "matched":
        if not level > 0.0:
            raise _problem(item_id, path, "the room leaves nothing of it", "check the low-pass filter")
        scale = from_db(plan.level_dbfs) / level
    else:
        scale = gain * from_db(room.gain_db)
    samples = samples * np.float32(scale)
    samples.setflags(write=False)
    return Segment(
        samples=samples,
        lead_samples=lead,
        length_samples=length,
        tail_samples=samples.size - lead - length,
        level_before_dbfs=to_db(rms(stem.samples)),
        gain_db=to_db(gain) or 0.0,
        level_dbfs=to_db(level * scale),
        sha256=sha256_hex(samples.data.cast("B")),
    )


def _in_room(samples: Samples, room: Room, sample_rate_hz: int, rirs: RirStore) -> tuple[Samples, int]:
    """The samples as the room gives them back, and the samples that its direct sound travels."""
    from scipy.fft import irfft, next_fast_len, rfft

    impulse = rirs.impulse(room, sample_rate_hz)
    if impulse is None:
        return samples, 0
    length = samples.size + impulse.samples.size - 1
    padded = next_fast_len(length, real=True)
    spectrum = rfft(samples, padded)
    spectrum *= rirs.spectrum(room, sample_rate_hz, padded)
    wet: Samples = irfft(spectrum, padded, overwrite_x=True)[:length]
    return wet, impulse.direct_sample


def _faded(samples: Samples, fade_in: int, fade_out: int) -> Samples:
    faded = samples.copy()
    if fade_in:
        faded[:fade_in] *= _rise(fade_in)
    if fade_out:
        faded[-fade_out:] *= _rise(fade_out)[::-1]
    return faded


@lru_cache(maxsize=64)
def _rise(length: int) -> Samples:
    """A raised cosine from 0 to 1, sampled at the middle of each step."""
    rise = 0.5 - 0.5 * np.cos(np.pi * (np.arange(length) + 0.5) / length)
    return rise.astype(np.float32)


def _lowpassed(samples: Samples, cutoff_hz: float, sample_rate_hz: int) -> Samples:
    from scipy.signal import butter, sosfilt

    if cutoff_hz >= sample_rate_hz / 2:
        return samples  # there is nothing above it
    sections = butter(LOWPASS_ORDER, cutoff_hz, fs=sample_rate_hz, output="sos")
    filtered: Samples = sosfilt(sections, samples.astype(np.float64)).astype(np.float32)
    return filtered


def _problem(item_id: str, path: str, message: str, fix: str) -> InputError:
    return InputError([Problem(place=Place(file=item_id), path=path, message=message, fix=fix)])


_Key = tuple[str, int, float, int, Room]


class _Memo:
    """The segments used last, up to a number of bytes."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._held_bytes = 0
        self._segments: OrderedDict[_Key, Segment] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: _Key) -> Segment | None:
        with self._lock:
            segment = self._segments.get(key)
            if segment is not None:
                self._segments.move_to_end(key)
            return segment

    def put(self, key: _Key, segment: Segment) -> None:
        with self._lock:
            if key not in self._segments:
                self._segments[key] = segment
                self._held_bytes += segment.samples.nbytes
            while self._held_bytes > self._max_bytes:
                self._held_bytes -= self._segments.popitem(last=False)[1].samples.nbytes


_memo = _Memo(MEMO_BYTES)
