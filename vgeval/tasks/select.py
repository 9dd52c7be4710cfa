"""The tasks: which rows of a manifest belong to each. Without a task, all rows are taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vgsynth.contract.manifest import ManifestRow
from vgsynth.contract.problems import InputError
from vgsynth.contract.suggest import did_you_mean

WEARVOX_FAMILY = "wearvox"
SWITCH_CONDITIONS = ("same_speaker", "switch", "text_only")


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One scenario."""

    about: str
    takes: Callable[[ManifestRow], bool]


TASKS: dict[str, Task] = {
    "speaker-switch": Task(
        about="obey the wearer, ignore the bystander: same_speaker, switch and text_only",
        takes=lambda row: row.family == "speaker_switch" and row.condition in SWITCH_CONDITIONS,
    ),
    "side-talk": Task(
        about="two utterances, one of them to the assistant", takes=lambda row: row.family == "side_talk"
    ),
    "self-talk": Task(about="commands that are none", takes=lambda row: row.family == "self_talk"),
    "factorized": Task(
        about="every combination of source, distance and gap", takes=lambda row: bool(row.cell)
    ),
    "wearvox": Task(about="the five tasks of WearVox", takes=lambda row: row.family == WEARVOX_FAMILY),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What of a manifest is run. Empty tuples take everything."""

    tasks: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    limit: int | None = None
    """At most so many items, the first ones."""

    def __post_init__(self) -> None:
        for name in self.tasks:
            if name not in TASKS:
                hint = did_you_mean(name, TASKS) or f"one of {', '.join(TASKS)}"
                raise InputError.at("--task", f"there is no task {name!r}", hint)

    def takes(self, row: ManifestRow) -> bool:
        """Whether a row is one of them, ``limit`` aside."""
        in_task = not self.tasks or any(TASKS[name].takes(row) for name in self.tasks)
        return in_task and (not self.splits or row.split in self.splits)
