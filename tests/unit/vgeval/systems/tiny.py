"""Tiny models of the real classes with random weights, saved as their vendors save them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SPECIAL = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|audio_start|>",
    "<|audio_end|>",
    "<|audio_pad|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
    "<sound>",
)
_TEMPLATE = """\
{% for message in messages %}<|im_start|>{{ message['role'] }}
{% if message['content'] is string %}{{ message['content'] }}{% else %}\
{% for part in message['content'] %}{% if part['type'] == 'audio' %}AUDIO{% endif %}{% endfor %}\
{% for part in message['content'] %}{% if part['type'] == 'text' %}{{ part['text'] }}{% endif %}{% endfor %}\
{% endif %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""
QWEN_TEMPLATE = _TEMPLATE.replace("AUDIO", "<|audio_start|><|audio_pad|><|audio_end|>")
FLAMINGO_TEMPLATE = _TEMPLATE.replace("AUDIO", "<sound>")


def tokenizer(template: str | None) -> Any:
    """Bytes as tokens, and the special tokens of both families."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    raw = Tokenizer(models.BPE(vocab={letter: place for place, letter in enumerate(letters)}, merges=[]))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    raw.add_special_tokens(list(SPECIAL))
    return PreTrainedTokenizerFast(
        tokenizer_object=raw,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        chat_template=template,
        extra_special_tokens={
            "image_token": "<|image_pad|>",
            "audio_token": "<|audio_pad|>",
            "video_token": "<|video_pad|>",
            "vision_bos_token": "<|vision_start|>",
            "vision_eos_token": "<|vision_end|>",
            "audio_bos_token": "<|audio_start|>",
            "audio_eos_token": "<|audio_end|>",
        },
    )


def extractor() -> Any:
    """The feature extractor of both families: 128 mel bands."""
    from transformers import WhisperFeatureExtractor

    return WhisperFeatureExtractor(feature_size=128)


def save_qwen(folder: Path) -> Path:
    """A Qwen3-Omni. As in the released repository, the thinker is part of a larger model, and the template
    stands with the processor."""
    import json

    import torch
    from transformers import (
        Qwen3OmniMoeConfig,
        Qwen3OmniMoeForConditionalGeneration,
        Qwen3OmniMoeThinkerConfig,
    )

    tokens = tokenizer(None)
    ids = {name: tokens.convert_tokens_to_ids(name) for name in SPECIAL}
    thinker = Qwen3OmniMoeThinkerConfig(
        audio_config={
            "d_model": 32,
            "encoder_layers": 1,
            "encoder_attention_heads": 2,
            "encoder_ffn_dim": 32,
            "output_dim": 32,
            "downsample_hidden_size": 8,
        },
        vision_config={
            "depth": 1,
            "hidden_size": 16,
            "intermediate_size": 16,
            "num_heads": 2,
            "out_hidden_size": 32,
            "deepstack_visual_indexes": [0],
        },
        text_config={
            "vocab_size": len(tokens),
            "hidden_size": 32,
            "intermediate_size": 32,
            "moe_intermediate_size": 16,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "num_key_value_heads": 1,
            "head_dim": 16,
            "num_experts": 4,
            "num_experts_per_tok": 2,
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 1e6,
                "mrope_section": [4, 2, 2],
                "mrope_interleaved": True,
            },
        },
        audio_token_id=ids["<|audio_pad|>"],
        image_token_id=ids["<|image_pad|>"],
        video_token_id=ids["<|video_pad|>"],
        audio_start_token_id=ids["<|audio_start|>"],
        audio_end_token_id=ids["<|audio_end|>"],
        vision_start_token_id=ids["<|vision_start|>"],
        vision_end_token_id=ids["<|vision_end|>"],
    )
    torch.manual_seed(0)
    config = Qwen3OmniMoeConfig(thinker_config=thinker.to_dict(), enable_audio_output=False)
    Qwen3OmniMoeForConditionalGeneration(config).save_pretrained(folder)
    tokens.save_pretrained(folder)
    extractor().save_pretrained(folder)
    (folder / "chat_template.json").write_text(json.dumps({"chat_template": QWEN_TEMPLATE}))
    return folder


def save_flamingo(folder: Path) -> Path:
    """An Audio Flamingo 3."""
    import torch
    from transformers import AudioFlamingo3Config, AudioFlamingo3ForConditionalGeneration

    tokens = tokenizer(FLAMINGO_TEMPLATE)
    config = AudioFlamingo3Config(
        audio_config={
            "model_type": "audioflamingo3_encoder",
            "hidden_size": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "intermediate_size": 32,
        },
        text_config={
            "model_type": "qwen2",
            "vocab_size": len(tokens),
            "hidden_size": 32,
            "intermediate_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "num_key_value_heads": 1,
        },
        audio_token_id=tokens.convert_tokens_to_ids("<sound>"),
    )
    torch.manual_seed(0)
    AudioFlamingo3ForConditionalGeneration(config).save_pretrained(folder)
    tokens.save_pretrained(folder)
    extractor().save_pretrained(folder)
    return folder
