"""Which examples are run: a file of ids, or a seeded stratified choice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from vgeval.tasks.wearvox.copy import Example
from vgsynth.contract.canonical import sha256_of
from vgsynth.contract.problems import InputError, Place, Problem

PROTOCOL_COUNT = 384
SEED = 0


def by_ids(examples: Sequence[Example], file: Path) -> tuple[Example, ...]:
    """The examples that a file names, one id a line, in its order. Raises InputError with all unknown ids."""
    by_id = {example.id: example for example in examples}
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError.at(str(file), f"cannot be read: {error}") from error
    problems, chosen = [], {}
    for number, line in enumerate(lines, start=1):
        name = line.strip()
        if not name:
            continue
        if name not in by_id or name in chosen:
            why = "is there twice" if name in chosen else "is not in the copy"
            place = Place(file=str(file), line=number)
            problems.append(Problem(place=place, path="", message=f"{name!r} {why}", fix=""))
        else:
            chosen[name] = by_id[name]
    if problems:
        raise InputError(problems)
    if not chosen:
        raise InputError.at(str(file), "names no example")
    return tuple(chosen.values())


def stratified(examples: Sequence[Example], count: int, seed: int = SEED) -> tuple[Example, ...]:
    """``count`` examples, each task in its share of the copy (largest remainder), in the copy's order.

    Within a task the choice is by the rank of a hash of seed and id, so that it depends on no order and an
    added example moves few others. All of them where there are no more.
    """
    if len(examples) <= count:
        return tuple(examples)
    tasks: dict[str, list[Example]] = defaultdict(list)
    for example in examples:
        tasks[example.task].append(example)
    shares = {task: count * len(found) / len(examples) for task, found in tasks.items()}
    counts = {task: int(share) for task, share in shares.items()}
    by_remainder = sorted(shares, key=lambda task: (counts[task] - shares[task], task))
    for task in by_remainder[: count - sum(counts.values())]:
        counts[task] += 1
    chosen = {
        example.id
        for task, found in tasks.items()
        for example in sorted(found, key=lambda each: sha256_of([seed, each.id]))[: counts[task]]
    }
    return tuple(example for example in examples if example.id in chosen)
