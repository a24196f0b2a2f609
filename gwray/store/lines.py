"""Files of one JSON object a line, written by one append each and read back after any kind of end.

A line that was cut off by the end of its process is not corruption: it is dropped by a reader and removed before
the next append. If only its newline is missing it is whole (no proper prefix of a JSON object is one), and is kept.
Damage anywhere else is a `StoreError` that names file and line, because guessing would change results.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from gwray.errors import StoreError
from gwray.store.storage import Storage

M = TypeVar("M", bound=BaseModel)


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
    """`written_by`: a sentence on who wrote the run, asked for only when a line cannot be read."""
    data = storage.read(path)
    if not data:
        return []
    lines = data.split(b"\n")
    if not is_whole(lines[-1]):
        lines.pop()
    records: list[M] = []
    for number, raw in enumerate(lines, 1):
        if not raw.strip():
            continue
        try:
            records.append(_decode(model, raw))
        except ValueError as e:
            damaged = DamagedLine(_unreadable(f"{storage.root}/{path}", number, raw, e, written_by()))
            damaged.before = records
            raise damaged from e
    return records


def append_line(storage: Storage, path: str, *records: BaseModel, begin: bool = True) -> None:
    storage.append(path, b"".join(map(encode, records)), is_whole, begin=begin)


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
