"""The resolved spec as YAML, for ``vgsynth config`` and beside what was rendered."""

from __future__ import annotations

from typing import Any

import yaml

from vgsynth.spec.model import Spec
from vgsynth.spec.scalars import ScalarError, resolve_plain
from vgsynth.spec.schema import schema_text

__all__ = ["resolved_yaml", "schema_text"]


def resolved_yaml(spec: Spec) -> str:
    """The resolved document as YAML.

    Put into the spec's root folder it is a spec of its own, which loads to the same document and hash.
    """
    body = yaml.dump(
        spec.document,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=None,
        width=110,
    )
    return f"# {spec.file.name}, resolved. Paths are relative to its root folder.\n{body}"


class _Dumper(yaml.SafeDumper):
    """Quotes what YAML 1.2 would not read as text, besides what PyYAML quotes by itself."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        return super().increase_indent(flow, False)


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    try:
        plain = isinstance(resolve_plain(text), str) and text.isprintable()
    except ScalarError:
        plain = False
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if plain else '"')


def _number(dumper: yaml.SafeDumper, number: float) -> yaml.ScalarNode:
    text = repr(number)
    if "." not in text:  # PyYAML, which is of YAML 1.1, would put a tag before 1e+20
        text = text.replace("e", ".0e")
    return dumper.represent_scalar("tag:yaml.org,2002:float", text)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(float, _number)
