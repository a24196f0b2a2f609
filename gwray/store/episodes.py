"""One episode as one Parquet file: a row per role and step, and what is constant in its metadata.

Rows are written as they come, to a file beside it (`unfinished`) of which the end makes row groups of a few megabytes,
and read the same way, so nothing here holds all
pictures of a long episode. Screenshots are already compressed and stay as they are; the other columns compress well
with zstd. Metadata: `gwray.meta` is the JSON of `EpisodeMeta` without the last frame, `gwray.final_frame` that frame as
base64. Columns this version does not know are left out when reading, missing ones take their default. Every page
has a checksum, so that a changed byte is found when it is read.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict, Field

from gwray.columns import leaves
from gwray.records import EpisodeRecord, StepRecord
from gwray.store.storage import Storage
from gwray.store.unfinished import SCHEMA, Taken, UnfinishedRows, pictures_of

GROUP_BYTES = 4 * 1024 * 1024
"""Rows with about so many bytes of pictures and text make a row group."""
HELD_BYTES = 512 * 1024
"""So many are held in memory before they are written: what a kill costs, in pictures that are taken again."""

_WRITING: dict[str, Any] = {
    "compression": {
        path: "none" if pa.types.is_binary(kind) else "zstd" for f in SCHEMA for path, kind in leaves(f).items()
    },
    "use_dictionary": ["role", "validity", "control", "terminal"],
    # Minima and maxima of texts and pictures would be stored whole, and nobody filters by them.
    "write_statistics": ["step"],
    "write_page_checksum": True,
}

MOST_ROWS, MOST_GROUP_ROWS, MOST_GROUP_BYTES = 1_000_000, 100_000, 256 * 2**20
"""No episode has as many, and a small file may claim any number: it is not read then."""
BATCH_ROWS = 256
"""Rows that are read at once: one value may be repeated in any number of rows by a small file."""
PLAIN_BYTES, MOST_TIMES = 2**30, 200
"""An episode comes to at most so many bytes and so many times its file's size more: pictures do not shrink further."""

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


@dataclass(frozen=True)
class Episode:
    steps: list[StepRecord]
    meta: EpisodeMeta


class EpisodeWriter:
    """Writes an episode whose rows come one after the other; what it holds does not grow with the episode.

    Rows go to a local file beside or instead of the final place; `finish` puts the whole episode there at once, and
    until then there is none. Used as a context manager it leaves nothing behind when the episode ends in an error; a
    writer that is killed or cancelled leaves its file, and `left` has the pictures in it for whoever plays on.

    Example: `with run.episode_writer(key) as writer: writer.append(rows); …; writer.finish(meta)`
    """

    def __init__(self, storage: Storage, path: str):
        self._storage, self._path = storage, path
        self._rows: list[StepRecord] = []
        self._bytes = 0
        self._left = storage.left_behind(path)
        self._unfinished: UnfinishedRows | None = None
        self._ended = False
        self.renderer = ""
        """What makes the pictures; those of another one are no use to whoever goes on."""

    def left(self) -> Iterator[Taken]:
        """The pictures that an interrupted writer of this episode left, by step; of several writers those of the one
        that came furthest. Gone when this one has ended."""
        furthest = max(self._left, key=lambda file: file.stat().st_size, default=None)
        return pictures_of(furthest, self.renderer) if furthest else iter(())

    def append(self, rows: Iterable[StepRecord]) -> None:
        """Add rows; some are held back until there are enough of them. Raises what `flush` raises."""
        for row in rows:
            if self.hold((row,)):
                self.flush()

    def hold(self, rows: Iterable[StepRecord]) -> bool:
        """Add rows without touching a disk; whether there are enough of them now to `flush`."""
        for row in rows:
            self._rows.append(row)
            self._bytes += len(row.screenshot or b"") + len(row.state) + len(row.text) + len(row.reasoning)
        return self._bytes >= HELD_BYTES

    def flush(self) -> None:
        """Write what is held. `StoreError` when the disk is full, `NoRoom` when it is only this machine's."""
        assert not self._ended, "this episode was finished or discarded"
        with self._storage.preparing(self._path):
            if self._unfinished is None:
                self._unfinished = UnfinishedRows(self._storage.scratch(self._path), self.renderer)
            self._unfinished.add(self._held())

    def finish(self, meta: EpisodeMeta) -> None:
        """Put the episode in place of whatever was there; durable when it returns."""
        # Plain ASCII JSON, because a page's console may say half of a surrogate pair; no episode is lost for that.
        notes = {_META: json.dumps(meta.model_dump(exclude={"final_frame"})).encode()}
        if meta.final_frame is not None:
            notes[_FINAL] = base64.b64encode(meta.final_frame)
        whole = self._storage.scratch(self._path)
        try:
            with self._storage.preparing(self._path):
                with pq.ParquetWriter(whole, SCHEMA, **_WRITING) as parquet:
                    for group in _groups(self._unfinished.tables() if self._unfinished else (), self._held()):
                        parquet.write_table(group)
                    parquet.add_key_value_metadata(notes)
                self._storage.put(self._path, whole)
        finally:
            whole.unlink(missing_ok=True)
        self.discard()

    def _held(self) -> pa.Table:
        columns = {name: [getattr(row, name) for row in self._rows] for name in SCHEMA.names}
        self._rows, self._bytes = [], 0
        return pa.table(columns, schema=SCHEMA)

    def discard(self) -> None:
        """Leave nothing behind of an episode that was not finished, nor of earlier writers of it."""
        for file in [*self._left, *self._close()]:
            file.unlink(missing_ok=True)

    def leave(self) -> None:
        """Keep what there is of an episode that was interrupted, for whoever goes on with it."""
        for file in self._close():
            self._storage.leave_behind(self._path, file)

    def _close(self) -> list[Path]:
        rows, self._unfinished, self._ended = self._unfinished, None, True
        if rows is None:
            return []
        with suppress(Exception):  # a full disk: the end of a file of which the beginning is enough
            rows.close()
        return [rows.file]

    def __enter__(self) -> EpisodeWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is not None and not issubclass(kind, Exception):
            self.leave()
        else:
            self.discard()


def _groups(tables: Iterable[pa.Table], last: pa.Table) -> Iterator[pa.Table]:
    """The same rows in tables of about `GROUP_BYTES`; at least one, of no rows if there are none."""
    group: list[pa.Table] = []
    for table in tables:
        group.append(table)
        if sum(t.nbytes for t in group) >= GROUP_BYTES:
            yield pa.concat_tables(group)
            group = []
    yield pa.concat_tables([*group, last])


def episode_from(source: IO[bytes], *, images: bool = True) -> Episode:
    with _opened(source) as file:
        return Episode(list(_steps(source, file, images)), _meta(file))


def steps_from(source: IO[bytes], *, images: bool = True) -> Iterator[StepRecord]:
    """The rows in order; some are read when the first of them is asked for."""
    with _opened(source) as file:
        yield from _steps(source, file, images)


def meta_from(source: IO[bytes], *, whole: bool = False) -> EpisodeMeta:
    """Reads the file's footer only; `whole`: every page too, for its checksum."""
    with _opened(source) as file:
        for _ in _batches(source, file, file.schema_arrow.names) if whole else ():
            pass
        return _meta(file)


def _opened(source: IO[bytes]) -> pq.ParquetFile:
    """Pages that are not what was written are an error; those of files without checksums are read as they are.

    Arrow reads ahead in threads of its own unless told otherwise, and one that still holds a Python file when the
    interpreter ends aborts the process: "terminate called without an active exception", exit code 134.
    """
    file = pq.ParquetFile(source, page_checksum_verification=True, pre_buffer=False)
    groups = [file.metadata.row_group(i) for i in range(file.num_row_groups)]
    rows, size = max((g.num_rows for g in groups), default=0), max((g.total_byte_size for g in groups), default=0)
    if file.metadata.num_rows > MOST_ROWS or rows > MOST_GROUP_ROWS or size > MOST_GROUP_BYTES:
        raise ValueError(
            f"it claims {file.metadata.num_rows:,} rows, {rows:,} of them and {size:,} bytes at once; at most "
            f"{MOST_ROWS:,}, {MOST_GROUP_ROWS:,} and {MOST_GROUP_BYTES:,} are read"
        )
    return file


def _steps(source: IO[bytes], file: pq.ParquetFile, images: bool) -> Iterator[StepRecord]:
    present = set(file.schema_arrow.names)
    columns = [name for name in SCHEMA.names if name in present and (images or name != "screenshot")]
    for batch in _batches(source, file, columns):
        yield from (StepRecord.model_validate(row) for row in batch.to_pylist(maps_as_pydicts="strict"))


def _batches(source: IO[bytes], file: pq.ParquetFile, columns: list[str]) -> Iterator[pa.RecordBatch]:
    """The rows, a few at a time: a value that stands once in the file may be that of any number of rows."""
    at = source.tell()
    left = PLAIN_BYTES + MOST_TIMES * source.seek(0, os.SEEK_END)
    source.seek(at)
    for group in range(file.num_row_groups):
        most = MOST_GROUP_BYTES // max(1, file.metadata.row_group(group).total_byte_size)
        rows = min(BATCH_ROWS, max(1, most))
        for batch in file.iter_batches(rows, [group], columns, use_threads=False):
            left -= batch.nbytes
            if left < 0:
                raise ValueError(f"it comes to more than {PLAIN_BYTES:,} bytes and {MOST_TIMES} times its size")
            yield batch


def _meta(file: pq.ParquetFile) -> EpisodeMeta:
    notes = file.metadata.metadata or {}
    value = json.loads(notes[_META])
    if _FINAL in notes:
        value["final_frame"] = base64.b64decode(notes[_FINAL])
    return EpisodeMeta.model_validate(value)
