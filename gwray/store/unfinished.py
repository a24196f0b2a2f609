"""The rows of an episode that has not ended, in a form that outlives its writer.

An Arrow stream: what a killed writer left of it can be read up to the last whole batch, where Parquet has its footer at
the end. It is no evidence of anything: whoever goes on with the episode plays it again from its reply log, and takes a
picture from here only where the game has come to the state in which it was taken (`Taken.before`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from gwray.columns import arrow_schema
from gwray.records import StepRecord, digest

SCHEMA = arrow_schema(StepRecord)
_RENDERER = b"gwray.renderer"


@dataclass(frozen=True)
class Taken:
    """A picture that an interrupted try has taken."""

    step: int
    before: str
    """Hash of the state in which it was taken."""
    data: bytes = field(repr=False)


class UnfinishedRows:
    """Writes rows to a local file, and reads them when all are there. `renderer`: what makes the pictures."""

    def __init__(self, file: Path, renderer: str):
        self.file = file
        self._sink = pa.OSFile(str(file), "wb")
        self._stream = pa.ipc.new_stream(self._sink, SCHEMA.with_metadata({_RENDERER: renderer.encode()}))

    def add(self, rows: pa.Table) -> None:
        self._stream.write_table(rows)

    def tables(self) -> Iterator[pa.Table]:
        """Ends the writing; each batch as it was added."""
        self.close()
        with pa.OSFile(str(self.file), "rb") as source, pa.ipc.open_stream(source) as stream:
            for batch in stream:
                yield pa.Table.from_batches([batch], SCHEMA)

    def close(self) -> None:
        self._stream.close()
        self._sink.close()


def pictures_of(file: Path, renderer: str) -> Iterator[Taken]:
    """The pictures that a writer left in its file, in the order of their steps, as far as they are what was written;
    none if another renderer made them. A batch of them is in memory at a time."""
    with suppress(OSError, pa.ArrowException), closing(pa.OSFile(str(file), "rb")) as source:
        stream = pa.ipc.open_stream(source)
        if (stream.schema.metadata or {}).get(_RENDERER) != renderer.encode() or not stream.schema.equals(SCHEMA):
            return
        before = ""
        for batch in stream:
            batch.validate(full=True)
            columns = batch.select(["step", "before", "screenshot", "screenshot_hash", "state_hash"])
            for row in columns.to_pylist():
                before = digest(row["before"]) if row["before"] else before
                if row["screenshot"] is not None:
                    if digest(row["screenshot"]) != row["screenshot_hash"]:
                        return
                    yield Taken(row["step"], before, row["screenshot"])
                before = row["state_hash"]
