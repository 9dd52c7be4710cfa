"""Reading the WAVs of a rendered folder: 16-bit mono PCM, and nothing else."""

from __future__ import annotations

import wave
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from vgsynth.contract.manifest import ManifestRow

Pcm = NDArray[np.int16]
"""Samples as they are in the file, shape (n,); full scale is 32768."""


def wav_path(out: Path, row: ManifestRow) -> Path | None:
    """Where a row's WAV is, or None for a text item.

    Raises ValueError for a path that leaves the folder: a page must not carry files from elsewhere.
    """
    if row.wav is None:
        return None
    path = PurePosixPath(row.wav)
    if path.is_absolute() or ".." in path.parts or "\\" in row.wav or "\0" in row.wav:
        raise ValueError(f"the WAV path {row.wav!r} leaves the folder")
    return out / path


def wav_fault(path: Path, row: ManifestRow) -> str | None:
    """What keeps a WAV from being the one its row describes, by a look at its header and size; or None."""
    try:
        with path.open("rb") as raw, wave.open(raw) as file:
            shape = (file.getnchannels(), file.getsampwidth(), file.getframerate())
            frames = file.getnframes()
            # Opening stops where the samples begin; the header's own count may promise more than there is.
            there = path.stat().st_size - raw.tell()
    except FileNotFoundError:
        return "the WAV is missing"
    except (OSError, EOFError, wave.Error) as error:
        return f"the WAV cannot be read: {str(error) or 'it ends too early'}"
    if shape != (1, 2, row.sample_rate_hz):
        return f"the WAV is not 16-bit mono at {row.sample_rate_hz} Hz"
    if frames != row.length_samples or there < 2 * frames:
        return f"the WAV does not hold the {row.length_samples} samples of its row"
    return None


def read_pcm(path: Path) -> Pcm:
    """The samples of a 16-bit mono WAV. Raises OSError, EOFError or wave.Error for anything else."""
    with wave.open(str(path), "rb") as file:
        if (file.getnchannels(), file.getsampwidth()) != (1, 2):
            raise wave.Error("not 16-bit mono")
        return np.frombuffer(file.readframes(file.getnframes()), dtype="<i2").astype(np.int16, copy=False)
