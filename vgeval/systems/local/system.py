"""A system in this process. One request at a time; the model is loaded with the first."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any

from vgeval.systems.arrange import arrange
from vgeval.systems.conversation import Audio, Completion, Conversation, Message, RequestError
from vgeval.systems.local.frontends import waveform
from vgeval.systems.local.loading import Loaded, check, load
from vgeval.systems.profile import Profile
from vgeval.tasks.item import Item


class LocalModel:
    """A model of one of the known architectures. Raises InputError where what it needs is missing."""

    def __init__(self, profile: Profile) -> None:
        check(profile)
        self._profile = profile
        self._lock = asyncio.Lock()
        self._loaded: Loaded | None = None

    async def complete(self, conversation: Conversation, item: Item) -> Completion:
        """The model's next turn. Raises RequestError, and InputError where the model cannot be loaded."""
        async with self._lock:
            if self._loaded is None:
                self._loaded = await asyncio.to_thread(load, self._profile)
            try:
                return await asyncio.to_thread(self._complete, self._loaded, conversation)
            except (RuntimeError, ValueError, IndexError) as error:
                told = " ".join(f"{type(error).__name__}: {error}".split())[:500]
                raise RequestError(told, retry=False) from error

    def _complete(self, loaded: Loaded, conversation: Conversation) -> Completion:
        inputs = encode(arrange(conversation, self._profile), loaded)
        text, tokens, ended = generate(loaded, inputs, self._profile.max_tokens)
        usage = {"prompt_tokens": int(inputs["input_ids"].shape[1]), "completion_tokens": tokens}
        return Completion(text=text, details={"finish_reason": "stop" if ended else "length", "usage": usage})

    async def close(self) -> None:
        """Let the model go."""
        self._loaded = None


def encode(conversation: Conversation, loaded: Loaded) -> dict[str, Any]:
    """A conversation as the arguments of the model: token ids, shape (1, tokens), features and masks.

    Raises ValueError for a template that does not place every clip.
    """
    torch = import_module("torch")
    clips = [waveform(p.wav) for message in conversation for p in message.parts if isinstance(p, Audio)]
    text = loaded.tokenizer.apply_chat_template(
        [_turn(message) for message in conversation],
        chat_template=loaded.template,
        add_generation_prompt=True,
        tokenize=False,
    )
    token = loaded.architecture.audio_token
    pieces = text.split(token)
    if len(pieces) != len(clips) + 1:
        raise ValueError(f"the chat template has places for {len(pieces) - 1} clips, of {len(clips)}")
    inputs: dict[str, Any] = {}
    if clips:
        heard = loaded.architecture.hear(loaded.extractor, clips)
        inputs = dict(heard.inputs)
        counts = [*heard.tokens, 0]
        text = "".join(piece + token * count for piece, count in zip(pieces, counts, strict=True))
    encoded = loaded.tokenizer(text, add_special_tokens=False, return_tensors="pt")
    inputs |= {"input_ids": encoded["input_ids"], "attention_mask": encoded["attention_mask"]}
    model = loaded.model
    return {
        name: value.to(model.device, model.dtype if torch.is_floating_point(value) else None)
        for name, value in inputs.items()
    }


def _turn(message: Message) -> dict[str, Any]:
    if message.role != "user":
        return {"role": message.role, "content": message.words}
    parts = [
        {"type": "audio"} if isinstance(part, Audio) else {"type": "text", "text": part.text}
        for part in message.parts
    ]
    return {"role": "user", "content": parts}


def generate(loaded: Loaded, inputs: dict[str, Any], max_tokens: int) -> tuple[str, int, bool]:
    """Greedy decoding: the new text with special tokens, its length in tokens, whether it ended by itself.

    Tokens that stand for audio are never generated: they would be taken for a clip that is not there.
    """
    torch = import_module("torch")
    tokenizer = loaded.tokenizer
    with torch.inference_mode():
        output = loaded.model.generate(
            **inputs,
            do_sample=False,
            num_beams=1,
            repetition_penalty=1.0,
            temperature=None,
            top_p=None,
            top_k=None,
            max_new_tokens=max_tokens,
            suppress_tokens=[tokenizer.convert_tokens_to_ids(loaded.architecture.audio_token)],
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    new = output[0, inputs["input_ids"].shape[1] :].tolist()
    ended = bool(new) and new[-1] == tokenizer.eos_token_id
    return tokenizer.decode(new, skip_special_tokens=False), len(new), ended
