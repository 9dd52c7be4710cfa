"""A prompt's take into its place: decoded, checked, converted, and compared with the script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from vgsynth.audit.values import Skipped
from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.problems import InputError
from vgsynth.recording.files import write_file
from vgsynth.recording.records import FIGURES, FOUND, TAKE, Record
from vgsynth.recording.script import Prompt
from vgsynth.recording.sound import RATE_HZ, Sound, converted, faults, is_silent, measure
from vgsynth.recording.words import Listener
from vgsynth.render.pcm import wav_bytes
from vgsynth.voices.recordings import Channels, read_channels

CHECKS = 1
"""Raised when the checks or the conversion change: then every take is looked at again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What may be chosen."""

    last_take: bool = False
    """Of several takes the last one is used; else none."""
    replace: bool = False
    """Files that are in the way and did not come from here are overwritten."""
    word_error_limit: float = 0.25
    """Word error rate above which a take is to be looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a prompt's takes."""

    record: Record
    written: bool = False
    """A file was written."""
    unchanged: bool = False
    """It is as it was, and was not looked at again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """The file that is looked at, and what is in the place now."""

    path: Path
    take: str
    """"" where the file is in its place already, and there is no take."""
    place: Path
    there: str
    """SHA-256 of what is in the place; "" for nothing."""
    ours: bool
    """Whether that came from a take, or there is nothing: it may be overwritten."""


class Placer:
    """Puts one take after the other into its place."""

    def __init__(self, root: Path, folder: Path, options: Options, listener: Listener | Skipped) -> None:
        self._root = root
        self._folder = folder
        self._options = options
        self._listener = None if isinstance(listener, Skipped) else listener
        self._checked_by = f"checks {CHECKS}"
        if self._listener is not None:
            limit = f"{options.word_error_limit:g}"
            self._checked_by += f"; {self._listener.name}, word error rate up to {limit}"

    def place(self, prompt: Prompt, takes: Sequence[str], known: Record | None) -> Outcome:
        """Put the take, or the last of several where that was asked for, into the prompt's place.

        ``takes`` are relative to the folder; ``known`` is the record of the run before. Raises InputError
        where a file cannot be read or written.
        """
        place = self._root / prompt.file
        there = _sha256(place)
        if known is not None and (known.file != prompt.file or there not in ("", known.file_sha256)):
            known = None  # it tells of another file
        blank = Record(
            state="missing",
            file=prompt.file,
            text=prompt.text,
            file_sha256=there if known else "",
            file_from=known.file_from if known else "",
        )
        if len(takes) > 1 and not self._options.last_take:
            return Outcome(record=replace(blank, state="doubled", findings=(f"takes: {', '.join(takes)}",)))
        if not takes and not there:
            return Outcome(record=blank)
        take = takes[-1] if takes else ""
        path = self._folder / take if take else place
        take_sha256 = _sha256(path)
        if known is not None and self._is_settled(known, prompt, take_sha256 if take else None, there):
            return Outcome(record=known, unchanged=True)
        source = _Source(
            path=path, take=take, place=place, there=there, ours=not there or blank.file_from == TAKE
        )
        looked_at = replace(blank, take=take, take_sha256=take_sha256, checked_by=self._checked_by)
        return self._look_at(source, prompt, looked_at)

    def _is_settled(self, known: Record, prompt: Prompt, take_sha256: str | None, there: str) -> bool:
        """Whether what is known of the place and of the take, if there is one now, is still so."""
        checked = known.checked_by == self._checked_by or (self._listener is None and known.compared)
        settled = known.state in ("ready", "check") or (known.state == "refused" and take_sha256 is not None)
        same = known.file_sha256 == there and take_sha256 in (None, known.take_sha256)
        return checked and settled and same and known.text == prompt.text

    def _look_at(self, source: _Source, prompt: Prompt, record: Record) -> Outcome:
        name = source.take or prompt.file
        try:
            channels = read_channels(source.path, name=name)
            sound = measure(channels, name=name)
        except InputError as error:
            return _refused(record, *(problem.message for problem in error.problems))
        record = replace(record, figures=_figures(sound))
        if is_silent(sound):
            return _refused(record, f"silent: {sound.peak_dbfs:.1f} dBFS at most")
        return self._convert(source, prompt, record, channels, faults(sound, prompt.text))

    def _convert(
        self, source: _Source, prompt: Prompt, record: Record, channels: Channels, findings: tuple[str, ...]
    ) -> Outcome:
        samples = converted(channels, name=prompt.id)
        data = wav_bytes(samples, RATE_HZ)
        sha256 = sha256_hex(data) if source.take else source.there
        written = source.there != sha256
        if written and not source.ours and not self._options.replace:
            blocked = f"another file is in its place: {prompt.file}"
            return Outcome(record=replace(record, state="blocked", findings=(blocked,)))
        if written:
            write_file(source.place, data)
        record = replace(
            record, file_sha256=sha256, file_from=TAKE if source.take else record.file_from or FOUND
        )
        if self._listener is not None:
            heard = self._listener.compare(samples, prompt.text)
            record = replace(record, heard=heard.text, word_error_rate=f"{heard.rate:.3f}")
            if heard.rate > self._options.word_error_limit:
                findings += (f"words differ: heard {heard.text!r}",)
        return Outcome(
            record=replace(record, state="check" if findings else "ready", findings=findings), written=written
        )


def _refused(record: Record, *findings: str) -> Outcome:
    return Outcome(record=replace(record, state="refused", findings=findings))


def _figures(sound: Sound) -> dict[str, str]:
    values = {name: getattr(sound, name) for name in FIGURES}
    return {
        name: "" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
        for name, value in values.items()
    }


def _sha256(path: Path) -> str:
    """Of a file's bytes; "" where there is no such file."""
    try:
        return sha256_hex(path.read_bytes())
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise InputError.at(
            str(path), f"cannot be read: {error.strerror or error}", "make it readable, or move it away"
        ) from error
