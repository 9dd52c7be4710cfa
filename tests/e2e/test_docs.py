"""Every command in the docs runs, in the order in which a reader would type it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import REPOSITORY

DOCS = sorted([REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md")])
BLOCK = re.compile(r"```(?P<kind>\w+)\n(?P<text>.*?)```", re.DOTALL)
FILE = re.compile(r"# file: (\S+)\n")
STATUS = re.compile(r"# exits with (\d)")


def steps(document: Path) -> Iterator[tuple[str, str]]:
    """What a reader does: ``("file name", text)`` to save, ``("$", command)`` to run."""
    for block in BLOCK.finditer(document.read_text(encoding="utf-8")):
        named = FILE.match(block["text"])
        if named:
            yield named[1], block["text"]
        elif block["kind"] == "console":
            for line in block["text"].splitlines():
                if line.startswith("$ "):
                    yield "$", line[2:]


@pytest.mark.speech
@pytest.mark.parametrize("document", DOCS, ids=lambda path: path.name)
def test_the_commands_of_a_document_run(document: Path, tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY), "VGSYNTH_CACHE": str(tmp_path / "cache")}
    done = 0
    for name, text in steps(document):
        if name != "$":
            (tmp_path / name).write_text(text, encoding="utf-8")
            continue
        command, _, comment = text.partition("  #")
        words = shlex.split(command)
        assert words[0] == "vgsynth", text
        status = STATUS.search(f"#{comment}")
        run = subprocess.run(
            [sys.executable, "-m", *words], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )
        assert run.returncode == (int(status[1]) if status else 0), f"{text}\n{run.stdout}{run.stderr}"
        assert "Traceback" not in run.stderr
        done += 1
    if "```console" in document.read_text(encoding="utf-8"):
        assert done


def test_the_spec_in_the_readme_is_right(tmp_path: Path) -> None:
    (yaml,) = [
        block["text"]
        for block in BLOCK.finditer((REPOSITORY / "README.md").read_text(encoding="utf-8"))
        if block["kind"] == "yaml"
    ]
    (tmp_path / "spec.yaml").write_text(yaml)
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-m", "vgsynth", "check", "spec.yaml"]
    run = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "2 cases, 4 scenes" in run.stderr
