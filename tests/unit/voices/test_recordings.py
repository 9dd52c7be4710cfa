"""Recordings: every width, every lie of a header, and what libsndfile cannot read."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from tests.unit.voices.audio_files import pcm16, pcm24, wav_bytes
from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.problems import InputError
from vgsynth.voices import recordings
from vgsynth.voices.recordings import read_audio

RAMP = np.arange(-400, 400) * 40


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(wav_bytes(pcm16(RAMP)), RAMP / 2**15, id="16 bits"),
        pytest.param(wav_bytes(pcm24(RAMP * 200), bits=24), RAMP * 200 / 2**23, id="24 bits"),
        pytest.param(
            wav_bytes((RAMP * 60_000).astype("<i4").tobytes(), bits=32), RAMP * 60_000 / 2**31, id="32 bits"
        ),
        pytest.param(
            wav_bytes((RAMP / 9000.0).astype("<f4").tobytes(), bits=32, code=3), RAMP / 9000.0, id="float"
        ),
        pytest.param(
            wav_bytes((RAMP / 9000.0).astype("<f8").tobytes(), bits=64, code=3), RAMP / 9000.0, id="double"
        ),
        pytest.param(
            wav_bytes(bytes((RAMP // 160 + 128).astype("u1")), bits=8), (RAMP // 160) / 2**7, id="8 bits"
        ),
        pytest.param(
            wav_bytes(pcm16(np.stack([RAMP, RAMP[::-1] // 2], axis=1)), channels=2),
            (RAMP + RAMP[::-1] // 2) / 2**16,
            id="stereo is averaged",
        ),
        pytest.param(
            wav_bytes(pcm16(RAMP), claimed=0xFFFFFFFF), RAMP / 2**15, id="size unknown, as streams say"
        ),
        pytest.param(wav_bytes(pcm16(RAMP), claimed=0x7FFFF000), RAMP / 2**15, id="size as eSpeak says"),
        pytest.param(wav_bytes(pcm16(RAMP), claimed=1600 + 5000), RAMP / 2**15, id="truncated"),
        pytest.param(wav_bytes(pcm16(RAMP), claimed=0), RAMP / 2**15, id="size never filled in"),
    ],
)
def test_what_was_written_is_read(tmp_path: Path, data: bytes, expected: Any) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(data)
    read = read_audio(path, expected_sha256=sha256_hex(data))
    assert read.sample_rate_hz == 16_000
    assert read.samples.dtype == np.float32
    np.testing.assert_allclose(read.samples, expected, rtol=0, atol=6e-8)


@pytest.mark.parametrize(
    ("name", "subtype"), [("a.flac", "PCM_16"), ("a.ogg", "VORBIS"), ("a.mp3", "MPEG_LAYER_III")]
)
def test_other_formats(tmp_path: Path, name: str, subtype: str) -> None:
    tone = 0.5 * np.sin(2 * np.pi * 440 * np.arange(22_050) / 22_050)
    soundfile.write(tmp_path / name, tone, 22_050, subtype=subtype)
    read = read_audio(tmp_path / name)
    assert read.sample_rate_hz == 22_050
    assert abs(read.samples.size - tone.size) < 3000  # a coder may pad; what was decoded is what counts
    assert np.sqrt(np.mean(read.samples[4000:18_000] ** 2)) == pytest.approx(0.5 / np.sqrt(2), rel=0.02)


def ffmpeg_made(path: Path) -> Path:
    wav = path.with_suffix(".wav")
    wav.write_bytes(wav_bytes(pcm16(RAMP.repeat(20)), rate_hz=16_000))
    subprocess.run(["ffmpeg", "-loglevel", "error", "-i", wav, path], check=True)
    return path


needs_ffmpeg = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")


@needs_ffmpeg
def test_what_libsndfile_cannot_read_goes_through_ffmpeg(tmp_path: Path) -> None:
    pytest.importorskip("pydub")
    read = read_audio(ffmpeg_made(tmp_path / "a.m4a"))
    assert read.sample_rate_hz == 16_000
    assert read.samples.dtype == np.float32
    assert abs(read.samples.size - 16_000) < 2500
    assert 0.3 < np.abs(read.samples).max() <= 1.0


@pytest.mark.parametrize(
    ("program", "module", "words"),
    [
        (None, "pydub", "ffmpeg, which may, is not installed"),
        ("/bin/ffmpeg", None, "pydub cannot be imported"),
    ],
)
def test_a_missing_decoder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str | None, module: str | None, words: str
) -> None:
    path = tmp_path / "a.m4a"
    path.write_bytes(b"no RIFF" * 100)
    monkeypatch.setattr(recordings.shutil, "which", lambda _: program)
    if module is None:
        monkeypatch.setitem(sys.modules, "pydub", None)
    with pytest.raises(InputError, match=words):
        read_audio(path)


@needs_ffmpeg
@pytest.mark.parametrize("data", [b"", b"RIFF", b"\x00" * 5000, b"text, not audio" * 20])
def test_what_is_no_audio_is_refused(tmp_path: Path, data: bytes) -> None:
    pytest.importorskip("pydub")
    path = tmp_path / "a.dat"
    path.write_bytes(data)
    with pytest.raises(InputError, match="cannot be decoded"):
        read_audio(path, name="recordings/a.dat")


def test_an_empty_recording_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(wav_bytes(b""))
    with pytest.raises(InputError, match="no audio in it"):
        read_audio(tmp_path / "a.wav")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^who\.wav  cannot be read: No such file"):
        read_audio(tmp_path / "who.wav", name="who.wav")


def test_a_file_changed_since_it_was_planned_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(wav_bytes(pcm16(RAMP)))
    with pytest.raises(InputError, match="has changed"):
        read_audio(tmp_path / "a.wav", expected_sha256="0" * 64)
