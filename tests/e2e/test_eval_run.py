"""``vgeval run`` as a user runs it: killed and run again, stopped, refused, in parts."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.unit.vgeval.datasets import small_dataset
from tests.unit.vgeval.server import Reply, Request, says, serving
from tests.unit.vgeval.tasks.test_wearvox import write_copy
from vgeval.cli import main
from vgeval.methods.registry import METHODS
from vgeval.systems.profile import profile_names
from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.prediction import read_predictions

REPOSITORY = Path(__file__).resolve().parents[2]
ENV = {**os.environ, "PYTHONPATH": str(REPOSITORY)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a command printed."""

    stdout: str
    stderr: str


def vgeval(*args: object, status: int = 0) -> Done:
    """The command line in this process: what a user types, without a new interpreter each time."""
    stdout, stderr = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(stdout),
        redirect_stderr(stderr),
        pytest.raises(SystemExit) as exited,
    ):
        patch.setattr(sys, "argv", ["vgeval", *map(str, args)])
        main()
    assert exited.value.code == status, stdout.getvalue() + stderr.getvalue()
    return Done(stdout=stdout.getvalue(), stderr=stderr.getvalue())


def key_of(request: Request) -> str:
    """What tells one item's request from another's."""
    clips = request.audio
    return sha256_hex(clips[0]) if clips else str(request.parts[0]["text"])


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_stopped_and_run_again_nothing_is_lost_and_nothing_is_sent_twice(tmp_path: Path) -> None:
    """Killed, then interrupted, then left alone: three processes, one run."""
    data = small_dataset(tmp_path / "data", cases=20)
    pred = tmp_path / "pred"
    ledger = pred / "ledger.jsonl"
    jobs = 4

    def entries() -> dict[str, bytes]:
        lines = ledger.read_bytes().splitlines(keepends=True)
        return {json.loads(line)["item_id"]: line for line in lines}

    with serving(lambda request, number: replace(says(f"Answer {number}."), wait_s=0.02)) as server:
        args = [
            "run",
            data,
            "--model",
            "qwen3-omni",
            "-o",
            pred,
            "-j",
            jobs,
            "--base-url",
            f"{server.url}/v1",
        ]

        def stop(how: signal.Signals, after: int) -> str:
            running = subprocess.Popen(
                [sys.executable, "-m", "vgeval", *map(str, args)], env=ENV, stderr=subprocess.PIPE, text=True
            )
            wait_for(lambda: ledger.exists() and ledger.read_bytes().count(b"\n") >= after)
            running.send_signal(how)
            told = running.communicate()[1]
            assert running.returncode == (-signal.SIGKILL if how == signal.SIGKILL else 130)
            return told

        stop(signal.SIGKILL, 10)
        killed = entries()
        assert 10 <= len(killed) < 60
        with ledger.open("ab") as torn:
            torn.write(b'{"item_id": "half a li')
        told = stop(signal.SIGINT, 25)
        assert "stopped; what was finished is kept" in told
        assert "Traceback" not in told
        interrupted = entries()
        assert 25 <= len(interrupted) < 60
        assert ledger.read_bytes().startswith(b"".join(killed.values()))
        assert {p.item_id for p in read_predictions(pred)} == set(interrupted)
        vgeval(*args)
        vgeval(*args)
    assert ledger.read_bytes().startswith(b"".join(interrupted.values()))
    assert len(list(read_predictions(pred))) == len(entries()) == 60
    sent = Counter(map(key_of, server.requests))
    # What was in flight when a process stopped is sent again; what had been finished is not.
    assert len(sent) == 60
    assert len(server.requests) <= 60 + 2 * jobs
    for item_id in killed:
        wav = data / "wav" / f"{item_id}.wav"
        if wav.exists():
            assert sent[sha256_hex(wav.read_bytes())] == 1


def test_errors_give_exit_code_1_and_stay_in_the_predictions(tmp_path: Path) -> None:
    data = small_dataset(tmp_path / "data")

    def bad_for_words(request: Request, number: int) -> Reply:
        return says("[Mute]") if request.audio else Reply(status=500)

    with serving(bad_for_words) as server:
        done = vgeval(
            *("run", data, "--model", "openai-server", "--base-url", f"{server.url}/v1", "--json"),
            *("--served-model", "mine", "-o", tmp_path / "pred", "--retries", 0),
            status=1,
        )
    assert json.loads(done.stdout) == {"items": 6, "errors": 2, "invalid": 0}
    assert "--retry-errors" in done.stderr
    assert {request.json["model"] for request in server.requests} == {"mine"}


def test_another_run_does_not_mix_with_the_one_in_the_folder(tmp_path: Path) -> None:
    data = small_dataset(tmp_path / "data")
    pred = tmp_path / "pred"
    vgeval("run", data, "--model", "baseline/always-mute", "-o", pred)
    kept = (pred / "predictions.jsonl").read_bytes()
    done = vgeval("run", data, "--model", "baseline/always-act", "-o", pred, status=2)
    assert "run.json  system: the folder has 'baseline/always-mute', this run 'baseline/always-act'" in (
        done.stderr
    )
    manifest = data / "manifest.jsonl"
    manifest.write_text(manifest.read_text().replace("Words 0", "Words 7"))
    done = vgeval("run", data, "--model", "baseline/always-mute", "-o", pred, status=2)
    assert "manifest_sha256: the folder has" in done.stderr
    tools = data / "tools.json"
    tools.write_text(tools.read_text().replace("Start a timer.", "Start a timer!"))
    done = vgeval("run", data, "--model", "baseline/always-mute", "-o", pred, status=2)
    assert "prompt_sha256: the folder has" in done.stderr
    assert (pred / "predictions.jsonl").read_bytes() == kept


def test_parts_of_a_manifest_are_run_one_after_another(tmp_path: Path) -> None:
    data = small_dataset(tmp_path / "data", cases=4)
    pred = tmp_path / "pred"
    args = ("run", data, "--model", "baseline/always-mute", "-o", pred, "--json")
    assert json.loads(vgeval(*args, "--limit", 2).stdout)["items"] == 2
    assert json.loads(vgeval(*args, "--split", "test").stdout)["items"] == 8
    done = vgeval(*args, "--task", "speaker-switch")
    assert json.loads(done.stdout)["items"] == 12
    assert "8 of 12 items are done already" in done.stderr
    ids = [json.loads(line)["item_id"] for line in (data / "manifest.jsonl").read_text().splitlines()]
    assert [p.item_id for p in read_predictions(pred)] == ids


def test_outputs_are_parsed_again_without_the_dataset(tmp_path: Path) -> None:
    data = small_dataset(tmp_path / "data")
    pred = tmp_path / "pred"
    vgeval("run", data, "--model", "baseline/always-act", "-o", pred)
    made = (pred / "predictions.jsonl").read_bytes()
    for file in (data / "wav").iterdir():
        file.unlink()
    vgeval("parse", pred)
    assert (pred / "predictions.jsonl").read_bytes() == made
    (pred / "predictions.jsonl").unlink()
    vgeval("parse", pred)
    assert sorted((pred / "predictions.jsonl").read_bytes().splitlines()) == sorted(made.splitlines())


BAD_INPUT = {
    "unknown model": (["--model", "qwen"], "there is no profile 'qwen'"),
    "unknown method": (["--model", "qwen3-omni", "--method", "awra"], "did you mean 'aura'"),
    "unknown task": (["--model", "qwen3-omni", "--task", "sidetalk"], "did you mean 'side-talk'"),
    "unknown split": (["--model", "qwen3-omni", "--split", "tests"], "did you mean 'test'"),
    "no URL": (["--model", "qwen3-omni", "--base-url", "localhost:8000"], "is no http or https URL"),
    "an adapter for a server": (["--model", "qwen3-omni", "--adapter", "x"], "give it to the server"),
    "nothing selected": (["--model", "qwen3-omni", "--task", "self-talk"], "no item is selected"),
}


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input_is_told_and_nothing_is_written(name: str, tmp_path: Path) -> None:
    args, message = BAD_INPUT[name]
    data = small_dataset(tmp_path / "data")
    done = vgeval("run", data, "-o", tmp_path / "pred", *args, status=2)
    assert message in done.stderr
    assert not (tmp_path / "pred").exists()


def test_a_broken_dataset_is_told_whole(tmp_path: Path) -> None:
    done = vgeval("run", tmp_path, "--model", "baseline/always-mute", "-o", tmp_path / "p", status=2)
    assert "manifest.jsonl  cannot be read" in done.stderr
    assert "tools.json  cannot be read" in done.stderr
    data = small_dataset(tmp_path / "data")
    for clip in (data / "wav").glob("c1.*"):
        clip.unlink()
    manifest = data / "manifest.jsonl"
    manifest.write_text(manifest.read_text() + manifest.read_text().splitlines()[0] + "\n")
    done = vgeval("run", data, "--model", "baseline/always-mute", "-o", tmp_path / "p", status=2)
    assert done.stderr.count("is missing; render again") == 2
    assert "manifest.jsonl:7  the item 'c0.same_speaker' is there twice" in done.stderr
    assert not (tmp_path / "p").exists()


def test_every_command_has_help_with_an_example() -> None:
    listed = re.findall(r"^  ([a-z-]+)  ", vgeval("--help").stdout.partition("Commands:")[2], re.MULTILINE)
    assert {"systems", "prompt", "wearvox", "run", "parse"} <= set(listed)
    for name in listed:
        assert "Example:\n" in vgeval(name, "--help").stdout, name


def test_systems_and_prompt_are_shown(tmp_path: Path) -> None:
    listed = json.loads(vgeval("systems", "--json").stdout)
    assert {"qwen3-omni", "kimi-audio", "baseline/always-act"} <= {system["name"] for system in listed}
    shown = vgeval("systems", "step-audio-r1").stdout
    assert "stepfun2025/vllm" in shown
    data = small_dataset(tmp_path / "data")
    done = vgeval("prompt", data)
    assert "[Mute]" in done.stdout
    assert "place_call" in done.stdout
    assert done.stderr.startswith("sha256 ")


def test_the_commands_of_the_document_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (REPOSITORY / "docs" / "evaluation.md").read_text(encoding="utf-8")
    small_dataset(tmp_path / "out" / "quickstart")
    (block,) = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    for line in block.splitlines():
        words = shlex.split(line, comments=True)
        assert words[0] == "vgeval"
        vgeval(*words[1:])
    rows = dict(re.findall(r"^\| `([a-z0-9./-]+)` \| (.*?) \|", text, re.MULTILINE))
    assert set(profile_names()) <= set(rows)
    assert set(METHODS) <= set(rows) | {"shanks-3s", "shanks-5s"}


def test_wearvox_is_made_ready(tmp_path: Path) -> None:
    write_copy(tmp_path / "copy")
    done = vgeval("wearvox", tmp_path / "copy", "-o", tmp_path / "out", "--count", 3, "--json")
    assert sum(json.loads(done.stdout)["tasks"].values()) == 3
    assert "no file of ids: stratified, seed 0: 3 of 5" in done.stderr
    vgeval("run", tmp_path / "out", "--model", "baseline/always-mute", "-o", tmp_path / "pred")
    assert len(list(read_predictions(tmp_path / "pred"))) == 3
    vgeval("wearvox", tmp_path / "copy", "-o", tmp_path / "out", status=2)
