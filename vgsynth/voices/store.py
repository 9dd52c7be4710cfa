"""Stems by plan: spoken or read once, then kept on disk and, for a while, in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from vgsynth.cache.arrays import ArrayCache
from vgsynth.contract.canonical import sha256_hex, sha256_of
from vgsynth.plan.model import Recording, Setting, Speech, Trim, VoicePlan
from vgsynth.voices import registry
from vgsynth.voices.protocol import Audio, Utterance
from vgsynth.voices.recordings import read_audio
from vgsynth.voices.settings import voice_error
from vgsynth.voices.stem import Stem
from vgsynth.voices.text import normalise_text
from vgsynth.voices.trimming import refuse_silence, trim

ALGORITHM = 1
"""Raised when the way from source to stem changes: entries of old are then not found."""
MEMO_BYTES = 64 << 20
"""What is kept in memory: some two hundred stems of five seconds."""
PATH_SETTING = "path"
"""The setting that names a file or folder, relative to the spec's folder."""

Source = Speech | Recording


class StemStore:
    """Makes stems, or finds those made before. ``root`` is the spec's folder, where relative paths begin.

    The same source, trim and rate give the same samples in every process. Where an engine is not
    deterministic, its first output is kept (and never evicted), whichever process was first, and every stem
    comes from it.
    """

    def __init__(self, cache: ArrayCache, root: Path) -> None:
        self.cache = cache
        self.root = root
        self._memo: OrderedDict[str, Stem] = OrderedDict()
        self._memo_bytes = 0

    def key(self, source: Source, trim: Trim | None, sample_rate_hz: int) -> str:
        """The cache key: a hash of all that the stem depends on. Loads no engine's model, reads no audio.

        Raises InputError where a voice is unknown, its files are missing, or the text cannot be spoken.
        """
        return sha256_of(
            {
                "algorithm": ALGORITHM,
                "source": self._source_key(source),
                "trim": None if trim is None else [trim.threshold_db, trim.pad_samples],
                "rate": sample_rate_hz,
                "soxr": _package_version("soxr"),
            }
        )

    def cached(self, source: Source, trim: Trim | None, sample_rate_hz: int) -> bool:
        """Whether the stem is there already: a look at the folder. Raises what ``key`` raises."""
        key = self.key(source, trim, sample_rate_hz)
        return key in self._memo or self.cache.has(key)

    def stem(self, source: Source, trim: Trim | None, sample_rate_hz: int) -> Stem:
        """Speak or read the source; mono float32 at the asked rate, trimmed, hashed.

        Raises InputError for what the user can mend: voices, files, silence, a full disk.
        """
        key = self.key(source, trim, sample_rate_hz)
        stem = self._memo.get(key)
        if stem is not None:
            self._memo.move_to_end(key)
            return stem
        found = self.cache.get(key)
        stem = (
            self._make(key, source, trim, sample_rate_hz)
            if found is None
            else Stem(samples=found[0], **found[1])
        )
        self._remember(key, stem)
        return stem

    def _make(self, key: str, source: Source, rule: Trim | None, sample_rate_hz: int) -> Stem:
        name = source_name(source)
        utterance = self._utterance(source)
        samples = resampled(utterance, sample_rate_hz)
        refuse_silence(samples, name=name)
        start = end = 0
        if rule is not None:
            cut = trim(samples, sample_rate_hz, rule, name=name)
            samples, start, end = cut.samples, cut.start_samples, cut.end_samples
        samples = np.ascontiguousarray(samples, dtype="<f4")
        samples.setflags(write=False)
        about: dict[str, Any] = {
            "sample_rate_hz": sample_rate_hz,
            "sha256": sha256_hex(samples.data.cast("B")),
            "spoken": spoken_text(source),
            "pinned": isinstance(source, Speech) and not registry.engine(source.voice.engine).deterministic,
            "trimmed_start_samples": start,
            "trimmed_end_samples": end,
        }
        self.cache.put(key, samples, about)
        return Stem(samples=samples, **about)

    def _utterance(self, source: Source) -> Utterance:
        if isinstance(source, Recording):
            return read_audio(self.root / source.path, expected_sha256=source.sha256, name=source.path)
        engine = registry.engine(source.voice.engine)
        spoken, settings = spoken_text(source), self._settings(source.voice)
        if engine.deterministic:
            return engine.speak(spoken, source.voice.name, settings)
        key = sha256_of({"utterance": self._source_key(source)})
        found = self.cache.get(key)
        if found is None:
            said = engine.speak(spoken, source.voice.name, settings)
            self.cache.put(key, said.samples, {"sample_rate_hz": said.sample_rate_hz}, pinned=True)
            # Read back: another process may have been first, and then its output is the one that counts.
            found = self.cache.get(key) or (said.samples, {"sample_rate_hz": said.sample_rate_hz})
        return Utterance(found[0], found[1]["sample_rate_hz"])

    def _source_key(self, source: Source) -> dict[str, Any]:
        if isinstance(source, Recording):
            return {
                "recording": source.sha256,
                "text": source.text,
                "soundfile": _package_version("soundfile"),
            }
        voice = source.voice
        return {
            "engine": voice.engine,
            "fingerprint": registry.engine(voice.engine).fingerprint(voice.name, self._settings(voice)),
            "voice": voice.name,
            "settings": {name: value for name, value in voice.settings if name != PATH_SETTING},
            "spoken": spoken_text(source),
        }

    def _settings(self, voice: VoicePlan) -> Mapping[str, Setting]:
        """A voice's settings, its path made whole."""
        settings = dict(voice.settings)
        if isinstance(path := settings.get(PATH_SETTING), str):
            settings[PATH_SETTING] = str(self.root / path)
        return settings

    def _remember(self, key: str, stem: Stem) -> None:
        self._memo[key] = stem
        self._memo_bytes += stem.samples.nbytes
        while self._memo_bytes > MEMO_BYTES and len(self._memo) > 1:
            _, oldest = self._memo.popitem(last=False)
            self._memo_bytes -= oldest.samples.nbytes


def resampled(utterance: Utterance, sample_rate_hz: int) -> Audio:
    """The samples at another rate, by soxr at its best quality (band-limited, linear phase, no delay)."""
    if utterance.sample_rate_hz == sample_rate_hz:
        return utterance.samples
    import soxr

    out: Audio = soxr.resample(utterance.samples, utterance.sample_rate_hz, sample_rate_hz, quality="VHQ")
    return out


def spoken_text(source: Source) -> str:
    """What a voice is asked to say; a recording's transcript as it is."""
    if isinstance(source, Recording):
        return source.text
    try:
        return normalise_text(source.text)
    except ValueError as error:
        raise voice_error(source.voice.id, str(error), "give a text with words") from None


def source_name(source: Source) -> str:
    """A source as a problem's place names it."""
    if isinstance(source, Recording):
        return source.path
    return f"voice {source.voice.id} saying {source.text!r}"


@cache
def _package_version(package: str) -> str:
    return version(package)
