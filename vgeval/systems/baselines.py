"""Policies that need no model, as anchors for a table: what each scores is known beforehand."""

from __future__ import annotations

from collections.abc import Callable

from vgeval.systems.conversation import Completion, Conversation, System
from vgeval.tasks.item import Item
from vgsynth.contract.action import MUTE_TEXT, ToolCall, format_action

_TOOL_FIELDS = ("tool", "tool_core", "bystander_tool")
"""Where the cases of the benchmark name the tool that their words ask for."""


class AlwaysMute:
    """Stays silent, whatever is said."""

    async def complete(self, conversation: Conversation, item: Item) -> Completion:
        """``[Mute]``."""
        return Completion(text=MUTE_TEXT)

    async def close(self) -> None:
        """Nothing to do."""


class AlwaysAct:
    """Does what the words ask for, whoever says them.

    An oracle: it hears nothing, and reads the tool from the manifest. It is what a perfect recogniser without
    any gate would score.
    """

    async def complete(self, conversation: Conversation, item: Item) -> Completion:
        """The call of the case's tool, or an answer where the case has none."""
        tool = next((item.case[field] for field in _TOOL_FIELDS if item.case.get(field)), None)
        if tool is None:
            return Completion(text="Certainly.")
        params = item.case.get("params") if tool == item.case.get("tool") else None
        return Completion(text=format_action(ToolCall(name=tool, params=params or {})))

    async def close(self) -> None:
        """Nothing to do."""


BASELINES: dict[str, Callable[[], System]] = {
    "baseline/always-mute": AlwaysMute,
    "baseline/always-act": AlwaysAct,
}
