"""Text and pictures for a terminal."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.report.rendered import Part, audio_row
from vgsynth.contract.manifest import Factors, ManifestRow
from vgsynth.contract.target import MUTE
from vgsynth.report.terminal import (
    ASCII,
    UNICODE,
    axis_lines,
    envelope_line,
    label_lines,
    printable,
    segment_line,
)


def row_of(*parts: Part) -> ManifestRow:
    row, _ = audio_row({"item_id": "a", "case_id": "a", "target": MUTE, "factors": Factors()}, parts)
    return row


@pytest.mark.parametrize(
    ("text", "encoding", "expected"),
    [
        ("plain – é", "utf-8", "plain – é"),
        ("\x1b[31mred\x07", "utf-8", "\\x1b[31mred\\x07"),
        ("a\nb\u2028c", "utf-8", "a\\nb\\u2028c"),
        ("\u202ereversed", "utf-8", "\\u202ereversed"),
        ("lone \ud800", "utf-8", "lone \\ud800"),
        ("שלום", "utf-8", "שלום"),
        ("é–", "latin-1", "é\\u2013"),
        ("é", "ascii", "\\xe9"),
    ],
)
def test_text_is_made_safe(text: str, encoding: str, expected: str) -> None:
    assert printable(text, encoding) == expected


@given(st.text(), st.sampled_from(["utf-8", "ascii", "cp1252"]))
def test_no_text_steers_the_terminal(text: str, encoding: str) -> None:
    safe = printable(text, encoding)
    assert safe.encode(encoding).decode(encoding) == safe
    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in safe)
    assert len(safe.splitlines()) <= 1


@pytest.mark.parametrize(
    ("peak", "expected"),
    [
        (0, "    "),
        (32767, "████"),
        (round(32768 * 10 ** (-31 / 20)), "▄▄▄▄"),
        (round(32768 * 10 ** (-29 / 20)), "▅▅▅▅"),
        (round(32768 * 10 ** (-59 / 20)), "▁▁▁▁"),
        (round(32768 * 10 ** (-61 / 20)), "    "),
        (-32768, "████"),
    ],
)
def test_envelope(peak: int, expected: str) -> None:
    pcm = np.zeros(400, np.int16)
    pcm[50::100] = peak
    assert envelope_line(pcm, 4, UNICODE) == expected


@given(st.lists(st.integers(-32768, 32767)), st.integers(1, 200))
def test_pictures_have_the_width_asked_for(values: list[int], width: int) -> None:
    assert len(envelope_line(np.array(values, np.int16), width, ASCII)) == width


def test_segments_are_to_scale() -> None:
    near = Part(role="context", speaker="w", text="a" * 40, voice="af_aoede")
    far = Part(role="trigger", speaker="b", text="b" * 30, voice="bm_lewis", far=True, gap_ms=600)
    row = row_of(near, far)
    line = segment_line(row, 200, UNICODE)
    assert len(line) == 200
    for glyph, (start, length) in {
        "█": (0, row.segments[0].length_samples),
        "▓": (row.segments[1].start_sample, row.segments[1].length_samples),
        "░": (row.segments[1].start_sample + row.segments[1].length_samples, row.segments[1].tail_samples),
    }.items():
        assert line.index(glyph) == pytest.approx(200 * start / row.length_samples, abs=1)
        assert line.count(glyph) == pytest.approx(200 * length / row.length_samples, abs=1.01)


@pytest.mark.parametrize("width", [20, 40, 96, 300])
def test_labels_are_all_there_and_do_not_touch(width: int) -> None:
    parts = [
        Part(role=f"turn{n}", speaker="w", text="abc" * (n + 1), voice="af_aoede", gap_ms=37 * n)
        for n in range(5)
    ]
    row = row_of(*parts)
    lines = label_lines(row, width)
    text = "\n".join(lines)
    assert all(len(line) <= width for line in lines)
    for n in range(5):
        assert f"turn{n}: w, af_aoede"[:width] in text
        assert n == 0 or f"<{37 * n} ms>" in text
    assert not any(f"af_aoede{next_}" in text for next_ in "<t")


@pytest.mark.parametrize("seconds", [0.01, 0.3, 2.0, 59.0, 3600.0])
def test_the_axis_marks_round_seconds_where_they_are(seconds: float) -> None:
    row = row_of(Part(role="r", speaker="s", text="abc", voice="af_aoede"))
    row = type(row)(
        **{f: getattr(row, f) for f in row.__slots__} | {"length_samples": round(seconds * 16_000)}
    )
    rule, numbers = axis_lines(row, 96, ASCII)
    assert len(rule) == 96
    assert len(numbers) <= 96
    assert numbers.startswith("0 s")
    assert rule[0] == "+"
    for word in numbers.split()[2:]:
        at = numbers.index(f" {word}") + 1
        assert rule[at] == "+"
        assert at == pytest.approx(96 * float(word) / seconds, abs=1)
