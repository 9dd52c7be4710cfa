"""``show``: one item in the terminal."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from vgsynth.contract.manifest import ManifestRow, read_manifest
from vgsynth.contract.problems import InputError
from vgsynth.report.find import find_item, find_pair
from vgsynth.report.show import item_json, show_item


def shown(out: Path, item_id: str, encoding: str = "utf-8", **options: object) -> str:
    buffer = io.BytesIO()
    stream = io.TextIOWrapper(buffer, encoding=encoding, newline="\n")
    show_item(out, item_id, console=Console(file=stream, **options))  # type: ignore[arg-type]
    stream.flush()
    return buffer.getvalue().decode(encoding)


def test_piped_output_is_plain_and_has_one_width(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    wide = shown(out, "switch-000.switch")
    monkeypatch.setenv("COLUMNS", "20")
    assert shown(out, "switch-000.switch") == wide
    assert "\x1b" not in wide
    picture = wide.split("\nitem\n")[0]
    assert max(map(len, picture.splitlines())) <= 100


def test_it_says_what_the_row_says(out: Path) -> None:
    row = find_item(out, "switch-000.switch")
    lines = [line.strip() for line in shown(out, "switch-000.switch").splitlines()]
    trigger = row.segments[1]
    for expected in (
        "target       [Mute]",
        "distance     far",
        f"start          {trigger.start_sample / 16_000:.4f} s ({trigger.start_sample:,} samples)",
        f"level after    {trigger.level_dbfs:.2f} dBFS",
        "RT60 measured  0.452 s",
        "DRR measured   -1.37 dB",
        f"WAV sha256   {row.wav_sha256}",
        "pair switch-000.pair",
        "with switch-000.same_speaker (this item -> that item)",
        "trigger speaker        bystander -> wearer",
        "gap                    600 ms -> 0 ms",
        "same stems             1 of 2",
    ):
        assert expected in lines


def test_long_values_stay_on_one_line_where_piped(out: Path) -> None:
    text = find_item(out, "hostile-5").segments[0].text
    assert any(line.endswith(f"text           {text}") for line in shown(out, "hostile-5").splitlines())


@pytest.mark.parametrize("width", [40, 70, 200])
def test_a_terminal_gets_its_width_and_colour(out: Path, width: int) -> None:
    text = shown(out, "switch-001.switch", force_terminal=True, width=width, color_system="standard")
    assert "\x1b[" in text
    plain = shown(
        out, "switch-001.switch", force_terminal=True, width=width, no_color=True, color_system=None
    )
    assert "\x1b" not in plain
    assert max(map(len, plain.splitlines())) <= width


@pytest.mark.parametrize("item", [f"hostile-{n}" for n in range(6)])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252"])
def test_hostile_text_in_any_encoding(out: Path, item: str, encoding: str) -> None:
    text = shown(out, item, encoding)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert text.splitlines()[0] == item


def test_ascii_terminals_get_ascii_pictures(out: Path) -> None:
    assert shown(out, "switch-000.switch", "ascii").isascii()


def test_text_items_have_no_picture(out: Path) -> None:
    text = shown(out, "switch-000.text_only")
    assert "█" not in text
    assert "Turn off the kitchen lights." in text


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda wav: wav.unlink(), "(the WAV is missing)"),
        (lambda wav: wav.write_bytes(b"RIFF"), "(the WAV cannot be read: it ends too early)"),
        (lambda wav: wav.write_bytes(wav.read_bytes()[:-2]), "samples of its row)"),
    ],
)
def test_a_wav_that_is_off_is_said(out: Path, tmp_path: Path, spoil, said: str) -> None:  # type: ignore[no-untyped-def]
    copy = Path(shutil.copytree(out, tmp_path / "out"))
    spoil(copy / "wav" / "side-000.wav")
    text = shown(copy, "side-000")
    assert said in text
    assert "duration" in text


def test_json_gives_the_row_back(out: Path) -> None:
    for row in read_manifest(out):
        text = item_json(out, row.item_id)
        text.encode()
        assert text.count("\n") == 1
        assert ManifestRow.from_json(json.loads(text)) == row


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("switch-000.swicth", "did you mean switch-000.switch or"),
        ("side-001", "did you mean side-000?"),
        ("zzzzzzzzzzzzzzzzzzzz", "vgsynth report shows what there is"),
        ("", "vgsynth report shows what there is"),
    ],
)
def test_unknown_items_are_answered_with_the_nearest(out: Path, asked: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        find_item(out, asked)
    assert said in str(caught.value)
    assert str(out / "manifest.jsonl") in str(caught.value)


def test_a_text_that_is_like_an_id_is_not_taken_for_it(out: Path, tmp_path: Path) -> None:
    rows = list(read_manifest(out))
    lines = [json.dumps(row.to_json() | {"family": "side-000"}) for row in rows]
    (tmp_path / "manifest.jsonl").write_text("\n".join(lines) + "\n")
    assert find_item(tmp_path, "side-000").item_id == "side-000"


def test_pairs_are_found_from_either_side(out: Path) -> None:
    names = ("switch-001.same_speaker", "switch-001.switch")
    for one, other in (names, names[::-1]):
        assert [row.item_id for row in find_pair(out, find_item(out, one))] == [other]
    assert find_pair(out, find_item(out, "switch-001.text_only")) == ()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot read the manifest"),
        (b'{"item_id":"a"}\n', ":1  not a manifest row"),
        (b"\xff\xfe", "not a manifest"),
    ],
)
def test_damaged_manifests(tmp_path: Path, content: bytes | None, said: str) -> None:
    if content is not None:
        (tmp_path / "manifest.jsonl").write_bytes(content)
    with pytest.raises(InputError) as caught:
        find_item(tmp_path, "a")
    assert said in str(caught.value)
