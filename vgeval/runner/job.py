"""A job from the command line: everything is checked before anything is sent or written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from vgeval.methods.method import Method
from vgeval.prompt.instruction import render_prompt
from vgeval.runner.identity import Identity, claim, identity_of
from vgeval.runner.ledger import LEDGER_NAME, Ledger
from vgeval.runner.predictions import Written, write_predictions
from vgeval.runner.retries import Patience
from vgeval.runner.run import Asking, run
from vgeval.systems.conversation import System
from vgeval.systems.profile import Profile
from vgeval.systems.registry import open_system
from vgeval.tasks.dataset import Dataset, open_dataset
from vgeval.tasks.item import Item
from vgeval.tasks.select import Selection


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a user asks for."""

    out: Path
    """The rendered folder."""
    predictions: Path
    """The folder for predictions."""
    profile: Profile
    method: Method
    selection: Selection = field(default_factory=Selection)
    patience: Patience = field(default_factory=Patience)
    jobs: int = 8
    retry_errors: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A job that can be sent."""

    job: Job
    dataset: Dataset
    identity: Identity
    asking: Asking
    system: System
    ledger: Ledger
    total: int
    """Items that are selected."""
    to_send: int
    """Those of them that are not done yet."""

    def send(self, on_done: Callable[[int], None] = lambda done: None) -> Written:
        """Ask, and write the predictions: of all that is done, also where the run is stopped on the way."""
        try:
            if self.to_send:
                run(self.asking, self._open_items(), self.ledger, self.system, on_done)
        finally:
            order = (item.item_id for item in self.dataset.items(Selection()))
            written = write_predictions(self.job.predictions, self.identity, self.ledger, order)
        return written

    def _open_items(self) -> Iterator[Item]:
        for item in self.dataset.items(self.job.selection):
            if _is_open(item, self.ledger, self.job.retry_errors):
                yield item


@contextmanager
def prepare(job: Job) -> Iterator[Prepared]:
    """Check a job and open its ledger.

    Raises InputError for a dataset that is not whole, a selection that takes nothing, and a folder of
    predictions that is another run's or in use.
    """
    dataset = open_dataset(job.out)
    total = dataset.check(job.selection)
    prompt = render_prompt(dataset.tools)
    identity = identity_of(job.profile, job.method, prompt, dataset)
    # A model in this process takes one request at a time, and there is no server that could hang.
    local = job.profile.kind == "transformers"
    asking = Asking(
        profile=job.profile,
        method=job.method,
        prompt=prompt,
        patience=replace(job.patience, timeout_s=None) if local else job.patience,
        jobs=1 if local else job.jobs,
    )
    system = open_system(job.profile)
    try:
        claim(job.predictions, identity, job.profile)
        with Ledger(job.predictions / LEDGER_NAME) as ledger:
            yield Prepared(
                job=job,
                dataset=dataset,
                identity=identity,
                asking=asking,
                system=system,
                ledger=ledger,
                total=total,
                to_send=sum(
                    _is_open(item, ledger, job.retry_errors) for item in dataset.items(job.selection)
                ),
            )
    finally:
        asyncio.run(system.close())


def _is_open(item: Item, ledger: Ledger, retry_errors: bool) -> bool:
    return item.item_id not in ledger or (retry_errors and ledger.failed(item.item_id))
