"""One item: a plan in, a WAV and its manifest row out. Nothing random, and nothing to decide, is left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from vgsynth.acoustics.impulse import RirStore
from vgsynth.contract.canonical import sha256_hex
from vgsynth.contract.manifest import ManifestRow, NoiseRow, SegmentRow
from vgsynth.plan.model import ItemPlan, Recording, Speech, Trim
from vgsynth.render.levels import to_db
from vgsynth.render.mix import Mix, add_noise, place
from vgsynth.render.pcm import FULL_SCALE, Pcm, quantise, wav_bytes
from vgsynth.render.rows import DB_DIGITS, segment_row, text_row
from vgsynth.render.segment import render_segment
from vgsynth.voices.stem import Stem


class Stems(Protocol):
    """Where stems come from: :class:`vgsynth.voices.store.StemStore`."""

    def stem(self, source: Speech | Recording, trim: Trim | None, sample_rate_hz: int) -> Stem:
        """The source, spoken or read, at that rate, trimmed."""
        ...

    def key(self, source: Speech | Recording, trim: Trim | None, sample_rate_hz: int) -> str:
        """Under which the speech cache keeps that stem."""
        ...


def render_item(
    plan: ItemPlan, *, stems: Stems, rirs: RirStore, spec_sha256: str, versions: Mapping[str, str]
) -> tuple[ManifestRow, bytes | None]:
    """The item's manifest row and the bytes of its WAV file (None for a text item).

    The same plan, stems and rooms give the same bytes. Raises InputError, naming the item, for what cannot
    be rendered: a clip (unless ``limit: scale``), a fade too long, a room, a file or a voice that is not to
    be had.
    """
    if plan.modality == "text":
        segments = tuple(text_row(segment) for segment in plan.segments)
        return _row(plan, segments, spec_sha256, versions), None
    mix, segments = _mixed(plan, stems, rirs)
    pcm = quantise(
        mix.samples,
        dither_seed=plan.dither_seed if plan.dither == "tpdf" else None,
        limit=plan.limit,
        item_id=plan.item_id,
    )
    wav = wav_bytes(pcm.samples, plan.sample_rate_hz)
    return _row(plan, segments, spec_sha256, versions, mix=mix, pcm=pcm, wav=wav), wav


def _mixed(plan: ItemPlan, stems: Stems, rirs: RirStore) -> tuple[Mix, tuple[SegmentRow, ...]]:
    """The item's time line, and the rows of its segments."""
    rate = plan.sample_rate_hz
    sources = [stems.stem(segment.source, segment.trim, rate) for segment in plan.segments]
    rendered = [
        render_segment(segment, stem, rirs, item_id=plan.item_id, path=f"segments[{index}] ({segment.role})")
        for index, (segment, stem) in enumerate(zip(plan.segments, sources, strict=True))
    ]
    mix = place(rendered, [segment.gap_before_samples for segment in plan.segments], plan.gap_after_samples)
    if plan.noise is not None:
        lengths = [segment.length_samples for segment in rendered]
        mix = add_noise(mix, lengths, plan.noise, rate, root=rirs.root, item_id=plan.item_id)
    return mix, tuple(
        segment_row(
            segment,
            stem,
            audio,
            stem_key=stems.key(segment.source, segment.trim, rate),
            start_sample=start,
            impulse=rirs.impulse(segment.room, rate),
        )
        for segment, stem, audio, start in zip(
            plan.segments, sources, rendered, mix.start_samples, strict=True
        )
    )


def _row(
    plan: ItemPlan,
    segments: tuple[SegmentRow, ...],
    spec_sha256: str,
    versions: Mapping[str, str],
    *,
    mix: Mix | None = None,
    pcm: Pcm | None = None,
    wav: bytes | None = None,
) -> ManifestRow:
    length = 0 if pcm is None else pcm.samples.size
    return ManifestRow(
        item_id=plan.item_id,
        family=plan.family,
        case_id=plan.case_id,
        condition=plan.condition,
        cell=dict(plan.cell),
        pair_id=plan.pair_id,
        split=plan.split,
        modality=plan.modality,
        policy=plan.policy,
        target=plan.target,
        factors=plan.factors,
        segments=segments,
        case=plan.case,
        wav=None if wav is None else f"wav/{plan.item_id}.wav",
        wav_sha256=None if wav is None else sha256_hex(wav),
        sample_rate_hz=None if wav is None else plan.sample_rate_hz,
        length_samples=length,
        duration_s=length / plan.sample_rate_hz,
        peak_dbfs=None if pcm is None else _rounded_db(pcm.peak / FULL_SCALE),
        rms_dbfs=None if pcm is None else _rounded_db(pcm.rms / FULL_SCALE),
        limit_gain_db=0.0 if pcm is None else round(pcm.limit_gain_db, DB_DIGITS),
        dither=plan.dither,
        noise=_noise_row(plan, mix),
        plan_sha256=plan.sha256(),
        spec_sha256=spec_sha256,
        versions=dict(versions),
    )


def _noise_row(plan: ItemPlan, mix: Mix | None) -> NoiseRow | None:
    if plan.noise is None or mix is None or mix.noise_dbfs is None:
        return None
    return NoiseRow(
        kind=plan.noise.kind,
        snr_db=plan.noise.snr_db,
        seed=plan.noise.seed,
        level_dbfs=round(mix.noise_dbfs, DB_DIGITS),
        file=plan.noise.path,
        sha256=plan.noise.sha256,
    )


def _rounded_db(amplitude: float) -> float | None:
    level_db = to_db(amplitude)
    return None if level_db is None else round(level_db, DB_DIGITS)
