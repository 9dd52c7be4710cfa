"""Loading: what a spec becomes, defaults and their order, `extends`, paths, and all problems at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from vgsynth.contract.problems import InputError
from vgsynth.spec.config import resolved_yaml
from vgsynth.spec.load import load_spec
from vgsynth.spec.model import SegmentSpec, Spec

HEAD = "vgsynth: 1\nname: s\nseed: 1\nspeakers: {a: {voices: kokoro/af_aoede}, b: {voices: kokoro/am_eric}}\n"
SCENE = "scenes: [{condition: c, segments: [{role: trigger, speaker: a, say: Go.}]}]\n"


def write(folder: Path, **files: str) -> Path:
    """Files by name (``__`` for a slash, ``_`` before the ending for a dot); the first is returned."""
    paths = []
    for name, text in files.items():
        stem, _, ending = name.replace("__", "/").rpartition("_")
        path = folder / f"{stem}.{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths[0]


def load(folder: Path, **files: str) -> Spec:
    return load_spec(write(folder, **files))


def segment(spec: Spec, scene: int = 0, index: int = 0) -> SegmentSpec:
    return spec.scenes[scene].segments[index]


def said(file: Path) -> list[str]:
    with pytest.raises(InputError) as raised:
        load_spec(file)
    return [
        f"{os.path.relpath(p.place.file, file.parent)}:{p.place.line}:{p.place.column} {p.path}: {p.message}"
        for p in raised.value.problems
    ]


def test_defaults_of_the_language(tmp_path: Path) -> None:
    spec = load(tmp_path, s_yaml=HEAD + SCENE)
    first = segment(spec)
    assert (spec.name, spec.family, spec.seed, spec.root) == ("s", "s", 1, tmp_path.resolve())
    assert (first.level_dbfs, first.fade_ms, first.trim) == (-23.0, 5, {"threshold_db": 40, "pad_ms": 10})
    assert (first.room, first.gap_before_ms, first.gap_path, first.play) == ("near", 0, None, None)
    assert spec.rooms == {
        "near": {"kind": "dry", "distance": "near", "level": "attenuated", "gain_db": 0.0, "lowpass_hz": None}
    }
    scene = spec.scenes[0]
    assert (scene.modality, scene.policy, scene.target, scene.noise) == ("audio", None, None, None)
    assert (scene.repeats, scene.gap_after_ms, scene.when) == (1, 0, {})
    assert (spec.output.sample_rate_hz, spec.output.dither, spec.output.limit) == (16_000, "none", "error")
    assert (spec.grid, spec.pairs, spec.splits, len(spec.tools)) == (None, (), None, 0)


def test_rooms_are_filled_in(tmp_path: Path) -> None:
    rooms = (
        "rooms:\n  far: {kind: shoebox, size_m: [6, 5, 3], rt60_s: {uniform: [0.3, 0.5]}, travel: keep,"
        " source_m: [4, 2, 1.5], mic_m: [1, 2, 1.2]}\n  desk: {kind: rir, path: desk.wav, distance: near}\n"
    )
    write(tmp_path, desk_wav="")
    spec = load(tmp_path, s_yaml=HEAD + rooms + SCENE.replace("say:", "room: far, say:"))
    assert spec.rooms["far"] == {
        "kind": "shoebox", "size_m": [6, 5, 3], "rt60_s": {"uniform": [0.3, 0.5]}, "source_m": [4, 2, 1.5],
        "mic_m": [1, 2, 1.2], "reference_m": 0.3, "distance": "far", "level": "attenuated", "gain_db": 0.0,
        "lowpass_hz": None, "travel": "keep", "tail": "ring",
    }  # fmt: skip
    assert spec.rooms["desk"] == {
        "kind": "rir", "path": "desk.wav", "channel": 0, "distance": "near", "level": "attenuated",
        "gain_db": 0.0, "lowpass_hz": None, "travel": "remove", "tail": "ring",
    }  # fmt: skip


LAYERS = ["level: {dbfs: -1}\n", "defaults.scene", "defaults.segment", "scene", "segment"]


@pytest.mark.parametrize("used", range(len(LAYERS)))
def test_the_nearest_level_counts_and_keys_merge(used: int, tmp_path: Path) -> None:
    """Each layer sets dbfs to its own number; the top alone sets the fade, which stays."""
    numbers = [-10 - i for i in range(used + 1)]
    level = [f"level: {{dbfs: {n}}}" if i <= used else "" for i, n in enumerate([*numbers, *[0] * 5][:5])]
    text = HEAD + f"level: {{dbfs: {numbers[0]}, fade_ms: 9}}\n"
    text += f"defaults: {{scene: {{{level[1]}}}, segment: {{{level[2]}}}}}\n"
    own = f", {level[4]}" if level[4] else ""
    text += f"scenes:\n  - condition: c\n    segments: [{{role: trigger, speaker: a, say: Go.{own}}}]\n"
    text += f"    {level[3]}\n" if level[3] else ""
    found = segment(load(tmp_path, s_yaml=text))
    assert (found.level_dbfs, found.fade_ms) == (numbers[-1], 9)


@pytest.mark.parametrize(
    ("top", "scene", "own", "trim"),
    [
        ("none", "", "", None),
        ("{pad_ms: 0}", "", "", {"threshold_db": 40, "pad_ms": 0}),
        ("{pad_ms: 0}", "none", "", None),
        ("{pad_ms: 0}", "none", "{threshold_db: 30}", {"threshold_db": 30, "pad_ms": 10}),
        ("none", "{threshold_db: 50}", "{pad_ms: 1}", {"threshold_db": 50, "pad_ms": 1}),
    ],
)
def test_trim_merges_down_to_the_nearest_none(
    top: str, scene: str, own: str, trim: Any, tmp_path: Path
) -> None:
    text = HEAD + f"trim: {top}\nscenes:\n  - condition: c\n"
    text += f"    segments: [{{role: trigger, speaker: a, say: Go.{f', trim: {own}' if own else ''}}}]\n"
    text += f"    trim: {scene}\n" if scene else ""
    assert segment(load(tmp_path, s_yaml=text)).trim == trim


def test_boundaries_become_gaps(tmp_path: Path) -> None:
    scenes = """scenes:
  - condition: c
    segments:
      - {gap_ms: 100}
      - {role: x, speaker: a, say: One.}
      - {role: y, speaker: a, say: Two.}
      - {gap_ms: {uniform: [1, 2]}}
      - {role: z, speaker: a, say: Three.}
      - {gap_ms: 300}
"""
    scene = load(tmp_path, s_yaml=HEAD + scenes).scenes[0]
    assert [(s.role, s.gap_before_ms) for s in scene.segments] == [
        ("x", 100), ("y", 0), ("z", {"uniform": [1, 2]}),
    ]  # fmt: skip
    assert [s.gap_path for s in scene.segments] == [
        ("scenes", 0, "segments", 0, "gap_ms"), None, ("scenes", 0, "segments", 3, "gap_ms"),
    ]  # fmt: skip
    assert scene.gap_after_ms == 300


def test_like_takes_segments_and_sound_and_change_changes(tmp_path: Path) -> None:
    scenes = """rooms: {near: {kind: dry}, far: {kind: dry, distance: far}}
scenes:
  - condition: base
    noise: {kind: pink, snr_db: 20}
    level: {dbfs: -30}
    target: mute
    segments:
      - {role: x, speaker: a, say: One., room: near, settings: {speed: 1.1}}
      - {gap_ms: 0}
      - {role: trigger, speaker: a, say: Two., room: near}
      - {gap_ms: 50}
  - condition: first
    change:
      trigger.speaker: b
      trigger.room: far
      boundary.gap_ms: 600
      x.settings.speed: 0.9
      x.level.fade_ms: 1
      noise.snr_db: 5
  - {condition: quiet, like: base, noise: none, gap_after_ms: 0, modality: text}
"""
    base, first, quiet = load(tmp_path, s_yaml=HEAD + scenes).scenes
    x, trigger = first.segments
    assert (trigger.speaker, trigger.room, trigger.gap_before_ms, trigger.level_dbfs) == (
        "b",
        "far",
        600,
        -30,
    )
    assert (x.settings, x.fade_ms, x.say) == ({"speed": 0.9}, 1, "One.")
    assert first.noise == {"per": "case", "kind": "pink", "snr_db": 5}
    assert (first.target, base.target, first.gap_after_ms) == (None, "mute", 50)
    assert base.segments[1].room == "near"
    assert (quiet.noise, quiet.gap_after_ms, quiet.modality) == (None, 0, "text")
    assert [s.say for s in quiet.segments] == ["One.", "Two."]


def test_say_and_play_replace_each_other(tmp_path: Path) -> None:
    scenes = """defaults: {segment: {speaker: a, play: x.wav, text: Recorded.}}
scenes:
  - condition: c
    segments:
      - {role: one}
      - {role: two, say: Spoken.}
  - {condition: d, change: {one.say: Said.}}
"""
    write(tmp_path, x_wav="")
    spec = load(tmp_path, s_yaml=HEAD + scenes)
    assert [(s.say, s.play, s.text) for s in spec.scenes[0].segments] == [
        (None, "x.wav", "Recorded."), ("Spoken.", None, None),
    ]  # fmt: skip
    assert (segment(spec, 1).say, segment(spec, 1).play, segment(spec, 1).text) == ("Said.", None, None)


def test_grid_levels_are_named_as_written(tmp_path: Path) -> None:
    grid = """grid:
  gap: {boundary.gap_ms: [0, 0.50, 1e2]}
  who: {trigger.speaker: {wearer: a, other: b}}
  both: {levels: {soft: {trigger.level.dbfs: -30, x.level.dbfs: -30}, loud: {trigger.level.dbfs: -20}}}
  exclude: [{gap: 0.50, who: wearer}]
  include: [{gap: 0.50, who: wearer, both: soft}]
scenes:
  - condition: c
    segments: [{role: x, speaker: a, say: One.}, {role: trigger, speaker: a, say: Two.}]
  - {condition: words, modality: text}
"""
    spec = load(tmp_path, s_yaml=HEAD + grid)
    assert spec.grid is not None
    assert spec.grid.of == ("c",)
    gap, who, both = spec.grid.axes
    assert [(level, dict(changes)) for level, changes in gap.levels] == [
        ("0", {"boundary.gap_ms": 0}),
        ("0.50", {"boundary.gap_ms": 0.5}),
        ("1e2", {"boundary.gap_ms": 100.0}),
    ]
    assert dict(who.levels) == {"wearer": {"trigger.speaker": "a"}, "other": {"trigger.speaker": "b"}}
    assert dict(both.levels)["soft"] == {"trigger.level.dbfs": -30, "x.level.dbfs": -30}
    assert spec.grid.exclude == ({"gap": "0.50", "who": "wearer"},)
    assert spec.grid.include == ({"gap": "0.50", "who": "wearer", "both": "soft"},)


# -- extends, root, paths ------------------------------------------------------------------------------------


def test_extends_merges_in_order_and_null_removes(tmp_path: Path) -> None:
    spec = load(
        tmp_path,
        s_yaml="vgsynth: 1\nname: own\nextends: [one.yaml, two.yaml]\nlevel: {dbfs: -20}\nnoise: null\n"
        "rooms: {far: {kind: dry, distance: far}, gone: null}\n",
        one_yaml=HEAD + SCENE.replace("say:", "room: near, say:") + "level: {dbfs: -30, fade_ms: 1}\n"
        "noise: {kind: pink, snr_db: 3}\nrooms: {near: {kind: dry}, gone: {kind: dry},"
        " far: {kind: shoebox, size_m: [1, 1, 1], rt60_s: 1, source_m: [0, 0, 0], mic_m: [1, 1, 1]}}\n",
        two_yaml="seed: 2\nlevel: {fade_ms: {uniform: [1, 2]}}\n",
    )
    assert (spec.name, spec.seed) == ("own", 2)
    assert (segment(spec).level_dbfs, segment(spec).fade_ms) == (-20, {"uniform": [1, 2]})
    assert spec.scenes[0].noise is None
    assert list(spec.rooms) == ["near", "far"]
    assert spec.rooms["far"]["kind"] == "dry"


def test_a_distribution_replaces_what_was_there(tmp_path: Path) -> None:
    spec = load(
        tmp_path,
        s_yaml="vgsynth: 1\nname: own\nextends: one.yaml\nlevel: {dbfs: {choice: [-20, -30]}}\n",
        one_yaml=HEAD + SCENE + "level: {dbfs: {uniform: [-30, -20], per: case}}\n",
    )
    assert segment(spec).level_dbfs == {"choice": [-20, -30]}


def test_paths_become_relative_to_the_root(tmp_path: Path) -> None:
    """Each is written relative to its own file, wherever it stands."""
    tool = "tools: [{name: t, description: d, parameters: {type: object}}]\n"
    write(
        tmp_path, rir_wav="", sub__x_wav="", sub__deep__y_wav="", sub__deep__noise_wav="", base__z_wav="",
        base__cases_jsonl='{"id": "a"}\n', base__tools_yaml=tool,
        base__pools_yaml="p: [{engine: recordings, name: v, path: 'rec/{case.id}.wav'}]\n",
        base__b_yaml="extends: c.yaml\npools: pools.yaml\ncases: {from: cases.jsonl}\ntools: tools.yaml\n",
        base__c_yaml="defaults: {segment: {play: z.wav}}\n",
    )  # fmt: skip
    file = write(
        tmp_path,
        sub__deep__s_yaml="""vgsynth: 1
name: s
seed: 1
root: ../..
extends: ../../base/b.yaml
rooms: {near: {kind: dry}, r: {kind: rir, path: ../../rir.wav}}
speakers: {a: {voices: p, settings: {path: "{case.wav}"}}}
noise: {kind: file, path: noise.wav, snr_db: 3}
scenes:
  - condition: c
    segments: [{role: one, room: near}, {role: two, room: near, play: {choice: [y.wav, ../x.wav]}}]
  - {condition: d, change: {one.play: ../x.wav, noise.path: y.wav}}
grid: {of: [d], g: {two.play: [y.wav]}, h: {noise: {n: {kind: file, path: y.wav, snr_db: 1}}}}
""",
    )
    spec = load_spec(file)
    assert spec.root == tmp_path.resolve()
    assert spec.document["tools"] == "base/tools.yaml"
    assert spec.document["cases"] == {"from": "base/cases.jsonl"}
    assert spec.rooms["r"]["path"] == "rir.wav"
    assert spec.speakers["a"].voices[0].settings == {"path": "base/rec/{case.id}.wav"}
    assert spec.speakers["a"].settings == {"path": "sub/deep/{case.wav}"}
    one, two = spec.scenes[0].segments
    assert (one.play, two.play) == ("base/z.wav", {"choice": ["sub/deep/y.wav", "sub/x.wav"]})
    assert spec.scenes[1].segments[0].play == "sub/x.wav"
    assert [dict(s.noise or {})["path"] for s in spec.scenes] == ["sub/deep/noise.wav", "sub/deep/y.wav"]
    assert spec.grid is not None
    assert dict(spec.grid.axes[0].levels[0][1]) == {"two.play": "sub/deep/y.wav"}
    assert dict(spec.grid.axes[1].levels[0][1])["noise"]["path"] == "sub/deep/y.wav"
    assert [case.id for case in spec.cases] == ["a"]
    resolved = write(tmp_path, resolved_yaml=resolved_yaml(spec))
    assert load_spec(resolved).document == spec.document


def test_extends_that_goes_round(tmp_path: Path) -> None:
    file = write(tmp_path, s_yaml="extends: one.yaml\n" + HEAD + SCENE, one_yaml="extends: s.yaml\n")
    assert said(file) == ["one.yaml:1:10 extends: extends goes round in a circle: s.yaml → one.yaml → s.yaml"]


def test_problems_of_an_extended_file_name_that_file(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        s_yaml="extends: [one.yaml, no.yaml, 3]\n" + HEAD + SCENE,
        one_yaml="level:\n  dbs: 1\nx: [1\n",
    )
    assert said(file) == ["s.yaml:1:30 extends: must be a path or a list of paths"]
    file.write_text(file.read_text().replace(", 3]", "]"))
    assert said(file) == [
        "one.yaml:3:4 : a list opened here with [ is not closed",
        f"s.yaml:1:21 extends: {tmp_path}/no.yaml: there is no such file",
    ]
    write(tmp_path, one_yaml="level:\n  dbs: 1\n", no_yaml="")
    assert said(file) == ["no.yaml:1:1 : the file is empty", "one.yaml:2:3 level.dbs: unknown key 'dbs'"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("../x.wav", "'../x.wav' leaves the spec's folder tree"),
        ("a/../../x.wav", "'a/../../x.wav' leaves the spec's folder tree"),
        ("'{case.id}/../../x.wav'", "'{case.id}/../../x.wav' leaves the spec's folder tree"),
        ("/etc/hosts", "'/etc/hosts' is absolute"),
        ("C:/x.wav", "'C:/x.wav' is absolute"),
        ("a\\b.wav", r"'a\\b.wav' has a backslash"),
        ("link.wav", "'link.wav' leads out of the spec's folder tree"),
        ("folder/x.wav", "'folder/x.wav' leads out of the spec's folder tree"),
        ("loop.wav", "cannot look at 'loop.wav'"),
        (".", "'.' is a folder"),
        ("nope.wav", "there is no file 'nope.wav'"),
        ("in.wave", "there is no file 'in.wave'"),
    ],
)
def test_paths_stay_in_the_tree(path: str, message: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write(outside, x_wav="")
    spec = tmp_path / "spec"
    write(spec, in_wav="")
    (spec / "link.wav").symlink_to(outside / "x.wav")
    (spec / "folder").symlink_to(outside)
    (spec / "loop.wav").symlink_to(spec / "loop.wav")
    file = write(spec, s_yaml=HEAD + SCENE.replace("say: Go.", f"play: {path}"))
    problems = said(file)
    assert len(problems) == 1
    assert problems[0].startswith(f"s.yaml:5:70 scenes[0].segments[0].play: {message}")


def test_root_widens_the_tree(tmp_path: Path) -> None:
    write(tmp_path, x_wav="")
    text = HEAD + SCENE.replace("say: Go.", "play: ../x.wav")
    assert len(said(write(tmp_path, sub__s_yaml=text))) == 1
    spec = load(tmp_path, sub__s_yaml="root: ..\n" + text)
    assert (spec.root, segment(spec).play) == (tmp_path.resolve(), "x.wav")
    assert said(write(tmp_path, sub__s_yaml="root: other\n" + text))[0].endswith(
        "'other' does not hold the spec"
    )


def test_pools_in_a_file_of_their_own(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        s_yaml=(HEAD + SCENE).replace("voices: kokoro/af_aoede", "voices: p") + "pools: v.yaml\n",
        v_yaml="p: [kokoro/af_aoede, kokoro/am_eric]\n",
    )
    spec = load_spec(file)
    assert [voice.id for voice in spec.speakers["a"].voices] == ["kokoro/af_aoede", "kokoro/am_eric"]
    write(tmp_path, v_yaml="p: [aoede]\nq: 3\n")
    assert [line.split(":", 3)[:3] for line in said(file)] == [
        ["v.yaml", "1", "5 pools.p[0]"],
        ["v.yaml", "2", "4 pools.q"],
    ]
    (tmp_path / "v.yaml").unlink()
    assert said(file) == [f"s.yaml:6:8 pools: there is no file 'v.yaml' in {tmp_path}"]


# -- all at once ---------------------------------------------------------------------------------------------


def test_problems_of_every_stage_come_together(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        s_yaml="""vgsynth: 1
name: s
name: t
seed: -1
tools: tools.yaml
cases: cases.jsonl
speakers: {a: {voices: nowhere}}
rooms: {near: {kind: dry, distnce: far}}
scenes:
  - condition: c
    segments: [{role: trigger, speaker: a, say: "{cas.x}", room: nera, play: ../x.wav}]
pairs: [{members: [c, d], may_differ_in: [gap_ms]}]
""",
        tools_yaml="tools: [{name: t, description: d, parameters: {type: object, required: x}}, {name: u}]\n",
        cases_jsonl='{"id": "a/b"}\n',
    )
    assert [line.split(": ")[0] for line in said(file)] == [
        "s.yaml:3:1 ",
        "s.yaml:4:7 seed",
        "s.yaml:7:24 speakers.a.voices",
        "s.yaml:8:27 rooms.near.distnce",
        "s.yaml:11:16 scenes[0].segments[0]",
        "s.yaml:11:49 scenes[0].segments[0].say",
        "s.yaml:11:66 scenes[0].segments[0].room",
        "s.yaml:11:78 scenes[0].segments[0].play",
        "s.yaml:12:23 pairs[0].members[1]",
        "tools.yaml:1:77 tools[1]",
        "tools.yaml:1:77 tools[1]",
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"- a\n", "must be a mapping"),
        (b"3\n", "must be a mapping"),
        (b"\xff\xfe", "the file is UTF-16"),
        (b"", "empty"),
    ],
)
def test_what_is_no_mapping_is_no_spec(data: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "s.yaml"
    file.write_bytes(data)
    (line,) = said(file)
    assert message in line


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for file, message in ((tmp_path / "no.yaml", "there is no such file"), (tmp_path, "this is a folder")):
        with pytest.raises(InputError) as raised:
            load_spec(file)
        (problem,) = raised.value.problems
        assert (problem.place.file, problem.message) == (str(file), message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("{case.id}", None),
        ("{case.words}", "{case.words}: the spec has no cases"),
        ("{speaker.a} {condition} {segment.role}", None),
        ("{cell.gap}", "there is no placeholder {cell.gap}"),
    ],
)
def test_placeholders_of_a_spec_without_cases(words: str, message: str | None, tmp_path: Path) -> None:
    file = write(tmp_path, s_yaml=HEAD + SCENE.replace("Go.", f'"{words}"'))
    if message is None:
        load_spec(file)
    else:
        assert said(file) == [f"s.yaml:5:69 scenes[0].segments[0].say: {message}"]


# -- speakers ------------------------------------------------------------------------------------------------

TALK = """vgsynth: 1
name: s
seed: 1
speakers: {SPEAKERS}
scenes:
  - {condition: c, segments: [{role: x, speaker: a, say: Hm.}, {role: trigger, speaker: WHO, say: Go.}]}
"""


@pytest.mark.parametrize(
    ("speakers", "who", "message"),
    [
        ("a: {voices: [k/1, k/2]}, b: {voices: [k/2, k/3]}", "b",
         "b can get the same voice as a (both may be k/2), and both speak in condition c"),
        ("a: {voices: [k/1, k/2]}, b: {voices: [k/2, k/3]}", "{choice: [a, b]}",
         "b can get the same voice as a (both may be k/2)"),
        ("a: {voices: [k/1, k/2]}, b: {voices: [k/2, k/3]}", "a", None),
        ("a: {voices: [k/1, k/2]}, b: {voices: [k/3]}", "b", None),
        ("a: {voices: [k/1, k/2]}, b: {voices: [k/2, k/3], differs_from: a}", "b", None),
        ("a: {voices: [k/1, k/2], differs_from: b}, b: {voices: [k/2, k/3]}", "b", None),
        ("a: {voices: [k/1, k/2]}, b: {voices: k/1, differs_from: a}", "b", "no voice may be left for b"),
        ("a: {voices: [k/1]}, b: {voices: [k/1, k/2], differs_from: a}", "b", None),
        ("a: {voices: [k/1]}, b: {voices: [k/2]}, c: {voices: [k/1, k/2], differs_from: [a, b]}", "b",
         "no voice may be left for c: a and b can have all of k/1, k/2"),
        ("a: {voices: [k/1]}, b: {voices: [k/1]}, c: {voices: [k/1, k/2], differs_from: [a, b]}", "c", None),
        ("a: {voices: [k/1, k/2]}, b: {voices: [k/1, {engine: k, name: '1'}]}", "a",
         "the voice k/1 is listed twice"),
    ],
)  # fmt: skip
def test_one_voice_for_two(speakers: str, who: str, message: str | None, tmp_path: Path) -> None:
    file = write(tmp_path, s_yaml=TALK.replace("SPEAKERS", speakers).replace("WHO", who))
    if message is None:
        load_spec(file)
    else:
        (line,) = said(file)
        assert message in line


def test_one_voice_for_two_through_a_grid(tmp_path: Path) -> None:
    text = TALK.replace("SPEAKERS", "a: {voices: k/1}, b: {voices: k/1}").replace("WHO", "a")
    load(tmp_path, s_yaml=text)
    (line,) = said(write(tmp_path, s_yaml=text + "grid: {who: {trigger.speaker: [a, b]}}\n"))
    assert "b can get the same voice as a" in line


# -- hash and speed ------------------------------------------------------------------------------------------


def test_hash_depends_on_meaning_and_not_on_writing(tmp_path: Path) -> None:
    text = HEAD + SCENE
    same = load(tmp_path, s_yaml=text).sha256
    assert load(tmp_path, s_yaml="# a comment\n" + text + "level: {dbfs: -23.0}\n").sha256 == same
    assert load(tmp_path, s_yaml=text + "level: {dbfs: -22.0}\n").sha256 != same
    assert load(tmp_path, s_yaml=text.replace("Go.", "Stop.")).sha256 != same
    tools = "tools: [{name: t, description: %s, parameters: {type: object}}]\n"
    write(tmp_path, t_yaml=tools % "one")
    one = load(tmp_path, s_yaml=text + "tools: t.yaml\n").sha256
    write(tmp_path, t_yaml=tools % "two")
    assert load(tmp_path, s_yaml=text + "tools: t.yaml\n").sha256 not in (one, same)


def test_loading_imports_nothing_heavy() -> None:
    code = (
        "import sys, vgsynth.spec.load;"
        "heavy = {'numpy', 'scipy', 'soundfile', 'onnxruntime', 'pyroomacoustics'};"
        "sys.exit(bool(heavy & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
