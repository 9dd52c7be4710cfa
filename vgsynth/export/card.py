"""The dataset card: Markdown with the front matter that dataset hubs read."""

from __future__ import annotations

from vgsynth.export.about import About

CARD_NAME = "README.md"

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_COUNTS = (
    ("condition", "conditions"),
    ("grid cell", "cells"),
    ("target", "targets"),
    ("split", "splits"),
)
_RULES = {
    "source_and_proximity": "act only if the session's initiator triggers, near by",
    "source": "act if the session's initiator triggers, near or far",
    "proximity": "act if the trigger is said near by, by whomever",
    "words": "act always",
    "addressee": "act on what is said to the assistant",
    "never": "stay silent always",
}


def card(about: About) -> str:
    """The card's text."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("vgsynth.export"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # Markdown
    )
    environment.filters["cell"] = lambda text: " ".join(str(text).split()).replace("|", "\\|")
    items = about.dataset["items"]
    engines = {voice.id.partition("/")[0] for voice in about.voices}
    return environment.get_template("card.md.j2").render(
        about=about,
        set={**about.dataset, "items_": items},  # a mapping's `items` is its method
        size=next((name for limit, name in _SIZES if items < limit), "n>1M"),
        rule=_RULES.get(about.policy or ""),
        tables=[(title, about.dataset[key]) for title, key in _COUNTS if about.dataset.get(key)],
        engines=engines,
        synthetic=bool(engines - {"recordings", "tone"}),
        number=lambda value: f"{value:,}",
    )
