"""Versions of what the bytes depend on."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

TOOLS = ("numpy", "scipy", "soxr", "pyroomacoustics", "onnxruntime", "hibari-tts")


@lru_cache(maxsize=1)
def tool_versions() -> dict[str, str]:
    """Distribution to version, of this project and of every library that touches samples."""
    found = {}
    for name in ("vgbench", *TOOLS):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
