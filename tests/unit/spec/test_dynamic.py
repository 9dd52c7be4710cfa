"""Placeholders and distributions: what compiles to what, and what it settles to."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import pytest

from vgsynth.spec.dynamic import (
    Choice,
    DynamicError,
    Normal,
    Placeholder,
    Template,
    Uniform,
    compile_dynamic,
    is_constant,
    names_of,
    resolve,
)

VALUES = {"case.trigger": "Lights off.", "case.n": 3, "case.x": 0.5, "case.on": True, "case.raw": "{case.n}"}


def settle(value: Any, unit: float = 0.0) -> Any:
    return resolve(compile_dynamic(value), VALUES.__getitem__, lambda per: unit)


@pytest.mark.parametrize(
    ("written", "settled"),
    [
        ("plain", "plain"),
        ("", ""),
        ("{case.trigger}", "Lights off."),
        ("{case.n}", 3),
        ("{case.on}", True),
        ("{ case.n }", 3),
        ("{case.n}{case.n}", "33"),
        ("at {case.x} of {case.on}", "at 0.5 of true"),
        ("{{}}", "{}"),
        ("{{case.n}}", "{case.n}"),
        ("{{{case.n}}}", "{3}"),
        ("{case.raw}", "{case.n}"),
        (["{case.n}", 2], [3, 2]),
        ({"tool": "set", "params": {"n": "{case.n}"}}, {"tool": "set", "params": {"n": 3}}),
        (["{{", 2], ["{", 2]),
        (None, None),
        (-23.0, -23.0),
    ],
)
def test_settled_value(written: Any, settled: Any) -> None:
    found = settle(written)
    assert found == settled
    assert type(found) is type(settled)


@pytest.mark.parametrize(
    ("written", "compiled"),
    [
        ("a {case.b}", Template(("a ", Placeholder("case.b")))),
        ({"uniform": [0, 2]}, Uniform(0, 2, "scene")),
        ({"uniform": [-1.5, 2], "per": "case"}, Uniform(-1.5, 2, "case")),
        ({"choice": ["near", 1, None]}, Choice(("near", 1, None), "scene")),
        ({"normal": [0, 1], "min": -2}, Normal(0, 1, -2, float("inf"), "scene")),
        ("{{", "{"),
        ([1, "x"], [1, "x"]),
        ({"per": "case"}, {"per": "case"}),
    ],
)
def test_compiled_form(written: Any, compiled: Any) -> None:
    assert compile_dynamic(written) == compiled


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("x", set()),
        ("{case.a} {condition} {case.a}", {"case.a", "condition"}),
        ({"choice": ["{case.a}", "b"]}, {"case.a"}),
        ([1, {"deep": ["{cell.gap}"]}], {"cell.gap"}),
        ({"uniform": [0, 1]}, set()),
    ],
)
def test_names(written: Any, names: set[str]) -> None:
    compiled = compile_dynamic(written)
    assert names_of(compiled) == names
    if not is_constant(compiled):
        assert compiled.names() == names


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("{case.a", "a single '{' at character 1"),
        ("a } b", "a single '}' at character 3"),
        ("{}", "empty braces"),
        ("{case.a!r}", "is not a placeholder"),
        ("{case.a:>3}", "is not a placeholder"),
        ("{case..a}", "is not a placeholder"),
        ("{a b}", "is not a placeholder"),
        ({"uniform": [2, 1]}, "from 2 to 1"),
        ({"uniform": [1, 1]}, "from 1 to 1"),
        ({"uniform": [1]}, "two numbers"),
        ({"uniform": [0, True]}, "two numbers"),
        ({"uniform": [0, 10**400]}, "two numbers"),
        ({"uniform": [0, float("nan")]}, "two numbers"),
        ({"uniform": [0, 1], "min": 0}, "no key 'min'"),
        ({"uniform": [0, 1], "normal": [0, 1]}, "both uniform and normal"),
        ({"choice": []}, "no options"),
        ({"choice": [[1]]}, "list or mapping"),
        ({"choice": ["{"]}, "a single '{'"),
        ({"choice": [1], "per": "item"}, "per is 'item'"),
        ({"normal": [0, 0]}, "standard deviation of 0"),
        ({"normal": [0, 1], "min": 2, "max": 1}, "min 2 and max 1"),
        ({"normal": [0, 1], "min": "x"}, "not a number"),
        ({"normal": [0, 1], "min": 50, "max": 60}, "no mass"),
    ],
)
def test_malformed(written: Any, message: str) -> None:
    with pytest.raises(DynamicError) as raised:
        compile_dynamic(written)
    assert message in raised.value.message
    assert raised.value.fix


def test_list_in_a_text_is_refused() -> None:
    with pytest.raises(DynamicError, match="a list"):
        resolve(compile_dynamic("x {case.l}"), lambda name: [1], lambda per: 0.0)


def test_unknown_name_is_the_lookups_keyerror() -> None:
    with pytest.raises(KeyError, match=r"case\.nope"):
        settle("{case.nope}")


@pytest.mark.parametrize(
    ("written", "unit", "settled"),
    [
        ({"uniform": [10, 20]}, 0.0, 10.0),
        ({"uniform": [10, 20]}, 0.25, 12.5),
        ({"uniform": [0, 3]}, 1 / 3 - 1e-13, 1.0),  # nine significant digits
        ({"choice": ["a", "b", "c"]}, 0.0, "a"),
        ({"choice": ["a", "b", "c"]}, 0.34, "b"),
        ({"choice": ["a", "b", "c"]}, 1 - 2**-53, "c"),
        ({"choice": ["{case.n}"]}, 0.9, 3),
        ({"normal": [5, 2]}, 0.5, 5.0),
        ({"normal": [0, 1]}, 0.975, 1.95996398),  # the textbook quantile
        ({"normal": [0, 1], "min": 0}, 0.0, 0.0),
        ({"normal": [0, 1], "min": 0}, 0.5, 0.67448975),  # median of the half-normal
    ],
)
def test_drawn_value(written: Any, unit: float, settled: Any) -> None:
    assert settle(written, unit) == settled


@pytest.mark.parametrize("unit", [0.0, 1 - 2**-53])
def test_normal_stays_finite_and_within_bounds_at_both_ends(unit: float) -> None:
    assert abs(settle({"normal": [0, 1]}, unit)) < 40
    assert -1 <= settle({"normal": [0, 1], "min": -1, "max": 1}, unit) <= 1


def test_truncated_normal_has_the_right_quantiles() -> None:
    """Of the mass between the bounds, a share u lies below the value drawn with u."""
    dist = NormalDist(2, 3)
    low, high = dist.cdf(0), dist.cdf(4)
    for unit in (0.1, 0.5, 0.9):
        value = settle({"normal": [2, 3], "min": 0, "max": 4}, unit)
        assert (dist.cdf(value) - low) / (high - low) == pytest.approx(unit, abs=1e-8)


def test_distributions_in_one_list_are_drawn_apart() -> None:
    x, y, z = settle([{"uniform": [0, 1]}, {"uniform": [0, 1]}, 3], 0.5)
    assert x != y
    assert z == 3


def test_elements_in_a_list_look_uniform_and_unrelated() -> None:
    """Over 400 draws both have mean 1/2 and their correlation is near 0 (standard errors 0.014, 0.05)."""
    both = [settle([{"uniform": [0, 1]}, {"uniform": [0, 1]}], (i + 0.5) / 400) for i in range(400)]
    means = [sum(pair[k] for pair in both) / 400 for k in (0, 1)]
    covariance = sum((a - means[0]) * (b - means[1]) for a, b in both) / 400
    assert means == pytest.approx([0.5, 0.5], abs=0.06)
    assert abs(covariance * 12) < 0.2


def test_per_is_handed_to_the_draw() -> None:
    asked: list[str] = []

    def draw(per: str) -> float:
        asked.append(per)
        return 0.0

    resolve(compile_dynamic({"uniform": [0, 1], "per": "case"}), VALUES.__getitem__, draw)
    resolve(compile_dynamic({"choice": [1]}), VALUES.__getitem__, draw)
    assert asked == ["case", "scene"]
