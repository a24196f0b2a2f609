"""Files of one JSON object a line, written by one append each and read back after any kind of end.

A line that was cut off by the end of its process is not corruption: it is dropped by a reader and removed before
the next append. If only its newline is missing it is whole (no proper prefix of a JSON object is one), and is kept.
Damage anywhere else is a `StoreError` that names file and line, because guessing would change results.
"""

from __future__ import annotations

import json
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from gwray.errors import StoreError
from gwray.records import EpisodeRecord
from gwray.store.storage import Storage, blame

M = TypeVar("M", bound=BaseModel)
R = TypeVar("R", bound=EpisodeRecord)


class DamagedLine(StoreError):
    """A line is no record. `before`: those that were read before it."""

    before: Sequence[BaseModel] = ()


def encode(record: BaseModel) -> bytes:
    """One line. Plain `json`, because a model may say `1e999` or half of a surrogate pair, and what comes back
    must be what was said."""
    value = record.model_dump()
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def _decode(model: type[M], raw: bytes) -> M:
    """Raises ValueError. The second way understands what only `encode`'s second way writes."""
    try:
        return model.model_validate_json(raw)
    except ValidationError:
        try:
            return model.model_validate(json.loads(raw))
        except RecursionError as e:
            raise ValueError("it is nested too deep") from e


def is_whole(tail: bytes) -> bool:
    """Is an unterminated last line complete but for its newline?"""
    try:
        return isinstance(json.loads(tail), dict)
    except (ValueError, RecursionError):
        return False


def read_lines(storage: Storage, path: str, model: type[M], written_by: Callable[[], str]) -> list[M]:
    """All of them; see `each_line`."""
    records: list[M] = []
    try:
        records.extend(record for _, record in each_line(storage, path, model, written_by))
    except DamagedLine as damaged:
        damaged.before = records
        raise
    return records


def each_line(storage: Storage, path: str, model: type[M], written_by: Callable[[], str]) -> Iterator[tuple[int, M]]:
    """Records with the byte at which each begins, one after the other. `written_by`: a sentence on who wrote the run,
    asked for only when a line cannot be read."""
    source = storage.reader(path)
    if source is None:
        return
    at = 0
    with source, blame("read", f"{storage.root}/{path}"):
        for number, line in enumerate(source, 1):
            raw = line.removesuffix(b"\n")
            if raw == line and not is_whole(raw):  # somebody is writing it, or was
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
    """The records of a file by key, the last of a key: in memory is where each begins, and it is read when it is asked
    for. The file as it was when this was made, however it is written again."""

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
    return storage.append(path, b"".join(map(encode, records)), is_whole, size=size)


def _unreadable(name: str, number: int, raw: bytes, error: ValueError, written_by: str) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        why = f"{'.'.join(map(str, first['loc'])) or 'line'}: {first['msg']}"
    else:
        why = str(error)
    start = raw[:60].decode(errors="replace")
    return (
        f"{name}, line {number}: not a readable record ({why}); it begins with {start!r}. {written_by} "
        f"If the file was damaged from outside, put it back as it was, or remove that line, and run the same command "
        f"again."
    )
