"""Reads and writes JSONL files, whose lines are written by one append each.

A line that is cut off because its process ended is not corruption: readers drop it, and the next append removes it. If
only the newline is missing, the line is complete (no proper prefix of a JSON object is one) and kept. Damage anywhere
else is a `StoreError` that names file and line, because guessing would change results.
"""

import json
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from gwray.errors import StoreError
from gwray.records import EpisodeRecord
from gwray.store.io_errors import READ_BYTES, io_errors
from gwray.store.storage import Storage

LINE_BYTES = READ_BYTES
"""Limit of a line: a run may come from someone else."""
M = TypeVar("M", bound=BaseModel)
R = TypeVar("R", bound=EpisodeRecord)


class DamagedLine(StoreError):
    """A line is not a record. `before`: the records before it."""

    before: Sequence[BaseModel] = ()


def encode(record: BaseModel) -> bytes:
    """Returns a record as one line. Uses plain `json`, because a reply may contain `1e999` or half of a surrogate pair
    and must be read back unchanged."""
    value = record.model_dump()
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def _decode(model: type[M], raw: bytes) -> M:
    """Raises `ValueError`. The fallback reads what `encode`'s fallback writes."""
    try:
        return model.model_validate_json(raw)
    except ValidationError:
        try:
            return model.model_validate(json.loads(raw))
        except RecursionError as e:
            raise ValueError("it is nested too deep") from e


def is_complete(tail: bytes) -> bool:
    """Returns whether an unterminated last line lacks only its newline."""
    try:
        return isinstance(json.loads(tail), dict)
    except (ValueError, RecursionError):
        return False


def read_lines(storage: Storage, path: str, model: type[M], written_by: Callable[[], str]) -> list[M]:
    """Reads all records of a file; see `each_line`."""
    records: list[M] = []
    try:
        records.extend(record for _, record in each_line(storage, path, model, written_by))
    except DamagedLine as damaged:
        damaged.before = records
        raise
    return records


def each_line(storage: Storage, path: str, model: type[M], written_by: Callable[[], str]) -> Iterator[tuple[int, M]]:
    """Yields the records of a file, each with its byte offset. `written_by`: called if a line cannot be read; returns a
    sentence about the version that wrote the run."""
    source = storage.reader(path)
    if source is None:
        return
    at = 0
    with source, io_errors("read", f"{storage.root}/{path}"):
        for number, line in enumerate(iter(lambda: source.readline(LINE_BYTES + 1), b""), 1):
            raw = line.removesuffix(b"\n")
            if len(line) > LINE_BYTES:
                why = ValueError(f"it has more than {LINE_BYTES:,} bytes")
                raise DamagedLine(_unreadable(f"{storage.root}/{path}", number, raw, why, written_by()))
            if raw == line and not is_complete(raw):  # incomplete: being written, or cut off
                return
            if raw.strip():
                try:
                    record = _decode(model, raw)
                except ValueError as e:
                    raise DamagedLine(_unreadable(f"{storage.root}/{path}", number, raw, e, written_by())) from e
                yield at, record
            if raw == line:
                return
            at += len(line)


class StoredRecords(Mapping[str, R]):
    """The records of a file by key, each read on access; only their offsets are in memory. Of duplicate keys the last
    counts. Keeps the content that the file had on creation, even if the file is replaced."""

    def __init__(self, storage: Storage, path: str, model: type[R], written_by: Callable[[], str]):
        self._places = {r.key: at for at, r in each_line(storage, path, model, written_by)}
        self._model = model
        self._source = storage.reader(path)
        if self._source is not None:
            weakref.finalize(self, self._source.close)

    def __getitem__(self, key: str) -> R:
        at = self._places[key]
        assert self._source is not None
        self._source.seek(at)
        return _decode(self._model, self._source.readline())

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def append_line(storage: Storage, path: str, *records: BaseModel, size: int | None = None) -> int:
    return storage.append(path, b"".join(map(encode, records)), is_complete, size=size)


def _unreadable(name: str, number: int, raw: bytes, error: ValueError, written_by: str) -> str:
    """Returns the message for a line that is not a record."""
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        why = f"{'.'.join(map(str, first['loc'])) or 'line'}: {first['msg']}"
    else:
        why = str(error)
    start = raw[:60].decode(errors="replace")
    return (
        f"{name}, line {number}: not a readable record ({why}); it begins with {start!r}. {written_by} "
        f"If the file was damaged from outside, restore it or remove that line, and run the same command again."
    )
