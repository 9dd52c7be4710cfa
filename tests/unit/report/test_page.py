"""Writing the page: what is in it, where it may be written, and what stops it."""

from __future__ import annotations

import base64
import errno
import hashlib
import json
import os
import re
import shutil
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.report.rendered import HOSTILE, everything, many, switch_case, text_row, write_out
from vgsynth.contract.manifest import Factors, read_manifest
from vgsynth.contract.problems import InputError
from vgsynth.contract.target import MUTE
from vgsynth.report import files
from vgsynth.report.pack import CHUNK_ITEMS, safe_json
from vgsynth.report.page import PARTS, write_report
from vgsynth.report.survey import MAX_PROBLEMS, survey

TEMPLATES = Path(files.__file__).parent / "templates"


def scripts(html: str) -> dict[str, str]:
    """The content of each script element with an id."""
    return dict(re.findall(r'<script type="application/json" id="([^"]+)">(.*?)</script>', html, re.DOTALL))


def contents(folder: Path) -> dict[str, str]:
    """Hash of every file under a folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def names(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def copy(out: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(out, tmp_path / "copy"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(JSON)
def test_safe_json_is_json_that_cannot_break_out(value: object) -> None:
    text = str(safe_json(value))
    assert json.loads(text) == value
    assert not set("<>&\u2028\u2029") & set(text)
    text.encode()


@pytest.mark.parametrize("text", HOSTILE)
def test_safe_json_of_hostile_text(text: str) -> None:
    made = str(safe_json([text]))
    made.encode()
    assert json.loads(made) == [text.replace("\ud800", "\ufffd")]
    assert "</" not in made
    assert "<!--" not in made


def test_all_is_in_a_page_within_the_budget(out: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done: list[tuple[int, int]] = []
    summary = write_report(out, page, on_progress=lambda *step: done.append(step))
    rows = list(read_manifest(out))
    assert (summary.items, summary.cases, summary.pairs) == (24, 6, 3)
    assert summary.embedded
    assert summary.files is None
    assert summary.wav_bytes == sum((out / row.wav).stat().st_size for row in rows if row.wav)
    assert summary.page_bytes == page.stat().st_size
    assert done[-1] == (24, 24)
    assert names(tmp_path) == ["report.html"]
    found = scripts(page.read_text())
    assert [entry[0] for entry in json.loads(found["entries"])] == [row.item_id for row in rows]
    details = [detail for n in range(len(found) - 2) for detail in json.loads(found[f"chunk-{n}"])]
    for detail, row in zip(details, rows, strict=True):
        assert detail["id"] == row.item_id
        if row.wav is None:
            assert "wav" not in detail
        else:
            assert base64.b64decode(detail["wav"]) == (out / row.wav).read_bytes()


@pytest.mark.parametrize("place", [".", "deep/er", "odd #?% ü"])
def test_beyond_the_budget_the_audio_stays_where_it_is(copy: Path, place: str) -> None:
    page = copy / place / "my report.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    summary = write_report(copy, page, inline_budget_bytes=100_000)
    assert not summary.embedded
    assert summary.files == page.with_name("my report_files")
    (key,) = names(summary.files)
    chunks = names(summary.files / key)
    assert chunks == [f"{n:05d}.js" for n in range(-(-24 // CHUNK_ITEMS))]
    head = json.loads(scripts(page.read_text())["head"])
    assert head["key"] == key
    assert head["files"] == f"my%20report_files/{key}"
    text = (summary.files / key / chunks[0]).read_text()
    wrapped = re.fullmatch(rf'vgsynthChunk\("{key}",0,(.*)\);\n', text, re.DOTALL)
    assert wrapped
    for detail in json.loads(wrapped[1]):
        if "url" in detail:
            parts = urlsplit(detail["url"])
            assert not (parts.scheme or parts.netloc or parts.query or parts.fragment)
            assert (page.parent / unquote(parts.path)).resolve() == (copy / detail["row"]["wav"]).resolve()
            assert detail["preview"]["columns"] > 10


@pytest.mark.parametrize(("above", "embedded"), [(-1, False), (0, True)])
def test_the_budget_is_a_sharp_line(out: Path, tmp_path: Path, above: int, embedded: bool) -> None:
    found = survey(out)
    budget = found.wav_bytes + found.manifest_bytes + above
    assert write_report(out, tmp_path / "r.html", inline_budget_bytes=budget).embedded is embedded


@pytest.mark.parametrize("budget", [0, 20_000_000])
def test_the_same_folder_gives_the_same_bytes(out: Path, tmp_path: Path, budget: int) -> None:
    made = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_report(out, tmp_path / name / "report.html", inline_budget_bytes=budget)
        made.append(contents(tmp_path / name))
    assert made[0] == made[1]


def test_the_page_asks_no_other_machine_and_allows_no_other_program(out: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    write_report(out, page)
    html = page.read_text()
    assert not re.findall(r"(?:https?:)?//[a-z0-9-]+\.[a-z]", html.split('id="entries"')[0])
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for tag, kind in (("script", "script-src"), ("style", "style-src")):
        (inline,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}'" in policy.replace("&#39;", "'")


def test_the_head_escapes_what_authors_write(out: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    write_report(out, page)
    html = page.read_text()
    assert "<b onclick" not in html
    assert "&lt;b onclick=window.pwned=4&gt;bold&lt;/b&gt;" in html
    assert "</script><script>window" not in html


def test_the_table_counts_conditions_by_target(out: Path) -> None:
    found = survey(out)
    lines = {(line.condition, dict(line.cell).get("source")): line for line in found.counts}
    assert lines["switch", None].by_kind == (3, 0, 0)
    assert lines["same_speaker", None].by_kind == (0, 3, 0)
    assert lines["same_speaker", None].by_tool == {"send_message": 1, "set_light": 1, "set_timer": 1}
    assert lines["side_talk", None].by_kind == (0, 0, 1)
    assert lines["wearer-near-600", "wearer"].by_kind == (0, 1, 0)
    assert found.kind_totals == (9, 14, 1)
    assert found.tool_totals == {"set_light": 10, "send_message": 2, "set_timer": 2}
    assert sum(line.total for line in found.counts) == found.items == 24
    assert found.audio_s == pytest.approx(sum(row.duration_s for row in read_manifest(out)))


def spoil_many(out: Path) -> None:
    for wav in (out / "wav").iterdir():
        wav.unlink()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda out: (out / "manifest.jsonl").unlink(), ["cannot read the manifest"]),
        (lambda out: (out / "manifest.jsonl").write_text("{}\n"), [":1  not a manifest row"]),
        (lambda out: (out / "tools.json").write_text("[1]"), ["not a list of tools"]),
        (
            lambda out: (out / "wav" / "side-000.wav").unlink(),
            [":18  side-000: the WAV is missing", "verify"],
        ),
        (lambda out: (out / "wav" / "side-000.wav").write_bytes(b"RIFFxxxxWAVE"), ["the WAV cannot be read"]),
        (lambda out: os.truncate(out / "wav" / "side-000.wav", 1000), ["does not hold the"]),
        (
            lambda out: shutil.copy(out / "wav" / "hostile-0.wav", out / "wav" / "hostile-1.wav"),
            ["does not hold the 44575 samples"],
        ),
        (
            lambda out: (
                (out / "wav" / "hostile-0.wav").unlink(),
                (out / "wav" / "hostile-1.wav").unlink(),
            ),
            ["hostile-0: the WAV is missing", "hostile-1: the WAV is missing"],
        ),
        (
            lambda out: (out / "manifest.jsonl").write_text(
                (out / "manifest.jsonl").read_text().replace('"wav/side-000.wav"', '"../secret.wav"')
            ),
            ["the WAV path '../secret.wav' leaves the folder"],
        ),
    ],
)
def test_a_folder_that_is_off_gives_no_page(
    copy: Path, spoil: Callable[[Path], object], said: list[str]
) -> None:
    spoil(copy)
    page = copy / "report.html"
    with pytest.raises(InputError) as caught:
        write_report(copy, page)
    for words in said:
        assert words in str(caught.value)
    assert not page.exists()


def test_a_folder_without_its_wavs_is_not_listed_to_the_end(tmp_path: Path) -> None:
    folder = write_out(tmp_path / "out", many(200))
    spoil_many(folder)
    with pytest.raises(InputError) as caught:
        write_report(folder, folder / "report.html")
    assert len(caught.value.problems) == MAX_PROBLEMS


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("manifest.jsonl", "ends in .html"),
        ("wav/side-000.wav", "ends in .html"),
        ("report", "ends in .html"),
        ("none/report.html", "there is no folder"),
        ("folder.html", "this is a folder"),
    ],
)
def test_targets_that_are_refused(copy: Path, target: str, said: str) -> None:
    (copy / "folder.html").mkdir()
    before = contents(copy)
    with pytest.raises(InputError, match=said):
        write_report(copy, copy / target)
    assert contents(copy) == before


def test_no_folder_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the manifest"):
        write_report(tmp_path / "none", tmp_path / "report.html")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="not a folder"):
        write_report(tmp_path / "file", tmp_path / "report.html")


@pytest.mark.parametrize("budget", [0, 20_000_000])
def test_a_full_disk_leaves_what_was_there(copy: Path, monkeypatch: pytest.MonkeyPatch, budget: int) -> None:
    page = copy / "report.html"
    page.write_text("the one before")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError, match="No space left on device"):
        write_report(copy, page, inline_budget_bytes=budget)
    assert page.read_text() == "the one before"
    assert not [name for name in contents(copy) if name.endswith(".tmp")]


def test_a_new_report_replaces_the_files_of_the_old_one_and_nothing_else(tmp_path: Path) -> None:
    folder = write_out(tmp_path / "out", switch_case(0))
    page = folder / "report.html"
    write_report(folder, page, inline_budget_bytes=0)
    (first,) = names(folder / "report_files")
    (folder / "report_files" / "notes.txt").write_text("mine")
    foreign = folder / "report_files" / "0123456789abcdef"
    foreign.mkdir()
    (foreign / "data.csv").write_text("mine")
    shutil.rmtree(folder / "wav")
    (tmp_path / "other").mkdir()
    other = write_out(tmp_path / "other" / "out", switch_case(1))
    shutil.copytree(other / "wav", folder / "wav")
    shutil.copy(other / "manifest.jsonl", folder)
    write_report(folder, page, inline_budget_bytes=0)
    now = names(folder / "report_files")
    assert first not in now
    assert len(now) == 3
    assert {"notes.txt", "0123456789abcdef"} < set(now)
    write_report(folder, page)
    assert set(names(folder / "report_files")) == {"notes.txt", "0123456789abcdef"}


def test_an_empty_set_and_a_set_of_text_have_pages(tmp_path: Path) -> None:
    empty = write_out(tmp_path / "empty", iter(()))
    assert write_report(empty, empty / "r.html").items == 0
    item = {"item_id": "a", "case_id": "a", "target": MUTE, "factors": Factors()}
    text = write_out(tmp_path / "text", iter([text_row(item, [])]))
    write_report(text, text / "r.html")
    assert "there is no audio" in (text / "r.html").read_text()


@pytest.mark.parametrize(
    ("dataset", "name"),
    [
        ('{"name": "my set"}', "my set"),
        ("[]", "copy"),
        ("{", "copy"),
        ('{"name": 3}', "copy"),
        (None, "copy"),
    ],
)
def test_the_page_is_named(copy: Path, dataset: str | None, name: str) -> None:
    if dataset is None:
        (copy / "dataset.json").unlink()
    else:
        (copy / "dataset.json").write_text(dataset)
    write_report(copy, copy / "r.html")
    assert f"<title>{name} · vgsynth report</title>" in (copy / "r.html").read_text()


def test_memory_does_not_grow_with_the_audio(tmp_path: Path) -> None:
    peaks = []
    for count in (100, 500):
        folder = write_out(tmp_path / str(count), many(count))
        tracemalloc.start()
        write_report(folder, folder / "r.html", inline_budget_bytes=0)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # 400 more items are 45 MB of WAVs and 2 MB of rows.
    assert peaks[1] < peaks[0] + 700_000


def test_every_part_of_the_program_is_in_the_page() -> None:
    assert {f"{part}.js" for part in PARTS} == {path.name for path in TEMPLATES.glob("*.js")}
    for path in TEMPLATES.glob("*.js"):
        assert "</script" not in path.read_text()
        assert "innerHTML" not in path.read_text()


def test_stale_files_behind_a_link_are_left(tmp_path: Path) -> None:
    folder = write_out(tmp_path / "out", everything(switches=1, grids=0))
    elsewhere = tmp_path / "elsewhere" / ("a" * 16)
    elsewhere.mkdir(parents=True)
    (elsewhere / "00000.js").write_text("mine")
    (folder / "report_files").symlink_to(tmp_path / "elsewhere")
    write_report(folder, folder / "report.html")
    assert (elsewhere / "00000.js").read_text() == "mine"
