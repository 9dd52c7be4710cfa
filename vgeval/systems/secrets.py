"""Keys: read from the environment, and taken out of everything that is written."""

from __future__ import annotations

import os
import re

from vgeval.systems.profile import Profile
from vgsynth.contract.problems import InputError

_SHORTEST_SECRET = 8
"""Shorter values are placeholders: taking them out would only mangle texts."""


def api_key(profile: Profile) -> str:
    """The key of a profile, empty where it needs none. Raises InputError where the environment lacks it."""
    if profile.api_key_env is None:
        return ""
    key = os.environ.get(profile.api_key_env, "").strip()
    if not key and profile.kind == "gemini":
        raise InputError.at(
            profile.api_key_env, f"{profile.name} needs a key", f"export {profile.api_key_env}=..."
        )
    return key


def without_secret(text: str, secret: str) -> str:
    """A text in which a key does not stand."""
    return text.replace(secret, "[key]") if len(secret) >= _SHORTEST_SECRET else text


def bytes_without_secret(data: bytes, secret: str) -> bytes:
    """Bytes in which a key does not stand."""
    return data.replace(secret.encode(), b"[key]") if len(secret) >= _SHORTEST_SECRET else data


def without_credentials(url: str) -> str:
    """A URL without user, password and query."""
    return re.sub(r"[?#].*$", "", re.sub(r"(?<=://)[^/@]*@", "", url))
