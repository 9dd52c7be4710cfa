"""Models in process: tiny ones of the real classes, held against their own processors and generation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.unit.vgeval.datasets import row, small_dataset, wav_bytes, write_dataset
from vgeval.methods.registry import METHODS
from vgeval.runner.job import Job, prepare
from vgeval.systems.conversation import Audio, Conversation, Message, Text
from vgeval.systems.profile import Profile, load_profile
from vgsynth.contract.prediction import Prediction, read_predictions
from vgsynth.contract.problems import InputError

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
peft = pytest.importorskip("peft")

from tests.unit.vgeval.systems import tiny  # noqa: E402
from vgeval.systems.local.frontends import waveform  # noqa: E402
from vgeval.systems.local.loading import Loaded, load  # noqa: E402
from vgeval.systems.local.system import LocalModel, encode, generate  # noqa: E402

NAMES = ("qwen3-omni-local", "audio-flamingo-3-local")


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The tiny models."""
    torch.set_num_threads(1)
    return {
        "qwen3-omni-local": tiny.save_qwen(tmp_path_factory.mktemp("qwen")),
        "audio-flamingo-3-local": tiny.save_flamingo(tmp_path_factory.mktemp("flamingo")),
    }


@pytest.fixture(scope="session")
def profiles(folders: dict[str, Path]) -> dict[str, Profile]:
    """The packaged profiles, with the tiny models in place of the released ones."""
    return {
        name: replace(load_profile(name), model=str(folder), dtype="float32", device="cpu", max_tokens=6)
        for name, folder in folders.items()
    }


@pytest.fixture(scope="session")
def models(profiles: dict[str, Profile]) -> dict[str, Loaded]:
    """The tiny models, loaded."""
    return {name: load(profile) for name, profile in profiles.items()}


def asked(*clips: bytes, words: str = "Listen.") -> Conversation:
    return (
        Message(role="system", parts=(Text(text="Act."),)),
        Message(role="user", parts=(*(Audio(wav=clip) for clip in clips), Text(text=words))),
    )


def reference(name: str, model: Loaded, wav: bytes, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the class's own processor makes of the same conversation with one clip."""
    extractor, tokenizer = tiny.extractor(), model.tokenizer
    if name == "audio-flamingo-3-local":
        processor = transformers.AudioFlamingo3Processor(extractor, tokenizer)
        text = tokenizer.apply_chat_template(
            [
                {"role": "system", "content": "Act."},
                {"role": "user", "content": [{"type": "audio"}, {"type": "text", "text": "Listen."}]},
            ],
            add_generation_prompt=True,
            tokenize=False,
        )
        return dict(processor(text=[text], audio=[waveform(wav)]))
    # The processor asks for an image processor that clips do not need.
    kind = transformers.Qwen3OmniMoeProcessor
    monkeypatch.setattr(kind, "check_argument_for_proper_class", lambda *args: None)
    processor = kind(feature_extractor=extractor, tokenizer=tokenizer)
    text = (
        "<|im_start|>system\nAct.<|im_end|>\n<|im_start|>user\n"
        "<|audio_start|><|audio_pad|><|audio_end|>Listen.<|im_end|>\n<|im_start|>assistant\n"
    )
    return dict(processor(text=[text], audio=[waveform(wav)], return_tensors="pt"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seconds", [0.1, 0.73, 4.54, 31.0])
def test_a_clip_is_heard_as_the_processor_hears_it(
    name: str, seconds: float, models: dict[str, Loaded], monkeypatch: pytest.MonkeyPatch
) -> None:
    wav = wav_bytes(seconds)
    mine = encode(asked(wav), models[name])
    other = reference(name, models[name], wav, monkeypatch)
    assert set(mine) == set(other) - {"num_audio_tokens"}
    for field, value in mine.items():
        assert value.shape == other[field].shape, field
        assert torch.equal(value, other[field].to(value.dtype)), field


@pytest.mark.parametrize("name", NAMES)
def test_the_output_is_what_greedy_generation_gives(
    name: str, models: dict[str, Loaded], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = models[name]
    wav = wav_bytes(1.3, seed=4)
    inputs = reference(name, model, wav, monkeypatch)
    inputs.pop("num_audio_tokens", None)
    text, tokens, ended = generate(model, encode(asked(wav), model), 6)
    audio_token = model.tokenizer.convert_tokens_to_ids(model.architecture.audio_token)
    ids = inputs["input_ids"]
    new: list[int] = []
    with torch.no_grad():
        while len(new) < 6 and (not new or new[-1] != model.tokenizer.eos_token_id):
            step = {**inputs, "input_ids": ids, "attention_mask": torch.ones_like(ids)}
            logits = model.model(**step).logits[0, -1]
            logits[audio_token] = -float("inf")
            new.append(int(logits.argmax()))
            ids = torch.cat([ids, torch.tensor([[new[-1]]])], dim=1)
    assert text == model.tokenizer.decode(new)
    assert (tokens, ended) == (len(new), new[-1] == model.tokenizer.eos_token_id)


@pytest.mark.parametrize("name", NAMES)
def test_several_clips_and_turns_are_taken(name: str, models: dict[str, Loaded]) -> None:
    model = models[name]
    first, second = wav_bytes(0.8, seed=1), wav_bytes(1.9, seed=2)
    conversation = (
        *asked(first),
        Message(role="assistant", parts=(Text(text="Hm."),)),
        *asked(second)[1:],
    )
    token = model.tokenizer.convert_tokens_to_ids(model.architecture.audio_token)
    count = lambda *clips: int((encode(asked(*clips), model)["input_ids"] == token).sum())  # noqa: E731
    both = encode(conversation, model)
    assert int((both["input_ids"] == token).sum()) == count(first) + count(second)
    # The model refuses a prompt whose tokens are not as many as its features.
    assert generate(model, both, 3)[1] >= 1


@pytest.mark.parametrize("name", NAMES)
def test_what_is_heard_makes_a_difference(name: str, models: dict[str, Loaded]) -> None:
    model = models[name]
    with torch.no_grad():
        logits = [
            model.model(**encode(asked(wav_bytes(1.0, seed=seed)), model)).logits[0, -1] for seed in (1, 2)
        ]
    assert not torch.allclose(logits[0], logits[1], atol=1e-7)


def run_local(tmp_path: Path, profile: Profile, method: str = "raw") -> list[Prediction]:
    data = tmp_path / "data"
    if not data.exists():
        small_dataset(data, cases=1, seconds=0.6)
    pred = tmp_path / f"pred-{len(list(tmp_path.iterdir()))}"
    job = Job(out=data, predictions=pred, profile=profile, method=METHODS[method], jobs=4)
    with prepare(job) as prepared:
        assert prepared.asking.jobs == 1
        prepared.send()
    return list(read_predictions(pred))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", ["raw", "shanks", "tws", "aura-audio"])
def test_runs_from_manifest_to_predictions(
    name: str, method: str, tmp_path: Path, profiles: dict[str, Profile]
) -> None:
    predictions = run_local(tmp_path, profiles[name], method)
    assert [p.error for p in predictions] == [None] * 3
    assert {p.normalisation for p in predictions} <= {profiles[name].normaliser, "common"}
    again = run_local(tmp_path, profiles[name], method)
    assert [p.raw for p in again] == [p.raw for p in predictions]


def lora(folder: Path, base: str, model_class: str) -> Path:
    """An adapter with random weights, as peft writes it, on the language model's attention."""
    model = getattr(transformers, model_class).from_pretrained(base, dtype=torch.float32)
    names = [
        name
        for name, _ in model.named_modules()
        if "language_model" in name and name.endswith(("q_proj", "k_proj", "v_proj", "o_proj"))
    ]
    assert len(names) == 8
    torch.manual_seed(3)
    wrapped = peft.get_peft_model(
        model, peft.LoraConfig(r=4, lora_alpha=8, target_modules=names, init_lora_weights=False)
    )
    wrapped.save_pretrained(folder)
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_an_adapter_changes_the_model_as_peft_says(
    name: str, tmp_path: Path, profiles: dict[str, Profile], models: dict[str, Loaded]
) -> None:
    base = models[name]
    adapter = lora(tmp_path / "adapter", profiles[name].model, base.architecture.model_class)
    profile = profiles[name].with_changes(base_url=None, model=None, adapter=str(adapter))
    adapted = load(profile)
    inputs = encode(asked(wav_bytes(0.7)), base)
    with torch.no_grad():
        plain, changed = base.model(**inputs).logits, adapted.model(**inputs).logits
        merged = adapted.model.merge_and_unload()(**inputs).logits
    assert (plain - changed).abs().max() > 1e-3
    assert torch.allclose(changed, merged, atol=1e-4)
    (first, *_), (second, *_) = run_local(tmp_path, profiles[name]), run_local(tmp_path, profile)
    assert first.decoding["adapter_sha256"] is None
    assert len(second.decoding["adapter_sha256"]) == 64
    assert first.decoding["profile_sha256"] == second.decoding["profile_sha256"]


def test_a_clip_of_another_rate_is_that_items_error(tmp_path: Path, profiles: dict[str, Profile]) -> None:
    clips = [wav_bytes(0.3, rate=44_100), wav_bytes(10 / 16_000), wav_bytes(0.3)]
    rows = [(row(number, "switch", clip), clip) for number, clip in enumerate(clips)]
    write_dataset(tmp_path / "data", rows)
    errors = [p.error for p in run_local(tmp_path, profiles["qwen3-omni-local"])]
    assert errors == ["ValueError: not 16 kHz mono 16-bit, but 44100 Hz, 1 channels", None, None]


BROKEN: dict[str, tuple[Callable[[Profile], Profile], str]] = {
    "no model": (lambda p: replace(p, model="/nowhere/model"), "/nowhere/model  cannot be loaded: "),
    "no adapter": (lambda p: replace(p, adapter="/nowhere"), "adapter_model.safetensors  cannot be read"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_missing_is_told(name: str, tmp_path: Path, profiles: dict[str, Profile]) -> None:
    change, message = BROKEN[name]
    with pytest.raises(InputError, match=message):
        run_local(tmp_path, change(profiles["qwen3-omni-local"]))


def test_an_adapter_folder_without_a_config_is_told(tmp_path: Path, profiles: dict[str, Profile]) -> None:
    (tmp_path / "adapter_model.safetensors").write_bytes(b"")
    with pytest.raises(InputError, match=r"holds no adapter_config\.json"):
        LocalModel(replace(profiles["qwen3-omni-local"], adapter=str(tmp_path)))


def test_a_template_without_a_place_for_clips_is_told(models: dict[str, Loaded]) -> None:
    blind = replace(models["qwen3-omni-local"], template="{{ messages[0]['content'] }}")
    with pytest.raises(ValueError, match="the chat template has places for 0 clips, of 1"):
        encode(asked(wav_bytes(0.2)), blind)
