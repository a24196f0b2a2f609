"""Reads a `.wandb` file: a LevelDB log whose records are protobuf messages of the client."""

import importlib.util
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wandb.proto.wandb_internal_pb2 import Record

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "wandb_table.py"
_spec = importlib.util.spec_from_file_location("wandb_table", SCRIPT)
assert _spec and _spec.loader
wandb_table = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(wandb_table)
"""The script that prints the results of W&B's files."""


@dataclass
class OfflineRun:
    folder: Path
    run_id: str = ""
    group: str = ""
    job_type: str = ""
    name: str = ""
    project: str = ""
    tags: list[str] = field(default_factory=list)
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
    for raw in wandb_table.records(path.read_bytes()):
        record = Record.FromString(raw)
        kind = record.WhichOneof("record_type")
        if kind == "run":
            run.run_id, run.group, run.job_type = record.run.run_id, record.run.run_group, record.run.job_type
            run.name, run.project, run.tags = record.run.display_name, record.run.project, [*record.run.tags]
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
