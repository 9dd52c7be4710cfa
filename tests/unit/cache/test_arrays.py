"""The cache of arrays: whole entries or none, bounded, shared by processes."""

from __future__ import annotations

import errno
import multiprocessing
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vgsynth.cache.arrays import ArrayCache
from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.problems import InputError

KEY = sha256_hex(b"a")
OTHER = sha256_hex(b"b")


def key_of(number: int) -> str:
    return sha256_hex(str(number).encode())


def noise(n: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(n).astype(np.float32)


@pytest.fixture
def cache(tmp_path: Path) -> ArrayCache:
    return ArrayCache(tmp_path / "cache", max_bytes=1 << 20)


@pytest.mark.parametrize("shape", [(0,), (1,), (5,), (3, 4), (2, 0)])
def test_comes_back_as_it_was(cache: ArrayCache, shape: tuple[int, ...]) -> None:
    array = noise(int(np.prod(shape))).reshape(shape)
    about = {"text": "wörd", "n": 3, "nested": {"a": [1, None]}}
    cache.put(KEY, array, about)
    found = cache.get(KEY)
    assert found is not None
    assert found[0].dtype == np.float32
    assert found[0].shape == shape
    assert found[0].tobytes() == array.tobytes()
    assert found[1] == about


def test_special_floats_survive(cache: ArrayCache) -> None:
    array = np.array([-0.0, np.inf, np.nan, 1e-45], dtype=np.float32)
    cache.put(KEY, array, {})
    found = cache.get(KEY)
    assert found is not None
    assert found[0].tobytes() == array.tobytes()


def test_absent(cache: ArrayCache) -> None:
    assert cache.get(KEY) is None
    assert not cache.has(KEY)


def test_what_comes_back_cannot_be_changed(cache: ArrayCache) -> None:
    cache.put(KEY, noise(4), {})
    found = cache.get(KEY)
    assert found is not None
    with pytest.raises(ValueError, match="read-only"):
        found[0][0] = 1.0


def test_the_first_of_two_stays(cache: ArrayCache) -> None:
    cache.put(KEY, noise(4, seed=1), {"n": 1})
    cache.put(KEY, noise(4, seed=2), {"n": 2})
    found = cache.get(KEY)
    assert found is not None
    assert found[1] == {"n": 1}


@pytest.mark.parametrize("key", ["", "ab", "../" + "a" * 61, "A" * 64, "g" * 64, "a" * 65])
def test_keys_are_hashes(cache: ArrayCache, key: str) -> None:
    for use in (cache.get, cache.has):
        with pytest.raises(ValueError, match="64 lower-case hex"):
            use(key)
    with pytest.raises(ValueError, match="64 lower-case hex"):
        cache.put(key, noise(1), {})


def entry_path(cache: ArrayCache, key: str = KEY) -> Path:
    return cache.folder / key[:2] / f"{key}.bin"


@pytest.mark.parametrize("keep", [0, 1, 15, 16, 40, 100, -1])
def test_a_truncated_entry_counts_as_absent_and_is_mended(cache: ArrayCache, keep: int) -> None:
    cache.put(KEY, noise(50), {"n": 1})
    whole = entry_path(cache).read_bytes()
    entry_path(cache).write_bytes(whole[:keep])
    assert cache.get(KEY) is None
    cache.put(KEY, noise(50), {"n": 1})
    assert entry_path(cache).read_bytes() == whole


@pytest.mark.parametrize("place", [0, 9, 13, 20, 70, -1])
def test_a_changed_byte_counts_as_absent(cache: ArrayCache, place: int) -> None:
    cache.put(KEY, noise(50), {"n": 1})
    data = bytearray(entry_path(cache).read_bytes())
    data[place] ^= 0x10
    entry_path(cache).write_bytes(bytes(data))
    assert cache.get(KEY) is None


def test_no_other_file_is_left(cache: ArrayCache) -> None:
    cache.put(KEY, noise(50), {})
    cache.put(KEY, noise(50), {})
    assert [path.name for path in cache.folder.rglob("*") if path.is_file()] == [f"{KEY}.bin"]


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_never_grows_over_its_bound(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path, max_bytes=100_000)
    for number in range(100):
        cache.put(key_of(number), noise(1000), {})
        assert size_of(tmp_path) <= 100_000
    assert size_of(tmp_path) > 60_000  # and it is not emptied either
    assert cache.has(key_of(99))
    assert not cache.has(key_of(0))


def test_what_was_used_longest_ago_goes(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path, max_bytes=100_000)
    old_s = time.time() - 10_000
    for number in range(20):
        cache.put(key_of(number), noise(1000), {})
        os.utime(entry_path(cache, key_of(number)), (old_s + number, old_s + number))
    assert cache.get(key_of(0)) is not None  # used now, so it is the youngest
    for number in range(20, 30):
        cache.put(key_of(number), noise(1000), {})
    assert cache.has(key_of(0))
    assert not cache.has(key_of(1))


def test_recent_use_is_not_written_down_each_time(cache: ArrayCache) -> None:
    cache.put(KEY, noise(10), {})
    before = entry_path(cache).stat().st_mtime_ns
    assert cache.get(KEY) is not None
    assert entry_path(cache).stat().st_mtime_ns == before


def test_pinned_entries_stay(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path, max_bytes=50_000)
    cache.put(KEY, noise(1000, seed=7), {"kept": True}, pinned=True)
    os.utime(tmp_path / KEY[:2] / f"{KEY}.pin", (1, 1))
    for number in range(50):
        cache.put(key_of(number), noise(1000), {})
    found = cache.get(KEY)
    assert cache.has(KEY)
    assert found is not None
    assert found[0].tobytes() == noise(1000, seed=7).tobytes()


def test_old_temporary_files_go_and_young_ones_stay(tmp_path: Path) -> None:
    shelf = tmp_path / "ab"
    shelf.mkdir()
    for name, age_s in (("old", 7200.0), ("young", 10.0)):
        path = shelf / f"{name}.tmp"
        path.write_bytes(b"half")
        os.utime(path, (time.time() - age_s, time.time() - age_s))
    ArrayCache(tmp_path, max_bytes=1 << 20).put(KEY, noise(1), {})
    assert [path.name for path in sorted(shelf.iterdir())] == ["young.tmp"]


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "disk full"), (errno.EDQUOT, "disk full"), (errno.EROFS, "cannot be written")],
)
def test_a_full_disk_is_one_clear_error(
    cache: ArrayCache, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    def write_half(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "write_bytes", write_half)
    with pytest.raises(InputError, match=words) as caught:
        cache.put(KEY, noise(100), {})
    assert str(cache.folder) in str(caught.value)
    assert [path for path in cache.folder.rglob("*") if path.is_file()] == []


def test_without_hard_links(cache: ArrayCache, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    cache.put(KEY, noise(4, seed=1), {"n": 1})
    cache.put(KEY, noise(4, seed=2), {"n": 2})
    found = cache.get(KEY)
    assert found is not None
    assert found[1] == {"n": 1}


def _write_all(folder: Path, seed: int) -> list[str]:
    """Put the same keys as other processes do, with other values; what is found after each put."""
    cache = ArrayCache(folder, max_bytes=1 << 22)
    found = []
    for number in range(40):
        cache.put(key_of(number), noise(200, seed=seed * 1000 + number), {"by": seed}, pinned=number % 2 == 0)
        entry = cache.get(key_of(number))
        assert entry is not None
        found.append(sha256_hex(entry[0].tobytes()))
    return found


def test_processes_that_write_the_same_key_find_the_same(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        found = pool.starmap(_write_all, [(tmp_path, seed) for seed in (1, 2, 3)])
    assert found[0] == found[1] == found[2]


def test_get_is_quick(cache: ArrayCache) -> None:
    cache.put(KEY, noise(80_000), {"sample_rate_hz": 16_000})  # 320 KB: five seconds of speech
    took = []
    for _ in range(20):
        start = time.perf_counter()
        cache.get(KEY)
        took.append(time.perf_counter() - start)
    assert min(took) < 0.001
