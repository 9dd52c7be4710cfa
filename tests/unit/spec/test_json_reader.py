"""JSON, read with positions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vgsynth.contract.problems import Place
from vgsynth.spec.json_reader import JsonError, parse_json, read_json
from vgsynth.spec.nodes import flatten

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@given(VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_positions_pass_reads_what_json_reads(value: Any, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    node, problems = read_json(text.encode("utf-8", "surrogatepass"), "f")
    assert problems == []
    assert node is not None
    assert flatten(node)[0] == value


def test_places() -> None:
    node, _ = read_json(b'{"a": [1,\t2.50],\n "b" : "x"}', "f")
    assert node is not None
    _, places = flatten(node)
    assert places.of(("a", 1)) == Place(file="f", line=1, column=11)
    assert places.of_key(("b",)) == Place(file="f", line=2, column=2)
    assert places.of(("b",)) == Place(file="f", line=2, column=8)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "expecting value"),
        ('{"a": 1,}', 1, 8, ""),
        ('{"a" 1}', 1, 6, "expecting ':' delimiter"),
        ('{\n"a": x}', 2, 6, "expecting value"),
        ('{"a": 1, "a": 2}', 1, 1, "the key 'a' is given twice"),
        ("[NaN]", 1, 1, "NaN is not a finite number"),
        ("[1e999]", 1, 1, "1e999 is too large a number"),
        ("[99999999999999999999]", 1, 1, "too large a whole number"),
        ("[" + "9" * 5000 + "]", 1, 1, "too large a whole number"),
        ('["\\ud800"]', 1, 1, "half a character"),
        ("[" * 100_000, 1, 1, "nested too deep"),
    ],
)
def test_refused(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(JsonError) as raised:
        parse_json(text)
    assert message in raised.value.message
    assert (raised.value.line, raised.value.column) in [(line, column), (line, column + 1)]
