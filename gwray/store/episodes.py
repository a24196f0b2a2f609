"""Stores one episode as one Parquet file: a row per role and step; constant values are in the file metadata.

Rows are written and read in row groups of a few megabytes, so the screenshots of a long episode are never in memory at
once. Screenshots are already compressed and stored as they are; the other columns use zstd. Metadata: `gwray.meta` is
the JSON of `EpisodeMeta` without the last frame, `gwray.final_frame` is that frame as base64. Readers skip unknown
columns and use defaults for missing ones. Every page has a checksum, so changed bytes are detected.
"""

import base64
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict, Field

from gwray.errors import StoreError
from gwray.records import EpisodeRecord, StepRecord
from gwray.records.columns import arrow_schema, leaves
from gwray.store.storage import Storage

SCHEMA = arrow_schema(StepRecord)
GROUP_BYTES = 4 * 1024 * 1024
"""Rows with about this many bytes of screenshots and text are buffered in memory and make a row group."""

_WRITING: dict[str, Any] = {
    "compression": {
        path: "none" if pa.types.is_binary(kind) else "zstd" for f in SCHEMA for path, kind in leaves(f).items()
    },
    "use_dictionary": ["role", "validity", "control", "terminal"],
    # Minima and maxima of texts and screenshots would be stored in full, and no reader filters by them.
    "write_statistics": ["step"],
    "write_page_checksum": True,
}

MOST_ROWS, MOST_GROUP_ROWS, MOST_GROUP_BYTES = 1_000_000, 100_000, 256 * 2**20
"""Limits of what is read: a small hostile file may claim any number of rows."""
BATCH_ROWS = 256
"""Rows per read: a small hostile file may repeat one value in any number of rows."""
PLAIN_BYTES, MOST_TIMES = 2**30, 200
"""Limit of the decompressed size: `PLAIN_BYTES` plus `MOST_TIMES` times the file size."""

_META, _FINAL = b"gwray.meta", b"gwray.final_frame"


class EpisodeMeta(BaseModel):
    """Values that are constant for an episode."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    record: EpisodeRecord
    prompts: dict[str, str] = Field(default_factory=dict)
    """The static part of the prompt, by role."""
    final_frame: bytes | None = None
    """The screen after the last step."""
    mime: str = "image/jpeg"
    """Type of the final frame and of the screenshots in the rows."""
    console: tuple[str, ...] = ()
    """Console lines of the page."""


@dataclass(frozen=True)
class Episode:
    steps: list[StepRecord]
    meta: EpisodeMeta


class EpisodeWriter:
    """Writes an episode whose rows arrive one after the other; memory use does not grow with the episode.

    Rows go to a local scratch file; `finish` moves the complete file into place; before that the file does not exist.
    As a context manager it deletes the scratch file if the episode ends in an error. A killed writer's scratch file is
    deleted by the next writer of the same episode on the same node.

    Example: `with run.episode_writer(key) as writer: writer.append(rows); …; writer.finish(meta)`
    """

    def __init__(self, storage: Storage, path: str):
        self._storage, self._path = storage, path
        self._rows: list[StepRecord] = []
        self._bytes = 0
        self._scratch = storage.stale_scratch(path)
        self._parquet: pq.ParquetWriter | None = None
        self._ended = False

    def append(self, rows: Iterable[StepRecord]) -> None:
        """Adds rows. Raises the errors of `flush`."""
        for row in rows:
            if self.hold((row,)):
                self.flush()

    def hold(self, rows: Iterable[StepRecord]) -> bool:
        """Buffers rows in memory; returns whether there are enough of them to `flush`."""
        for row in rows:
            self._rows.append(row)
            self._bytes += len(row.screenshot or b"") + len(row.state) + len(row.text) + len(row.reasoning)
        return self._bytes >= GROUP_BYTES

    def flush(self) -> None:
        """Writes buffered rows. Raises `StoreError` if the run's disk is full, `DiskFull` if only this node's disk
        is."""
        assert not self._ended, "this episode was finished or discarded"
        with self._storage.preparing(self._path):
            if self._parquet is None:
                self._scratch.append(self._storage.scratch(self._path))
                self._parquet = pq.ParquetWriter(self._scratch[-1], SCHEMA, **_WRITING)
            columns = {name: [getattr(row, name) for row in self._rows] for name in SCHEMA.names}
            self._parquet.write_table(pa.table(columns, schema=SCHEMA))
        self._rows, self._bytes = [], 0

    def finish(self, meta: EpisodeMeta) -> None:
        """Stores the episode, replacing an earlier one; durable when it returns."""
        # Plain ASCII JSON, because a page's console may contain half of a surrogate pair.
        notes = {_META: json.dumps(meta.model_dump(exclude={"final_frame"})).encode()}
        if meta.final_frame is not None:
            notes[_FINAL] = base64.b64encode(meta.final_frame)
        try:
            if self._rows or self._parquet is None:
                self.flush()
            assert self._parquet is not None
            with self._storage.preparing(self._path):
                self._parquet.add_key_value_metadata(notes)
                self._parquet.close()
                self._storage.put(self._path, self._scratch[-1])
        finally:
            self.discard()

    def discard(self) -> None:
        """Deletes scratch files, also those of killed writers of this episode."""
        parquet, self._parquet, self._ended = self._parquet, None, True
        if parquet is not None:
            with suppress(Exception):  # a full disk: the file is deleted anyway
                parquet.close()
        for file in self._scratch:
            file.unlink(missing_ok=True)

    def __enter__(self) -> "EpisodeWriter":
        return self

    def __exit__(self, *error: object) -> None:
        self.discard()


@contextmanager
def open_episode(storage: Storage, path: str) -> Iterator["EpisodeReader"]:
    """Opens an episode file with checksum verification; pages without checksums are accepted. Errors inside the block
    become a `StoreError` with the file's name.

    `pre_buffer=False`: Arrow's read-ahead threads may still hold a Python file at interpreter exit, which aborts the
    process with "terminate called without an active exception", exit code 134."""
    where = f"{storage.root}/{path}"
    if not storage.exists(path):
        raise StoreError(f"{where} does not exist: the episode has not finished.")
    try:
        with (
            storage.open(path) as source,
            pq.ParquetFile(source, page_checksum_verification=True, pre_buffer=False) as file,
        ):
            yield EpisodeReader(source, file)
    except StoreError:
        raise
    except Exception as e:
        raise StoreError(f"{where} is not a readable episode: {type(e).__name__}: {e}") from e


class EpisodeReader:
    """Reads an open episode file; raises `ValueError` if it claims more than any episode has."""

    def __init__(self, source: IO[bytes], file: pq.ParquetFile):
        self._source, self._file = source, file
        groups = [file.metadata.row_group(i) for i in range(file.num_row_groups)]
        rows, size = max((g.num_rows for g in groups), default=0), max((g.total_byte_size for g in groups), default=0)
        if file.metadata.num_rows > MOST_ROWS or rows > MOST_GROUP_ROWS or size > MOST_GROUP_BYTES:
            raise ValueError(
                f"it claims {file.metadata.num_rows:,} rows, and {rows:,} rows and {size:,} bytes per group; the "
                f"limits are {MOST_ROWS:,}, {MOST_GROUP_ROWS:,} and {MOST_GROUP_BYTES:,}"
            )

    def steps(self, *, images: bool = True) -> Iterator[StepRecord]:
        """Yields the rows in order, read in batches."""
        present = set(self._file.schema_arrow.names)
        columns = [name for name in SCHEMA.names if name in present and (images or name != "screenshot")]
        for batch in self._batches(columns):
            yield from (StepRecord.model_validate(row) for row in batch.to_pylist(maps_as_pydicts="strict"))

    def meta(self, *, check_pages: bool = False) -> EpisodeMeta:
        """Reads the footer only; `check_pages`: also reads every page, which verifies its checksum."""
        for _ in self._batches(self._file.schema_arrow.names) if check_pages else ():
            pass
        notes = self._file.metadata.metadata or {}
        value = json.loads(notes[_META])
        if _FINAL in notes:
            value["final_frame"] = base64.b64decode(notes[_FINAL])
        return EpisodeMeta.model_validate(value)

    def _batches(self, columns: list[str]) -> Iterator[pa.RecordBatch]:
        """Yields small batches of rows, because a value that is stored once may be repeated in any number of rows."""
        at = self._source.tell()
        left = PLAIN_BYTES + MOST_TIMES * self._source.seek(0, os.SEEK_END)
        self._source.seek(at)
        for group in range(self._file.num_row_groups):
            most = MOST_GROUP_BYTES // max(1, self._file.metadata.row_group(group).total_byte_size)
            rows = min(BATCH_ROWS, max(1, most))
            for batch in self._file.iter_batches(rows, [group], columns, use_threads=False):
                left -= batch.nbytes
                if left < 0:
                    raise ValueError(
                        f"it decompresses to more than {PLAIN_BYTES:,} bytes plus {MOST_TIMES} times its size"
                    )
                yield batch
