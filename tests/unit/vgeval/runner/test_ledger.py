"""The ledger keeps every whole entry, whatever happens to the process that writes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vgeval.runner.ledger import Entry, Ledger
from vgsynth.contract.problems import InputError


def entry(item_id: str, raw: str | None = "[Mute]", error: str | None = None) -> Entry:
    return Entry(item_id=item_id, raw=raw, error=error, latency_s=0.5, turns=({"text": raw},))


def test_entries_come_back_and_the_last_of_an_item_counts(tmp_path: Path) -> None:
    with Ledger(tmp_path / "l") as ledger:
        ledger.append(entry("a", None, "HTTP 500"))
        ledger.append(entry("b", "é\n\u2028"))
        assert ledger.failed("a")
        assert ledger.failures == 1
    with Ledger(tmp_path / "l") as ledger:
        assert (len(ledger), ledger.failures) == (2, 1)
        assert ledger.get("b") == entry("b", "é\n\u2028")
        ledger.append(entry("a"))
        assert ledger.get("a") == entry("a")
        assert not ledger.failed("a")
        assert "c" not in ledger
    with Ledger(tmp_path / "l") as ledger:
        assert (ledger.ids(), ledger.failures) == (("a", "b"), 0)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(kept=st.integers(0, 400))
def test_a_torn_line_is_dropped_and_writing_goes_on(tmp_path: Path, kept: int) -> None:
    file = tmp_path / "l"
    file.unlink(missing_ok=True)
    with Ledger(file) as ledger:
        for name in "abc":
            ledger.append(entry(name))
    whole = file.read_bytes()
    file.write_bytes(whole[:kept])
    complete = whole[:kept].count(b"\n")
    with Ledger(file) as ledger:
        assert ledger.ids() == tuple("abc"[:complete])
        ledger.append(entry("z"))
        assert ledger.get("z") == entry("z")
    assert [json.loads(line)["item_id"] for line in file.read_bytes().splitlines()] == [
        *"abc"[:complete],
        "z",
    ]


def test_a_ledger_has_one_writer(tmp_path: Path) -> None:
    with (
        Ledger(tmp_path / "l"),
        pytest.raises(InputError, match="another run is writing it"),
        Ledger(tmp_path / "l"),
    ):
        pass
    with Ledger(tmp_path / "l"):
        pass


@pytest.mark.parametrize("line", ["nonsense", "[]", '{"item_id": "a"}', "[" * 100_000])
def test_another_file_is_refused_and_left_alone(tmp_path: Path, line: str) -> None:
    (tmp_path / "l").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"l:1  not an entry"), Ledger(tmp_path / "l"):
        pass
    assert (tmp_path / "l").read_text(encoding="utf-8") == line + "\n"
