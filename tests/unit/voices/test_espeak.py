"""eSpeak NG, where it is installed."""

from __future__ import annotations

import shutil
from typing import Any

import numpy as np
import pytest

from vgsynth.contract.problems import InputError
from vgsynth.voices import espeak
from vgsynth.voices.espeak import EspeakEngine

ENGINE = EspeakEngine()
needs_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")


@needs_espeak
def test_speaks_the_same_each_time() -> None:
    first, second = (ENGINE.speak("Set a timer.", "en-us", {}) for _ in range(2))
    assert first.sample_rate_hz == 22_050
    assert 0.5 < first.samples.size / 22_050 < 3.0
    assert 0.05 < np.abs(first.samples).max() <= 1.0
    assert first.samples.tobytes() == second.samples.tobytes()


@needs_espeak
def test_settings_reach_it() -> None:
    slow, quick = (
        ENGINE.speak("Set a timer.", "en-us", {"speed": speed}).samples.size for speed in (100, 300)
    )
    low, high = (
        ENGINE.speak("Set a timer.", "en-us", {"pitch": pitch}).samples.tobytes() for pitch in (10, 90)
    )
    assert slow > 1.5 * quick
    assert low != high


@needs_espeak
def test_text_is_no_option() -> None:
    assert ENGINE.speak("--help -f /etc/passwd", "en-us", {}).samples.size > 10_000


@needs_espeak
def test_an_unknown_voice() -> None:
    with pytest.raises(InputError, match=r"voice espeak/zz-zz  .*does not exist"):
        ENGINE.speak("Hello.", "zz-zz", {})


@pytest.mark.parametrize("settings", [{"speed": 10}, {"volume": 3}, {"pitch": "high"}])
def test_settings_are_checked(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="setting"):
        ENGINE.fingerprint("en-us", settings)


def test_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(espeak, "PROGRAM", "espeak-ng-that-is-not-there")
    with pytest.raises(InputError, match="is not installed; install the package espeak-ng"):
        ENGINE.speak("Hello.", "en-us", {})
