"""The table of files, and the check of what lies on disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.problems import InputError
from vgsynth.voices import assets
from vgsynth.voices.assets import Asset, is_there, note_path, verified_path

DATA = b"a voice" * 100
ASSET = Asset(name="k/a.bin", n_bytes=len(DATA), sha256=sha256_hex(DATA), url="")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VGSYNTH_ASSETS", str(tmp_path))
    (tmp_path / "k").mkdir()
    return tmp_path


def test_the_table_is_whole() -> None:
    model = assets.model_asset()
    assert sum(part.n_bytes for part in model.pip_parts) == model.n_bytes
    assert len(assets.voice_assets()) == 28
    every = [model, *assets.voice_assets().values(), *assets.fallback_assets().values()]
    hashes = [asset.sha256 for asset in every] + [part.sha256 for part in model.pip_parts]
    assert len(set(hashes)) == len(hashes)
    assert all(len(sha256) == 64 and set(sha256) <= set("0123456789abcdef") for sha256 in hashes)
    assert all(asset.url.startswith("https://") for asset in every)
    assert {asset.n_bytes for asset in every[1:]} == {510 * 256 * 4}


def test_a_missing_file_names_the_command(folder: Path) -> None:
    assert not is_there(ASSET)
    with pytest.raises(InputError, match="is not here; run: vgsynth voices fetch"):
        verified_path(ASSET)


def test_a_file_of_another_size(folder: Path) -> None:
    ASSET.path().write_bytes(DATA[:-1])
    with pytest.raises(InputError, match="wrong size"):
        verified_path(ASSET)


def test_a_file_with_other_bytes(folder: Path) -> None:
    ASSET.path().write_bytes(b"A" + DATA[1:])
    assert is_there(ASSET)
    with pytest.raises(InputError, match="SHA-256 is not the pinned one; run: vgsynth voices fetch"):
        verified_path(ASSET)


def test_hashed_once_and_again_when_it_changed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[Path] = []
    real = assets.sha256_of_file
    monkeypatch.setattr(assets, "sha256_of_file", lambda path: hashed.append(path) or real(path))  # type: ignore[func-returns-value]
    ASSET.path().write_bytes(DATA)
    assert verified_path(ASSET) == verified_path(ASSET) == ASSET.path()
    assert len(hashed) == 1
    assert note_path(ASSET).exists()
    ASSET.path().write_bytes(b"A" + DATA[1:])
    os.utime(ASSET.path(), ns=(5, 5))
    with pytest.raises(InputError, match="damaged"):
        verified_path(ASSET)
    assert len(hashed) == 2
