"""The sheet as HTML and CSV: all that is to be said is there, and nothing that is not text becomes markup."""

from __future__ import annotations

import html
import re
from pathlib import Path

from tests.unit.recording.made import CASES, cells, side_talk, write_cases
from vgsynth.recording.script import script_of
from vgsynth.recording.sheet import readers_of, sheet_csv, sheet_html
from vgsynth.spec.load import load_spec

HOSTILE = '<script>alert(1)</script> & "quoted" \u202e tfel'


def test_every_prompt_is_on_the_page_of_its_reader(tmp_path: Path) -> None:
    spec = side_talk(tmp_path)
    script = script_of(spec)
    readers = readers_of(script.prompts)
    page = sheet_html(spec, readers).decode()
    sections = re.split(r'<section class="reader" id="reader-(\w+)">', page)
    assert sections[1::2] == ["ann", "bob"]
    for name, section in zip(sections[1::2], sections[2::2], strict=True):
        said = [html.unescape(text) for text in re.findall(r'<p class="say"><bdi>(.*?)</bdi>', section)]
        files = re.findall(r'<p class="file">.*?<code>(.*?)</code>', section)
        own = [prompt for prompt in script.prompts if prompt.speaker == name]
        assert said == [prompt.text for prompt in own]
        assert files == [f"{name}/{prompt.case_id}-{prompt.role}.wav" for prompt in own]
        assert section.count("speaking <strong>to the assistant</strong>") == len(own) // 2
        assert section.count("speaking <strong>to a person near you</strong>") == len(own) // 2
        assert section.count("you have just said") == len(own) // 2


def test_the_table_says_the_same(tmp_path: Path) -> None:
    spec = side_talk(tmp_path)
    (tmp_path / "sheet.csv").write_bytes(sheet_csv(readers_of(script_of(spec).prompts)))
    rows = cells(tmp_path / "sheet.csv")
    texts = {case[0]: case[2:4] for case in CASES}
    assert len(rows) == 8
    for row in rows:
        first, second = texts[row["case_id"]]
        assert row["say"] == {"first": first, "second": second}[row["role"]]
        assert row["before"] == {"first": "", "second": first}[row["role"]]
        assert row["before_by"] == {"first": "", "second": "self"}[row["role"]]
        assert row["file"] == f"{row['speaker']}/{row['case_id']}-{row['role']}.wav"


def test_text_is_text(tmp_path: Path) -> None:
    side_talk(tmp_path)
    write_cases(tmp_path, [("a", "call", HOSTILE, "Call.", "bystander"), *CASES])
    spec = load_spec(tmp_path / "read.yaml")
    page = sheet_html(spec, readers_of(script_of(spec).prompts)).decode()
    assert "<script" not in page
    assert html.escape(HOSTILE, quote=False).replace('"', "&#34;") in page


def test_the_same_spec_gives_the_same_bytes(tmp_path: Path) -> None:
    spec = side_talk(tmp_path)
    first, second = (readers_of(script_of(spec).prompts) for _ in range(2))
    assert sheet_html(spec, first) == sheet_html(spec, second)
    assert sheet_csv(first) == sheet_csv(second)
