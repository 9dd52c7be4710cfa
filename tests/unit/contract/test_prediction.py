"""Predictions survive the way there and back."""

import json

import pytest

from vgsynth.contract.action import Action, Answer, Invalid, Mute, ToolCall
from vgsynth.contract.prediction import Prediction, action_from_json


@pytest.mark.parametrize(
    "action",
    [Mute(), ToolCall(name="x", params={"a": [1, None]}), Answer(text="Hi."), Invalid(reason="empty"), None],
)
def test_there_and_back(action: Action | Invalid | None) -> None:
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


@pytest.mark.parametrize("data", [{"kind": "dance"}, {"kind": "tool", "name": "x"}, {}])
def test_what_is_no_action_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="is not an action"):
        action_from_json(data)
