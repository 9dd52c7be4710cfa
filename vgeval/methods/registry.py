"""The methods by name."""

from __future__ import annotations

from vgeval.methods.method import Method
from vgeval.methods.raw import RAW
from vgsynth.contract.problems import InputError
from vgsynth.contract.suggest import did_you_mean

METHODS: dict[str, Method] = {method.name: method for method in (RAW,)}


def find_method(name: str) -> Method:
    """A method by its name. Raises InputError where there is none."""
    if name not in METHODS:
        hint = did_you_mean(name, METHODS) or f"one of {', '.join(METHODS)}"
        raise InputError.at("--method", f"there is no method {name!r}", hint)
    return METHODS[name]
