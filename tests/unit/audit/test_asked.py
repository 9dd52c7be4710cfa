"""What was asked of the sound against what is in the WAVs, where one or the other is wrong on purpose."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.audit.made import ACT, MUTE, Made, Part, scene, write_set
from vgsynth.audit.asked import AskedAndMeasured
from vgsynth.audit.audit import audit_folder
from vgsynth.audit.options import AuditOptions
from vgsynth.contract.problems import InputError

OPTIONS = AuditOptions(embed_items=0, embed_per_voice=0, recognise_items=0, resamples=10)


def asked(folder: Path, *items: Made) -> AskedAndMeasured:
    found = audit_folder(write_set(folder / "set", items), options=OPTIONS).asked
    assert isinstance(found, AskedAndMeasured)
    return found


def test_a_set_that_is_what_its_rows_say(tmp_path: Path) -> None:
    found = asked(
        tmp_path,
        *(scene(n, other=True, far=n % 2 == 0, gap_ms=600, target=MUTE) for n in range(6)),
    )
    assert found.warnings == []
    assert found.levels.deviation_db is not None
    assert abs(found.levels.deviation_db.mean) < 0.01
    (gap,) = found.gaps
    assert gap.asked_ms == "600"
    assert gap.pause_ms is not None and gap.pause_ms.low >= 595.0
    assert found.silences_kept == found.silences > 0


@pytest.mark.parametrize("off_db", [1.0, -0.5])
def test_a_level_that_is_off_is_told(tmp_path: Path, off_db: float) -> None:
    good = scene(0, other=False, far=False, gap_ms=100, target=ACT)
    context, trigger = good.parts
    wrong = replace(good, parts=(context, replace(trigger, asked_dbfs=trigger.level_dbfs - off_db)))
    found = asked(tmp_path, wrong)
    assert found.levels.beyond == 1
    assert found.levels.listed == (f"case-000.grid trigger: {off_db:+.2f} dB",)
    assert "1 segments are off their level by more than 0.1 dB" in found.warnings


def test_sound_where_silence_is_due_is_told(tmp_path: Path) -> None:
    good = scene(0, other=False, far=False, gap_ms=600, target=ACT)
    found = asked(tmp_path, replace(good, spoil="early"))
    assert found.silences - found.silences_kept == 1
    assert found.silences_listed == ("case-000.grid: sound before trigger",)


def test_a_decay_is_read_from_the_tail(tmp_path: Path) -> None:
    """The made room decays by 60 dB in 0.4 s; read from tails of noise it comes out near that."""
    items = [scene(n, other=False, far=True, gap_ms=0, target=ACT) for n in range(8)]
    (far,) = [room for room in asked(tmp_path, *items).rooms if room.name == "far"]
    assert far.tail_rt60_s is not None
    assert far.tail_rt60_s.mean == pytest.approx(0.4, rel=0.25)


def test_a_wav_that_is_not_its_rows_is_refused(tmp_path: Path) -> None:
    out = write_set(tmp_path / "set", [Made(case_id="a", parts=(Part(text="lock the door"),))])
    wav = next((out / "wav").iterdir())
    wav.write_bytes(wav.read_bytes()[:-100])
    with pytest.raises(InputError) as error:
        audit_folder(out, options=OPTIONS)
    assert "see `vgsynth verify`" in str(error.value.problems[0])
