"""The nearest right name."""

from __future__ import annotations

import pytest

from vgsynth.contract.suggest import did_you_mean


@pytest.mark.parametrize(
    ("name", "candidates", "said"),
    [
        ("fra", ["near", "far"], "did you mean 'far'?"),
        ("Far", ["near", "far"], "did you mean 'far'?"),
        ("bystandr", ["wearer", "bystander"], "did you mean 'bystander'?"),
        ("rt60", ["rt60_s", "size_m"], "did you mean 'rt60_s'?"),
        ("hall", ["near", "far"], ""),
        ("x", [], ""),
        (3, ["30"], "did you mean '30'?"),
    ],
)
def test_did_you_mean(name: object, candidates: list[str], said: str) -> None:
    assert did_you_mean(name, candidates) == said
