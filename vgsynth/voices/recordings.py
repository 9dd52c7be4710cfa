"""Recordings as voices: any format that libsndfile reads; others through pydub and ffmpeg.

What counts is what was decoded: headers may promise another length.
"""

from __future__ import annotations

import io
import shutil
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.problems import InputError
from vgsynth.voices.protocol import Audio, Utterance

_PYDUB_EXTRA = "pip install 'vgbench[pydub]'"


@dataclass(frozen=True, slots=True)
class Channels:
    """What a file holds: float32, shape (n, channels), full scale 1.0."""

    frames: NDArray[np.float32]
    sample_rate_hz: int

    def mono(self) -> Utterance:
        """The mean of the channels."""
        return Utterance(_mono(self.frames), self.sample_rate_hz)


def read_audio(path: Path, *, expected_sha256: str | None = None, name: str = "") -> Utterance:
    """Decode a file to float32, shape (n,), full scale 1.0; several channels are averaged.

    ``expected_sha256`` is of the file's bytes, as planned. Problems name ``name``, or else the path.
    Raises InputError where the file is missing, has changed since it was planned, or cannot be decoded.
    """
    return read_channels(path, expected_sha256=expected_sha256, name=name).mono()


def read_channels(path: Path, *, expected_sha256: str | None = None, name: str = "") -> Channels:
    """The same with each channel by itself."""
    name = name or str(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError.at(
            name, f"cannot be read: {error.strerror or error}", "give a path to a file"
        ) from error
    if expected_sha256 is not None and sha256_hex(data) != expected_sha256:
        raise InputError.at(name, "the file has changed since it was planned", "plan and render again")
    channels = _by_libsndfile(data) or _by_ffmpeg(path, name)
    if not channels.frames.size:
        raise InputError.at(name, "there is no audio in it", "give a recording with speech")
    return channels


def decode_bytes(data: bytes, *, name: str) -> Utterance:
    """Decode the bytes of an audio file that libsndfile reads. Raises InputError where it cannot."""
    channels = _by_libsndfile(data)
    if channels is None:
        raise InputError.at(name, "what came back is no audio that can be decoded", "ask for WAV")
    return channels.mono()


def _by_libsndfile(data: bytes) -> Channels | None:
    import soundfile

    try:
        with soundfile.SoundFile(io.BytesIO(_with_size_filled_in(data))) as file:
            # In pieces and to the end: a header that promises too much would have one read fail or pad.
            blocks = [block.copy() for block in file.blocks(1 << 16, dtype="float32", always_2d=True)]
            channels, sample_rate_hz = file.channels, file.samplerate
    except soundfile.LibsndfileError:
        return None
    frames = np.concatenate(blocks) if blocks else np.zeros((0, channels), dtype=np.float32)
    return Channels(frames, int(sample_rate_hz))


def _with_size_filled_in(data: bytes) -> bytes:
    """A RIFF file whose writer never came back to fill in its sizes (data size 0, yet more bytes follow).

    libsndfile mends every other lie about sizes, but takes this file for an empty one.
    """
    place = 12
    while data[:4] == b"RIFF" and data[8:12] == b"WAVE" and place + 8 <= len(data):
        size = int.from_bytes(data[place + 4 : place + 8], "little")
        if data[place : place + 4] == b"data":
            rest = len(data) - place - 8
            riff_end = 8 + int.from_bytes(data[4:8], "little")
            if size == 0 and rest and riff_end <= place + 8:
                return data[: place + 4] + min(rest, 0xFFFFFFFE).to_bytes(4, "little") + data[place + 8 :]
            break
        place += 8 + size + size % 2
    return data


def _mono(frames: NDArray[np.float32]) -> Audio:
    """Shape (n, channels) to (n,)."""
    if frames.shape[1] == 1:
        return np.ascontiguousarray(frames[:, 0])
    mean: Audio = frames.mean(axis=1, dtype=np.float64).astype(np.float32)
    return mean


def _by_ffmpeg(path: Path, name: str) -> Channels:
    if shutil.which("ffmpeg") is None:
        raise InputError.at(
            name,
            "libsndfile cannot read this format, and ffmpeg, which may, is not installed",
            "install ffmpeg, or convert the file to WAV or FLAC",
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pydub warns of ffmpeg and of escapes in its own source
            from pydub import AudioSegment
            from pydub.exceptions import CouldntDecodeError
    except ImportError as error:  # pydub itself, or the audioop that Python 3.13 no longer has
        raise InputError.at(
            name,
            f"libsndfile cannot read this format, and pydub cannot be imported ({error})",
            f"run: {_PYDUB_EXTRA}; or convert the file to WAV or FLAC",
        ) from error
    try:
        segment = AudioSegment.from_file(str(path))
    except (CouldntDecodeError, OSError, IndexError, KeyError, ValueError) as error:
        raise InputError.at(name, "cannot be decoded as audio", "convert the file to WAV or FLAC") from error
    steps = np.frombuffer(segment.raw_data, dtype=f"<i{segment.sample_width}").reshape(-1, segment.channels)
    frames: NDArray[np.float32] = (steps / float(1 << (8 * segment.sample_width - 1))).astype(np.float32)
    return Channels(frames, int(segment.frame_rate))
