"""Coqui TTS: checks of what is asked; where coqui-tts can be imported, a tiny random VITS that speaks."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vgsynth.contract.problems import InputError
from vgsynth.voices.coqui import CoquiEngine

ENGINE = CoquiEngine()


@pytest.fixture(scope="module")
def vits(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model folder with a small VITS of random weights, made here."""
    if importlib.util.find_spec("TTS") is None:
        pytest.skip("coqui-tts is not installed (extra: coqui)")
    try:
        import torch
        from TTS.config.shared_configs import BaseAudioConfig
        from TTS.tts.configs.shared_configs import CharactersConfig
        from TTS.tts.configs.vits_config import VitsArgs, VitsConfig
        from TTS.tts.models.vits import Vits
    except (ImportError, OSError) as error:
        pytest.skip(f"coqui-tts cannot be imported here: {error}")
    folder = tmp_path_factory.mktemp("vits")
    torch.manual_seed(0)
    model = Vits(
        VitsConfig(
            model_args=VitsArgs(
                hidden_channels=16,
                hidden_channels_ffn_text_encoder=16,
                num_heads_text_encoder=2,
                num_layers_text_encoder=1,
                num_layers_posterior_encoder=1,
                num_layers_flow=1,
                upsample_initial_channel_decoder=32,
                resblock_kernel_sizes_decoder=[3],
                resblock_dilation_sizes_decoder=[[1, 3, 5]],
                init_discriminator=False,
            ),
            audio=BaseAudioConfig(sample_rate=16_000),
            text_cleaner="basic_cleaners",
            characters=CharactersConfig(
                characters_class="TTS.tts.models.vits.VitsCharacters",
                pad="_",
                eos="",
                bos="",
                blank="",
                characters="abcdefghijklmnopqrstuvwxyz",
                punctuations=" .,!?-'",
                phonemes="",
            ),
        )
    )
    torch.save({"model": model.state_dict()}, folder / "model.pth")
    model.config.save_json(str(folder / "config.json"))
    return str(folder)


def test_a_local_folder_speaks(vits: str) -> None:
    first, second = (ENGINE.speak("hello there.", "default", {"path": vits}) for _ in range(2))
    assert first.sample_rate_hz == 16_000
    assert first.samples.dtype == np.float32
    assert first.samples.size > 1000
    assert np.isfinite(first.samples).all()
    assert np.abs(first.samples).max() > 0.0
    assert first.samples.tobytes() == second.samples.tobytes()  # seeded by the text, though pinned besides
    assert ENGINE.fingerprint("default", {"path": vits}).startswith("coqui 1; coqui-tts ")


@pytest.mark.parametrize(
    ("voice", "settings", "words"),
    [
        ("bob", {}, "not multi-speaker"),
        ("default", {"model": "nope"}, "there is no such model"),
        ("default", {"model": "a/b/c/d"}, "there is no such model"),
    ],
)
def test_what_the_library_refuses(vits: str, voice: str, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ENGINE.speak("hello.", voice, settings or {"path": vits})


def test_its_output_is_to_be_pinned() -> None:
    assert ENGINE.deterministic is False


@pytest.mark.parametrize("settings", [{}, {"model": "m", "path": "p"}])
def test_one_model_must_be_named(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="give either 'model'"):
        ENGINE.fingerprint("default", settings)


class _Broken:
    """Stands for a library whose import fails as torchaudio's does beside another CUDA."""

    def find_spec(self, name: str, *_: object) -> None:
        if name.split(".", maxsplit=1)[0] == "TTS":
            raise OSError("libcudart.so.13: cannot open shared object file")


@pytest.mark.parametrize(
    ("finder", "words"), [(None, "No module named|halted"), (_Broken(), "libcudart.so.13")]
)
def test_a_library_that_cannot_be_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, finder: object, words: str
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "TTS"]:
        monkeypatch.delitem(sys.modules, name)
    if finder is None:
        monkeypatch.setitem(sys.modules, "TTS", None)
    else:
        monkeypatch.setattr(sys, "meta_path", [finder, *sys.meta_path])
    with pytest.raises(InputError, match=words) as caught:
        ENGINE.speak("hello.", "default", {"path": str(tmp_path)})
    assert "pip install 'vgbench[coqui]'" in str(caught.value)
