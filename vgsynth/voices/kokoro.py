"""The embedded voices: Kokoro-82M (Apache-2.0), int8, on onnxruntime.

Phonemes come from hibari-tts's port of misaki. The same text, voice and speed give the same bytes in every
process and with any number of threads on one kind of processor.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from vgsynth.plan.model import Setting
from vgsynth.voices import assets
from vgsynth.voices.catalogue import KOKORO_VOICES
from vgsynth.voices.kokoro_model import infer
from vgsynth.voices.protocol import Audio, Utterance
from vgsynth.voices.settings import Number, Rules, check_settings, did_you_mean, not_installed, voice_error

SAMPLE_RATE_HZ = 24_000
MAX_PHONEMES = 500
"""The model takes 510 tokens; pieces stay a little below."""
SETTINGS: Rules = {"speed": Number(low=0.5, high=2.0)}


class KokoroEngine:
    """Kokoro. The model is loaded at the first word spoken, an accent's dictionary when it is needed."""

    deterministic = True

    def fingerprint(self, voice: str, settings: Mapping[str, Setting]) -> str:
        """Versions of the runtime and of the phonemes' source; hashes of the model and of the style."""
        check_settings(f"kokoro/{voice}", settings, SETTINGS)
        return _fingerprint(voice)

    def speak(self, text: str, voice: str, settings: Mapping[str, Setting]) -> Utterance:
        """24 kHz. A text over the phoneme limit is spoken in pieces, cut at sentence or clause ends."""
        check_settings(f"kokoro/{voice}", settings, SETTINGS)
        style = _style(voice)
        speed = float(settings.get("speed", 1.0))
        spoken = [
            infer(_tokens(piece), style[min(len(piece), len(style) - 1)], speed)
            for piece in split_phonemes(phonemes(text, voice), MAX_PHONEMES)
        ]
        if not spoken:
            raise voice_error(
                f"kokoro/{voice}", f"no sounds are known for {text!r}", "write it in English words"
            )
        return Utterance(np.concatenate(spoken), SAMPLE_RATE_HZ)


def phonemes(text: str, voice: str) -> str:
    """The phonemes of a text in a voice's accent, those alone that the model knows."""
    known = _vocabulary()
    return "".join(filter(known.__contains__, _g2p(voice[0] == "b")(text))).strip()


def split_phonemes(text: str, limit: int) -> list[str]:
    """Pieces of at most ``limit`` phonemes, cut at sentence ends, else at clauses, words, or anywhere.

    As few pieces as filling each one allows. Pieces without a letter are dropped.
    """
    pieces: list[str] = []
    while len(text) > limit:
        cut = _last_cut(text, limit)
        pieces.append(text[:cut].strip())
        text = text[cut:].lstrip()
    return [piece for piece in (*pieces, text) if any(map(str.isalpha, piece))]


def _last_cut(text: str, limit: int) -> int:
    for ends in (r"[.!?…]+[\"”)]?(?= )", r"[,;:—]+[\"”)]?(?= )", r"(?= )"):
        cuts = [match.end() for match in re.finditer(ends, text[: limit + 1]) if 0 < match.end() <= limit]
        if cuts and (cuts[-1] >= limit // 4 or ends.startswith("(?=")):
            return cuts[-1]
    return limit


def _tokens(piece: str) -> list[int]:
    known = _vocabulary()
    return [known[character] for character in piece]


# What is loaded once a process -----------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _vocabulary() -> dict[str, int]:
    """The model's number of each phoneme (Kokoro-82M's table, Apache-2.0)."""
    with (Path(__file__).parent / "kokoro_vocab.json").open(encoding="utf-8") as file:
        return dict(json.load(file))


@cache
def _style(voice: str) -> Audio:
    """The style table of a voice, shape (510, 256): one row for each number of tokens."""
    path = assets.verified_path(_style_asset(voice))
    return np.fromfile(path, dtype="<f4").reshape(-1, 256)


def _style_asset(voice: str) -> assets.Asset:
    asset = assets.style_asset(voice)
    if asset is None:
        raise voice_error(f"kokoro/{voice}", "there is no such voice", did_you_mean(voice, KOKORO_VOICES))
    return asset


@cache
def _fingerprint(voice: str) -> str:
    style = _style_asset(voice)
    for asset in (assets.model_asset(), style):
        assets.require(asset)
    parts = [f"onnxruntime {_version('onnxruntime')}", f"hibari-tts {_version('hibari-tts')}"]
    return "; ".join(["kokoro 1", *parts, assets.model_asset().sha256, style.sha256])


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        raise not_installed("kokoro", package, "kokoro") from None


@lru_cache(maxsize=2)
def _g2p(british: bool) -> Callable[[str], str]:
    try:
        from hibari.g2p import G2P
    except ImportError as error:
        raise not_installed("kokoro", "hibari-tts", "kokoro") from error
    g2p: Callable[[str], str] = G2P(british=british)
    return g2p
