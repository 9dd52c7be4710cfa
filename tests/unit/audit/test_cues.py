"""Single cues against labels, on sets whose truth is known by arithmetic."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.unit.audit.made import ACT, MUTE, VOICES, Made, Part, crossed, scene, words_of, write_set
from vgsynth.audit.audit import Audit, audit_folder
from vgsynth.audit.options import AuditOptions
from vgsynth.audit.predict import CueResult, QuestionResult
from vgsynth.audit.values import Skipped
from vgsynth.contract.problems import InputError

pytest.importorskip("sklearn")
OPTIONS = AuditOptions(embed_items=0, embed_per_voice=0, recognise_items=0, resamples=500)


def audited(folder: Path, items: list[Made], **stated: str) -> Audit:
    out = write_set(folder / "set", items, expect={k.replace("__", "."): v for k, v in stated.items()})
    return audit_folder(out, options=OPTIONS)


def question(audit: Audit, name: str = "action") -> QuestionResult:
    assert not isinstance(audit.cues, Skipped)
    return next(found for found in audit.cues if found.question == name)


def cue(audit: Audit, name: str, of: str = "action") -> CueResult:
    return next(found for found in question(audit, of).cues if found.cue == name)


def test_a_grid_labelled_by_source_is_told_by_source_alone(tmp_path: Path) -> None:
    audit = audited(tmp_path, crossed(20, "source"), source="informative", gap="uninformative")
    assert cue(audit, "source").score == 1.0
    assert {name: cue(audit, name).verdict for name in ("source", "distance", "gap", "level", "words")} == {
        "source": "informative",
        "distance": "uninformative",
        "gap": "uninformative",
        "level": "uninformative",
        "words": "uninformative",
    }
    assert cue(audit, "voice_pair").verdict == "informative"
    assert audit.failures == ()


def test_source_and_proximity_is_told_by_either_five_times_in_six(tmp_path: Path) -> None:
    """Mute in six of eight cells. By source: all two acts right, four of six mutes: (1 + 4/6) / 2."""
    audit = audited(tmp_path, crossed(20, "source_and_proximity"))
    for name in ("source", "distance", "drr"):
        assert cue(audit, name).score == pytest.approx(5 / 6, abs=1e-6), name
        assert cue(audit, name).verdict == "informative"
    assert question(audit).chance == 0.5
    assert question(audit).majority_accuracy == 0.75
    assert cue(audit, "gap").score <= 0.5


def test_labels_by_gap_are_told_by_the_gap_and_by_the_length_of_the_clip(tmp_path: Path) -> None:
    audit = audited(tmp_path, crossed(20, "gap"))
    assert cue(audit, "gap").score == 1.0
    assert cue(audit, "duration").verdict == "informative"
    assert cue(audit, "source").verdict == "uninformative"


def test_words_that_give_the_label_away_are_found(tmp_path: Path) -> None:
    items = []
    for n in range(40):
        said, trigger = words_of(n)
        mute = n % 2 == 0
        said = f"{said} {'he said' if mute else 'listen assistant'}"
        parts = (
            Part(role="context", text=said, voice=VOICES[n % 6]),
            Part(text=trigger, voice=VOICES[n % 6]),
        )
        items.append(Made(case_id=f"c{n}", parts=parts, target=MUTE if mute else ACT))
    audit = audited(tmp_path, items, words="uninformative")
    assert cue(audit, "words").score == 1.0
    (failure,) = audit.failures
    assert failure.startswith("expect words: uninformative, found informative (balanced accuracy 1.000")


def test_few_cases_decide_nothing(tmp_path: Path) -> None:
    """Ten of fourteen labels go with the source: better than chance, by what chance may do."""
    items = [
        scene(
            n, other=bool(n % 2) != (n in (1, 4, 7, 10)), far=False, gap_ms=0, target=MUTE if n % 2 else ACT
        )
        for n in range(14)
    ]
    audit = audited(tmp_path, items, source="uninformative")
    assert cue(audit, "source").verdict == "undecided"
    assert "found undecided" in audit.failures[0]


@pytest.mark.parametrize("policy", ["source", "gap"])
def test_fields_of_cases_and_cells_may_be_stated(tmp_path: Path, policy: str) -> None:
    items = crossed(12, policy, case={"template": "t"})
    wanted = {"cell.source": "informative" if policy == "source" else "uninformative"}
    out = write_set(tmp_path / "set", items, expect=wanted)
    assert audit_folder(out, options=OPTIONS).failures == ()


@pytest.mark.parametrize(
    ("expect", "told"),
    [
        ({"gop": "informative"}, "expect.gop: there is no cue 'gop'; did you mean 'gap'?"),
        ({"gap": "informativ"}, "expect.gap: 'informativ' is not a verdict; did you mean 'informative'?"),
        ({"gap/acton": "informative"}, "there is no question 'acton'; did you mean 'action'?"),
    ],
)
def test_expectations_that_cannot_be_are_refused(tmp_path: Path, expect: dict[str, str], told: str) -> None:
    out = write_set(tmp_path / "set", crossed(6), expect=expect)
    with pytest.raises(InputError) as error:
        audit_folder(out, options=OPTIONS)
    assert told in str(error.value.problems[0])


def test_position_of_the_addressed_utterance(tmp_path: Path) -> None:
    """Acting is asked of the first utterance in every case: position tells it, the words do not."""
    items = []
    for n in range(16):
        first, second = words_of(n)
        for order in (0, 1):
            who = ("assistant", "bystander") if order == 0 else ("bystander", "assistant")
            parts = (
                Part(role="first", text=first, voice=VOICES[n % 6], addressee=who[0]),
                Part(role="second", text=second, voice=VOICES[n % 6], addressee=who[1], gap_ms=300),
            )
            items.append(Made(case_id=f"c{n}", condition=f"order{order}", parts=parts, target=ACT))
    audit = audited(tmp_path, items)
    assert cue(audit, "position", "addressed").score == 0.5
    lopsided = audited(tmp_path / "lopsided", [item for item in items if item.condition == "order0"])
    assert cue(lopsided, "position", "addressed").score == 1.0


def test_the_same_audit_gives_the_same_figures(tmp_path: Path) -> None:
    out = write_set(tmp_path / "set", crossed(8))
    assert audit_folder(out, options=OPTIONS).to_json() == audit_folder(out, options=OPTIONS).to_json()


@pytest.mark.slow
def test_an_uninformative_cue_is_seldom_called_informative(tmp_path: Path) -> None:
    """Labels drawn by lot over 100 sets of 40 cases: for 13 cues each, false alarms stay below 1 in 50."""
    alarms = probed = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        items = [
            scene(
                n,
                other=bool(rng.integers(2)),
                far=bool(rng.integers(2)),
                gap_ms=600 * int(rng.integers(2)),
                target=MUTE if rng.random() < 0.5 else ACT,
            )
            for n in range(40)
        ]
        found = question(audited(tmp_path / str(seed), items))
        probed += len(found.cues)
        alarms += sum(cue.verdict == "informative" for cue in found.cues)
    assert probed > 1000
    assert alarms / probed < 0.02
