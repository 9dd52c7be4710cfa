"""Kind of a profile to what reaches the system. Heavy libraries are imported when a kind is used."""

from __future__ import annotations

from collections.abc import Callable

from vgeval.systems.conversation import System
from vgeval.systems.profile import Kind, Profile


def open_system(profile: Profile) -> System:
    """The system of a profile. Raises InputError where something that it needs is missing."""
    return _KINDS[profile.kind](profile)


def _openai_server(profile: Profile) -> System:
    from vgeval.systems.openai_server import OpenAIServer

    return OpenAIServer(profile)


def _gemini(profile: Profile) -> System:
    from vgeval.systems.gemini import Gemini

    return Gemini(profile)


def _transformers(profile: Profile) -> System:
    from vgeval.systems.local.system import LocalModel

    return LocalModel(profile)


def _baseline(profile: Profile) -> System:
    from vgeval.systems.baselines import BASELINES

    return BASELINES[profile.name]()


_KINDS: dict[Kind, Callable[[Profile], System]] = {
    "openai_server": _openai_server,
    "gemini": _gemini,
    "transformers": _transformers,
    "baseline": _baseline,
}
