"""YAML: what scalars mean, where things stand, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from vgsynth.contract.problems import Place
from vgsynth.spec.nodes import flatten
from vgsynth.spec.yaml_reader import MAX_DEPTH, read_yaml


def data_of(text: str) -> Any:
    node, problems = read_yaml(text.encode(), "f")
    assert problems == []
    assert node is not None
    return flatten(node)[0]


def said(data: bytes | str) -> list[str]:
    _, problems = read_yaml(data.encode() if isinstance(data, str) else data, "f")
    return [f"{p.place.line}:{p.place.column} {p.message}" for p in problems]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        # What YAML 1.1 takes for something else, from the issues of those who were bitten.
        ("no", "no"),
        ("on", "on"),
        ("Yes", "Yes"),
        ("off", "off"),
        ("y", "y"),
        ("012", "012"),
        ("-012", "-012"),
        ("1:30", "1:30"),
        ("190:20:30", "190:20:30"),
        ("2024-01-01", "2024-01-01"),
        ("1_000", "1_000"),
        ("0b11", "0b11"),
        ("=", "="),
        # Numbers
        ("0", 0),
        ("-5", -5),
        ("+5", 5),
        ("0x1F", 31),
        ("0o17", 15),
        ("1e3", 1000.0),
        ("1E-3", 0.001),
        (".5", 0.5),
        ("-.5", -0.5),
        ("1.", 1.0),
        ("1.50", 1.5),
        ("9223372036854775807", 2**63 - 1),
        # The rest
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("None", "None"),
        ("'1'", "1"),
        ('"true"', "true"),
        ("!!str 1", "1"),
        ("! 1", "1"),
        ("0x", "0x"),
        ("1e", "1e"),
        (".", "."),
        ("e1", "e1"),
    ],
)
def test_scalar(written: str, value: Any) -> None:
    found = data_of(f"key: {written}\n")["key"]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("data", "problems"),
    [
        ("", ["1:1 the file is empty"]),
        ("# nothing\n", ["1:1 the file is empty"]),
        ("---\n", ["1:1 the file is empty"]),
        (b"a: \xff\n", ["1:4 byte 0xff is not UTF-8"]),
        (b"a: 1\nb: \xc3\xa9\xe9\n", ["2:5 byte 0xe9 is not UTF-8"]),
        (b"a: 1\nb: x\0\n", ["2:5 a NUL character"]),
        ("a: 1\n".encode("utf-16"), ["1:1 the file is UTF-16"]),
        ("a: 1\na: 2\nb: {c: 1, c: 2}\n",
         ["2:1 the key 'a' is given twice (first in line 1)",
          "3:11 the key 'c' is given twice (first in line 3)"]),
        ("a: 1\n---\nb: 2\n", ["2:1 a second document begins here"]),
        ("a: [1, 2\n", ["1:4 a list opened here with [ is not closed"]),
        ("a:\n\tb: 1\n", ["2:1 a tab in the indentation"]),
        ("a: 1\n   b: 2\n", ["2:5 a colon where no key can stand"]),
        ("a:\n  b: 1\n c: 2\n", ["3:2 this does not line up with the mapping above it"]),
        ("key\n", []),
        ("a: 1\nb\n", ["2:1 a line that is neither a key nor a list item"]),
        ("a: *b\n", ["1:4 the alias *b names no anchor"]),
        ("a: &a {b: *a}\n", ["1:11 the alias *a stands inside its own anchor"]),
        ("a: !thing 1\n", ["1:4 the tag !thing is not used here"]),
        ("a: !!python/object:x {}\n", ["1:4 the tag !!python/object:x is not used here"]),
        ("<<: {a: 1}\n", ["1:1 merge keys (<<) are not used"]),
        ("? {a: 1}\n: 1\n", ["1:3 a key is not a name"]),
        ("~: 1\n", ["1:1 a colon without a key before it"]),
        ("a: .nan\nb: -.inf\n", ["1:4 .nan is not a finite number", "2:4 -.inf is not a finite number"]),
        ("a: 1e999\n", ["1:4 1e999 is too large a number"]),
        ("a: 9223372036854775808\n", ["1:4 9223372036854775808 is too large a whole number"]),
        ("a: " + "[" * 65 + "]" * 65 + "\n", [f"1:{4 + MAX_DEPTH} nested more than {MAX_DEPTH} deep"]),
        ("[" * 100_000, ["1:1001 nested too deep"]),
        ('a: "x\n', ["1:4 a quote opened here is not closed"]),
        ("a: @x\n", ["1:4 a value cannot begin with '@'"]),
        ("a: x\x07\n", ["1:5 a control character (U+0007)"]),
    ],
)  # fmt: skip
def test_refused(data: bytes | str, problems: list[str]) -> None:
    assert said(data) == problems


def test_aliases_share_a_value() -> None:
    assert data_of("a: &x {b: [1]}\nc: *x\nd: *x\n") == {"a": {"b": [1]}, "c": {"b": [1]}, "d": {"b": [1]}}


def test_aliases_cannot_explode() -> None:
    """Ten to the ninth values, by nine lines: refused before any of them is made."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 10)]
    assert [p.split(" ", 1)[1] for p in said("\n".join(lines))] == ["aliases repeat more than 100,000 values"]


def test_places_count_characters_from_one() -> None:
    node, _ = read_yaml('\ufeffé: "ü"\nlist:\n  - {a: 1.50}\n'.encode(), "f")
    assert node is not None
    _, places = flatten(node)
    assert places.of_key(("é",)) == Place(file="f", line=1, column=1)
    assert places.of(("é",)) == Place(file="f", line=1, column=4)
    assert places.of(("list", 0, "a")) == Place(file="f", line=3, column=9)
    assert places.of_key(("list", 0, "a")) == Place(file="f", line=3, column=6)
    assert places.text_of(("list", 0, "a"), 1.5) == "1.50"
    assert places.of(("list", 0, "nothing", 3)) == places.of(("list", 0))


def test_windows_line_ends() -> None:
    assert data_of("a: 1\r\nb:\r\n  - x\r\n") == {"a": 1, "b": ["x"]}


def test_keys_are_text_as_written() -> None:
    assert data_of("0: a\n1.50: b\ntrue: c\nno: d\n") == {"0": "a", "1.50": "b", "true": "c", "no": "d"}


def test_without_libyaml_the_same_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "é: [1, 2.50, {a: no}]\nb: &x\n  c: |\n    text\nd: *x\n"
    fast = read_yaml(text.encode(), "f")
    monkeypatch.setattr("vgsynth.spec.yaml_reader._LOADER", yaml.SafeLoader)
    assert read_yaml(text.encode(), "f") == fast
    assert said("a: 1\na: 2\n") == ["2:1 the key 'a' is given twice (first in line 1)"]
    assert said("a: [1\n")[0].startswith("2:1 not YAML")
    assert said("[" * 5000) == [f"1:{2 + MAX_DEPTH} nested more than {MAX_DEPTH} deep"]
