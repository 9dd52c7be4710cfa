"""The methods by name."""

from __future__ import annotations

from vgeval.methods.aura import aura
from vgeval.methods.method import Method
from vgeval.methods.raw import RAW
from vgeval.methods.shanks import shanks
from vgeval.methods.tws import TWS
from vgsynth.contract.problems import InputError
from vgsynth.contract.suggest import did_you_mean

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        RAW,
        aura(keep_audio=False),
        aura(keep_audio=True),
        TWS,
        shanks(4),
        shanks(3),
        shanks(5),
    )
}


def find_method(name: str) -> Method:
    """A method by its name. Raises InputError where there is none."""
    if name not in METHODS:
        hint = did_you_mean(name, METHODS) or f"one of {', '.join(METHODS)}"
        raise InputError.at("--method", f"there is no method {name!r}", hint)
    return METHODS[name]
