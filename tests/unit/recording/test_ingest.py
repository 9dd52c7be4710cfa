"""Takes into their places: what is written, what is listed, what is left alone, also when run again."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.unit.recording.made import (
    CASES,
    babble,
    cells,
    hearing,
    ingested,
    rewrite,
    side_talk,
    write_cases,
    write_take,
    write_takes,
)
from vgsynth.contract.problems import InputError
from vgsynth.recording.ingest import Ingested
from vgsynth.recording.placing import Options
from vgsynth.recording.script import Script, script_of
from vgsynth.recording.words import Listener
from vgsynth.spec.load import load_spec
from vgsynth.spec.model import Spec


class Study:
    """A spec with people, and a folder of takes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.spec: Spec = side_talk(folder)
        self.script: Script = script_of(self.spec)
        self.takes = folder / "takes"
        self.takes.mkdir()
        self.id = self.script.prompts[0].id
        self.take = self.takes / f"{self.id}.wav"
        self.file = folder / "recordings" / f"{self.id}.wav"

    def run(self, **options: object) -> Ingested:
        """One run."""
        return ingested(self.spec, self.takes, options=Options(**options))  # type: ignore[arg-type]

    def table(self, name: str = "takes") -> list[dict[str, str]]:
        """Rows of a table."""
        return cells(self.folder / f"read-{name}.csv")

    def recordings(self) -> dict[str, str]:
        """Hashes of what lies in the places."""
        return {
            str(file.relative_to(self.folder)): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted((self.folder / "recordings").rglob("*"))
            if file.is_file()
        }


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return Study(tmp_path)


def test_every_take_comes_to_its_place_in_the_format(study: Study) -> None:
    for index, prompt in enumerate(study.script.prompts):
        file = (
            study.takes
            / prompt.speaker
            / f"{prompt.case_id}-{prompt.role}{['.flac', '.wav', '.ogg'][index % 3]}"
        )
        write_take(file, prompt.text, rate_hz=[48_000, 44_100, 22_050][index % 3])
    found = study.run()
    assert found.counts() == {"ready": 8}
    assert found.complete
    assert (found.written, found.unchanged, found.replaced) == (8, 0, [])
    for prompt in study.script.prompts:
        info = soundfile.info(study.folder / prompt.file)
        assert (info.samplerate, info.channels, info.subtype, info.format) == (16_000, 1, "PCM_16", "WAV")
    by_id = {row["id"]: row for row in study.table()}
    first = by_id[study.id]
    assert (first["sample_rate_hz"], first["channels"], first["state"]) == ("48000", "1", "ready")
    assert first["take_sha256"] == hashlib.sha256((study.takes / first["take"]).read_bytes()).hexdigest()
    assert first["file_sha256"] == study.recordings()[first["file"]]


def test_run_again_it_does_nothing(study: Study) -> None:
    write_takes(study.takes, study.script)
    study.run()
    before = [study.recordings(), study.table(), study.table("annotation")]
    times = [path.stat().st_mtime_ns for path in (study.folder / "recordings").rglob("*.wav")]
    found = study.run()
    assert (found.written, found.unchanged, found.replaced) == (0, 8, [])
    assert [study.recordings(), study.table(), study.table("annotation")] == before
    assert [path.stat().st_mtime_ns for path in (study.folder / "recordings").rglob("*.wav")] == times


def test_takes_may_lie_above_their_places(study: Study) -> None:
    write_takes(study.folder, study.script)
    for unchanged in (0, 8):
        found = ingested(study.spec, study.folder)
        assert (found.counts(), found.extra, found.unchanged) == ({"ready": 8}, (), unchanged)


def test_a_changed_take_alone_is_taken_anew(study: Study) -> None:
    write_takes(study.takes, study.script)
    study.run()
    before = study.recordings()
    write_take(study.take, study.script.prompts[0].text, amplitude=0.3)
    found = study.run()
    assert (found.written, found.unchanged, found.replaced) == (1, 7, [study.id])
    changed = {name for name, sha in study.recordings().items() if sha != before[name]}
    assert changed == {f"recordings/{study.id}.wav"}


def test_what_is_missing_doubled_or_left_over_is_listed(study: Study) -> None:
    ids = [prompt.id for prompt in study.script.prompts]
    write_takes(study.takes, study.script, but=[ids[1]])
    write_take(study.takes / f"{ids[0]}_take2.flac", study.script.prompts[0].text, amplitude=0.3)
    write_take(study.takes / "ann" / "teh-first.wav", "Hello.")
    found = study.run()
    assert found.counts() == {"ready": 6, "missing": 1, "doubled": 1}
    assert found.records[ids[1]].state == "missing"
    assert found.records[ids[0]].findings == (f"takes: {ids[0]}.wav, {ids[0]}_take2.flac",)
    assert [extra.file for extra in found.extra] == ["ann/teh-first.wav"]
    assert not found.complete
    assert not study.file.exists()
    assert {row["id"]: row["state"] for row in study.table()}[ids[1]] == "missing"
    assert found.to_json()["states"] == {"doubled": 1, "missing": 1, "ready": 6}


def test_the_last_of_several_takes(study: Study) -> None:
    write_takes(study.takes, study.script)
    write_take(study.takes / f"{study.id}_take2.flac", study.script.prompts[0].text, amplitude=0.3)
    found = study.run(last_take=True)
    assert found.complete
    assert found.records[study.id].take == f"{study.id}_take2.flac"
    assert np.abs(soundfile.read(study.file)[0]).max() == pytest.approx(0.3, rel=0.01)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"RIFF but no sound", "cannot be decoded"),
        (b"", "cannot be decoded"),
        ("silence", "digital silence"),
        ("hiss", "silent: "),
    ],
)
def test_a_take_that_cannot_be_used_is_refused(study: Study, data: bytes | str, message: str) -> None:
    write_takes(study.takes, study.script)
    if isinstance(data, bytes):
        study.take.write_bytes(data)
    else:
        level = {"silence": 0.0, "hiss": 1e-4}[data]
        soundfile.write(study.take, level * np.sign(babble(2.0)), 16_000, subtype="FLOAT")
    found = study.run()
    assert found.counts() == {"ready": 7, "refused": 1}
    assert message in found.records[study.id].findings[0]
    assert not study.file.exists()
    (item,) = [row for row in study.table("annotation") if study.id in row["details"]]
    assert item["script_audio"] == "missing"


def test_a_refused_take_leaves_the_earlier_one(study: Study) -> None:
    write_takes(study.takes, study.script)
    study.run()
    before = study.recordings()
    study.take.write_bytes(b"RIFF")
    for _ in range(2):
        found = study.run()
        assert found.records[study.id].state == "refused"
        assert found.replaced == []
        assert study.recordings() == before
    (item,) = [row for row in study.table("annotation") if study.id in row["details"]]
    assert item["script_audio"] == "check"


def test_a_refused_take_that_is_withdrawn(study: Study) -> None:
    write_takes(study.takes, study.script)
    study.run()
    study.take.write_bytes(b"RIFF")
    study.run()
    study.take.unlink()
    assert study.run().records[study.id].state == "ready"  # the earlier one
    write_take(study.take, study.script.prompts[0].text, amplitude=0.3)
    assert study.run().replaced == [study.id]


def test_a_flawed_take_is_taken_and_told(study: Study) -> None:
    write_takes(study.takes, study.script)
    write_take(study.take, study.script.prompts[0].text, amplitude=3.0)
    found = study.run()
    record = found.records[study.id]
    assert record.state == "check"
    assert record.findings[0].startswith("clipped: ")
    assert study.file.exists()


def test_a_file_that_came_from_elsewhere_is_not_overwritten(study: Study) -> None:
    write_takes(study.takes, study.script)
    study.file.parent.mkdir(parents=True)
    study.file.write_bytes(b"somebody's")
    found = study.run()
    assert found.records[study.id].state == "blocked"
    assert study.file.read_bytes() == b"somebody's"
    assert study.run(replace=True).records[study.id].state == "ready"
    assert soundfile.info(study.file).samplerate == 16_000


def test_a_recording_edited_in_its_place_is_not_overwritten(study: Study) -> None:
    write_takes(study.takes, study.script)
    study.run()
    soundfile.write(study.file, babble(1.0), 16_000)
    edited = study.file.read_bytes()
    assert study.run().records[study.id].state == "blocked"
    assert study.file.read_bytes() == edited


def test_a_recording_that_is_there_without_a_take_is_looked_at(study: Study) -> None:
    write_takes(study.takes, study.script, but=[study.id])
    study.file.parent.mkdir(parents=True)
    soundfile.write(study.file, babble(60.0, 44_100), 44_100)
    before = study.file.read_bytes()
    record = study.run().records[study.id]
    assert record.state == "check"
    assert record.findings[0].startswith("too long")
    assert study.file.read_bytes() == before


@pytest.mark.parametrize("bad_take_first", [False, True])
def test_a_recording_found_there_is_not_overwritten_later_either(study: Study, bad_take_first: bool) -> None:
    write_takes(study.takes, study.script, but=[study.id])
    study.file.parent.mkdir(parents=True)
    soundfile.write(study.file, babble(2.0, 44_100), 44_100)
    before = study.file.read_bytes()
    study.run()
    if bad_take_first:
        study.take.write_bytes(b"RIFF")
        assert study.run().records[study.id].state == "refused"
    write_take(study.take, study.script.prompts[0].text)
    for _ in range(2):
        assert study.run().records[study.id].state == "blocked"
        assert study.file.read_bytes() == before
    assert study.run(replace=True).records[study.id].state == "ready"
    write_take(study.take, study.script.prompts[0].text, amplitude=0.3)
    assert study.run().records[study.id].state == "ready"  # from then on it is a take's


def test_takes_may_come_in_several_folders(study: Study) -> None:
    """Of a second day only what was recorded then is there."""
    write_takes(study.takes, study.script)
    study.run()
    days = study.folder / "day2"
    write_take(days / f"{study.id}.wav", study.script.prompts[0].text, amplitude=0.3)
    found = ingested(study.spec, days)
    assert found.counts() == {"ready": 8}
    assert (found.written, found.unchanged, found.replaced) == (1, 7, [study.id])


def test_a_text_that_changed_is_compared_anew(study: Study) -> None:
    write_takes(study.takes, study.script)
    study.run()
    rows = cells(study.folder / "cases.csv")
    rows[0]["first"] = "Set a timer for four minutes, and when it has rung, set another one for ten."
    write_cases(study.folder, [(r["id"], r["tool"], r["first"], r["second"], r["to_first"]) for r in rows])
    found = ingested(load_spec(study.spec.file), study.takes)
    changed = [id_ for id_, record in found.records.items() if record.state == "check"]
    assert [id_.partition("/")[2] for id_ in changed] == [f"{rows[0]['id']}-first"]
    assert found.unchanged == 7


def test_words_are_compared_where_somebody_listens(study: Study) -> None:
    write_takes(study.takes, study.script)
    study.run()
    assert {row["script_audio"] for row in study.table("annotation")} == {"check"}
    prompts = {prompt.id: prompt for prompt in study.script.prompts}
    tea = next(id_ for id_ in prompts if id_.endswith("/tea-first"))
    heard = {study.folder / p.file: p.text for p in prompts.values()}
    heard[study.folder / prompts[tea].file] = "Set a time for 4 minutes"
    for limit, state in ((0.1, "check"), (0.2, "ready")):
        options = Options(word_error_limit=limit)
        found = ingested(study.spec, study.takes, listener=hearing(heard), options=options)
        assert found.records[tea].state == state
        assert found.records[tea].word_error_rate == "0.167"  # one word of six
        assert found.counts()["ready"] == (8 if state == "ready" else 7)
    # Without a recogniser, what was heard before is kept.
    again = study.run()
    assert again.unchanged == 8
    assert again.records[tea].heard == "Set a time for 4 minutes"
    assert {row["script_audio"] for row in study.table("annotation")} == {"ok"}


def test_what_annotators_wrote_is_kept(study: Study) -> None:
    write_takes(study.takes, study.script)
    study.run()
    file = study.folder / "read-annotation.csv"
    rows = [{**row, "annotator_1_target": "mute", "notes": "a; b, c", "mine": "x"} for row in cells(file)]
    rewrite(file, rows, delimiter=";", encoding="utf-8-sig")
    study.run()
    assert cells(file, delimiter=";") == rows


def label(study: Study, **written: str) -> None:
    """Write the same into every row of the table."""
    file = study.folder / "read-annotation.csv"
    rewrite(file, [{**row, **written} for row in cells(file)])


def rechecks(study: Study) -> dict[str, str]:
    """Items to be rechecked."""
    return {row["case_id"]: row["recheck"] for row in study.table("annotation") if row["recheck"]}


def test_a_new_take_behind_labels_is_to_be_rechecked(study: Study) -> None:
    write_takes(study.takes, study.script)
    study.run()
    write_take(study.take, study.script.prompts[0].text, amplitude=0.25)
    study.run()
    assert rechecks(study) == {}  # nobody had labelled anything
    label(study, annotator_1_target="mute")
    write_take(study.take, study.script.prompts[0].text, amplitude=0.3)
    study.run()
    case = study.script.prompts[0].case_id
    assert list(rechecks(study)) == [case]
    study.run()
    assert list(rechecks(study)) == [case]  # until somebody empties the cell
    label(study, recheck="")
    study.run()
    assert rechecks(study) == {}


def test_a_take_lost_and_made_again_is_to_be_rechecked(study: Study) -> None:
    write_takes(study.takes, study.script)
    study.run()
    label(study, annotator_2_audio="ok")
    study.file.unlink()
    study.take.unlink()
    study.run()
    assert rechecks(study) == {}
    write_take(study.take, study.script.prompts[0].text, amplitude=0.3)
    study.run()
    assert list(rechecks(study)) == [study.script.prompts[0].case_id]


def test_items_that_are_gone_keep_their_labels(study: Study) -> None:
    write_takes(study.takes, study.script)
    study.run()
    file = study.folder / "read-annotation.csv"
    rows = cells(file)
    rows[0]["notes"] = "listen again"
    rewrite(file, rows)
    write_cases(study.folder, CASES[2:])
    ingested(load_spec(study.spec.file), study.takes)
    assert [(row["case_id"], row["script_audio"]) for row in study.table("annotation")] == [
        ("eggs", "check"), ("taxi", "check"), ("tea", "not in the spec"),
    ]  # fmt: skip


def test_stopped_and_run_again_it_goes_on(study: Study) -> None:
    write_takes(study.takes, study.script)
    done = []

    def stop(samples: object) -> str:
        done.append(samples)
        if len(done) == 4:
            raise KeyboardInterrupt
        return ""

    listener = Listener(name="test 1", hear=stop)
    with pytest.raises(KeyboardInterrupt):
        ingested(study.spec, study.takes, listener=listener)
    assert len(study.table()) == 3
    assert len(study.table("annotation")) == 4
    found = ingested(study.spec, study.takes, listener=listener)
    assert (found.unchanged, len(done)) == (3, 9)


def test_tables_that_are_none_stop_everything_first(study: Study) -> None:
    write_takes(study.takes, study.script)
    (study.folder / "read-annotation.csv").write_text("item,label\n")
    with pytest.raises(InputError, match="there is no column 'item_id'"):
        study.run()
    assert not (study.folder / "recordings").exists()
    (study.folder / "read-annotation.csv").unlink()
    study.run()
    text = (study.folder / "read-takes.csv").read_text()
    (study.folder / "read-takes.csv").write_text(text.replace(",ready,", ",fine,"))
    with pytest.raises(InputError, match="'fine' is no state of a take"):
        study.run()


def test_nothing_is_left_behind_half_written(study: Study) -> None:
    write_takes(study.takes, study.script)
    study.run()
    assert list(study.folder.rglob(".*")) == []
