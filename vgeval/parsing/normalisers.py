"""The named normalisers: what is taken off a model's output, and which native syntaxes are read in it.

Named in a system's profile and recorded with each prediction. Changing one changes scores: give the new one a
new name, or say so in the changelog.
"""

from __future__ import annotations

from dataclasses import dataclass

from vgeval.parsing.chat import Thinking
from vgeval.parsing.native import (
    Reader,
    bracketed_call,
    json_call,
    mute,
    python_call,
    step_call,
    xml_call,
)

COMMON: tuple[Reader, ...] = (mute, json_call)


@dataclass(frozen=True, slots=True, kw_only=True)
class Normaliser:
    """How one family of models wraps and writes its actions."""

    prefixes: tuple[str, ...] = ()
    """Headers of the response that a template or tokenizer may leave in front."""
    terminators: tuple[str, ...] = ()
    """Tokens that end the response; what follows the first is no part of it."""
    thinking: Thinking = "none"
    readers: tuple[Reader, ...] = ()
    """Native syntaxes for the lenient reading, in order."""


_CHATML = ("<|im_end|>", "<|endoftext|>")

NORMALISERS: dict[str, Normaliser] = {
    "strict": Normaliser(),
    "common": Normaliser(thinking="optional", readers=COMMON),
    "qwen3_omni": Normaliser(
        prefixes=("<|im_start|>assistant",), terminators=_CHATML, thinking="optional", readers=COMMON
    ),
    "nemotron3_omni": Normaliser(
        prefixes=("<|im_start|>assistant",),
        terminators=_CHATML,
        thinking="optional",
        readers=(*COMMON, xml_call),
    ),
    "gemini": Normaliser(readers=(*COMMON, python_call)),
    "kimi_audio": Normaliser(
        terminators=("<|im_kimia_text_eos|>", "<|im_msg_end|>", "[EOS]"), readers=COMMON
    ),
    "step_audio_r1": Normaliser(
        prefixes=("<|BOT|>assistant",),
        terminators=("<|EOT|>",),
        thinking="opened",
        readers=(*COMMON, step_call),
    ),
    "audio_flamingo3": Normaliser(
        prefixes=("<|im_start|>assistant",),
        terminators=_CHATML,
        readers=(*COMMON, bracketed_call, python_call),
    ),
}
"""By name. ``strict`` does nothing: what the canonical parser makes of the output as it came."""
