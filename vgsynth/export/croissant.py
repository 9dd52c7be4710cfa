"""A rendered set in Croissant 1.0 (https://docs.mlcommons.org/croissant/docs/croissant-spec.html)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vgsynth.contract.canonical import sha256_of_file
from vgsynth.contract.manifest import MANIFEST_NAME
from vgsynth.export.about import About
from vgsynth.render.folder import RESOLVED_SPEC, TOOLS

CROISSANT_NAME = "croissant.json"

_CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The terms of the format, as its specification lists them."""

_FIELDS: tuple[tuple[str, str, str, str | None, str], ...] = (
    ("item_id", "sc:Text", "item_id", None, "Unique in the set."),
    ("family", "sc:Text", "family", None, "Scenario."),
    ("case_id", "sc:Text", "case_id", None, "The script; its conditions and grid cells share it."),
    ("condition", "sc:Text", "condition", None, "Which scene of the spec."),
    ("split", "sc:Text", "split", None, "The part that the case was dealt to, where the spec splits."),
    ("modality", "sc:Text", "modality", None, "audio, or text for items without audio."),
    ("target", "sc:Text", "target", "$.kind", "The right action: mute, tool or answer."),
    ("target_tool", "sc:Text", "target", "$.tool", "The right tool, where the target is one."),
    (
        "source",
        "sc:Text",
        "factors",
        "$.source",
        "same: the session's initiator triggers; or different.",
    ),
    ("distance", "sc:Text", "factors", "$.distance", "near or far: where the trigger is said."),
    ("gap_ms", "sc:Float", "factors", "$.gap_ms", "Silence before the trigger, in milliseconds."),
    ("duration_s", "sc:Float", "duration_s", None, "Length of the clip in seconds."),
    ("wav", "sc:Text", "wav", None, "The clip's file, as in clips/wav; none for text items."),
    ("wav_sha256", "sc:Text", "wav_sha256", None, "SHA-256 of the WAV file."),
)
"""Name, data type, column of the manifest, path inside the column, description."""


def croissant(about: About) -> dict[str, Any]:
    """The Croissant description of a rendered set: its files, and its items with their audio."""
    described = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": about.name,
        "description": about.description,
        "license": about.licence,
        "url": about.url,
        "version": about.version,
        "datePublished": about.published,
        "citeAs": about.citation,
        "inLanguage": "en",
        "distribution": [
            _file(about.out, MANIFEST_NAME, "application/jsonlines", "One JSON object for each item."),
            _file(about.out, TOOLS, "application/json", "The tools that an agent may call."),
            _file(about.out, RESOLVED_SPEC, "application/yaml", "The spec, with every default filled in."),
            {
                "@type": "cr:FileSet",
                "@id": "wav",
                "name": "wav",
                "description": "16-bit PCM WAV files, mono.",
                "encodingFormat": "audio/wav",
                "includes": "wav/*.wav",
            },
        ],
        "recordSet": [_items(), _clips()],
    }
    return {key: value for key, value in described.items() if value is not None}


def _file(out: Path, name: str, encoding: str, description: str) -> dict[str, Any]:
    file = out / name
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "description": description,
        "contentUrl": name,
        "contentSize": f"{file.stat().st_size} B",
        "encodingFormat": encoding,
        "sha256": sha256_of_file(file),
    }


def _items() -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": "items",
        "name": "items",
        "description": "Every item. The manifest says more of each than stands here.",
        "key": {"@id": "items/item_id"},
        "field": [
            _field(f"items/{name}", data_type, _column(column, json_path), about)
            for name, data_type, column, json_path, about in _FIELDS
        ],
    }


def _column(column: str, json_path: str | None) -> dict[str, Any]:
    source: dict[str, Any] = {"fileObject": {"@id": MANIFEST_NAME}, "extract": {"column": column}}
    return source if json_path is None else {**source, "transform": {"jsonPath": json_path}}


def _clips() -> dict[str, Any]:
    def of_file(what: str) -> dict[str, Any]:
        return {"fileSet": {"@id": "wav"}, "extract": {"fileProperty": what}}

    where = "The file, relative to the set's folder."
    return {
        "@type": "cr:RecordSet",
        "@id": "clips",
        "name": "clips",
        "description": "Every clip.",
        "key": {"@id": "clips/wav"},
        "field": [
            _field("clips/wav", "sc:Text", of_file("fullpath"), where),
            _field("clips/audio", "sc:AudioObject", of_file("content"), "The samples."),
        ],
    }


def _field(name: str, data_type: str, source: dict[str, Any], about: str) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": name,
        "name": name,
        "description": about,
        "dataType": data_type,
        "source": source,
    }
