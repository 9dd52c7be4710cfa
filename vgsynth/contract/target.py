"""What an item asks of the agent: the label of a manifest row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

TargetKind = Literal["mute", "tool", "answer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The right action. ``tool`` and ``params`` are set for kind ``tool`` alone.

    An ``answer`` has no fixed wording: any answer to the assistant-directed utterance, as judged.
    """

    kind: TargetKind
    tool: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in ("mute", "tool", "answer"):
            raise ValueError(f"a target is mute, tool or answer, not {self.kind!r}")
        if (self.kind == "tool") != (self.tool is not None):
            raise ValueError("a target names a tool exactly when its kind is 'tool'")

    def to_json(self) -> dict[str, Any]:
        """``{"kind": ...}``, with ``tool`` and ``params`` for a tool."""
        if self.kind == "tool":
            return {"kind": self.kind, "tool": self.tool, "params": dict(self.params)}
        return {"kind": self.kind}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Target:
        """Inverse of :meth:`to_json`. Raises ValueError or KeyError for anything else."""
        return cls(kind=data["kind"], tool=data.get("tool"), params=dict(data.get("params", {})))


MUTE = Target(kind="mute")
ANSWER = Target(kind="answer")
