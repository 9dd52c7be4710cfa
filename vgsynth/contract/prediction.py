"""Predictions: what a system said about an item, as a line of JSONL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vgsynth.contract.action import Action, Answer, Invalid, Mute, ToolCall
from vgsynth.contract.canonical import canonical_json, fields_of
from vgsynth.contract.lines import read_lines

PREDICTION_SCHEMA = 1
PREDICTIONS_NAME = "predictions.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """One system's output for one item. Raw output is kept; everything else can be made again from it."""

    schema: int = PREDICTION_SCHEMA
    item_id: str
    system: str
    method: str
    raw: str | None
    """What came back, untouched; None where nothing did (then ``error`` says why)."""
    normalisation: str
    """Name of what was applied before parsing; ``strict`` for nothing."""
    action: Action | Invalid | None
    """What the normalised output says; None where there is no output."""
    latency_s: float
    decoding: Mapping[str, Any] = field(default_factory=dict)
    """How the output was made: temperature, token limit, the profile's and the method's hash ..."""
    manifest_sha256: str
    prompt_sha256: str
    """Of the instruction and the tool inventory, the same for every system and method."""
    error: str | None = None

    def to_line(self) -> str:
        """The prediction as one line of JSONL, keys sorted, with its newline."""
        return canonical_json({**fields_of(self), "action": action_to_json(self.action)}) + "\n"

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Prediction:
        """Inverse of :meth:`to_line` (parsed). Raises ValueError, KeyError or TypeError for anything else."""
        if data.get("schema") != PREDICTION_SCHEMA:
            raise ValueError(f"prediction schema {data.get('schema')!r} is not {PREDICTION_SCHEMA}")
        return cls(**{**data, "action": action_from_json(data["action"])})


def read_predictions(path: Path) -> Iterator[Prediction]:
    """The predictions of a file (or of the folder that holds it), one at a time.

    Raises InputError, with file and line, for a missing file or a line that is not a prediction.
    """
    file = path / PREDICTIONS_NAME if path.is_dir() else path
    return read_lines(
        file,
        Prediction.from_json,
        all_of="the predictions",
        one_of="a prediction",
        if_missing="run `vgeval run` first",
        if_wrong="make the file again",
    )


def action_to_json(action: Action | Invalid | None) -> dict[str, Any] | None:
    """``{"kind": "mute" | "tool" | "answer" | "invalid", ...}``; None for None."""
    match action:
        case None:
            return None
        case Mute():
            return {"kind": "mute"}
        case ToolCall(name=name, params=params):
            return {"kind": "tool", "name": name, "params": dict(params)}
        case Answer(text=text):
            return {"kind": "answer", "text": text}
        case Invalid(reason=reason):
            return {"kind": "invalid", "reason": reason}


def action_from_json(data: Mapping[str, Any] | None) -> Action | Invalid | None:
    """Inverse of :func:`action_to_json`. Raises ValueError for anything else."""
    match data:
        case None:
            return None
        case {"kind": "mute"}:
            return Mute()
        case {"kind": "tool", "name": str(name), "params": Mapping() as params}:
            return ToolCall(name=name, params=dict(params))
        case {"kind": "answer", "text": str(text)}:
            return Answer(text=text)
        case {"kind": "invalid", "reason": str(reason)}:
            return Invalid(reason=reason)
        case _:
            raise ValueError(f"{data!r} is not an action")
