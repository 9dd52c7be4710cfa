"""How often and how long a request is tried."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from vgeval.systems.conversation import Completion, Conversation, RequestError, System
from vgeval.tasks.item import Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Limits of one request."""

    retries: int = 4
    """Further attempts after the first."""
    timeout_s: float | None = 120.0
    """For one attempt, from the first byte sent to the last one received. None for no limit."""
    wait_s: float = 0.5
    """Before the second attempt; doubled before each further one."""
    longest_wait_s: float = 30.0

    def wait(self, attempt: int, asked_s: float | None) -> float:
        """Seconds to wait after a failed attempt, counted from 0: what the server asks for, or doubling."""
        own = self.wait_s * 2.0**attempt
        return min(self.longest_wait_s, own if asked_s is None else asked_s)


@dataclass(slots=True, kw_only=True)
class Spent:
    """What an item has cost so far."""

    requests: int = 0
    latency_s: float = 0.0


async def complete(
    system: System, conversation: Conversation, item: Item, patience: Patience, spent: Spent
) -> Completion:
    """A completion, tried as often as ``patience`` allows. Raises the last attempt's RequestError."""
    attempt = 0
    while True:
        spent.requests += 1
        start = time.perf_counter()
        try:
            async with asyncio.timeout(patience.timeout_s):
                found = await system.complete(conversation, item)
            spent.latency_s += time.perf_counter() - start
            return found
        except TimeoutError:
            error = RequestError(f"timed out after {patience.timeout_s:g} s", retry=True)
        except RequestError as fault:
            error = fault
        if not error.retry or attempt >= patience.retries:
            raise error
        await asyncio.sleep(patience.wait(attempt, error.after_s))
        attempt += 1
