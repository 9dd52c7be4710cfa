"""Bad servers: each way to fail ends as an error of the item, tried as often as configured."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.vgeval.datasets import small_dataset
from tests.unit.vgeval.server import Reply, Request, Server, says, serving
from vgeval.methods.raw import RAW
from vgeval.runner.job import Job, prepare
from vgeval.runner.predictions import Written
from vgeval.runner.retries import Patience
from vgeval.systems.profile import load_profile
from vgeval.tasks.select import Selection
from vgsynth.contract.prediction import Prediction, read_predictions
from vgsynth.contract.problems import InputError

GOOD = says("[Mute]")
BAD: dict[str, tuple[Reply, str]] = {
    "too slow": (replace(GOOD, wait_s=0.5), r"timed out after 0\.2 s"),
    "dripping": (replace(GOOD, drip_s=0.02), r"timed out after 0\.2 s"),
    "429": (Reply(status=429, body=b'{"error": {"message": "slow down"}}'), "HTTP 429: .*slow down"),
    "500": (Reply(status=500, body=b"oh no"), "HTTP 500: oh no"),
    "503 without a body": (Reply(status=503), "HTTP 503"),
    "half-closed": (replace(GOOD, cut_at=20), "RemoteProtocolError: peer closed connection"),
    "hung up": (Reply(hang_up=True), "(ReadError|RemoteProtocolError)"),
    "invalid JSON": (Reply(body=b'{"choices": [{'), "no completion in the response: "),
    "no JSON at all": (Reply(body=b"<html>hello</html>", headers={"content-type": "text/html"}), "<html>"),
    "not UTF-8": (Reply(body=b"\xff\xfe"), "no completion"),
    "empty body": (Reply(), "no completion"),
    "empty choices": (Reply(body=b'{"choices": []}'), "no completion"),
    "choices null": (Reply(body=b'{"choices": null}'), "no completion"),
    "message null": (Reply(body=b'{"choices": [{"message": null}]}'), "no completion"),
    "a list": (Reply(body=b"[]"), "no completion"),
    "deep nesting": (Reply(body=b"[" * 200_000), "no completion"),
    "10 MB of text": (says("word " * 2_000_000), "a response of more than 4,000,000 bytes"),
}
RETRIES = 2


def send(
    tmp_path: Path,
    server: Server,
    *,
    retries: int = RETRIES,
    timeout_s: float = 0.2,
    jobs: int = 4,
    retry_errors: bool = False,
    limit: int | None = None,
) -> tuple[Written, list[Prediction]]:
    data = tmp_path / "data"
    if not data.exists():
        small_dataset(data)
    job = Job(
        out=data,
        predictions=tmp_path / "pred",
        profile=replace(load_profile("qwen3-omni"), base_url=f"{server.url}/v1"),
        method=RAW,
        selection=Selection(limit=limit),
        patience=Patience(retries=retries, timeout_s=timeout_s, wait_s=0.001),
        jobs=jobs,
        retry_errors=retry_errors,
    )
    with prepare(job) as prepared:
        written = prepared.send()
    return written, list(read_predictions(tmp_path / "pred"))


@pytest.mark.parametrize("name", BAD)
def test_an_item_that_always_fails_is_an_error_after_its_retries(name: str, tmp_path: Path) -> None:
    reply, message = BAD[name]
    timeout_s = 0.2 if "timed out" in message else 5.0
    with serving(lambda request, number: reply) as server:
        written, predictions = send(tmp_path, server, timeout_s=timeout_s)
    assert (written.items, written.errors) == (6, 6)
    assert len(server.requests) == 6 * (1 + RETRIES)
    for prediction in predictions:
        assert prediction.raw is None
        assert prediction.action is None
        assert prediction.error is not None
        assert len(prediction.error) < 600
        assert re.search(message, prediction.error), prediction.error
        assert prediction.decoding["requests"] == 1 + RETRIES


@pytest.mark.parametrize("name", BAD)
def test_an_item_that_fails_for_a_while_is_no_error(name: str, tmp_path: Path) -> None:
    reply, message = BAD[name]
    timeout_s = 0.2 if "timed out" in message else 5.0

    def twice_bad(request: Request, number: int) -> Reply:
        return reply if number < RETRIES else GOOD

    with serving(twice_bad) as server:
        written, predictions = send(tmp_path, server, jobs=1, limit=1, timeout_s=timeout_s)
    assert (written.items, written.errors) == (1, 0)
    assert predictions[0].raw == "[Mute]"
    assert predictions[0].decoding["requests"] == 1 + RETRIES


def test_a_request_that_the_server_finds_wrong_is_not_sent_again(tmp_path: Path) -> None:
    bad = Reply(status=400, body=b'{"error": {"message": "clip too long"}}')
    with serving(lambda request, number: bad) as server:
        written, predictions = send(tmp_path, server)
    assert written.errors == len(server.requests) == 6
    assert all("HTTP 400" in str(p.error) and "clip too long" in str(p.error) for p in predictions)


def test_one_bad_item_leaves_the_others_alone(tmp_path: Path) -> None:
    def bad_for_words(request: Request, number: int) -> Reply:
        return GOOD if request.audio else Reply(status=500)

    with serving(bad_for_words) as server:
        written, predictions = send(tmp_path, server)
    assert (written.items, written.errors) == (6, 2)
    assert [p.item_id for p in predictions if p.error] == ["c0.text_only", "c1.text_only"]


@pytest.mark.parametrize(("status", "sent"), [(401, 1), (403, 1), (404, 1)])
def test_a_server_that_refuses_everything_stops_the_run(status: int, sent: int, tmp_path: Path) -> None:
    refusal = Reply(status=status, body=b'{"error": {"message": "no"}}')
    with (
        serving(lambda request, number: refusal) as server,
        pytest.raises(InputError, match=f"the server takes no requests: HTTP {status}"),
    ):
        send(tmp_path, server, jobs=1)
    assert len(server.requests) == sent
    assert list(read_predictions(tmp_path / "pred")) == []


def test_no_server_stops_the_run_and_says_how_to_serve(tmp_path: Path) -> None:
    with serving(lambda request, number: GOOD) as server:
        pass
    with pytest.raises(InputError, match=r"ConnectError.*serve it first: .*vllm serve Qwen/Qwen3-Omni"):
        send(tmp_path, server)


def test_a_run_goes_on_where_a_server_died(tmp_path: Path) -> None:
    def dies(request: Request, number: int) -> Reply:
        return GOOD if number < 3 else Reply(status=401)

    with serving(dies) as server, pytest.raises(InputError, match="HTTP 401"):
        send(tmp_path, server, jobs=1)
    assert len(list(read_predictions(tmp_path / "pred"))) == 3
    with serving(lambda request, number: GOOD) as server:
        written, predictions = send(tmp_path, server)
    assert len(server.requests) == 3
    assert (written.items, written.errors) == (6, 0)
    manifest = (tmp_path / "data" / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    assert [p.item_id for p in predictions] == [json.loads(line)["item_id"] for line in manifest]


def test_errors_are_sent_again_when_asked_for(tmp_path: Path) -> None:
    with serving(lambda request, number: Reply(status=500)) as server:
        send(tmp_path, server, retries=0)
    with serving(lambda request, number: GOOD) as server:
        assert send(tmp_path, server)[0].errors == 6
        assert server.requests == []
        assert send(tmp_path, server, retry_errors=True)[0].errors == 0
        assert len(server.requests) == 6
        assert send(tmp_path, server, retry_errors=True)[0].errors == 0
        assert len(server.requests) == 6


def test_the_server_says_how_long_to_wait() -> None:
    patience = Patience(wait_s=0.5, longest_wait_s=30)
    assert [patience.wait(attempt, None) for attempt in (0, 1, 2, 9)] == [0.5, 1.0, 2.0, 30.0]
    assert patience.wait(0, 7.0) == 7.0
    assert patience.wait(0, 3600.0) == 30.0


@pytest.mark.parametrize("jobs", [1, 3])
def test_jobs_are_how_many_requests_run_at_once(jobs: int, tmp_path: Path) -> None:
    with serving(lambda request, number: replace(GOOD, wait_s=0.05)) as server:
        send(tmp_path, server, jobs=jobs, timeout_s=5)
    assert server.most_at_once == jobs


def test_a_clip_that_changed_is_an_error_and_is_not_sent(tmp_path: Path) -> None:
    data = small_dataset(tmp_path / "data")
    clip = data / "wav" / "c0.switch.wav"
    clip.write_bytes(clip.read_bytes()[:-2] + b"\0\1")
    with serving(lambda request, number: GOOD) as server:
        written, predictions = send(tmp_path, server)
    assert written.errors == 1
    assert "is not the file that the manifest was written for" in str(predictions[1].error)
    assert len(server.requests) == 5
