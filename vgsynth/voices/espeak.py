"""eSpeak NG (GPL, a program of its own): formant speech in many variants; quick, clear of any download.

The voice is eSpeak's own name, ``en-us`` or ``en-us+f3``. The same call gives the same bytes.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from functools import lru_cache

from vgsynth.plan.model import Setting
from vgsynth.voices.protocol import Utterance
from vgsynth.voices.recordings import decode_bytes
from vgsynth.voices.settings import Number, Rules, check_settings, voice_error

PROGRAM = "espeak-ng"
TIMEOUT_S = 60.0
SETTINGS: Rules = {
    "speed": Number(low=80, high=450, whole=True),
    "pitch": Number(low=0, high=99, whole=True),
}
"""Words a minute; pitch on eSpeak's own scale."""


class EspeakEngine:
    """The ``espeak-ng`` program, one run for each utterance."""

    deterministic = True

    def fingerprint(self, voice: str, settings: Mapping[str, Setting]) -> str:
        """The program's version."""
        check_settings(f"espeak/{voice}", settings, SETTINGS)
        return _version()

    def speak(self, text: str, voice: str, settings: Mapping[str, Setting]) -> Utterance:
        """22.05 kHz, as eSpeak makes it."""
        check_settings(f"espeak/{voice}", settings, SETTINGS)
        options = [f"-{'s' if name == 'speed' else 'p'}{value}" for name, value in sorted(settings.items())]
        wav = _run([f"-v{voice}", *options, "--stdin", "--stdout"], f"espeak/{voice}", text)
        return decode_bytes(wav, name=f"voice espeak/{voice}")


def _run(options: list[str], voice_id: str, text: str = "") -> bytes:
    try:
        ran = subprocess.run(
            [PROGRAM, *options], input=text.encode(), capture_output=True, timeout=TIMEOUT_S, check=False
        )
    except FileNotFoundError as error:
        raise voice_error(voice_id, f"{PROGRAM} is not installed", "install the package espeak-ng") from error
    except subprocess.TimeoutExpired as error:
        raise voice_error(voice_id, f"{PROGRAM} did not end within {TIMEOUT_S:g} s") from error
    said = ran.stderr.decode(errors="replace").strip()
    if ran.returncode or not ran.stdout:
        raise voice_error(voice_id, f"{PROGRAM} failed: {said[:200]}", f"see: {PROGRAM} --voices=en")
    return ran.stdout


@lru_cache(maxsize=1)
def _version() -> str:
    return _run(["--version"], "espeak").decode(errors="replace").split(" Data at")[0].strip()
