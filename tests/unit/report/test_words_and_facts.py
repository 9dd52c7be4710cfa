"""One spelling of values, and what two items differ in."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from tests.unit.report.rendered import FAR, blank_row, switch_case
from vgsynth.contract.manifest import ManifestRow, NoiseRow, SegmentRow, read_manifest
from vgsynth.contract.target import ANSWER, MUTE, Target
from vgsynth.report import words
from vgsynth.report.facts import differences, facts, segment_titles
from vgsynth.report.find import find_item


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (MUTE, "[Mute]"),
        (ANSWER, "answer"),
        (Target(kind="tool", tool="stop"), "stop()"),
        (
            Target(kind="tool", tool="set", params={"room": 'k"é', "on": True, "n": 1.5}),
            'set(room="k\\"é", on=true, n=1.5)',
        ),
    ],
)
def test_targets(target: Target, expected: str) -> None:
    assert words.target_words(target) == expected


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (words.samples_words(9_601, 16_000), "0.6001 s (9,601 samples)"),
        (words.gap_words(9_600, 16_000), "600 ms (9,600 samples)"),
        (words.gap_words(9_601, 16_000), "600.0625 ms (9,601 samples)"),
        (words.level_words(-23.004), "-23.00 dBFS"),
        (words.level_words(None), None),
        (words.number(1e6), "1000000"),
        (words.number(0.1 + 0.2), "0.3"),
        (words.span_words(59.94), "59.9 s"),
        (words.span_words(3599.6), "1 h 00 min"),
        (words.span_words(750.2), "12 min 30 s"),
        (words.span_words(11_100), "3 h 05 min"),
        (words.bytes_words(999), "999 B"),
        (words.bytes_words(20_000_000), "20.0 MB"),
        (words.bytes_words(3 * 10**12), "3.0 TB"),
    ],
)
def test_values(made: str | None, expected: str | None) -> None:
    assert made == expected


@pytest.mark.parametrize(
    ("segment", "expected"),
    [
        (SegmentRow(role="r", speaker="s", text="t", spoken="t", engine="kokoro", voice="af"), "kokoro/af"),
        (SegmentRow(role="r", speaker="s", text="t", spoken="t", source_file="a/b.flac"), "a/b.flac"),
        (SegmentRow(role="r", speaker="s", text="t", spoken="t"), None),
    ],
)
def test_voices(segment: SegmentRow, expected: str | None) -> None:
    assert words.voice_words(segment) == expected


def values_of(row: ManifestRow) -> dict[tuple[str, str], str]:
    return {(fact.group, fact.label): fact.value for fact in facts(row)}


def test_facts_name_everything_that_a_reader_asks_for(out: Path) -> None:
    row = find_item(out, "switch-000.switch")
    trigger = row.segments[1]
    found = values_of(row)
    assert found["item", "condition"] == "switch"
    assert found["item", "gap"] == "600 ms"
    assert found["item", "duration"] == words.samples_words(row.length_samples, 16_000)
    assert found["trigger", "start"] == words.samples_words(trigger.start_sample, 16_000)
    assert found["trigger", "voice"] == "kokoro/bm_lewis"
    assert found["trigger", "room"] == "far (shoebox)"
    assert found["trigger", "RT60 measured"] == "0.452 s"
    assert found["trigger", "DRR measured"] == "-1.37 dB"
    assert found["trigger", "level after"] == f"{trigger.level_dbfs:.2f} dBFS"
    assert ("context", "RT60 measured") not in found


def test_text_items_have_no_acoustic_facts(out: Path) -> None:
    groups = {fact.label for fact in facts(find_item(out, "switch-000.text_only"))}
    assert "text" in groups
    assert not groups & {"duration", "peak", "gap before", "level asked", "start", "room"}


def test_noise_limiter_dither_and_silence_are_told() -> None:
    noise = NoiseRow(kind="file", snr_db=10.0, seed=3, level_dbfs=-33.0, file="hum.wav", sha256="0" * 64)
    row = blank_row(
        item_id="a", case_id="a", segments=(), modality="audio", sample_rate_hz=16_000, noise=noise,
        limit_gain_db=-1.5, dither="tpdf",
    )  # fmt: skip
    found = values_of(row)
    assert found["item", "noise"] == "file hum.wav at 10 dB SNR, seed 3"
    assert found["item", "noise level"] == "-33.00 dBFS"
    assert found["item", "limiter"] == "-1.50 dB over the whole clip"
    assert found["item", "dither"] == "tpdf"
    assert found["item", "peak"] == "digital silence"


def test_roles_that_repeat_are_numbered(out: Path) -> None:
    assert segment_titles(find_item(out, "side-000")) == ("context", "reply", "reply 2", "trigger")


def test_a_pair_differs_in_what_was_changed_and_nothing_else() -> None:
    same, switch, _ = (row for row, _ in switch_case(0))
    found = differences((same, switch))
    planned = {(d.group, d.label): d.values for d in found if not d.measured}
    assert planned["item", "target"] == ('set_light(room="kitchen", on=false)', "[Mute]")
    assert planned["trigger", "speaker"] == ("wearer", "bystander")
    assert planned["trigger", "RT60 asked"] == (None, "0.450 s")
    assert not any(d.group == "context" for d in found)
    assert [d.measured for d in found] == sorted(d.measured for d in found)


def test_items_alike_do_not_differ(out: Path) -> None:
    for row in read_manifest(out):
        assert differences((row, row)) == ()


@pytest.mark.parametrize(
    ("change", "label"),
    [
        ({"rt60_s": 0.46}, "RT60 measured"),
        ({"level": "matched"}, "room level"),
        ({"name": "hall"}, "room"),
        ({"drr_db": 0.0}, "DRR measured"),
    ],
)
def test_one_change_is_one_difference(change: dict[str, object], label: str) -> None:
    row = next(row for row, _ in switch_case(0) if row.condition == "switch")
    context, trigger = row.segments
    other = dataclasses.replace(trigger, room=dataclasses.replace(FAR, **change))
    changed = dataclasses.replace(row, segments=(context, other))
    assert [(d.group, d.label) for d in differences((row, changed))] == [("trigger", label)]


def test_members_may_have_other_segments() -> None:
    same, _, _ = (row for row, _ in switch_case(0))
    shorter = dataclasses.replace(same, segments=same.segments[:1])
    found = {(d.group, d.label): d.values for d in differences((same, shorter))}
    assert found["trigger", "speaker"] == ("wearer", None)
