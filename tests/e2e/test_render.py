"""Rendering as a user does it: the same bytes every time, nothing lost, nothing half-written."""

from __future__ import annotations

import json
import math
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import Project, case, contents, write_cases


@pytest.fixture(scope="module")
def rendered(make_project: Callable[[], Project]) -> Project:
    """A project rendered once, in one process."""
    project = make_project()
    project.render("-j", 1)
    return project


def test_the_folder_holds_what_it_promises(rendered: Project) -> None:
    rows = rendered.rows()
    assert [row["item_id"] for row in rows] == [
        f"c{n}.{condition}" for n in range(3) for condition in ("same_speaker", "switch", "text_only")
    ]
    assert {path.name for path in (rendered.out / "wav").iterdir()} == {
        f"{row['item_id']}.wav" for row in rows if row["modality"] == "audio"
    }
    assert [row["target"]["kind"] for row in rows] == ["tool", "mute", "tool"] * 3
    assert [row["factors"] for row in rows[:2]] == [
        {"source": "same", "distance": "near", "gap_ms": 0.0},
        {"source": "different", "distance": "far", "gap_ms": 600.0},
    ]
    assert {row["pair_id"] for row in rows[:3]} == {"c0.pair", None}
    data = json.loads((rendered.out / "dataset.json").read_text())
    assert (data["cases"], data["items"], data["audio_items"]) == (3, 9, 6)


def test_two_processes_and_a_new_cache_give_the_same_bytes(rendered: Project, project: Project) -> None:
    project.render("-j", 2)
    assert contents(project.out) == contents(rendered.out)


def test_an_emptied_cache_gives_the_same_bytes(rendered: Project, project: Project) -> None:
    project.render("-j", 1)
    shutil.rmtree(project.cache)
    shutil.rmtree(project.out)
    project.render("-j", 1)
    assert contents(project.out) == contents(rendered.out)


def test_a_second_run_renders_nothing(rendered: Project) -> None:
    before = contents(rendered.out)
    times = {path: path.stat().st_mtime_ns for path in (rendered.out / "wav").iterdir()}
    done = json.loads(rendered.render("--json").stdout)
    assert (done["items"], done["rendered"], done["dropped"]) == (9, 0, 0)
    assert contents(rendered.out) == before
    assert {path: path.stat().st_mtime_ns for path in (rendered.out / "wav").iterdir()} == times


def test_changing_one_case_renders_that_case_alone(project: Project) -> None:
    project.render()
    times = {path.name: path.stat().st_mtime_ns for path in (project.out / "wav").iterdir()}
    cases = [case(0), {**case(1), "trigger": "Please do something else."}, case(2)]
    write_cases(project.folder / "cases.jsonl", cases)
    plan = json.loads(project.run("plan", project.spec, "-o", project.out, "--json").stdout)
    assert (plan["scenes"], plan["cached"], plan["to_render"], plan["to_drop"]) == (9, 6, 3, 0)
    done = json.loads(project.render("--json").stdout)
    assert done["rendered"] == 3
    changed = {p.name for p in (project.out / "wav").iterdir() if times[p.name] != p.stat().st_mtime_ns}
    assert changed == {"c1.same_speaker.wav", "c1.switch.wav"}
    project.run("verify", project.out)


def test_a_removed_case_is_dropped_and_an_added_one_rendered(project: Project) -> None:
    project.cases(range(4))
    project.render()
    project.cases([0, 1, 2])
    plan = json.loads(project.run("plan", project.spec, "-o", project.out, "--json").stdout)
    assert (plan["to_render"], plan["to_drop"]) == (0, 3)
    done = json.loads(project.render("--json").stdout)
    assert (done["rendered"], done["dropped"]) == (0, 3)
    assert not list((project.out / "wav").glob("c3*"))
    project.cases(range(5))
    assert json.loads(project.render("--json").stdout)["rendered"] == 6
    project.run("verify", project.out)


def test_a_sample_is_part_of_the_whole(rendered: Project, project: Project) -> None:
    done = json.loads(project.render("--sample", 1, "--json").stdout)
    assert (done["cases"], done["items"], done["sample"]) == (1, 3, 1)
    whole = {row["item_id"]: row for row in rendered.rows()}
    assert all(row == whole[row["item_id"]] for row in project.rows())
    assert json.loads(project.render("--json").stdout)["rendered"] == 6
    assert contents(project.out) == contents(rendered.out)


def test_another_tool_inventory_changes_no_audio(project: Project) -> None:
    project.render()
    spec = project.spec.read_text().replace("Call somebody.", "Call a person.")
    project.spec.write_text(spec)
    before = {row["item_id"]: row["spec_sha256"] for row in project.rows()}
    assert json.loads(project.render("--json").stdout)["rendered"] == 0
    assert all(row["spec_sha256"] != before[row["item_id"]] for row in project.rows())
    project.run("verify", project.out)


def test_a_damaged_or_missing_wav_is_rendered_again(rendered: Project, project: Project) -> None:
    project.render()
    wavs = sorted((project.out / "wav").iterdir())
    wavs[0].unlink()
    data = bytearray(wavs[1].read_bytes())
    data[1000] ^= 1
    wavs[1].write_bytes(data)
    wavs[2].touch()
    done = json.loads(project.render("--json").stdout)
    assert done["rendered"] == 2
    assert contents(project.out) == contents(rendered.out)


def kills() -> Iterator[float]:
    yield from (0.35, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2)


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_at_any_instant_it_ends_in_the_same_bytes(
    rendered: Project, project: Project, jobs: int
) -> None:
    for seconds in kills():
        process = subprocess.Popen(
            project.command("render", project.spec, "-o", project.out, "-j", jobs),
            env=project.env,
            cwd=project.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(seconds)
        if process.poll() is None:
            kill_group(process)
        process.wait()
        for wav in project.out.glob("wav/*"):
            assert wav.read_bytes() == (rendered.out / "wav" / wav.name).read_bytes()
    project.render("-j", jobs)
    assert contents(project.out) == contents(rendered.out)
    assert not list((project.out / ".vgsynth" / "tmp").iterdir())


def kill_group(process: subprocess.Popen[bytes]) -> None:
    import os

    os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("content", [{"notes.txt": "mine"}, {"vgsynth.json": "{}"}, {"vgsynth.json": "no"}])
def test_a_folder_that_is_not_ours_is_refused_and_left_alone(
    project: Project, content: dict[str, str]
) -> None:
    project.out.mkdir()
    for name, text in content.items():
        (project.out / name).write_text(text)
    done = project.render(status=2)
    assert "was not made by vgsynth" in done.stderr
    assert {path.name: path.read_text() for path in project.out.iterdir()} == content


def test_another_specs_folder_is_refused(rendered: Project, project: Project) -> None:
    project.spec.write_text(project.spec.read_text().replace("name: small", "name: other"))
    before = contents(rendered.out)
    done = project.run("render", project.spec, "-o", rendered.out, status=2)
    assert "belongs to the spec 'small'" in done.stderr
    assert contents(rendered.out) == before


def test_a_file_in_the_place_of_the_folder_is_refused(project: Project) -> None:
    project.out.write_text("mine")
    assert "is a file, not a folder" in project.render(status=2).stderr
    assert project.out.read_text() == "mine"


def test_two_renders_into_one_folder_do_not_meet(project: Project) -> None:
    import fcntl

    project.render()
    with (project.out / ".vgsynth" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert "another vgsynth is rendering" in project.render(status=2).stderr


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of half a megabyte; only root may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mount.returncode:
        pytest.skip("mounting a small file system needs root")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_full_disk_is_one_clear_error(project: Project, small_disk: Path, jobs: int) -> None:
    out = small_disk / "out"
    done = project.run("render", project.spec, "-o", out, "-j", jobs, status=2)
    assert "the disk is full" in done.stderr
    for wav in (out / "wav").iterdir():
        size = int.from_bytes(wav.read_bytes()[4:8], "little")
        assert wav.stat().st_size == size + 8, "a half file has a final name"
    assert not (out / "manifest.jsonl").exists()


def test_clipping_is_an_error_or_a_recorded_scale(project: Project) -> None:
    spec = project.spec.read_text().replace("seed: 7", "seed: 7\nlevel: {dbfs: -10.5}")
    project.spec.write_text(spec)
    done = project.render(status=2)
    assert "clip" in done.stderr
    project.spec.write_text(spec + "output: {limit: scale}\n")
    project.render()
    scaled = [row for row in project.rows() if row["limit_gain_db"] < 0]
    assert scaled
    for row in scaled:
        assert row["peak_dbfs"] == pytest.approx(20 * math.log10(32767 / 32768), abs=1e-6)
    project.run("verify", project.out)


def test_a_pair_that_differs_in_what_it_may_not_is_refused(project: Project) -> None:
    spec = project.spec.read_text().replace(
        "may_differ_in: [trigger.speaker, trigger.room, gap_ms]", "may_differ_in: [trigger.speaker, gap_ms]"
    )
    project.spec.write_text(spec)
    done = project.render(status=2)
    assert "differs in trigger.room (near against far)" in done.stderr
    assert "small.yaml:31:5" in done.stderr
    assert not project.out.exists()
