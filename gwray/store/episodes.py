"""One episode as one Parquet file: a row per role and step, and what is constant in its metadata.

Screenshots are already compressed and stay as they are; the other columns compress well with zstd. Metadata:
`gwray.meta` is the JSON of `EpisodeMeta` without the last frame, `gwray.final_frame` that frame as base64.
Columns this version does not know are left out when reading, missing ones take their default.
"""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict, Field

from gwray.records import EpisodeRecord, StepRecord

_TYPES: dict[str, pa.DataType] = {
    "step": pa.int32(),
    "attempt": pa.int32(),
    "role": pa.string(),
    "screenshot": pa.binary(),
    "screenshot_hash": pa.string(),
    "request_hash": pa.string(),
    "text": pa.string(),
    "reasoning": pa.string(),
    "tool_calls": pa.string(),
    "action": pa.string(),
    "control": pa.string(),
    "validity": pa.string(),
    "reason": pa.string(),
    "state": pa.string(),
    "state_hash": pa.string(),
    "score": pa.float64(),
    "progress": pa.float64(),
    "best_progress": pa.float64(),
    "terminal": pa.string(),
    "reset": pa.bool_(),
    "input_tokens": pa.int64(),
    "cached_tokens": pa.int64(),
    "output_tokens": pa.int64(),
    "reasoning_tokens": pa.int64(),
    "cost_usd": pa.float64(),
    "latency_ms": pa.float64(),
    "charged_ms": pa.float64(),
    "game_time_ms": pa.float64(),
}
SCHEMA = pa.schema([pa.field(name, kind) for name, kind in _TYPES.items()])
"""Column names are `StepRecord`'s fields; a test compares them."""

_WRITING: dict[str, Any] = {
    "compression": {name: "none" if name == "screenshot" else "zstd" for name in _TYPES},
    "use_dictionary": ["role", "validity", "control", "terminal"],
    # Minima and maxima of texts and pictures would be stored whole, and nobody filters by them.
    "write_statistics": ["step"],
}

_META, _FINAL = b"gwray.meta", b"gwray.final_frame"


class EpisodeMeta(BaseModel):
    """What is said once about an episode."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    record: EpisodeRecord
    prompts: dict[str, str] = Field(default_factory=dict)
    """The static part of the prompt, by role."""
    final_frame: bytes | None = None
    """The screen after the last step."""
    mime: str = "image/jpeg"
    """Of the final frame and of the screenshots in the rows."""
    console: tuple[str, ...] = ()
    """Console lines of the page."""
    versions: dict[str, str] = Field(default_factory=dict)
    """Of everything that took part."""


@dataclass(frozen=True)
class Episode:
    steps: list[StepRecord]
    meta: EpisodeMeta


def to_parquet(steps: Sequence[StepRecord], meta: EpisodeMeta) -> bytes:
    columns = {name: [getattr(s, name) for s in steps] for name in _TYPES}
    # Plain ASCII JSON, because a page's console may say half of a surrogate pair, and an episode is not lost for that.
    notes = {_META: json.dumps(meta.model_dump(exclude={"final_frame"})).encode()}
    if meta.final_frame is not None:
        notes[_FINAL] = base64.b64encode(meta.final_frame)
    table = pa.table(columns, schema=SCHEMA.with_metadata(notes))
    out = io.BytesIO()
    pq.write_table(table, out, **_WRITING)
    return out.getvalue()


def steps_from(source: IO[bytes], *, images: bool = True) -> list[StepRecord]:
    with pq.ParquetFile(source) as file:
        return _steps(file, images)


def meta_from(source: IO[bytes]) -> EpisodeMeta:
    """Reads the file's footer only."""
    with pq.ParquetFile(source) as file:
        return _meta(file)


def episode_from(source: IO[bytes], *, images: bool = True) -> Episode:
    with pq.ParquetFile(source) as file:
        return Episode(_steps(file, images), _meta(file))


def _steps(file: pq.ParquetFile, images: bool) -> list[StepRecord]:
    present = set(file.schema_arrow.names)
    columns = [name for name in _TYPES if name in present and (images or name != "screenshot")]
    return [StepRecord.model_validate(row) for row in file.read(columns=columns).to_pylist()]


def _meta(file: pq.ParquetFile) -> EpisodeMeta:
    notes = file.schema_arrow.metadata or {}
    value = json.loads(notes[_META])
    if _FINAL in notes:
        value["final_frame"] = base64.b64decode(notes[_FINAL])
    return EpisodeMeta.model_validate(value)
