"""Tables as spreadsheet programs write them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vgsynth.contract.problems import InputError
from vgsynth.recording.tables import read_table, table_bytes

CELL = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\x00"), max_size=20)


@given(
    rows=st.lists(st.fixed_dictionaries({"a": CELL, "b": CELL}), max_size=5),
    delimiter=st.sampled_from(",;\t"),
)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, str]], delimiter: str
) -> None:
    file = tmp_path_factory.mktemp("table") / "t.csv"
    file.write_bytes(table_bytes(("a", "b"), rows, delimiter=delimiter))
    table = read_table(file, ["a"])
    assert table.delimiter == delimiter
    assert list(table.rows) == [row for row in rows if any(cell.strip() for cell in row.values())]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_habits_of_spreadsheets(tmp_path: Path, delimiter: str, bom: bytes, end: str) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end)
    writer.writerows([["id", " note "], ["1", "one; two, three\ttwo\nlines"], ["", ""], ["é", ""]])
    (tmp_path / "t.csv").write_bytes(bom + out.getvalue().encode())
    table = read_table(tmp_path / "t.csv", ["id", "note"])
    assert [dict(row) for row in table.rows] == [
        {"id": "1", "note": "one; two, three\ttwo\nlines"}, {"id": "é", "note": ""},
    ]  # fmt: skip
    assert table.lines == (2, 5)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the table is empty"),
        (b"id,nota\n", "there is no column 'note'; did you mean 'nota'"),
        (b"id,note,id\n", "the column 'id' is there twice"),
        (b"id,note\n1,2,3\n", "3 cells under 2 columns"),
        (b'id,note\n1,"open\n', "not CSV"),
        (b"id,note\n\xe9,2\n", "is not UTF-8; save it as `CSV UTF-8`"),
    ],
)
def test_what_is_no_table(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "t.csv").write_bytes(data)
    with pytest.raises(InputError, match=message):
        read_table(tmp_path / "t.csv", ["id", "note"])


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_table(tmp_path / "t.csv", ["id"])
