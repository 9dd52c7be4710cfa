"""Where caches and voice files lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from vgsynth.cache.places import asset_dir, cache_dir


def test_named_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VGSYNTH_CACHE", str(tmp_path / "c"))
    monkeypatch.setenv("VGSYNTH_ASSETS", str(tmp_path / "a"))
    assert cache_dir() == tmp_path / "c"
    assert asset_dir() == tmp_path / "a"


def test_a_home_sign_is_understood(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("VGSYNTH_CACHE", "~/speech")
    assert cache_dir() == tmp_path / "speech"


def test_else_in_the_users_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("VGSYNTH_CACHE", "VGSYNTH_ASSETS"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert cache_dir() == tmp_path / "cache" / "vgsynth"
    assert asset_dir() == tmp_path / "data" / "vgsynth" / "assets"
