"""One item through a method and a system, to a ledger entry."""

from __future__ import annotations

from typing import Any

from vgeval.methods.method import Method, Question
from vgeval.prompt.instruction import Prompt
from vgeval.runner.ledger import Entry
from vgeval.runner.retries import Patience, Spent, complete
from vgeval.systems.conversation import RequestError, ServerRefusedError, System
from vgeval.systems.profile import Profile
from vgeval.tasks.item import Item


async def ask(
    item: Item, *, system: System, profile: Profile, method: Method, prompt: Prompt, patience: Patience
) -> Entry:
    """Ask about an item. Whatever goes wrong with it ends as an error in its entry.

    Raises ServerRefusedError where the server is not there or wants no requests of ours: no item's fault.
    """
    spent = Spent()
    turns: list[dict[str, Any]] = []

    def entry(raw: str | None, error: str | None) -> Entry:
        return Entry(
            item_id=item.item_id,
            raw=raw,
            error=error,
            latency_s=round(spent.latency_s, 4),
            requests=spent.requests,
            turns=tuple(turns),
        )

    try:
        question = Question(
            prompt=prompt,
            wav=item.read_wav(),
            transcript=item.transcript,
            note=item.note,
            normaliser=profile.normaliser,
        )
        procedure = method.ask(question)
        conversation = next(procedure)
        while True:
            said = await complete(system, conversation, item, patience, spent)
            turns.append({"text": said.text, **said.details})
            try:
                conversation = procedure.send(said.text)
            except StopIteration as done:
                return entry(done.value, None)
    except ServerRefusedError:
        raise
    except (RequestError, OSError, ValueError) as error:
        return entry(None, f"{error}" or type(error).__name__)
