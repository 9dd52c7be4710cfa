"""Impulse responses that were measured: one channel of a file, aligned on its direct sound."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.problems import InputError
from vgsynth.plan.model import RirRoom

ALGORITHM = 1
"""Raise it when the same file would give other samples: cached responses are then made anew."""


def measured_impulse(room: RirRoom, root: Path, sample_rate_hz: int) -> tuple[NDArray[np.float32], int]:
    """The room's impulse response, float32 of shape (n,), and the sample of its direct sound.

    The direct sound is taken to be the largest peak, and set to unit gain (its sign is kept). What comes
    before it is travel, noise and the ringing of filters: it is cut off, so that speech starts where the
    row says; with ``keep_travel`` it is left as it is in the file.

    Raises InputError, naming the file, where it is missing, is no audio, has changed since it was planned
    (its SHA-256 differs), lacks the channel, holds NaN, or is silent.
    """
    import soxr

    samples, rate_hz = _read_channel(room, root)
    if rate_hz != sample_rate_hz:
        samples = soxr.resample(samples, rate_hz, sample_rate_hz, quality="VHQ")
    if not samples.any():
        raise InputError.at(room.path, f"channel {room.channel} is silent", "choose another channel or file")
    direct = int(np.argmax(np.abs(samples)))
    samples = samples / abs(samples[direct])
    if not room.keep_travel:
        samples, direct = samples[direct:], 0
    return samples.astype(np.float32), direct


def _read_channel(room: RirRoom, root: Path) -> tuple[NDArray[np.float64], int]:
    """Samples of the room's channel, full scale 1.0, and their rate."""
    import soundfile

    try:
        data = (root / room.path).read_bytes()
    except OSError as error:
        raise InputError.at(
            room.path, f"cannot be read: {error.strerror or error}", "check the path"
        ) from error
    if sha256_hex(data) != room.sha256:
        raise InputError.at(room.path, "the file has changed since it was planned", "plan and render again")
    try:
        with soundfile.SoundFile(io.BytesIO(data)) as file:
            # In pieces and to the end: a header that promises too much would have one read fail or pad.
            blocks = [block.copy() for block in file.blocks(1 << 16, dtype="float64", always_2d=True)]
            channels, rate_hz = file.channels, int(file.samplerate)
    except (soundfile.LibsndfileError, RuntimeError) as error:
        raise InputError.at(
            room.path, f"is not audio that libsndfile reads ({error})", "convert it to WAV or FLAC"
        ) from error
    if not 0 <= room.channel < channels:
        raise InputError.at(
            room.path,
            f"has no channel {room.channel}",
            f"channels count from 0, and the file has {channels}",
        )
    samples = np.concatenate([block[:, room.channel] for block in blocks]) if blocks else np.zeros(0)
    if not np.isfinite(samples).all():
        raise InputError.at(room.path, f"channel {room.channel} holds NaN or infinity", "mend the file")
    return samples, rate_hz
