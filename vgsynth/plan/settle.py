"""Settling: a template and a case become a scene. All placeholders and draws are resolved here."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn

from vgsynth.contract.problems import Problem, ProblemLog
from vgsynth.contract.suggest import did_you_mean
from vgsynth.plan.draws import draw_bits, draw_unit
from vgsynth.plan.files import FileFacts
from vgsynth.plan.limits import segment_problems
from vgsynth.plan.model import NoisePlan, Recording, Room, Setting, Speech, VoicePlan
from vgsynth.plan.room import RoomTemplate, build_room, room_templates
from vgsynth.plan.scene import Scene, SceneSegment
from vgsynth.plan.template import SceneTemplate, SegmentTemplate, Slot, slot
from vgsynth.spec.dynamic import resolve
from vgsynth.spec.model import Case, Path_, Spec, VoiceEntry
from vgsynth.spec.places import path_text

RECORDINGS_ENGINE = "recordings"
_PATH_FIX = 'add, for example, path: "recordings/{case.id}-{segment.role}.wav"'


class UnsettledError(Exception):
    """This scene cannot be made: its problems are in the log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settler:
    """What settling needs to know of the spec. ``log`` takes the problems."""

    spec: Spec
    files: FileFacts
    log: ProblemLog
    rooms: Mapping[str, RoomTemplate]
    fixed_rooms: dict[str, Room] = field(default_factory=dict)
    voice_settings: dict[tuple[str, str, str], Slot] = field(default_factory=dict)

    @classmethod
    def of(cls, spec: Spec, files: FileFacts, log: ProblemLog) -> Settler:
        """A settler for one pass over a spec."""
        return cls(spec=spec, files=files, log=log, rooms=room_templates(spec.rooms))

    def settle(
        self,
        template: SceneTemplate,
        case: Case,
        *,
        item_id: str,
        split: str | None,
        cast: Mapping[str, VoiceEntry],
    ) -> Scene:
        """The scene of ``template`` for ``case``. Raises UnsettledError, with the problems in the log."""
        return _Settling(self, template, case, item_id, cast).scene(split)


class _Settling:
    """One scene while it is being settled."""

    def __init__(
        self,
        settler: Settler,
        template: SceneTemplate,
        case: Case,
        item_id: str,
        cast: Mapping[str, VoiceEntry],
    ) -> None:
        self.settler = settler
        self.spec = settler.spec
        self.template = template
        self.case = case
        self.item_id = item_id
        self.cast = cast
        self.rooms: dict[str, Room] = {}
        self.role = ""
        self.failed = False

    def scene(self, split: str | None) -> Scene:
        template, audio = self.template, self.template.scene.modality == "audio"
        segments = [s for s in map(self._try_segment, template.segments) if s is not None]
        noise = initiator = stated = None
        gap_after = 0.0
        with self._collecting():
            gap_after = self._number(template.gap_after_ms, least=0)
        with self._collecting():
            initiator = None if template.initiator is None else self._speaker(template.initiator)
        with self._collecting():
            stated = None if template.target is None else self.value(template.target)
        if audio and template.noise is not None:
            with self._collecting():
                noise = self._noise(dict(template.noise))
        if audio:
            with self._collecting():
                self._distinct_voices(segments)
        if self.failed:
            raise UnsettledError
        return Scene(
            item_id=self.item_id,
            case=self.case,
            condition=template.scene.condition,
            cell=template.cell,
            pair_id=None,
            split=split,
            modality=template.scene.modality,
            policy=template.scene.policy,
            stated=stated,
            initiator=initiator,
            segments=tuple(segments),
            gap_after_ms=gap_after if audio else 0.0,
            noise=noise,
        )

    # -- values ------------------------------------------------------------------------------------------

    def value(self, slot: Slot) -> Any:
        """What a slot holds in this scene. Raises UnsettledError for an unknown placeholder."""
        if slot.constant:
            return slot.value

        def draw(per: str) -> float:
            return draw_unit(self.spec.seed, self._scope(per), slot.field)

        try:
            return resolve(slot.value, self._lookup, draw)
        except KeyError as error:
            self._fail(slot.path, *self._unknown(str(error.args[0])))
        except ValueError as error:
            self._fail(slot.path, str(error), "")

    def _scope(self, per: str) -> str:
        return self.case.id if per == "case" else self.item_id

    def _lookup(self, name: str) -> Any:
        head, _, rest = name.partition(".")
        if head == "case":
            return _inside({"id": self.case.id, **self.case.fields}, rest, name)
        known: dict[str, Any] = {
            "condition": self.template.scene.condition,
            "segment.role": self.role,
            **{f"cell.{axis}": level for axis, level in self.template.cell},
            **{f"speaker.{speaker}": voice.id for speaker, voice in self.cast.items()},
        }
        return known[name]

    def _unknown(self, name: str) -> tuple[str, str]:
        fields = [f"case.{key}" for key in ("id", *self.case.fields)]
        names = [*fields, "condition", "segment.role", *(f"speaker.{s}" for s in self.cast)]
        names += [f"cell.{axis}" for axis, _ in self.template.cell]
        return (
            f"the placeholder {{{name}}} has no value",
            did_you_mean(name, names) or f"known here: {', '.join(names)}",
        )

    def _number(self, slot: Slot, *, least: float | None = None) -> float:
        value = self.value(slot)
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._fail(slot.path, "is not a number:", "give a number", detail=repr(value))
        if not math.isfinite(value):
            self._fail(slot.path, "is not a finite number", "give a number")
        if least is not None and value < least:
            self._fail(slot.path, f"is less than {least:g}:", f"give at least {least:g}", detail=f"{value:g}")
        return value

    def _text(self, slot: Slot) -> str:
        value = self.value(slot)
        text = value if isinstance(value, str) else str(value)
        if value is None or not text.strip():
            self._fail(slot.path, "the text is empty", "give words to say")
        return text

    def _speaker(self, slot: Slot) -> str:
        value = self.value(slot)
        if value not in self.spec.speakers:
            self._fail(slot.path, *_no_such("speaker", value, self.spec.speakers))
        return str(value)

    # -- parts -------------------------------------------------------------------------------------------

    def _distinct_voices(self, segments: Sequence[SceneSegment]) -> None:
        """Two speakers of a scene have two voices, whichever way they were named."""
        speakers: dict[str, str] = {}
        for segment in segments:
            voice = self.cast[segment.speaker].id
            other = speakers.setdefault(voice, segment.speaker)
            if other != segment.speaker:
                self._fail(
                    ("speakers", segment.speaker),
                    f"{other} and {segment.speaker} can have one voice in one scene:",
                    f"add `differs_from: {other}`",
                    detail=voice,
                )

    def _try_segment(self, template: SegmentTemplate) -> SceneSegment | None:
        with self._collecting():
            return self._segment(template)
        return None

    def _segment(self, template: SegmentTemplate) -> SceneSegment:
        self.role = template.role
        audio = self.template.scene.modality == "audio"
        speaker = self._speaker(template.speaker)
        threshold = pad = None
        if template.trim_threshold_db is not None and template.trim_pad_ms is not None:
            threshold = self._number(template.trim_threshold_db)
            pad = self._number(template.trim_pad_ms, least=0)
        addressee = None if template.addressee is None else self.value(template.addressee)
        if addressee not in (None, "assistant", "bystander", "self"):
            at = template.path if template.addressee is None else template.addressee.path
            self._fail(at, *_no_such("addressee", addressee, ("assistant", "bystander", "self")))
        segment = SceneSegment(
            role=template.role,
            speaker=speaker,
            source=self._source(template, speaker, audio),
            trim_threshold_db=threshold,
            trim_pad_ms=pad or 0,
            level_dbfs=float(self._number(template.level_dbfs)),
            fade_ms=self._number(template.fade_ms, least=0),
            room=self._room(template.room),
            gap_before_ms=self._number(template.gap_before_ms, least=0) if audio else 0,
            addressee=addressee,
        )
        if audio:
            found = list(segment_problems(segment, limit=self.spec.output.limit))
            for field_name, message, fix in found:
                self._note((*template.path, *field_name.split(".")), message, fix)
            if found:
                raise UnsettledError
        return segment

    def _source(self, template: SegmentTemplate, speaker: str, audio: bool) -> Speech | Recording:
        if template.play is not None:
            transcript = "" if template.text is None else self._text(template.text)
            if not audio:
                return Recording(path="", sha256="", text=transcript)
            return self._recording(template.play, str(self.value(template.play)), transcript, None)
        assert template.say is not None
        text = self._text(template.say)
        voice = self.cast[speaker]
        if not audio:
            return Speech(voice=VoicePlan(engine="", name=""), text=text)
        settings = self._voice_settings(speaker, voice, template)
        if voice.engine == RECORDINGS_ENGINE:
            if not settings.get("path"):
                self._note(voice.path, f"{voice.id} has no path", _PATH_FIX)
                raise UnsettledError
            return self._recording(template.say, str(settings["path"]), text, voice.id)
        return Speech(
            voice=VoicePlan(engine=voice.engine, name=voice.name, settings=tuple(sorted(settings.items()))),
            text=text,
        )

    def _voice_settings(
        self, speaker: str, voice: VoiceEntry, template: SegmentTemplate
    ) -> dict[str, Setting]:
        spoken = self.spec.speakers[speaker].settings
        settings: dict[str, Setting] = {}
        for source, values in (("voice", voice.settings), ("speaker", spoken)):
            for name, value in values.items():
                key = (speaker, voice.id if source == "voice" else "", name)
                known = self.settler.voice_settings.get(key)
                if known is None:
                    where = voice.path if source == "voice" else ("speakers", speaker, "settings", name)
                    known = slot(value, f"{speaker}.settings.{name}", where)
                    self.settler.voice_settings[key] = known
                settings[name] = self.value(known)
        for name, own in template.settings:
            settings[name] = self.value(own)
        return settings

    def _recording(self, slot: Slot, path: str, text: str, voice: str | None) -> Recording:
        return Recording(path=path, sha256=self._file(slot.path, path), text=text, voice=voice)

    def _file(self, at: Path_, path: str) -> str:
        try:
            return self.settler.files.sha256(path)
        except OSError as error:
            self._fail(at, f"cannot read {path!r}: {error.strerror or error}", "check the path")
        except ValueError as error:
            self._fail(at, f"{path!r}: {error}", "keep files below the spec's root")

    def _room(self, slot: Slot) -> Room:
        name = self.value(slot)
        if name not in self.settler.rooms:
            self._fail(slot.path, *_no_such("room", name, self.settler.rooms))
        fixed = self.settler.fixed_rooms.get(name) or self.rooms.get(name)
        if fixed is not None:
            return fixed
        template = self.settler.rooms[name]
        room, found = build_room(template, self._room_value, self._file)
        for field_name, message, fix in found:
            self._note(("rooms", name, *([field_name] if field_name else [])), message, fix)
        if found:
            raise UnsettledError
        (self.settler.fixed_rooms if template.constant else self.rooms)[name] = room
        return room

    def _room_value(self, slot: Slot) -> Any:
        return self.value(slot)

    def _noise(self, slots: Mapping[str, Slot]) -> NoisePlan:
        per = self.value(slots["per"]) if "per" in slots else "case"
        kind = self.value(slots["kind"])
        path = self.value(slots["path"]) if "path" in slots else None
        return NoisePlan(
            kind=kind,
            snr_db=self._number(slots["snr_db"]),
            seed=draw_bits(self.spec.seed, self._scope(per), "noise"),
            path=path,
            sha256=None if path is None else self._file(slots["path"].path, path),
        )

    # -- problems ----------------------------------------------------------------------------------------

    @contextmanager
    def _collecting(self) -> Iterator[None]:
        """Go on behind a part that failed, so that all problems of the scene are found at once."""
        try:
            yield
        except UnsettledError:
            self.failed = True

    def _note(self, path: Path_, message: str, fix: str, *, detail: str = "") -> None:
        problem = Problem(place=self.spec.places.of(path), path=path_text(path), message=message, fix=fix)
        self.settler.log.add(problem, case_id=self.case.id, detail=detail)

    def _fail(self, path: Path_, message: str, fix: str, *, detail: str = "") -> NoReturn:
        self._note(path, message, fix, detail=detail)
        raise UnsettledError


def _inside(value: Any, dotted: str, name: str) -> Any:
    for part in dotted.split("."):
        if not isinstance(value, Mapping) or part not in value:
            raise KeyError(name)
        value = value[part]
    return value


def _no_such(kind: str, name: object, known: Any) -> tuple[str, str]:
    names = list(known)
    hint = did_you_mean(str(name), names) or f"there are: {', '.join(names) or 'none'}"
    return f"there is no {kind} {name!r}", hint
