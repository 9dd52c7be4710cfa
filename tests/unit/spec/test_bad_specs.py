"""Bad specs: what is written, and exactly what is said of it, with line, column and path."""

# ruff: noqa: E501

from __future__ import annotations

from pathlib import Path

import pytest

from vgsynth.contract.problems import InputError
from vgsynth.spec.load import load_spec

BASE = """\
vgsynth: 1
name: base
seed: 1
cases:
  - {id: a, kind: x}
pools:
  two: [kokoro/af_aoede, kokoro/am_eric]
speakers:
  wearer: {voices: two}
  bystander: {voices: two, differs_from: wearer}
rooms:
  near: {kind: dry}
  far: {kind: shoebox, size_m: [6, 5, 3], rt60_s: 0.4, source_m: [4, 2, 1.5], mic_m: [1, 2, 1.2]}
policy: source_and_proximity
scenes:
  - condition: same
    segments:
      - {role: context, speaker: wearer, say: "{case.id}", room: near}
      - {gap_ms: 0}
      - {role: trigger, speaker: wearer, say: Go., room: near}
  - {condition: other, like: same, change: {trigger.speaker: bystander}}
grid:
  of: [same]
  gap: {boundary.gap_ms: [0, 600]}
pairs:
  - {members: [other, {condition: same, gap: 0}], may_differ_in: [trigger.speaker]}
"""

# What is replaced in BASE (its first place), by what, and every problem: "line:column path: message", followed by
# the fix where that is a suggestion.
BAD: list[tuple[str, str, list[str]]] = [
    ("name: base\n", "name: base: x\n", ["2:11: a colon where no key can stand"]),
    ("name: base\n", "name: base\nname: x\n", ["3:1: the key 'name' is given twice (first in line 2)"]),
    ("name: base\n", "name: 'base\n", ["2:7: a quote opened here is not closed"]),
    ("seed: 1\n", "\tseed: 1\n", ["3:1: a tab in the indentation"]),
    ("seed: 1\n", "seed: @1\n", ["3:7: a value cannot begin with '@'"]),
    ("seed: 1\n", "seed: 1\n---\n", ["4:1: a second document begins here"]),
    ("seed: 1\n", "seed: *x\n", ["3:7: the alias *x names no anchor"]),
    (
        "seed: 1\n",
        "seed: &x [*x]\n",
        ["3:7 seed: must be a whole number, not a list", "3:11: the alias *x stands inside its own anchor"],
    ),
    ("seed: 1\n", "seed: .inf\n", ["3:7: .inf is not a finite number"]),
    ("seed: 1\n", "seed: 99999999999999999999\n", ["3:7: 99999999999999999999 is too large a whole number"]),
    ("seed: 1\n", "seed: !!int 1\n", ["3:7: the tag !!int is not used here"]),
    ("seed: 1\n", "seed: 1\n<<: {a: 1}\n", ["4:1: merge keys (<<) are not used"]),
    ("seed: 1\n", "seed: 1\n? [a]\n: 1\n", ["4:3: a key is not a name"]),
    ("seed: 1\n", "seed: 1\n'a': [1, 2\n", ["4:6: a list opened here with [ is not closed"]),
    ("name: base\n", 'name: "\\0"\n', ["2:7: a character that cannot be written as UTF-8, or NUL"]),
    (
        "room: near}\n      - {gap",
        "room: near\n      - {gap",
        ["18:9: a mapping opened here with { is not closed"],
    ),
    ("vgsynth: 1\n", "vgsynth: 2\n", ["1:10 vgsynth: version 2 of the language is not known here"]),
    ("vgsynth: 1\n", "", ["1:1: `vgsynth` is missing"]),
    ("seed: 1\n", "", ["1:1: `seed` is missing"]),
    ("seed: 1\n", "sed: 1\n", ["3:1 sed: unknown key 'sed'; did you mean 'seed'?"]),
    ("seed: 1\n", "seed: -1\n", ["3:7 seed: must be at least 0, not -1"]),
    ("seed: 1\n", "seed: 1.5\n", ["3:7 seed: must be a whole number, not 1.5"]),
    ("seed: 1\n", "seed: one\n", ["3:7 seed: must be a whole number, not the text 'one'"]),
    ("seed: 1\n", "seed:\n", ["3:6 seed: the value is missing"]),
    ("name: base\n", "name: my base\n", ["2:7 name: the text 'my base' is not an id"]),
    ("name: base\n", "name: con\n", ["2:7 name: the id 'con' is a device's name on Windows"]),
    ("pools:\n", "pool:\n", ["6:1 pool: unknown key 'pool'; did you mean 'pools'?"]),
    (
        "policy: source_and_proximity\n",
        "policy: source_and_proximty\n",
        [
            "14:9 policy: the text 'source_and_proximty' is not source_and_proximity, source, proximity, words, addressee or never; did you mean 'source_and_proximity'?"
        ],
    ),
    (
        "policy: source_and_proximity\n",
        "policy: source_and_proximity\noutput: {sample_rate: 16000}\n",
        ["15:10 output.sample_rate: unknown key 'sample_rate'; did you mean 'sample_rate_hz'?"],
    ),
    (
        "policy: source_and_proximity\n",
        "policy: source_and_proximity\noutput: {sample_rate_hz: 4000}\n",
        ["15:26 output.sample_rate_hz: must be at least 8000, not 4000"],
    ),
    (
        "policy: source_and_proximity\n",
        "policy: source_and_proximity\nlevel: {dbfs: loud}\n",
        [
            "15:15 level.dbfs: the text 'loud' is not a number, a distribution or a placeholder such as {case.gap_ms}"
        ],
    ),
    (
        "policy: source_and_proximity\n",
        "policy: source_and_proximity\nlevel: {fade_ms: -5}\n",
        ["15:18 level.fade_ms: must be at least 0, not -5"],
    ),
    (
        "policy: source_and_proximity\n",
        "policy: source_and_proximity\nlevel: -23\n",
        ["15:8 level: must be a mapping, not -23"],
    ),
    (
        "policy: source_and_proximity\n",
        "policy: source_and_proximity\ntrim: {threshold_db: 0}\n",
        ["15:22 trim.threshold_db: must be above 0, not 0"],
    ),
    (
        "policy: source_and_proximity\n",
        "policy: source_and_proximity\ntrim: off\n",
        ["15:7 trim: the text 'off' is not none or a mapping with threshold_db and pad_ms"],
    ),
    (
        "policy: source_and_proximity\n",
        "policy: source_and_proximity\nnoise: {kind: pink}\n",
        ["15:8 noise: `snr_db` is missing"],
    ),
    (
        "policy: source_and_proximity\n",
        "policy: source_and_proximity\nnoise: {kind: brown, snr_db: 3}\n",
        ["15:15 noise.kind: the text 'brown' is not white, pink or file"],
    ),
    (
        "policy: source_and_proximity\n",
        "policy: source_and_proximity\nnoise: {kind: file, snr_db: 3, path: no.wav}\n",
        ["15:38 noise.path: there is no file 'no.wav'"],
    ),
    (
        "policy: source_and_proximity\n",
        "policy: source_and_proximity\ntarget: muted\n",
        [
            "15:9 target: the text 'muted' is not mute, tool or answer, a mapping with tool or a placeholder such as {case.gap_ms}; did you mean 'mute'?"
        ],
    ),
    (
        "policy: source_and_proximity\n",
        "policy: source_and_proximity\ntarget: {tool: fly}\n",
        ["15:16 target.tool: there is no tool 'fly'"],
    ),
    (
        "rt60_s: 0.4",
        "rt60_s: {uniform: [0.5, 0.3]}",
        ["13:51 rooms.far.rt60_s: uniform goes from 0.5 to 0.3"],
    ),
    ("rt60_s: 0.4", "rt60_s: {uniform: [0.3]}", ["13:61 rooms.far.rt60_s.uniform: needs 2 values and has 1"]),
    (
        "rt60_s: 0.4",
        "rt60_s: {normal: [0.4, 0]}",
        ["13:51 rooms.far.rt60_s: normal has a standard deviation of 0"],
    ),
    (
        "rt60_s: 0.4",
        "rt60_s: {normal: [0.4, 0.1], min: 1, max: 0}",
        ["13:51 rooms.far.rt60_s: normal has min 1 and max 0"],
    ),
    ("rt60_s: 0.4", "rt60_s: {choice: []}", ["13:60 rooms.far.rt60_s.choice: must not be an empty list"]),
    (
        "rt60_s: 0.4",
        "rt60_s: {uniform: [0.3, 0.5], per: case_}",
        ["13:78 rooms.far.rt60_s.per: the text 'case_' is not scene or case; did you mean 'case'?"],
    ),
    (
        "rt60_s: 0.4",
        "rt60_s: {unifrom: [0.3, 0.5]}",
        ["13:52 rooms.far.rt60_s.unifrom: unknown key 'unifrom'; did you mean 'uniform'?"],
    ),
    ("{kind: dry}", "{kind: wet}", ["12:16 rooms.near.kind: the text 'wet' is not dry, shoebox or rir"]),
    ("{kind: dry}", "{}", ["12:9 rooms.near: `kind` is missing"]),
    (
        "{kind: dry}",
        "dry",
        ["12:9 rooms.near: must be a dry room, a shoebox room or a measured room, not the text 'dry'"],
    ),
    ("{kind: dry}", "{kind: dry, rt60_s: 0.4}", ["12:21 rooms.near.rt60_s: unknown key 'rt60_s'"]),
    (
        "{kind: dry}",
        "{kind: dry, level: match}",
        [
            "12:28 rooms.near.level: the text 'match' is not matched or attenuated, a distribution or a placeholder such as {case.gap_ms}; did you mean 'matched'?"
        ],
    ),
    ("{kind: dry}", "{kind: rir}", ["12:9 rooms.near: `path` is missing"]),
    ("{kind: dry}", "{kind: rir, path: rir.wav}", ["12:27 rooms.near.path: there is no file 'rir.wav'"]),
    (
        "{kind: dry}",
        "{kind: rir, path: ../rir.wav}",
        ["12:27 rooms.near.path: '../rir.wav' leaves the spec's folder tree"],
    ),
    ("{kind: dry}", "{kind: rir, path: /rir.wav}", ["12:27 rooms.near.path: '/rir.wav' is absolute"]),
    ("{kind: dry}", "{kind: rir, path: 'a\\b.wav'}", ["12:27 rooms.near.path: 'a\\\\b.wav' has a backslash"]),
    ("size_m: [6, 5, 3]", "size_m: [6, 5]", ["13:32 rooms.far.size_m: needs 3 values and has 2"]),
    (
        "size_m: [6, 5, 3]",
        "size: [6, 5, 3]",
        ["13:24 rooms.far.size: unknown key 'size'; did you mean 'size_m'?"],
    ),
    ("size_m: [6, 5, 3]", "size_m: [6, 5, 0]", ["13:39 rooms.far.size_m[2]: must be above 0, not 0"]),
    ("mic_m: [1, 2, 1.2]", "mic_m: here", ["13:86 rooms.far.mic_m: must be a list, not the text 'here'"]),
    (
        "wearer: {voices: two}",
        "wearer: {voices: tow}",
        ["9:20 speakers.wearer.voices: there is no pool 'tow'; did you mean 'two'?"],
    ),
    (
        "wearer: {voices: two}",
        "wearer: {voice: two}",
        ["9:12 speakers.wearer.voice: unknown key 'voice'; did you mean 'voices'?"],
    ),
    (
        "wearer: {voices: two}",
        "wearer: {voices: []}",
        ["9:20 speakers.wearer.voices: must not be an empty list"],
    ),
    (
        "wearer: {voices: two}",
        "wearer: {voices: [af_aoede]}",
        [
            "9:21 speakers.wearer.voices[0]: the text 'af_aoede' is not a voice such as kokoro/af_aoede or a mapping with engine and name"
        ],
    ),
    (
        "wearer: {voices: two}",
        "wearer: {voices: two, assign: random}",
        ["9:33 speakers.wearer.assign: the text 'random' is not balanced or hashed"],
    ),
    (
        "wearer: {voices: two}",
        "wearer: {voices: two, balance_within: tool}",
        [
            "9:41 speakers.wearer.balance_within: the text 'tool' is not a case field such as case.tool or a list of case fields"
        ],
    ),
    (
        "wearer: {voices: two}",
        "wearer: {voices: two, differs_from: bystander}",
        [
            "10:42 speakers.bystander.differs_from: differs_from goes round in a circle: wearer → bystander → wearer"
        ],
    ),
    (
        "wearer: {voices: two}",
        "wearer: {voices: two, differs_from: wearer}",
        ["9:39 speakers.wearer.differs_from: wearer is to differ from itself"],
    ),
    (
        "differs_from: wearer",
        "differs_from: waerer",
        [
            "10:14 speakers.bystander: bystander can get the same voice as wearer (both may be kokoro/af_aoede), and both speak in condition other",
            "10:42 speakers.bystander.differs_from: there is no speaker 'waerer'; did you mean 'wearer'?",
        ],
    ),
    (
        ", differs_from: wearer",
        "",
        [
            "10:14 speakers.bystander: bystander can get the same voice as wearer (both may be kokoro/af_aoede), and both speak in condition other"
        ],
    ),
    (
        "two: [kokoro/af_aoede, kokoro/am_eric]",
        "two: [kokoro/af_aoede]",
        [
            "10:23 speakers.bystander.voices: no voice may be left for bystander: wearer can have all of kokoro/af_aoede"
        ],
    ),
    (
        "two: [kokoro/af_aoede, kokoro/am_eric]",
        "two: [kokoro/af_aoede, kokoro/am_eric, kokoro/af_aoede]",
        ["7:42 pools.two[2]: the voice kokoro/af_aoede is listed twice"],
    ),
    (
        "two: [kokoro/af_aoede, kokoro/am_eric]",
        "two: [kokoro/af_aoede, {engine: kokoro}]",
        [
            "7:26 pools.two[1]: `name` is missing",
            "10:23 speakers.bystander.voices: no voice may be left for bystander: wearer can have all of kokoro/af_aoede",
        ],
    ),
    (
        "room: near}\n      - {gap",
        "rooom: near}\n      - {gap",
        ["18:60 scenes[0].segments[0].rooom: unknown key 'rooom'; did you mean 'room'?"],
    ),
    (
        "room: near}\n      - {gap",
        "room: nera}\n      - {gap",
        ["18:66 scenes[0].segments[0].room: there is no room 'nera'; did you mean 'near'?"],
    ),
    (", room: near}\n      - {gap", "}\n      - {gap", ["18:9 scenes[0].segments[0]: `room` is missing"]),
    (
        "speaker: wearer, say: Go.",
        "speaker: weaver, say: Go.",
        ["20:34 scenes[0].segments[2].speaker: there is no speaker 'weaver'; did you mean 'wearer'?"],
    ),
    ("speaker: wearer, say: Go.", "say: Go.", ["20:9 scenes[0].segments[2]: `speaker` is missing"]),
    (
        "say: Go.",
        "say: Go., play: go.wav",
        [
            "20:9 scenes[0].segments[2]: both `say` and `play`",
            "20:58 scenes[0].segments[2].play: there is no file 'go.wav'",
        ],
    ),
    (
        "speaker: wearer, say: Go.",
        "speaker: wearer",
        ["20:9 scenes[0].segments[2]: neither `say` nor `play`"],
    ),
    ("say: Go.", "play: go.wav", ["20:48 scenes[0].segments[2].play: there is no file 'go.wav'"]),
    (
        "say: Go.",
        "say: Go., text: Go.",
        ["20:52 scenes[0].segments[2].text: `text` is the transcript of a recording"],
    ),
    ("say: Go.", "say: 5", ["20:47 scenes[0].segments[2].say: must be text or a distribution, not 5"]),
    ("say: Go.", "say: ''", ["20:47 scenes[0].segments[2].say: must not be an empty text"]),
    (
        'say: "{case.id}"',
        "say: {case.id}",
        ["18:47 scenes[0].segments[0].say: {case.id} without quotes is a mapping to YAML, not a placeholder"],
    ),
    (
        '"{case.id}"',
        '"{case.id"',
        ["18:47 scenes[0].segments[0].say: a single '{' at character 1 of the text"],
    ),
    (
        '"{case.id}"',
        '"{id}"',
        ["18:47 scenes[0].segments[0].say: there is no placeholder {id}; did you mean {case.id}?"],
    ),
    (
        '"{case.id}"',
        '"{speaker.weare}"',
        ["18:47 scenes[0].segments[0].say: there is no placeholder {speaker.weare}; did you mean 'wearer'?"],
    ),
    (
        '"{case.id}"',
        '"{cell.gapp}"',
        ["18:47 scenes[0].segments[0].say: there is no placeholder {cell.gapp}; did you mean 'gap'?"],
    ),
    ('"{case.id}"', '"{case}"', ["18:47 scenes[0].segments[0].say: {case} names no field"]),
    (
        '"{case.id}"',
        '"{condition.x}"',
        ["18:47 scenes[0].segments[0].say: there is no placeholder {condition.x}; did you mean 'condition'?"],
    ),
    ('"{case.id}"', '"{}"', ["18:47 scenes[0].segments[0].say: empty braces {}"]),
    (
        "rt60_s: 0.4",
        'rt60_s: "{segment.role}"',
        ["13:51 rooms.far.rt60_s: {segment.role} has no meaning outside a segment"],
    ),
    (
        "role: trigger",
        "role: context",
        ["20:16 scenes[0].segments[2].role: a second segment with role 'context'"],
    ),
    ("role: trigger", "role: boundary", ["20:16 scenes[0].segments[2].role: 'boundary' cannot be a role"]),
    ("role: trigger, ", "", ["20:9 scenes[0].segments[2]: `role` is missing"]),
    (
        "role: trigger",
        "role: the trigger",
        ["20:16 scenes[0].segments[2].role: the text 'the trigger' is not a name"],
    ),
    ("- {gap_ms: 0}", "- {gap_ms: -1}", ["19:18 scenes[0].segments[1].gap_ms: must be at least 0, not -1"]),
    (
        "- {gap_ms: 0}",
        "- {gap: 0}",
        ["19:10 scenes[0].segments[1].gap: unknown key 'gap'; did you mean 'gap_ms'?"],
    ),
    (
        "- {gap_ms: 0}",
        "- {gap_ms: 0}\n      - {gap_ms: 5}",
        ["20:9 scenes[0].segments[2]: two boundaries in a row"],
    ),
    (
        "room: near}\n      - {gap",
        "room: near, gap_ms: 5}\n      - {gap",
        ["18:72 scenes[0].segments[0].gap_ms: unknown key 'gap_ms'"],
    ),
    (
        "say: Go.",
        "say: Go., addressee: assistent",
        [
            "20:63 scenes[0].segments[2].addressee: the text 'assistent' is not assistant, bystander or self, a distribution or a placeholder such as {case.gap_ms}; did you mean 'assistant'?"
        ],
    ),
    (
        "say: Go.",
        "say: Go., level: {db: -20}",
        ["20:60 scenes[0].segments[2].level.db: unknown key 'db'; did you mean 'dbfs'?"],
    ),
    (
        "condition: other",
        "condition: same",
        [
            "21:17 scenes[1].condition: a second condition 'same'",
            "21:29 scenes[1].like: a scene that is like itself",
            "26:16 pairs[0].members[0]: there is no condition 'other'",
        ],
    ),
    (
        "condition: other",
        "condition: Same",
        [
            "21:17 scenes[1].condition: 'Same' differs from condition 'same' in letter case alone",
            "26:16 pairs[0].members[0]: there is no condition 'other'",
        ],
    ),
    (
        "condition: other",
        "condition: a/b",
        [
            "21:17 scenes[1].condition: the text 'a/b' is not an id",
            "26:16 pairs[0].members[0]: there is no condition 'other'",
        ],
    ),
    (
        "like: same",
        "like: sane",
        ["21:30 scenes[1].like: there is no condition 'sane'; did you mean 'same'?"],
    ),
    ("like: same", "like: other", ["21:30 scenes[1].like: a scene that is like itself"]),
    (
        "{trigger.speaker: bystander}",
        "{triger.speaker: bystander}",
        [
            "21:45 scenes[1].change.triger.speaker: 'triger.speaker' names nothing in condition other; did you mean 'trigger'?"
        ],
    ),
    (
        "{trigger.speaker: bystander}",
        "{trigger.speeker: bystander}",
        [
            "21:45 scenes[1].change.trigger.speeker: 'trigger.speeker' is not a path of a scene; did you mean 'trigger.speaker'?"
        ],
    ),
    (
        "{trigger.speaker: bystander}",
        "{trigger.speaker: bystandr}",
        ["21:62 scenes[1].change.trigger.speaker: there is no speaker 'bystandr'; did you mean 'bystander'?"],
    ),
    (
        "{trigger.speaker: bystander}",
        "{trigger.level.dbfs: loud}",
        [
            "21:65 scenes[1].change.trigger.level.dbfs: the text 'loud' is not a number, a distribution or a placeholder such as {case.gap_ms}"
        ],
    ),
    (
        "{trigger.speaker: bystander}",
        "{noise.snr_db: 3}",
        ["21:45 scenes[1].change.noise.snr_db: condition other has no noise whose snr_db could be set"],
    ),
    ("like: same,", "like: same, repeats: 0,", ["21:45 scenes[1].repeats: must be at least 1, not 0"]),
    (
        "like: same,",
        "like: same, modality: video,",
        ["21:46 scenes[1].modality: the text 'video' is not audio or text"],
    ),
    (
        "like: same,",
        "like: same, when: {kind: x},",
        ["21:43 scenes[1].when.kind: 'kind' is not a case field"],
    ),
    ("like: same,", "like: same, initiator: me,", ["21:47 scenes[1].initiator: there is no speaker 'me'"]),
    (
        "like: same,",
        "like: same, segments: [],",
        [
            "21:24 scenes[1].like: both `segments` and `like`",
            "21:46 scenes[1].segments: must not be an empty list",
        ],
    ),
    ("of: [same]", "of: [smae]", ["23:8 grid.of[0]: there is no condition 'smae'; did you mean 'same'?"]),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {boundary.gap: [0, 600]}",
        [
            "24:9 grid.gap.boundary.gap: 'boundary.gap' is not a path of a scene; did you mean 'boundary.gap_ms'?"
        ],
    ),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {boundary.gap_ms: [0, long]}",
        [
            "24:30 grid.gap.boundary.gap_ms[1]: the text 'long' is not a number of at least 0, a distribution or a placeholder such as {case.gap_ms}"
        ],
    ),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {boundary.gap_ms: [0, {uniform: [1, 2]}]}",
        ["24:30 grid.gap.boundary.gap_ms[1]: a value that is no plain one needs a name"],
    ),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {boundary.gap_ms: [0, 0]}",
        ["24:30 grid.gap.boundary.gap_ms[1]: a second level '0' of gap"],
    ),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {boundary.gap_ms: 0}",
        [
            "24:26 grid.gap.boundary.gap_ms: must be a list of values or a mapping of level names to values, not 0"
        ],
    ),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {trigger.room: [near, fra]}",
        ["24:30 grid.gap.trigger.room[1]: there is no room 'fra'; did you mean 'far'?"],
    ),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {boundary.gap_ms: [0, 600]}\n  pause: {boundary.gap_ms: [0, 600]}",
        [
            "25:3 grid.pause: the axes gap and pause both set boundary.gap_ms",
            "27:23 pairs[0].members[1]: condition same has many items in the grid",
        ],
    ),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {boundary.gap_ms: [0, 600]}\n  exclude: [{gap: 300}]",
        ["25:19 grid.exclude[0].gap: axis gap has no level '300'; did you mean '600'?"],
    ),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {boundary.gap_ms: [0, 600]}\n  exclude: [{pause: 0}]",
        ["25:14 grid.exclude[0].pause: there is no axis 'pause'"],
    ),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {boundary.gap_ms: [0, 600]}\n  exclude: [{gap: 0}, {gap: 600}]",
        [
            "25:12 grid.exclude: no cell is left",
            "27:23 pairs[0].members[1]: this cell is excluded from the grid",
        ],
    ),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {boundary.gap_ms: [0, 600]}\n  room: {trigger.room: [near]}\n  include: [{gap: 0}]",
        [
            "26:13 grid.include[0]: the cell says nothing of room",
            "28:23 pairs[0].members[1]: condition same has many items in the grid",
        ],
    ),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {levels: {'0': {boundary.gap_ms: 0}, a b: {boundary.gap_ms: 1}}}",
        ["24:45 grid.gap.levels['a b']: 'a b' is not a level's name"],
    ),
    (
        "members: [other, ",
        "members: [othr, ",
        ["26:16 pairs[0].members[0]: there is no condition 'othr'; did you mean 'other'?"],
    ),
    ("members: [other, ", "members: [", ["26:15 pairs[0].members: needs 2 values and has 1"]),
    (", gap: 0}]", ", gap: 1}]", ["26:46 pairs[0].members[1].gap: axis gap has no level '1'"]),
    (
        ", gap: 0}]",
        ", gab: 0}]",
        ["26:41 pairs[0].members[1].gab: there is no axis 'gab'; did you mean 'gap'?"],
    ),
    (
        "{condition: same, gap: 0}",
        "same",
        ["26:23 pairs[0].members[1]: condition same has many items in the grid"],
    ),
    (
        "members: [other, ",
        "members: [{condition: other, gap: 0}, ",
        ["26:16 pairs[0].members[0]: condition other is not in the grid"],
    ),
    ("{condition: same, gap: 0}", "other", ["26:15 pairs[0].members: both members are the same item"]),
    (
        "[trigger.speaker]}\n",
        "[trigger.speeker]}\n",
        [
            "26:67 pairs[0].may_differ_in[0]: 'trigger.speeker' is nothing a pair differs in; did you mean 'trigger.speaker'?"
        ],
    ),
    ("[trigger.speaker]}\n", "[]}\n", ["26:66 pairs[0].may_differ_in: must not be an empty list"]),
    (
        "[trigger.speaker]}\n",
        "[trigger.speaker]}\n  - {members: [other, {condition: same, gap: 600}], may_differ_in: [gap_ms]}\n",
        [
            "27:5 pairs[1].name: a second pair called 'pair'",
            "27:16 pairs[1].members[0]: this item belongs to another pair",
        ],
    ),
    (
        "pairs:\n",
        "splits: {parts: {test: 0.5, dev: 0.7}}\npairs:\n",
        ["25:17 splits.parts: the shares add up to 1.2"],
    ),
    (
        "pairs:\n",
        "splits: {parts: {train: 0.5}}\npairs:\n",
        ["25:18 splits.parts.train: the part 'train' is also the rest"],
    ),
    (
        "pairs:\n",
        "splits: {by: speaker, parts: {test: 1}}\npairs:\n",
        ["25:14 splits.by: the text 'speaker' is not of the right form"],
    ),
    (
        "pairs:\n",
        "splits: {stated: split}\npairs:\n",
        ["25:18 splits.stated: the text 'split' is not a case field such as case.tool"],
    ),
    ("{id: a, kind: x}", "{id: a b}", ["5:10 cases[0].id: the text 'a b' is not an id"]),
    (
        "  - {id: a, kind: x}\n",
        "  - {id: a}\n  - {id: A}\n  - {id: a}\nsplits: 3\n",
        [
            "6:10 cases[1].id: the id 'A' differs in letter case alone from the one in line 5",
            "7:10 cases[2].id: the id 'a' is used before, in line 5",
            "8:9 splits: must be a mapping with parts or a mapping with stated, not 3",
        ],
    ),
    ("cases:\n  - {id: a, kind: x}\n", "cases: cases.jsonl\n", ["4:8 cases: there is no file 'cases.jsonl'"]),
    (
        "cases:\n  - {id: a, kind: x}\n",
        "cases: cases.txt\n",
        ["4:8 cases: 'cases.txt' is no kind of file that cases are read from"],
    ),
    ("cases:\n", "tools: tools.yaml\ncases:\n", ["4:8 tools: there is no file 'tools.yaml'"]),
    (
        "cases:\n",
        "tools: [{name: t, description: d, parameters: {type: objekt}}]\ncases:\n",
        ["4:54 tools[0].parameters.type: must be object, not the text 'objekt'; did you mean 'object'?"],
    ),
    (
        "cases:\n",
        "tools: [{name: t, description: d, parameters: {type: object, required: 3}}]\ncases:\n",
        ["4:72 tools[0].parameters.required: not a JSON Schema: 3 is not of type 'array'"],
    ),
    ("cases:\n", "extends: base.yaml\ncases:\n", ["4:10 extends: base.yaml: there is no such file"]),
    (
        "cases:\n",
        "extends: spec.yaml\ncases:\n",
        ["4:10 extends: extends goes round in a circle: spec.yaml → spec.yaml"],
    ),
    ("cases:\n", "root: elsewhere\ncases:\n", ["4:7 root: 'elsewhere' does not hold the spec"]),
    (
        "say: Go.",
        'say: "{case.kind"',
        ["20:47 scenes[0].segments[2].say: a single '{' at character 1 of the text"],
    ),
    ("  - {id: a, kind: x}\n", "  - {kind: x}\n", ["5:5 cases[0]: `id` is missing"]),
    ("  - {id: a, kind: x}\n", "  - {id: 3}\n", ["5:10 cases[0].id: must be an id, not 3"]),
    (
        "  - {id: a, kind: x}\n",
        "  - {id: a, tool: fly}\nseed_: 1\n",
        [
            "5:19 cases[0].tool: there is no tool 'fly'",
            "6:1 seed_: unknown key 'seed_'; did you mean 'seed'?",
        ],
    ),
    (
        "cases:\n  - {id: a, kind: x}\n",
        "cases: {from: cases.jsonl, limt: 3}\n",
        [
            "4:15 cases.from: there is no file 'cases.jsonl'",
            "4:28 cases.limt: unknown key 'limt'; did you mean 'limit'?",
        ],
    ),
    ("cases:\n  - {id: a, kind: x}\n", "cases: []\n", ["4:8 cases: must not be an empty list"]),
    (
        "condition: other, like: same,",
        "condition: other, target: {tool: fly},",
        ["21:39 scenes[1].target.tool: there is no tool 'fly'"],
    ),
    (
        "policy: source_and_proximity\n",
        "defaults: {segment: {rom: near}}\n",
        ["14:22 defaults.segment.rom: unknown key 'rom'; did you mean 'room'?"],
    ),
    (
        "policy: source_and_proximity\n",
        "defaults: {segment: {room: nera}}\n",
        ["14:28 defaults.segment.room: there is no room 'nera'; did you mean 'near'?"],
    ),
    (
        "say: Go.",
        'say: "{case.kind!r}"',
        ["20:47 scenes[0].segments[2].say: {case.kind!r} is not a placeholder"],
    ),
    (
        "{trigger.speaker: bystander}",
        "{trigger.speaker: {choice: [wearer, bystandr]}}",
        [
            "21:80 scenes[1].change.trigger.speaker.choice[1]: there is no speaker 'bystandr'; did you mean 'bystander'?"
        ],
    ),
    ("{trigger.speaker: bystander}", "{}", ["21:44 scenes[1].change: must not be empty"]),
    (
        "name: base\n",
        "name: base\nfamily: nul.x\n",
        ["3:9 family: the id 'nul.x' is a device's name on Windows"],
    ),
    ("seed: 1\n", "seed: 1e400\n", ["3:7: 1e400 is too large a number"]),
    ("seed: 1\n", "seed: 012\n", ["3:7 seed: must be a whole number, not the text '012'"]),
    ("seed: 1\n", "seed: 1_000\n", ["3:7 seed: must be a whole number, not the text '1_000'"]),
    (
        "condition: other",
        "condition: ooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooo",
        [
            "21:17 scenes[1].condition: the text 'ooooooooooooooooooooooooooooooooooooooooooooooooooooooooo...' is not an id",
            "26:16 pairs[0].members[0]: there is no condition 'other'",
        ],
    ),
    ("say: Go.", 'say: "a\\ud800b"', ["20:51: an escape that is no character"]),
    ("say: Go.", "say: a\u0007b", ["20:48: a control character (U+0007)"]),
    (
        "- {gap_ms: 0}",
        "- {gap_ms: 0}\n      - {role: mid, speaker: wearer, say: Hm., room: near}\n      - {gap_ms: 5}",
        [
            "26:27 grid.gap.boundary.gap_ms[0]: condition same has 2 boundaries, so `boundary.gap_ms` could mean any",
            "26:30 grid.gap.boundary.gap_ms[1]: condition same has 2 boundaries, so `boundary.gap_ms` could mean any",
        ],
    ),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {levels: {'0': {mid.room: near}}}",
        ["24:24 grid.gap.levels.0.mid.room: 'mid.room' names nothing in condition same"],
    ),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {trigger.room: [near, Near]}",
        ["24:30 grid.gap.trigger.room[1]: there is no room 'Near'; did you mean 'near'?"],
    ),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {trigger.say: [Hello there]}",
        ["24:23 grid.gap.trigger.say[0]: 'Hello there' cannot name a level"],
    ),
    (
        "condition: same\n",
        "condition: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
        [
            "21:30 scenes[1].like: there is no condition 'same'",
            "23:8 grid.of[0]: there is no condition 'same'",
            "26:23 pairs[0].members[1]: there is no condition 'same'",
        ],
    ),
    (
        "{trigger.speaker: bystander}",
        "{noise: {kind: pink, snr_db: 3}, noise.kind: file}",
        ["21:89 scenes[1].change.noise.kind: noise from a file needs its path"],
    ),
    (
        "like: same,",
        "like: same, noise: {kind: pink, snr_db: 3, path: x.wav},",
        ["21:67 scenes[1].noise.path: unknown key 'path'"],
    ),
    (
        "gap: {boundary.gap_ms: [0, 600]}",
        "gap: {boundary.gap_ms: [0, 600]}\n  exclude: [{gap: 0}]",
        ["27:23 pairs[0].members[1]: this cell is excluded from the grid"],
    ),
    ("like: same,", "like: same, repeats: 2,", ["26:15 pairs[0].members: other has repeats 2 and same 1"]),
    (
        "grid:\n  of: [same]\n  gap: {boundary.gap_ms: [0, 600]}\n",
        "grid: {of: [same]}\n",
        ["22:1 grid: the grid has no axis", "24:41 pairs[0].members[1].gap: there is no axis 'gap'"],
    ),
    (
        "  gap: {boundary.gap_ms: [0, 600]}\n",
        "  gap: {boundary.gap_ms: [0, 600]}\n  g0: {trigger.settings.s0: [1, 2, 3, 4, 5, 6, 7, 8, 9]}\n  g1: {trigger.settings.s1: [1, 2, 3, 4, 5, 6, 7, 8, 9]}\n  g2: {trigger.settings.s2: [1, 2, 3, 4, 5, 6, 7, 8, 9]}\n  g3: {trigger.settings.s3: [1, 2, 3, 4, 5, 6, 7, 8, 9]}\n  g4: {trigger.settings.s4: [1, 2, 3, 4, 5, 6, 7, 8, 9]}\n",
        [
            "22:1 grid: 118,098 cells; at most 100,000 are made",
            "31:23 pairs[0].members[1]: condition same has many items in the grid",
        ],
    ),
    (
        "policy: source_and_proximity\n",
        "policy: source_and_proximity\ntarget: {tool: t, params: {x: 1}}\ntools: [{name: t, description: d, parameters: {type: object, additionalProperties: false}}]\n",
        ["15:28 target.params.x: unknown key 'x' (a parameter of t)"],
    ),
    (
        "pairs:\n  - {members: [other",
        "pairs:\n  - {name: a b, members: [other",
        ["26:12 pairs[0].name: the text 'a b' is not an id"],
    ),
    (
        "  - {condition: other, like: same, change: {trigger.speaker: bystander}}\n",
        "  - {condition: other, like: third, change: {trigger.speaker: bystander}}\n  - {condition: third}\n",
        ["21:30 scenes[1].like: condition 'third' has no segments of its own"],
    ),
    (
        '    segments:\n      - {role: context, speaker: wearer, say: "{case.id}", room: near}\n      - {gap_ms: 0}\n      - {role: trigger, speaker: wearer, say: Go., room: near}\n',
        "",
        [
            "16:5 scenes[0]: no scene has `segments`",
            "17:30 scenes[1].like: condition 'same' has no segments of its own",
        ],
    ),
    (
        '    segments:\n      - {role: context, speaker: wearer, say: "{case.id}", room: near}\n      - {gap_ms: 0}\n      - {role: trigger, speaker: wearer, say: Go., room: near}\n',
        "    segments: [{gap_ms: 5}]\n",
        ["17:15 scenes[0].segments: nobody says anything"],
    ),
    (
        "      - {role: trigger, speaker: wearer, say: Go., room: near}\n",
        "      - {role: trigger, speaker: wearer, say: Go., room: near}\n      - {gap_ms: 3}\n    gap_after_ms: 4\n",
        ["22:5 scenes[0].gap_after_ms: the gap at the end is said twice"],
    ),
    (
        "cases:\n  - {id: a, kind: x}\n",
        'description: "{x"\npolicy_: x\n',
        ["5:1 policy_: unknown key 'policy_'; did you mean 'policy'?"],
    ),
]


def test_base_is_right(tmp_path: Path) -> None:
    """Else the table would prove nothing."""
    file = tmp_path / "spec.yaml"
    file.write_text(BASE, encoding="utf-8")
    assert load_spec(file).name == "base"


@pytest.mark.parametrize(("old", "new", "expected"), BAD)
def test_bad_spec(
    old: str, new: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert old in BASE
    monkeypatch.chdir(tmp_path)
    file = Path("spec.yaml")
    file.write_text(BASE.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as raised:
        load_spec(file)
    said = []
    for problem in raised.value.problems:
        assert problem.place.file == str(file)
        path = f" {problem.path}" if problem.path else ""
        fix = f"; {problem.fix}" if problem.fix.startswith("did you mean") else ""
        said.append(f"{problem.place.line}:{problem.place.column}{path}: {problem.message}{fix}")
    assert said == expected
