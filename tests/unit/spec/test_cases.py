"""Cases from files and lists: fields, order, filters, and what is wrong with them, by line."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from vgsynth.contract.problems import InputError, Place
from vgsynth.spec.load import load_spec
from vgsynth.spec.model import Case, Spec

SPEC = """\
vgsynth: 1
name: s
seed: 1
tools:
  - name: order
    description: Order goods.
    parameters:
      type: object
      properties: {item: {type: string}, quantity: {type: integer, minimum: 1}, fast: {type: boolean},
                   price: {type: [number, "null"]}}
      required: [item]
      additionalProperties: false
CASES
speakers: {a: {voices: kokoro/af_aoede}}
scenes: [{condition: c, segments: [{role: trigger, say: Go.}]}]
"""


def spec_of(tmp_path: Path, cases: str, name: str = "", content: str | bytes = "") -> Spec:
    if name:
        data = content.encode() if isinstance(content, str) else content
        (tmp_path / name).write_bytes(data)
    file = tmp_path / "spec.yaml"
    file.write_text(SPEC.replace("CASES", cases), encoding="utf-8")
    return load_spec(file)


def read(tmp_path: Path, name: str, content: str | bytes, cases: str = "") -> tuple[list[Case], list[str]]:
    spec = spec_of(tmp_path, cases or f"cases: {name}", name, content)
    found = list(spec.cases)
    said = []
    for p in spec.cases.problems:
        assert p.place.file == str(tmp_path / name)
        place = ":".join(str(n) for n in (p.place.line, p.place.column) if n)
        said.append(f"{place} {p.path}: {p.message}" if p.path else f"{place}: {p.message}")
    return found, said


A = {"id": "a", "tool": "order", "params": {"item": "tea", "quantity": 2}, "note": "x"}
B = {"id": "b", "note": ["y", None]}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("c.jsonl", f"{json.dumps(A)}\n\n{json.dumps(B)}\n"),
        ("c.jsonl", "\ufeff" + f"{json.dumps(A)}\r\n{json.dumps(B)}"),
        ("c.json", json.dumps([A, B], indent="\t")),
        ("c.json", json.dumps({"cases": [A, B]})),
        ("c.yaml", "- {id: a, tool: order, params: {item: tea, quantity: 2}, note: x}\n"
         + "- {id: b, note: [y, null]}\n"),
        ("c.csv", 'id,tool,params.item,params.quantity,note,note:json\n'.replace(",note,", ",")
         + 'a,order,tea,2,"""x"""\nb,,,,"[""y"", null]"\n'),
    ],
)  # fmt: skip
def test_every_kind_of_file_gives_the_same_cases(name: str, content: str, tmp_path: Path) -> None:
    cases, problems = read(tmp_path, name, content)
    assert problems == []
    assert [{"id": case.id, **case.fields} for case in cases] == [A, B]
    assert [case.ordinal for case in cases] == [0, 1]


def test_csv_cells_take_the_types_of_the_tools_schema(tmp_path: Path) -> None:
    cases, problems = read(
        tmp_path,
        "c.csv",
        "id,tool,params.item,params.quantity,params.fast,params.price,n,ordinal\n"
        "a,order,7,7,true,7,7,5\n"
        'b,order,"two\nlines, quoted",,,,,\n',
    )
    assert problems == []
    assert cases[0].fields["params"] == {"item": "7", "quantity": 7, "fast": True, "price": 7.0}
    assert cases[0].fields["n"] == "7"
    assert cases[0].ordinal == 5
    assert "ordinal" not in cases[0].fields
    assert cases[1].fields["params"] == {"item": "two\nlines, quoted"}
    assert "n" not in cases[1].fields
    assert cases[1].place == Place(file=str(tmp_path / "c.csv"), line=3, column=1)


@pytest.mark.parametrize(
    ("name", "content", "problems"),
    [
        ("c.jsonl", '{"id": "a"}\n{"id": "b",}\n[1]\n{"x": 1}\n',
         ["2:12: not JSON: expecting property name enclosed in double quotes",
          "3:1: a case is a mapping, not a list", "4:1: the case has no `id`"]),
        ("c.jsonl", '{"id": "a"}\n  {"id": "A"}\n{"id": "a"}\n',
         ["2:10 id: the id 'A' differs in letter case alone from the one in line 1",
          "3:8 id: the id 'a' is used before, in line 1"]),
        ("c.jsonl", '{"id": "a/b"}\n{"id": 3}\n{"id": "com1.x"}\n{"id": "x."}\n'
         + '{"id": "' + "x" * 81 + '"}\n',
         ["1:8 id: the id 'a/b' is not a safe file name", "2:8 id: an id is text, not 3",
          "3:8 id: the id 'com1.x' is a device's name on Windows",
          "4:8 id: the id 'x.' is not a safe file name",
          f"5:8 id: the id {'x' * 40!r}... is not a safe file name"]),
        ("c.jsonl", '{"id": "a", "tool": "ordr"}\n{"id": "b", "tool": "order"}\n{"id": "c", "tool": 3}\n'
         '{"id": "d", "tool": "order", "params": {"item": "x", "quantity": "two", "colour": 1}}\n'
         '{"id": "e", "tool": "order", "params": 3}\n{"id": "f", "params": 3}\n{"id": "g", "ordinal": -1}\n',
         ["1:21 tool: there is no tool 'ordr'", "2:1 params: order: `item` is missing",
          "3:21 tool: must be the name of a tool",
          "4:66 params.quantity: must be a whole number, not the text 'two' (a parameter of order)",
          "4:83 params.colour: unknown key 'colour' (a parameter of order)",
          "5:40 params: must be a mapping", "6:23 params: must be a mapping",
          "7:24 ordinal: an ordinal is a whole number from 0, not -1"]),
        ("c.jsonl", b'{"id": "a"}\n{"id": "\xff"}\n{"id": "b"}\n', ["2:9: byte 0xff is not UTF-8"]),
        ("c.jsonl", '{"id": "a", "x": NaN}\n{"id": "b", "id": "c"}\n',
         ["1:1: not JSON: NaN is not a finite number", "2:1: not JSON: the key 'id' is given twice"]),
        ("c.jsonl", '{"id": "a", "x": ' + "[" * 70 + "]" * 70 + "}\n", []),
        ("c.csv", "", ["1:1: the file is empty"]),
        ("c.csv", "name,tool\nx,y\n", ["1:1: there is no column `id`"]),
        ("c.csv", "id,tool,,tool\nx,y,z,t\n",
         ["1:9: column 3 has no name", "1:10: the column 'tool' is there already"]),
        ("c.csv", "id,params,params.item\n", ["1:11: the column 'params.item' is there already"]),
        ("c.csv", "id,tool\na\nb,order,c\n\nc,ordr\n",
         ["2:1: the row has 1 cells and the header 2", "3:1: the row has 3 cells and the header 2",
          "5:3 tool: there is no tool 'ordr'"]),
        ("c.csv", 'id,note\na,"open\n', ["2:1: not CSV: unexpected end of data"]),
        ("c.csv", b"id,note\na,x\nb,\xff\nc,y\n", ["3:3: byte 0xff is not UTF-8"]),
        ("c.csv", 'id,x,y:json\na,"1,2\n3",{\n',
         ["3:4 y: not JSON: expecting property name enclosed in double quotes"]),
        ("c.csv", 'id,note,tool,params.item,params.quantity\na,"1,2\n3",order,tea,none\n',
         ["3:14 params.quantity: must be a whole number, not the text 'none' (a parameter of order)"]),
        ("c.yaml", "- {id: a}\n- {id: a}\n- b\n",
         ["2:8 [1].id: the id 'a' is used before, in line 1",
          "3:3 [2]: a case is a mapping, not the text 'b'"]),
        ("c.yaml", "id: a\n", ["1:1: a file of cases holds a list"]),
        ("c.yaml", "- {id: a, id: b}\n- {id: c\n", ["1:11: the key 'id' is given twice (first in line 1)",
                                                "2:3: a mapping opened here with { is not closed"]),
        ("c.json", '[{"id": "a"},\n {"id": "b"}', ["2:13: not JSON: expecting ',' delimiter"]),
        ("c.json", "[" * 2000, ["1:1: not JSON: nested too deep"]),
    ],
)  # fmt: skip
def test_problems_have_lines(name: str, content: str | bytes, problems: list[str], tmp_path: Path) -> None:
    assert read(tmp_path, name, content)[1] == problems


def test_a_wrong_case_is_left_out_and_the_rest_goes_on(tmp_path: Path) -> None:
    cases, problems = read(tmp_path, "c.jsonl", '{"id": "a"}\nnonsense\n{"id": "b"}\n')
    assert [case.id for case in cases] == ["a", "b"]
    assert len(problems) == 1


def test_too_many_problems_are_counted(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, "cases: c.jsonl", "c.jsonl", "nonsense\n" * 1000)
    assert list(spec.cases) == []
    assert [p.place.line for p in spec.cases.problems[:200]] == list(range(1, 201))
    assert [p.message for p in spec.cases.problems[200:]] == ["800 more problems in these cases"]


TEN = "".join(json.dumps({"id": f"c{i}", "n": i, "p": {"even": i % 2 == 0}}) + "\n" for i in range(10))


@pytest.mark.parametrize(
    ("chosen", "ids"),
    [
        ("{from: c.jsonl}", list(range(10))),
        ("{from: c.jsonl, limit: 3}", [0, 1, 2]),
        ("{from: c.jsonl, where: {n: 4}}", [4]),
        ("{from: c.jsonl, where: {n: [1, 9]}}", [1, 9]),
        ("{from: c.jsonl, where: {p.even: true}, limit: 2}", [0, 2]),
        ("{from: c.jsonl, where: {case.p.even: false, n: [1, 2, 3]}}", [1, 3]),
        ("{from: c.jsonl, where: {p.even: 1}}", []),
        ("{from: c.jsonl, where: {nothing: null}, limit: 1}", [0]),
    ],
)
def test_where_and_limit(chosen: str, ids: list[int], tmp_path: Path) -> None:
    """The ordinal stays that of the file, so that a case keeps its voices in a selection."""
    cases, problems = read(tmp_path, "c.jsonl", TEN, f"cases: {chosen}")
    assert problems == []
    assert [(case.id, case.ordinal) for case in cases] == [(f"c{i}", i) for i in ids]


def test_where_on_csv_compares_as_text(tmp_path: Path) -> None:
    text = "id,n,p\na,1,true\nb,2,false\n"
    assert [c.id for c in read(tmp_path, "c.csv", text, "cases: {from: c.csv, where: {n: 2}}")[0]] == ["b"]
    assert [c.id for c in read(tmp_path, "c.csv", text, "cases: {from: c.csv, where: {p: true}}")[0]] == ["a"]


def test_what_where_leaves_out_is_not_checked(tmp_path: Path) -> None:
    text = '{"id": "a", "k": 1}\n{"id": "a", "k": 2, "tool": "nope"}\n'
    cases, problems = read(tmp_path, "c.jsonl", text, "cases: {from: c.jsonl, where: {k: 1}}")
    assert ([case.id for case in cases], problems) == (["a"], [])


def test_inline_cases_have_places(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, "cases:\n  - {id: a}\n  - {id: b, x: 1}")
    assert [(c.id, dict(c.fields), c.place.line) for c in spec.cases] == [("a", {}, 14), ("b", {"x": 1}, 15)]


def test_without_cases_there_is_one(tmp_path: Path) -> None:
    assert [(case.id, dict(case.fields)) for case in spec_of(tmp_path, "").cases] == [("main", {})]


def test_each_pass_reads_the_file_anew(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, "cases: c.jsonl", "c.jsonl", '{"id": "a"}\n')
    assert [case.id for case in spec.cases] == ["a"]
    (tmp_path / "c.jsonl").write_text('{"id": "b"}\nx\n')
    assert [case.id for case in spec.cases] == ["b"]
    assert len(spec.cases.problems) == 1
    (tmp_path / "c.jsonl").unlink()
    assert list(spec.cases) == []
    assert "cannot read" in spec.cases.problems[0].message


def test_a_hundred_thousand_cases_take_little_memory(tmp_path: Path) -> None:
    """Ids are remembered in about a hundred bytes each; nothing else of a case is."""
    count = 30_000
    with (tmp_path / "c.jsonl").open("w") as handle:
        for i in range(count):
            handle.write(
                json.dumps({"id": f"case-with-a-rather-long-name-{i:07}", "text": "word " * 40}) + "\n"
            )
    spec = spec_of(tmp_path, "cases: c.jsonl")
    tracemalloc.start()
    try:
        assert sum(1 for _ in spec.cases) == count
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 200 * count


@pytest.mark.parametrize("value", ["{from: nope.jsonl}", "nope.csv", "tools.txt"])
def test_a_file_that_is_not_there_is_one_problem(value: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        spec_of(tmp_path, f"cases: {value}")
    assert len(raised.value.problems) == 1


def test_case_problems_come_with_those_of_the_spec(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        spec_of(tmp_path, "cases: c.jsonl\nroms: {}", "c.jsonl", "x\n")
    assert [p.message.split(":")[0] for p in raised.value.problems] == ["not JSON", "unknown key 'roms'"]


def test_fields_hold_what_json_held(tmp_path: Path) -> None:
    value: dict[str, Any] = {"id": "a", "t": "é\u2028😀", "n": [1.5, True, None, {"x": {}}]}
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        cases, problems = read(tmp_path, "c.jsonl", text)
        assert problems == []
        assert {"id": cases[0].id, **cases[0].fields} == value
