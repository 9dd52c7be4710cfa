"""From the ledger to predictions: parsed again each time, in the order of the manifest."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from vgeval.parsing.verdict import parse_lenient, response
from vgeval.runner.identity import Identity, read_identity
from vgeval.runner.ledger import LEDGER_NAME, Entry, Ledger
from vgsynth.contract.prediction import PREDICTIONS_NAME, Prediction, action_to_json, read_predictions
from vgsynth.contract.tools import Tool, ToolInventory


@dataclass(slots=True, kw_only=True)
class Written:
    """What a file of predictions holds."""

    items: int = 0
    errors: int = 0
    invalid: int = 0
    """Outputs that are no action, even for the lenient reading."""


def write_predictions(folder: Path, identity: Identity, ledger: Ledger, order: Iterable[str]) -> Written:
    """Write ``predictions.jsonl``, whole or not at all: the items of ``order`` that the ledger has."""
    tools = ToolInventory(tools=tuple(map(Tool.from_json, identity.tools)))
    file = folder / PREDICTIONS_NAME
    half = file.with_name(f".{file.name}.{os.getpid()}")
    written = Written()
    with half.open("w", encoding="utf-8") as lines:
        for item_id in order:
            if item_id not in ledger:
                continue
            prediction = prediction_of(ledger.get(item_id), identity, tools)
            kind = (action_to_json(prediction.action) or {}).get("kind")
            written.items += 1
            written.errors += prediction.error is not None
            written.invalid += kind == "invalid"
            lines.write(prediction.to_line())
    half.replace(file)
    return written


def prediction_of(entry: Entry, identity: Identity, tools: ToolInventory) -> Prediction:
    """An entry as a prediction, its output read leniently by the run's normaliser."""
    action = None
    if entry.raw is not None:
        text = response(entry.raw, identity.normalisation)
        action = parse_lenient(text, identity.normalisation, tools)
    last = entry.turns[-1] if entry.turns else {}
    told = {name: last[name] for name in ("finish_reason", "model") if name in last}
    return Prediction(
        item_id=entry.item_id,
        system=identity.system,
        method=identity.method,
        raw=entry.raw,
        normalisation=identity.normalisation,
        action=action,
        latency_s=entry.latency_s,
        decoding={**identity.decoding, "requests": entry.requests, "served": told},
        manifest_sha256=identity.manifest_sha256,
        prompt_sha256=identity.prompt_sha256,
        error=entry.error,
    )


def parse_again(folder: Path) -> Written:
    """Make ``predictions.jsonl`` again from the ledger, in the order that it has; items that it does not hold
    follow in the order in which they came. Raises InputError for a folder without a run."""
    identity = read_identity(folder)
    file = folder / PREDICTIONS_NAME
    known = [prediction.item_id for prediction in read_predictions(file)] if file.exists() else []
    with Ledger(folder / LEDGER_NAME) as ledger:
        order = dict.fromkeys([*known, *ledger.ids()])
        return write_predictions(folder, identity, ledger, order)
