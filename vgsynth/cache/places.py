"""Where caches and voice assets live on this machine."""

from __future__ import annotations

import os
from pathlib import Path

CACHE_VARIABLE = "VGSYNTH_CACHE"
ASSETS_VARIABLE = "VGSYNTH_ASSETS"


def cache_dir() -> Path:
    """The folder of the caches: ``$VGSYNTH_CACHE``, else the user's cache folder. Need not exist yet."""
    return _place(CACHE_VARIABLE, "user_cache_path", "")


def asset_dir() -> Path:
    """The folder of the voices' files: ``$VGSYNTH_ASSETS``, else in the user's data. Need not exist yet."""
    return _place(ASSETS_VARIABLE, "user_data_path", "assets")


def _place(variable: str, function: str, under: str) -> Path:
    named = os.environ.get(variable)
    if named:
        return Path(named).expanduser()
    import platformdirs

    return Path(getattr(platformdirs, function)("vgsynth", appauthor=False)) / under
