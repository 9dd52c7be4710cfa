"""A run: one system and method over the items of a dataset, some of them at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from vgeval.methods.method import Method
from vgeval.prompt.instruction import Prompt
from vgeval.runner.ask import ask
from vgeval.runner.ledger import Ledger
from vgeval.runner.retries import Patience
from vgeval.systems.conversation import ServerRefusedError, System
from vgeval.systems.profile import Profile
from vgeval.tasks.item import Item
from vgsynth.contract.problems import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What is asked, and how hard."""

    profile: Profile
    method: Method
    prompt: Prompt
    patience: Patience = field(default_factory=Patience)
    jobs: int = 8
    """Requests at a time."""


def run(
    asking: Asking,
    items: Iterator[Item],
    ledger: Ledger,
    system: System,
    on_done: Callable[[int], None] = lambda done: None,
) -> None:
    """Ask about every item, and append each entry to the ledger as it comes.

    Items are taken one by one as requests finish, and clips are read just before they are sent: memory does
    not grow with their number. ``on_done`` is told how many are done. The system is closed at the end.
    Raises InputError where the server is not there or refuses; what was finished is in the ledger.
    """
    try:
        asyncio.run(_run(asking, items, ledger, system, on_done))
    except BaseExceptionGroup as group:
        raise _one_of(group, asking.profile) from None


async def _run(
    asking: Asking,
    items: Iterator[Item],
    ledger: Ledger,
    system: System,
    on_done: Callable[[int], None],
) -> None:
    done = 0

    async def work() -> None:
        nonlocal done
        for item in items:
            entry = await ask(
                item,
                system=system,
                profile=asking.profile,
                method=asking.method,
                prompt=asking.prompt,
                patience=asking.patience,
            )
            ledger.append(entry)
            done += 1
            on_done(done)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(asking.jobs):
                group.create_task(work())
    finally:
        await system.close()


def _one_of(group: BaseExceptionGroup[BaseException], profile: Profile) -> BaseException:
    """The first of what workers failed with, in words for the user where it is the server's doing."""
    first = group.exceptions[0]
    if isinstance(first, BaseExceptionGroup):
        return _one_of(first, profile)
    return _refused(profile, first) if isinstance(first, ServerRefusedError) else first


def _refused(profile: Profile, error: ServerRefusedError) -> InputError:
    serve = (
        f"serve it first: {' '.join(profile.serve.split())}" if profile.serve else "is the server running?"
    )
    fix = f"check ${profile.api_key_env} and the URL" if str(error).startswith("HTTP 4") else serve
    return InputError.at(profile.base_url or profile.name, f"the server takes no requests: {error}", fix)
