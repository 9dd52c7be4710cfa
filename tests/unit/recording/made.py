"""Small specs, and takes whose sound is known."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

from vgsynth.audit.values import Skipped
from vgsynth.recording.ingest import Ingested, Tables, ingest
from vgsynth.recording.placing import Options
from vgsynth.recording.script import Script
from vgsynth.recording.words import Listener
from vgsynth.spec.load import load_spec
from vgsynth.spec.model import Spec
from vgsynth.voices.text import spoken_seconds_estimate

CASES = (
    ("tea", "set_timer", "Set a timer for four minutes.", "Could you pass me the teapot?", "assistant"),
    ("gran", "call", "You should come along on Sunday.", "Call Grandma on her mobile.", "bystander"),
    ("eggs", "set_timer", "Put on a timer for six minutes.", "Do you like your eggs soft?", "assistant"),
    ("taxi", "call", "We have to leave soon.", "Call me a taxi.", "bystander"),
)
SIDE_TALK = """\
vgsynth: 1
name: side
family: side_talk
seed: 7
tools:
  - {name: set_timer, description: Start a timer., parameters: {type: object}}
  - {name: call, description: Call somebody., parameters: {type: object}}
cases: cases.csv
speakers:
  wearer: {voices: [tone/alto, tone/bass]}
policy: addressee
scenes:
  - condition: both
    segments:
      - {role: first, speaker: wearer, say: "{case.first}", addressee: "{case.to_first}"}
      - {gap_ms: 350}
      - {role: second, speaker: wearer, say: "{case.second}", addressee: "{case.to_second}"}
  - {condition: text_only, modality: text}
"""
PEOPLE = """\
vgsynth: 1
name: read
extends: side.yaml
speakers:
  wearer:
    voices:
      - {engine: recordings, name: ann, path: "recordings/ann/{case.id}-{segment.role}.wav"}
      - {engine: recordings, name: bob, path: "recordings/bob/{case.id}-{segment.role}.wav"}
"""
NOBODY_LISTENS = Skipped(skipped="nobody listens")


def write_cases(folder: Path, cases: Sequence[tuple[str, ...]] = CASES) -> None:
    """``cases.csv`` of the side-talk spec."""
    with (folder / "cases.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("id", "tool", "first", "second", "to_first", "to_second"))
        for *cells, to_first in cases:
            other = {"assistant": "bystander", "bystander": "assistant"}[to_first]
            writer.writerow((*cells, to_first, other))


def side_talk(folder: Path) -> Spec:
    """The spec with people, loaded; files in ``folder``."""
    write_cases(folder)
    (folder / "side.yaml").write_text(SIDE_TALK, encoding="utf-8")
    (folder / "read.yaml").write_text(PEOPLE, encoding="utf-8")
    return load_spec(folder / "read.yaml")


def babble(seconds: float, rate_hz: int = 16_000, *, amplitude: float = 0.2) -> NDArray[np.float64]:
    """A tone of 220 Hz, half a second of silence before and after."""
    edge = np.zeros(rate_hz // 2)
    tone = amplitude * np.sin(2 * np.pi * 220 * np.arange(round(seconds * rate_hz)) / rate_hz)
    return np.concatenate((edge, tone, edge))


def write_takes(folder: Path, script: Script, *, suffix: str = ".wav", but: Sequence[str] = ()) -> None:
    """A take of each prompt, as long as its text asks for; those in ``but`` are left out."""
    for number, prompt in enumerate(script.prompts):
        if prompt.id not in but:
            write_take(folder / f"{prompt.id}{suffix}", prompt.text, amplitude=0.2 + number / 1000)


def write_take(file: Path, text: str, *, rate_hz: int = 48_000, amplitude: float = 0.2) -> None:
    """One take."""
    file.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(file, babble(spoken_seconds_estimate(text), rate_hz, amplitude=amplitude), rate_hz)


def ingested(
    spec: Spec,
    takes: Path,
    *,
    listener: Listener | Skipped = NOBODY_LISTENS,
    options: Options | None = None,
) -> Ingested:
    """One run, tables beside the spec."""
    return ingest(spec, takes, Tables.of(spec), options=options or Options(), listener=listener)


def hearing(heard: Mapping[Path, str]) -> Listener:
    """A recogniser that knows recordings by their samples."""
    known = {soundfile.read(file, dtype="int16")[0].tobytes(): text for file, text in heard.items()}
    return Listener(name="test 1", hear=lambda samples: known[samples.tobytes()])


def cells(file: Path, delimiter: str = ",") -> list[dict[str, str]]:
    """A table's rows, read by the standard library."""
    with file.open(newline="", encoding="utf-8-sig") as handle:
        return list(csv.DictReader(handle, delimiter=delimiter))


def rewrite(
    file: Path, rows: Sequence[Mapping[str, str]], *, delimiter: str = ",", encoding: str = "utf-8"
) -> None:
    """Write a table as a spreadsheet would."""
    with file.open("w", newline="", encoding=encoding) as handle:
        writer = csv.DictWriter(handle, list(rows[0]), delimiter=delimiter, lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(rows)
