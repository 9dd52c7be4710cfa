"""The report page in a headless Chromium: what a reader would see and do."""

from __future__ import annotations

import base64
import functools
import hashlib
import http.server
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.unit.report.rendered import HOSTILE, everything, many, wav_bytes, write_out
from vgsynth.contract.manifest import ManifestRow, read_manifest
from vgsynth.report.page import write_report
from vgsynth.report.preview import CEILING_DBFS, FLOOR_DBFS

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on the path"),
]
TEMPLATES = Path(__file__).parents[2] / "vgsynth" / "report" / "templates"


@dataclass
class Element:
    """An element of a page as the browser left it."""

    tag: str
    attributes: dict[str, str]
    parent: Element | None = None
    children: list[Element] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text in it."""
        return "".join(self.words)

    def all(self, tag: str | None = None, **attributes: str) -> list[Element]:
        """Descendants with these attributes; ``data_item`` is ``data-item``, ``class_`` one class."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        found = []
        for child in self.children:
            has = all(
                value in child.attributes.get(name, "").split()
                if name == "class"
                else child.attributes.get(name) == value
                for name, value in wanted.items()
            )
            if has and tag in (None, child.tag):
                found.append(child)
            found += child.all(tag, **attributes)
        return found

    def one(self, tag: str | None = None, **attributes: str) -> Element:
        """The only such descendant."""
        (found,) = self.all(tag, **attributes)
        return found


class Tree(HTMLParser):
    """Builds elements from serialised HTML."""

    VOID = frozenset({"meta", "link", "input", "br", "img", "hr"})

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.open = Element("#document", {})
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, parent=self.open)
        self.open.children.append(element)
        if tag not in self.VOID:
            self.open = element

    def handle_endtag(self, tag: str) -> None:
        if tag == self.open.tag and self.open.parent is not None:
            self.open = self.open.parent

    def handle_data(self, data: str) -> None:
        at: Element | None = self.open
        while at is not None:
            at.words.append(data)
            at = at.parent


def browse(address: str, folder: Path) -> Element:
    """Open an address and give the page as it is once its scripts have run."""
    flags = [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--mute-audio",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--dump-dom",
        "--autoplay-policy=no-user-gesture-required", "--virtual-time-budget=10000",
    ]  # fmt: skip
    profile = folder / f"profile-{len(list(folder.iterdir()))}"
    run = subprocess.run(
        [str(CHROMIUM), *flags, f"--user-data-dir={profile}", address],
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr.decode(errors="replace")[-2000:]
    return Tree(run.stdout.decode()).root.one("html")


def listed(page: Element) -> list[str]:
    """The item ids that the list shows."""
    return [item.attributes["data-item"] for item in page.all("li", class_="item")]


def with_driver(page: Path, program: str) -> Path:
    """A copy of a page with a program that acts as its reader, let through by the page's own policy."""
    program = f"""(async () => {{
      const wait = (ms) => new Promise((done) => setTimeout(done, ms));
      const log = [];
      await wait(500);
      {program}
      document.documentElement.dataset.log = JSON.stringify(log);
    }})();"""
    digest = base64.b64encode(hashlib.sha256(program.encode()).digest()).decode()
    html = page.read_text()
    html = html.replace("script-src '", f"script-src 'sha256-{digest}' '", 1)
    copy = page.with_name("driven.html")
    copy.write_text(html.replace("</body>", f"<script>{program}</script></body>"))
    return copy


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_out(tmp_path_factory.mktemp("set") / "out", everything())
    assert write_report(folder, folder / "report.html").embedded
    assert not write_report(folder, folder / "beside.html", inline_budget_bytes=1).embedded
    return folder


FILTERS: dict[str, Callable[[ManifestRow], bool]] = {
    "": lambda row: True,
    "source=different": lambda row: row.factors.source == "different",
    "source=different&distance=near": lambda row: (
        (row.factors.source, row.factors.distance) == ("different", "near")
    ),
    "condition=switch&condition=same_speaker": lambda row: row.condition in ("switch", "same_speaker"),
    "gap=600": lambda row: row.factors.gap_ms == 600,
    "distance=": lambda row: row.factors.distance is None,
    "cell.source=wearer&target=mute": lambda row: (
        row.cell.get("source") == "wearer" and row.target.kind == "mute"
    ),
    "voice=kokoro%2Fbm_lewis": lambda row: any(s.voice == "bm_lewis" for s in row.segments),
    "tool=set_timer&split=test": lambda row: row.target.tool == "set_timer" and row.split == "test",
    "policy=source_and_proximity&modality=text": lambda row: bool(row.policy) and row.modality == "text",
    "q=KITCHEN+living": lambda row: "kitchen" in row.segments[-1].text and "living" in row.segments[0].text,
    "q=switch-001": lambda row: row.case_id == "switch-001",
    "case=grid-000": lambda row: row.case_id == "grid-000",
    "source=nobody": lambda row: False,
    "unknown=1&family=side_talk": lambda row: row.family == "side_talk",
}


@pytest.fixture(scope="module")
def filtered(out: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """For each address, the ids that the list shows: one browser walks through them all."""
    program = f"""
      for (const address of {json.dumps(list(FILTERS))}) {{
        location.hash = address;
        await wait(50);
        log.push([...document.querySelectorAll(".item")].map((item) => item.dataset.item));
      }}"""
    page = browse(
        with_driver(out / "report.html", program).as_uri() + "#family=hostile", tmp_path_factory.mktemp("b")
    )
    assert page.attributes["data-errors"] == "[]"
    return dict(zip(FILTERS, json.loads(page.attributes["data-log"]), strict=True))


@pytest.mark.parametrize("address", FILTERS)
def test_the_address_filters_the_list(out: Path, filtered: dict[str, list[str]], address: str) -> None:
    assert filtered[address] == [row.item_id for row in read_manifest(out) if FILTERS[address](row)]


@pytest.mark.parametrize("name", ["report.html", "beside.html"])
def test_an_address_opens_filtered(out: Path, tmp_path: Path, name: str) -> None:
    page = browse(f"{(out / name).as_uri()}#source=different&gap=600", tmp_path)
    assert page.attributes["data-errors"] == "[]"
    rows = [
        row for row in read_manifest(out) if (row.factors.source, row.factors.gap_ms) == ("different", 600)
    ]
    assert listed(page) == [row.item_id for row in rows]
    assert len(rows) == 5
    assert f"5 items (of 24), {sum(row.duration_s for row in rows):.1f} s" in page.one(id="status").text


@pytest.mark.parametrize("name", ["report.html", "beside.html"])
def test_a_pair_is_shown_side_by_side(out: Path, tmp_path: Path, name: str) -> None:
    page = browse(f"{(out / name).as_uri()}#item=switch-000.switch", tmp_path)
    assert page.attributes["data-errors"] == "[]"
    panel = page.one(data_panel="switch-000.switch")
    members = panel.all("section", class_="member")
    assert [m.attributes["data-member"] for m in members] == ["switch-000.same_speaker", "switch-000.switch"]
    assert [m.one("button", class_="play").attributes["aria-label"] for m in members] == ["Play A", "Play B"]
    # One axis for both: the longer clip ends at the axis's end, and the context begins and ends at one place.
    rows = {row.item_id: row for row in read_manifest(out)}
    seconds = max(rows[m.attributes["data-member"]].duration_s for m in members)
    for member in members:
        row = rows[member.attributes["data-member"]]
        blocks = member.one(class_="track").all("div", class_="block")
        for block, segment in zip(blocks, row.segments, strict=True):
            style = dict(re.findall(r"(left|width): ([\d.]+)%", block.attributes["style"]))
            assert float(style["left"]) == pytest.approx(segment.start_sample / 160 / seconds, abs=0.001)
            assert float(style["width"]) == pytest.approx(segment.length_samples / 160 / seconds, abs=0.001)
    tables = panel.all("table", data_facts="differ")
    differing = {row.attributes.get("data-fact", "") for table in tables for row in table.all("tr")}
    assert {
        "item/target",
        "trigger/speaker",
        "trigger/voice",
        "trigger/room",
        "trigger/gap before",
    } <= differing
    assert not any(fact.startswith("context/") for fact in differing)
    same = {row.attributes.get("data-fact") for row in panel.one("table", data_facts="same").all("tr")}
    assert {"context/stem", "context/text", "trigger/text"} <= same


def test_audio_is_decoded_to_the_sample(out: Path, tmp_path: Path) -> None:
    rows = {row.item_id: row for row in read_manifest(out)}
    page = browse(f"{(out / 'report.html').as_uri()}#item=switch-001.switch", tmp_path)
    readings = page.all("p", class_="read")
    assert len(readings) == 2
    for reading in readings:
        row = rows[reading.attributes["data-read"]]
        assert int(reading.attributes["data-samples"]) == row.length_samples
        assert float(reading.attributes["data-seconds"]) == row.duration_s
        assert "as in the row" in reading.text


def test_audio_that_contradicts_its_row_is_pointed_out(out: Path, tmp_path: Path) -> None:
    html = (out / "report.html").read_text()
    row = next(row for row in read_manifest(out) if row.item_id == "side-000")
    entry = f"16000,{row.length_samples},"
    assert entry in html
    page = tmp_path / "wrong.html"
    page.write_text(html.replace(entry, f"16000,{row.length_samples + 1},"))
    reading = browse(f"{page.as_uri()}#family=side_talk&item=side-000", tmp_path).one("p", class_="read")
    assert "but the row says" in reading.text
    assert "off" in reading.attributes["class"].split()


@pytest.mark.parametrize("policy", ["kept", "removed"])
@pytest.mark.parametrize("name", ["report.html", "beside.html"])
def test_hostile_text_is_only_text(out: Path, tmp_path: Path, name: str, policy: str) -> None:
    driven = with_driver(
        out / name, "log.push(String(window.pwned), document.querySelectorAll('img,iframe,object').length);"
    )
    if policy == "removed":
        # What is escaped must not lean on the policy.
        html = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", driven.read_text())
        driven.write_text(html)
    page = browse(f"{driven.as_uri()}#family=hostile&item=hostile-1&with=hostile-0", tmp_path)
    assert page.attributes["data-errors"] == "[]"
    assert json.loads(page.attributes["data-log"]) == ["undefined", 0]
    said = [item.text for item in page.one(data_panel="hostile-1").all("span", dir="auto")]
    assert HOSTILE[1] in said
    assert HOSTILE[0] in said
    assert not any(
        "onclick" in element.attributes or element.attributes.get("src") == "x" for element in page.all()
    )
    assert not [element for element in page.all("i") if element.text == "wearer"]


def test_text_items_say_that_they_have_no_audio(out: Path, tmp_path: Path) -> None:
    page = browse(f"{(out / 'report.html').as_uri()}#item=switch-000.text_only&with=", tmp_path)
    member = page.one("section", class_="member")
    assert "there is no audio" in member.text
    assert not member.all("figure")
    assert not member.all("button", class_="play")


def test_a_reader_can_act(out: Path, tmp_path: Path) -> None:
    driven = with_driver(
        out / "report.html",
        """
        const found = () => document.documentElement.dataset.found;
        log.push(found());
        document.querySelector('[data-facet="distance"][data-value="far"]').click();
        log.push(found(), location.hash.includes("distance=far"));
        const opener = document.querySelector('[data-item="switch-000.switch"] .open-item');
        opener.click();
        await wait(400);
        log.push(opener.getAttribute("aria-expanded"), document.querySelectorAll(".member").length);
        const plays = [...document.querySelectorAll(".member .play")];
        const labels = () => plays.map((button) => button.getAttribute("aria-label")).join();
        plays[0].click();
        await wait(300);
        log.push(labels());
        plays[1].click();
        await wait(300);
        log.push(labels());
        plays[1].click();
        await wait(300);
        log.push(labels());
        const slider = document.querySelectorAll("[role=slider]")[0];
        const press = (key) => slider.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        press("Home");
        press("ArrowRight");
        press("ArrowRight");
        log.push(slider.getAttribute("aria-valuenow"));
        press("End");
        log.push(slider.getAttribute("aria-valuenow") === slider.getAttribute("aria-valuemax"));
        opener.click();
        await wait(200);
        log.push(opener.getAttribute("aria-expanded"), document.querySelectorAll(".member").length);
        const box = document.getElementById("search");
        box.value = "ana";
        box.dispatchEvent(new Event("input"));
        await wait(400);
        log.push(found(), location.hash);
        document.getElementById("clear").click();
        log.push(found());
        document.querySelector('.counts a[href*="condition=switch&"]').click();
        await wait(300);
        log.push(found());
        history.back();
        await wait(300);
        log.push(found());
        """,
    )
    page = browse(f"{driven.as_uri()}#family=speaker_switch&family=control_grid", tmp_path)
    assert page.attributes["data-errors"] == "[]"
    assert json.loads(page.attributes["data-log"]) == [
        "17", "7", True, "true", 2, "Pause A,Play B", "Play A,Pause B", "Play A,Play B", "0.200", True,
        "false", 0, "1", "#family=control_grid&family=speaker_switch&distance=far&q=ana", "24", "3", "24",
    ]  # fmt: skip


def test_a_page_with_audio_beside_it_says_what_is_missing(out: Path, tmp_path: Path) -> None:
    (tmp_path / "alone.html").write_bytes((out / "beside.html").read_bytes())
    page = browse(f"{(tmp_path / 'alone.html').as_uri()}#item=switch-000.switch", tmp_path)
    trouble = page.one("li", data_item="switch-000.switch").one("p", class_="trouble")
    assert "beside_files" in trouble.text
    assert "must lie beside this page" in trouble.text
    assert listed(page)


@pytest.fixture
def served(out: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(out)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_served_pages_decode_the_wavs(served: str, out: Path, tmp_path: Path) -> None:
    page = browse(f"{served}/beside.html#family=side_talk&item=side-000", tmp_path)
    assert page.attributes["data-errors"] == "[]"
    row = next(row for row in read_manifest(out) if row.item_id == "side-000")
    assert int(page.one("p", class_="read").attributes["data-samples"]) == row.length_samples


def test_a_large_set_is_shown_in_pages(tmp_path: Path) -> None:
    folder = write_out(tmp_path / "out", many(2_500))
    # The rows' ids all name two WAVs, so the audio beside the page stays small.
    assert not write_report(folder, folder / "report.html").embedded
    page = browse(f"{(folder / 'report.html').as_uri()}#source=different&page=3", tmp_path)
    assert page.attributes["data-errors"] == "[]"
    assert listed(page) == [f"case-{n:05d}.switch" for n in range(200, 300)]
    assert "201–300 of 1,250 items (of 2,500)" in page.one(id="status").text
    opened = browse(f"{(folder / 'report.html').as_uri()}#item=case-01100.switch", tmp_path)
    assert opened.attributes["data-panel"] == "open"
    assert "case-01100.switch" in listed(opened)


def in_scratch(tmp_path: Path, parts: list[str], program: str) -> Any:
    """Run a program beside parts of the page's own, and give what it logs."""
    page = tmp_path / "scratch.html"
    scripts = "\n".join((TEMPLATES / f"{part}.js").read_text() for part in parts)
    page.write_text(
        f"<!doctype html><meta charset=utf-8><script>{scripts}\n"
        f"document.documentElement.dataset.log = JSON.stringify((() => {{ {program} }})());</script>"
    )
    return json.loads(browse(page.as_uri(), tmp_path).attributes["data-log"])


def test_the_spectrogram_has_the_levels_of_an_independent_one(tmp_path: Path) -> None:
    from scipy.signal import ShortTimeFFT
    from scipy.signal.windows import hann

    rng = np.random.default_rng(3)
    t = np.arange(4096) / 16_000
    samples = (0.5 * np.sin(2 * np.pi * 1000 * t) + 0.01 * rng.standard_normal(t.size)).astype(np.float32)
    log = in_scratch(
        tmp_path,
        ["spectrum"],
        f"const s = spectrogram(Float32Array.from({samples.tolist()}), 16000, 8);"
        "return [s.bins, Array.from(s.levels), FLOOR_DBFS, CEILING_DBFS];",
    )
    assert log[0] == 256
    assert log[2:] == [FLOOR_DBFS, CEILING_DBFS]
    levels = np.array(log[1]).reshape(8, 256)
    assert levels[3, 32] == pytest.approx(20 * np.log10(0.5), abs=0.1)  # 1 kHz is bin 32
    # Columns are centred on samples 256, 768, ...; slices of the signal from there, on multiples of 512.
    transform = ShortTimeFFT(hann(512, sym=False), hop=512, fs=16_000, scale_to="magnitude")
    expected = 20 * np.log10(2 * np.abs(transform.stft(samples[256:], p0=1, p1=7)[:256]))
    assert levels[1:7] == pytest.approx(expected.T, abs=0.05)


WAVS: dict[str, tuple[Callable[[bytes], bytes], Any]] = {
    "plain": (lambda data: data, [16_000, 5, -1.0]),
    "a list before the samples": (
        lambda data: data[:36] + b"LIST\x03\0\0\0abc\0" + data[36:],
        [16_000, 5, -1.0],
    ),
    "size of a stream": (lambda data: data[:40] + b"\xff\xff\xff\xff" + data[44:], [16_000, 5, -1.0]),
    "stereo": (lambda data: data[:22] + b"\x02" + data[23:], "not 16-bit mono PCM"),
    "no WAV": (lambda data: b"OggS" + data[4:], "not a WAV file"),
    "nothing": (lambda data: b"", "not a WAV file"),
    "cut before the samples": (lambda data: data[:36], "no samples in the file"),
}


@pytest.fixture(scope="module")
def read_wavs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the page's reader makes of each file: rate, count and first sample, or its complaint."""
    plain = wav_bytes(np.array([-32768, 0, 1, 32767, -1], dtype="<i2"))
    files = [base64.b64encode(make(plain)).decode() for make, _ in WAVS.values()]
    log = in_scratch(
        tmp_path_factory.mktemp("wavs"),
        ["wav"],
        f"return {json.dumps(files)}.map((file) => {{ try {{ const w = decodeWav(bytesOf(file));"
        "return [w.rate, w.samples.length, w.samples[0]]; } catch (error) { return error.message; } });",
    )
    return dict(zip(WAVS, log, strict=True))


@pytest.mark.parametrize("name", WAVS)
def test_wavs_are_read_exactly(read_wavs: dict[str, Any], name: str) -> None:
    assert read_wavs[name] == WAVS[name][1]
