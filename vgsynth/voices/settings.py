"""Which settings a voice takes, and the check of them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

from vgsynth.contract.problems import InputError
from vgsynth.plan.model import Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number in ``[low, high]``."""

    low: float
    high: float
    whole: bool = False

    def wants(self) -> str:
        """What would be right, in words."""
        return f"a {'whole ' if self.whole else ''}number from {self.low:g} to {self.high:g}"

    def takes(self, value: Setting) -> bool:
        """Whether a value fits."""
        kinds = (int,) if self.whole else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool) and self.low <= value <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Any text that is not empty."""

    wants_text: str = "a text"

    def wants(self) -> str:
        """What would be right, in words."""
        return self.wants_text

    def takes(self, value: Setting) -> bool:
        """Whether a value fits."""
        return isinstance(value, str) and bool(value)


Rules = Mapping[str, Number | Text]


def setting_problem(settings: Mapping[str, Setting], rules: Rules) -> tuple[str, str] | None:
    """The first thing wrong with settings, as (message, fix), or None."""
    for name, value in sorted(settings.items()):
        rule = rules.get(name)
        if rule is None:
            return unknown_setting(name, rules)
        if not rule.takes(value):
            return f"setting {name!r} is {value!r}", f"give {rule.wants()}"
    return None


def unknown_setting(name: str, rules: Rules) -> tuple[str, str]:
    """The (message, fix) for a setting that there is not."""
    return f"unknown setting {name!r}", did_you_mean(name, rules)


def check_settings(voice_id: str, settings: Mapping[str, Setting], rules: Rules) -> None:
    """Raises InputError with what :func:`setting_problem` finds."""
    problem = setting_problem(settings, rules)
    if problem:
        raise voice_error(voice_id, *problem)


def voice_error(voice_id: str, message: str, fix: str = "") -> InputError:
    """The error that concerns a voice, ``engine/name``."""
    return InputError.at(f"voice {voice_id}", message, fix)


def not_installed(voice_id: str, package: str, extra: str) -> InputError:
    """The error for a library that is missing, naming the extra that brings it."""
    return voice_error(voice_id, f"{package} is not installed", f"run: pip install 'vgbench[{extra}]'")


def did_you_mean(name: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    """A fix for an unknown name: the nearest known one, or all of them where they are few."""
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"known: {', '.join(known)}" if known else "there are none"
