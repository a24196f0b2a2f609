"""Reads a `.wandb` file: a LevelDB log whose records are protobuf messages of the client."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wandb.proto.wandb_internal_pb2 import Record

_BLOCK, _HEADER = 32 * 1024, 7


@dataclass
class OfflineRun:
    folder: Path
    run_id: str = ""
    group: str = ""
    job_type: str = ""
    name: str = ""
    project: str = ""
    config: dict[str, Any] = field(default_factory=dict)
    history: list[dict[str, Any]] = field(default_factory=list)
    summary: dict[str, Any] = field(default_factory=dict)
    finished: bool = False

    @property
    def keys(self) -> list[str]:
        return [row["episode/key"] for row in self.history]


def read_offline(wandb_folder: Path) -> dict[str, OfflineRun]:
    """All offline runs of a folder, by display name; two of one name are an error."""
    runs: dict[str, OfflineRun] = {}
    for path in sorted(wandb_folder.glob("offline-run-*/*.wandb")):
        run = _read(path)
        assert run.name not in runs, f"{run.name} is there twice"
        runs[run.name] = run
    return runs


def _read(path: Path) -> OfflineRun:
    run = OfflineRun(path.parent)
    for raw in _records(path.read_bytes()):
        record = Record.FromString(raw)
        kind = record.WhichOneof("record_type")
        if kind == "run":
            run.run_id, run.group, run.job_type = record.run.run_id, record.run.run_group, record.run.job_type
            run.name, run.project = record.run.display_name, record.run.project
            run.config |= {i.key: json.loads(i.value_json) for i in record.run.config.update}
        elif kind == "history":
            run.history.append(_items(record.history.item))
        elif kind == "summary":
            run.summary |= _items(record.summary.update)
        elif kind == "exit":
            run.finished = True
    return run


def _items(items: Any) -> dict[str, Any]:
    return {i.key or "/".join(i.nested_key): json.loads(i.value_json) for i in items}


def _records(data: bytes) -> list[bytes]:
    assert data[:4] == b":W&B"
    at, parts, found = _HEADER, b"", []
    while at + _HEADER <= len(data):
        if _BLOCK - at % _BLOCK < _HEADER:
            at += _BLOCK - at % _BLOCK
            continue
        size, kind = int.from_bytes(data[at + 4 : at + 6], "little"), data[at + 6]
        if kind == 0:
            break
        parts += data[at + _HEADER : at + _HEADER + size]
        at += _HEADER + size
        if kind in (1, 4):  # full, last
            found.append(parts)
            parts = b""
    return found
