"""Predictions survive the way there and back."""

import json
from pathlib import Path

import pytest

from vgsynth.contract.action import Action, Answer, Invalid, Mute, ToolCall
from vgsynth.contract.prediction import Prediction, action_from_json, read_predictions
from vgsynth.contract.problems import InputError


@pytest.mark.parametrize(
    "action",
    [Mute(), ToolCall(name="x", params={"a": [1, None]}), Answer(text="Hi."), Invalid(reason="empty"), None],
)
def test_there_and_back(action: Action | Invalid | None, tmp_path: Path) -> None:
    prediction = Prediction(
        item_id="a",
        system="s",
        method="raw",
        raw="[Mute]",
        normalisation="strict",
        action=action,
        latency_s=0.5,
        decoding={"temperature": 0},
        manifest_sha256="0",
        prompt_sha256="1",
    )
    assert Prediction.from_json(json.loads(prediction.to_line())) == prediction
    (tmp_path / "predictions.jsonl").write_text(prediction.to_line() * 2, encoding="utf-8")
    assert list(read_predictions(tmp_path)) == [prediction, prediction]


@pytest.mark.parametrize("data", [{"kind": "dance"}, {"kind": "tool", "name": "x"}, {}])
def test_what_is_no_action_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="is not an action"):
        action_from_json(data)


@pytest.mark.parametrize("line", ["{}", "[]", "nonsense", '{"schema": 1, "action": 5}', "[" * 100_000])
def test_a_line_that_is_no_prediction_is_told_with_its_place(line: str, tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"p\.jsonl:1  not a prediction"):
        list(read_predictions(tmp_path / "p.jsonl"))
    with pytest.raises(InputError, match="cannot read the predictions"):
        list(read_predictions(tmp_path))
