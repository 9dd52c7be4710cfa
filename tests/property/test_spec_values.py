"""Whatever values are: YAML is written and read back the same, and draws stay within their bounds."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import NormalDist
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from vgsynth.spec.config import _Dumper, resolved_yaml
from vgsynth.spec.dynamic import compile_dynamic, is_constant, names_of, resolve
from vgsynth.spec.load import load_spec
from vgsynth.spec.nodes import flatten
from vgsynth.spec.yaml_reader import read_yaml

# All but what YAML cannot hold, escaped or not: surrogates and NUL.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
TRICKY = st.sampled_from(
    ["no", "on", "y", "012", "1:30", "1e3", "0x1F", "0o17", ".5", "1_000", "~", "null", "true", "<<", "=",
     "- a", "{a}", "a: b", "#", "# a", "%a", "@", "`", "'", '"', "\n", " ", "\t", "\u2028", "\x85", "\ufeff",
     "---", "...", "!a", "&a", "*a", "|", ">", "?", ":", "2024-01-01", "1.", ".inf", ".nan", "é", "a\nb",
     "a\r\nb", "a\\b", "\x1b", "😀"]
)  # fmt: skip
NUMBERS = st.integers(-(2**62), 2**62) | st.floats(allow_nan=False, allow_infinity=False)
KEYS = (TEXT | TRICKY).filter(bool)
SCALARS = TEXT | TRICKY | NUMBERS | st.booleans() | st.none()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=10,
)
UNIT = st.floats(0, 1, exclude_max=True)
BOUNDS = st.floats(-1e6, 1e6)


def dumped(data: Any) -> bytes:
    """YAML as `vgsynth config` writes it."""
    text: str = yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None)
    return text.encode()


@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=3))
def test_what_config_writes_reads_back_the_same(data: dict[str, Any]) -> None:
    node, problems = read_yaml(dumped(data), "f")
    assert problems == []
    assert node is not None
    found = flatten(node)[0]
    assert found == data
    assert json.dumps(found) == json.dumps(data)  # which tells 1, 1.0 and true apart


@settings(max_examples=50, deadline=None)
@given(say=TEXT.filter(str.strip), description=TEXT | TRICKY)
def test_spoken_text_survives_resolving(say: str, description: str) -> None:
    spec = {
        "vgsynth": 1,
        "name": "s",
        "seed": 1,
        "description": description,
        "speakers": {"a": {"voices": "kokoro/af_aoede"}},
        "scenes": [{"condition": "c", "segments": [{"role": "trigger", "say": escaped(say)}]}],
    }
    with TemporaryDirectory() as folder:
        file, resolved = Path(folder) / "s.yaml", Path(folder) / "r.yaml"
        file.write_bytes(dumped(spec))
        first = load_spec(file)
        resolved.write_bytes(resolved_yaml(first).encode())
        again = load_spec(resolved)
    assert again.document == first.document
    assert compile_dynamic(again.scenes[0].segments[0].say) == say
    assert again.document["description"] == description


def escaped(text: str) -> str:
    """Text with its braces doubled."""
    return text.replace("{", "{{").replace("}", "}}")


@given(TEXT)
def test_doubled_braces_are_literal(text: str) -> None:
    assert compile_dynamic(escaped(text)) == text


@given(TEXT, SCALARS)
def test_a_lone_placeholder_gives_the_value_itself(around: str, value: Any) -> None:
    compiled = compile_dynamic("{case.x}")
    assert names_of(compiled) == {"case.x"}
    assert resolve(compiled, {"case.x": value}.__getitem__, lambda per: 0.0) is value
    if isinstance(value, str):
        padded = compile_dynamic(escaped(around) + "{case.x}")
        assert resolve(padded, {"case.x": value}.__getitem__, lambda per: 0.0) == around + value


@given(BOUNDS, BOUNDS, UNIT)
def test_uniform_stays_within_and_is_where_it_should_be(a: float, b: float, unit: float) -> None:
    low, high = sorted((a, b))
    assume(low < high)
    value = resolve(compile_dynamic({"uniform": [low, high]}), {}.__getitem__, lambda per: unit)
    assert low <= value <= high
    assert abs(value - (low + (high - low) * unit)) <= 1e-8 * max(abs(low), abs(high))


@given(BOUNDS, st.floats(1e-3, 1e3), st.floats(-3, 3), st.floats(-3, 3), UNIT, UNIT)
def test_normal_stays_within_and_rises_with_the_draw(
    mean: float, sd: float, a: float, b: float, first: float, second: float
) -> None:
    low, high = mean + sd * min(a, b), mean + sd * max(a, b)
    dist = NormalDist(mean, sd)
    assume(dist.cdf(low) + 1e-6 < dist.cdf(high))
    compiled = compile_dynamic({"normal": [mean, sd], "min": low, "max": high})
    x, y = (resolve(compiled, {}.__getitem__, lambda per, u=u: u) for u in sorted((first, second)))
    assert low <= x <= y <= high


@given(st.lists(SCALARS.filter(lambda v: not isinstance(v, str)), min_size=1, max_size=5), UNIT)
def test_choice_gives_one_of_its_options(options: list[Any], unit: float) -> None:
    value = resolve(compile_dynamic({"choice": options}), {}.__getitem__, lambda per: unit)
    assert any(value is option for option in options)


@given(VALUES.filter(lambda value: not {"{", "}"} & set("".join(texts(value)))))
def test_compiling_a_constant_changes_nothing(value: Any) -> None:
    compiled = compile_dynamic(value)
    assert is_constant(compiled)
    assert compiled == value


def texts(value: Any) -> list[str]:
    """All texts in a value, keys aside."""
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for item in items for text in texts(item)]
