"""Faults of voices are told where the voice is written, once, with a fix."""

from __future__ import annotations

import wave
from pathlib import Path

import pytest

from vgsynth.contract.problems import InputError
from vgsynth.render.inspect import inspect_spec
from vgsynth.spec.load import load_spec

SPEC = """\
vgsynth: 1
name: voices
seed: 1
cases: [{id: a, said: Lock the door.}]
pools:
  two:
    - tone/alto
    - VOICE
speakers:
  wearer: {voices: two}
  bystander: {voices: two, differs_from: wearer}
scenes:
  - condition: both
    target: answer
    segments:
      - {role: context, speaker: wearer, say: "{case.said}"}
      - {role: trigger, speaker: bystander, say: "{case.said}"}
"""


def faults(folder: Path, voice: str) -> list[str]:
    file = folder / "spec.yaml"
    file.write_text(SPEC.replace("VOICE", voice))
    try:
        totals = inspect_spec(load_spec(file))
    except InputError as error:
        return [str(problem).removeprefix(str(file)) for problem in error.problems]
    assert (totals.cases, totals.items) == (1, 1)
    return []


@pytest.mark.parametrize(
    ("voice", "told"),
    [
        ("tone/bell", []),
        ("tone/bel", [":8:7  pools.two[1]: tone has no voice 'bel'; did you mean 'bell'?"]),
        ("ton/bell", [":8:7  pools.two[1]: there is no voice engine 'ton'; did you mean 'tone'?"]),
        (
            "{engine: piper, name: joe}",
            [
                ":8:7  pools.two[1]: setting 'path' is missing; "
                "give path: the path of a Piper voice, NAME.onnx"
            ],
        ),
        ('{engine: piper, name: joe, path: "{case.id}.onnx"}', []),
        ('{engine: recordings, name: ann, path: "{case.id}.wav"}', []),
        (
            '{engine: recordings, name: ann, path: "{case.id}.wav", speed: "{case.id}"}',
            [":8:7  pools.two[1]: unknown setting 'speed'; known: path"],
        ),
        (
            "{engine: recordings, name: ann}",
            [
                ":8:7  pools.two[1]: recordings/ann has no path (case a); "
                'add, for example, path: "recordings/{case.id}-{segment.role}.wav"'
            ],
        ),
        (
            '{engine: recordings, name: ann, path: "{case.idd}.wav"}',
            [":8:7  pools.two[1]: the placeholder {case.idd} has no value (case a); did you mean 'case.id'?"],
        ),
    ],
)
def test_a_voice_is_told_where_it_is_written(tmp_path: Path, voice: str, told: list[str]) -> None:
    with wave.open(str(tmp_path / "a.wav"), "wb") as out:
        out.setparams((1, 2, 16000, 0, "NONE", "not compressed"))
        out.writeframes(b"\x00\x10\x00\xf0" * 4000)
    assert faults(tmp_path, voice) == told
