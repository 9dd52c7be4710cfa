"""``dataset.json``: what a rendered folder holds, counted while its manifest is written."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from vgsynth.plan.model import ItemPlan
from vgsynth.render.inspect import cell_name
from vgsynth.render.versions import tool_versions
from vgsynth.spec.model import PairSpec, Spec

if TYPE_CHECKING:
    from hashlib import _Hash

DATASET_SCHEMA = 1


@dataclass(slots=True, kw_only=True)
class Dataset:
    """Running counts. ``manifest`` hashes the manifest's bytes as they are written."""

    name: str
    family: str
    spec_sha256: str
    pairs: tuple[PairSpec, ...]
    splits: dict[str, Any] | None
    expect: dict[str, str]
    sample: int | None
    """How many cases were asked for, where not all of the spec's."""
    items: int = 0
    audio_items: int = 0
    samples_s: float = 0.0
    wav_bytes: int = 0
    cases: set[str] = field(default_factory=set)
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    manifest: _Hash = field(default_factory=hashlib.sha256)

    @classmethod
    def empty(cls, spec: Spec, *, sample: int | None) -> Dataset:
        """Nothing counted yet."""
        return cls(
            name=spec.name,
            family=spec.family,
            spec_sha256=spec.sha256,
            pairs=spec.pairs,
            splits=spec.document.get("splits"),
            expect=dict(spec.expect),
            sample=sample,
        )

    def count(self, plan: ItemPlan, row: dict[str, Any], line: bytes) -> None:
        """Add an item and its line of the manifest."""
        self.manifest.update(line)
        self.items += 1
        self.cases.add(plan.case_id)
        if row["wav"] is not None:
            self.audio_items += 1
            self.samples_s += row["duration_s"]
            self.wav_bytes += 44 + 2 * row["length_samples"]
        voices = {f"{s['engine']}/{s['voice']}" for s in row["segments"] if s["voice"]}
        for name, values in (
            ("conditions", [plan.condition]),
            ("cells", [cell_name(plan)] if plan.cell else []),
            ("targets", [plan.target.tool or plan.target.kind]),
            ("splits", [plan.split] if plan.split else []),
            ("voices", sorted(voices)),
        ):
            self.counts.setdefault(name, Counter()).update(values)

    @property
    def hours(self) -> float:
        """Hours of audio."""
        return self.samples_s / 3600

    def to_json(self) -> dict[str, Any]:
        """The file's object."""
        return {
            "schema": DATASET_SCHEMA,
            "name": self.name,
            "family": self.family,
            "spec_sha256": self.spec_sha256,
            "expect": self.expect,
            "split_by": self.splits and self.splits.get("by"),
            "sample": self.sample,
            "manifest_sha256": self.manifest.hexdigest(),
            "cases": len(self.cases),
            "items": self.items,
            "audio_items": self.audio_items,
            "hours": round(self.hours, 6),
            "wav_bytes": self.wav_bytes,
            **{name: dict(sorted(counter.items())) for name, counter in self.counts.items()},
            "pairs": [
                {
                    "name": pair.name,
                    "members": [{"condition": m.condition, **m.cell} for m in pair.members],
                    "may_differ_in": list(pair.may_differ_in),
                }
                for pair in self.pairs
            ],
            "versions": tool_versions(),
        }
