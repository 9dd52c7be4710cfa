"""Takes: the audio files of a folder, and the prompts that they are takes of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from vgsynth.contract.problems import InputError
from vgsynth.contract.suggest import did_you_mean
from vgsynth.recording.script import Prompt

AUDIO_SUFFIXES = frozenset(
    f".{name}"
    for name in (
        *("wav", "wave", "flac", "ogg", "oga", "opus", "mp3", "aif", "aiff", "aifc", "caf", "w64", "rf64"),
        *("au", "snd", "m4a", "mp4", "m4b", "aac", "wma", "webm", "amr", "3gp", "mka", "mov"),
    )
)
"""Files of other kinds are passed over: notes, session files of a studio's program."""
_NUMBERED = re.compile(r"(.+?)(?:[ _.-]*take[ _.-]*(\d+)| ?\((\d+)\))", re.IGNORECASE)
"""``NAME_take2``; and ``NAME (2)``, which file managers write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """A file that is a take of nothing."""

    file: str
    """Relative to the folder."""
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Takes:
    """The files of a folder, sorted out."""

    by_prompt: Mapping[str, tuple[str, ...]]
    """Prompt id to its takes, relative to the folder, by number and name; only prompts that have any."""
    extra: tuple[Extra, ...]


def find_takes(folder: Path, prompts: Sequence[Prompt], root: Path | None = None) -> Takes:
    """Sort out the audio files below ``folder``, by their names alone; letter case does not count.

    A file belongs to the prompt ``SPEAKER/NAME`` if it is called NAME, whatever its suffix, and lies below a
    folder SPEAKER; or below none of a speaker's name, if nobody else has a prompt NAME. What lies where a
    spec, whose root is ``root``, looks for recordings is no take. Raises InputError where there is no such
    folder.
    """
    if not folder.is_dir():
        raise InputError.at(str(folder), "there is no such folder", "name the folder that holds the takes")
    names = _Names(prompts)
    places = frozenset((root / prompt.file).resolve() for prompt in prompts) if root else frozenset()
    found: dict[str, list[tuple[int, str]]] = {}
    extra = []
    for path in sorted(folder.rglob("*")):
        file = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in file.parts)
        if hidden or path.suffix.lower() not in AUDIO_SUFFIXES or not path.is_file():
            continue
        if path.resolve() in places:
            continue
        number, prompt = names.prompt_of(PurePosixPath(file.as_posix()))
        if isinstance(prompt, Prompt):
            found.setdefault(prompt.id, []).append((number, file.as_posix()))
        else:
            extra.append(Extra(file=file.as_posix(), why=prompt))
    return Takes(
        by_prompt={id_: tuple(file for _, file in sorted(takes)) for id_, takes in found.items()},
        extra=tuple(extra),
    )


class _Names:
    """Prompts by what their takes are called."""

    def __init__(self, prompts: Sequence[Prompt]) -> None:
        self._by_name: dict[str, dict[str, Prompt]] = {}
        self._speakers = {prompt.speaker.casefold() for prompt in prompts}
        for prompt in prompts:
            name = prompt.id.partition("/")[2].casefold()
            self._by_name.setdefault(name, {})[prompt.speaker.casefold()] = prompt

    def prompt_of(self, file: PurePosixPath) -> tuple[int, Prompt | str]:
        """The number of the take and its prompt, or why there is none."""
        name, number = file.stem.casefold(), 1
        numbered = _NUMBERED.fullmatch(name)
        if name not in self._by_name and numbered is not None:
            name, number = numbered[1], int(numbered[2] or numbered[3])
        readers = self._by_name.get(name)
        if readers is None:
            hint = did_you_mean(name, self._by_name)
            return number, "no prompt has this name" + (f"; {hint}" if hint else "")
        who = " and ".join(prompt.speaker for prompt in readers.values())
        folders = [part.casefold() for part in reversed(file.parts[:-1])]
        speaker = next((part for part in folders if part in self._speakers), None)
        if speaker is None:
            if len(readers) > 1:
                return number, f"{who} read it: put it into a folder called like its reader"
            return number, next(iter(readers.values()))
        if speaker not in readers:
            return number, f"this is read by {who}, not by {speaker}"
        return number, readers[speaker]
