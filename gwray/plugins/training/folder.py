"""The folder of a dataset: Parquet files that `datasets.load_dataset(FOLDER)` reads, their facts, and a data card."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gwray.errors import UsageError
from gwray.plugins.training.samples import Sample, message_lists
from gwray.plugins.training.selection import Audit
from gwray.records import canonical

FACTS = "dataset.json"
FIELDS = (
    *("run", "episode", "game", "task", "scenario", "seed", "decision", "role", "module"),
    *("paraphrase", "words_hash", "score", "state"),
)
"""Columns beside the messages and images."""


def write_dataset(
    folder: Path, parts: Mapping[str, Sequence[Sample]], audits: Mapping[str, Audit], facts: Mapping[str, Any]
) -> dict[str, Any]:
    """Writes the samples of each split, `dataset.json` and `README.md`. Returns the facts with the data's hash.

    Args:
        folder: created if missing; its `data/` is replaced.
        parts: samples by split (`train`, `test`).
        audits: counts by game.
        facts: how the dataset was made, for both files.
    """
    if not parts.get("train"):
        raise UsageError("no sample is left for training: give more runs, another --split, or a larger --max-tokens")
    images = any(isinstance(p, bytes) for samples in parts.values() for s in samples for p in s.parts)
    shutil.rmtree(folder / "data", ignore_errors=True)  # of a dataset whose log of paraphrases is used again
    (folder / "data").mkdir(parents=True)
    hashed = hashlib.sha256()
    for split, samples in parts.items():
        if samples:
            rows = [_row(sample, images) for sample in samples]
            pq.write_table(_table(rows, images), folder / "data" / f"{split}-00000-of-00001.parquet")
        for sample in samples:
            hashed.update(split.encode() + _digest(sample))
    trained = parts["train"]
    made = {
        **facts,
        "data_hash": hashed.hexdigest(),
        "samples": {split: len(samples) for split, samples in parts.items()},
        "images": images,
        "audit": {game: audit.row() for game, audit in audits.items()},
        "trained_on": {
            "game": sorted({s.game for s in trained}),
            "level": sorted({s.task for s in trained}),
            "scenario": sorted({s.scenario or "seen" for s in trained}),
            "seed": sorted({s.seed for s in trained}),
        },
    }
    (folder / "README.md").write_text(_card(made), encoding="utf-8")
    (folder / FACTS).write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return made


def read_facts(folder: Path) -> dict[str, Any]:
    """Returns the facts of a dataset. Raises `UsageError` if the folder holds none."""
    try:
        return json.loads((folder / FACTS).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"'{folder}' holds no dataset; make one with gwray dataset RUN -o {folder}") from None


def _digest(sample: Sample) -> bytes:
    """Returns a hash of everything in a sample."""
    parts = [hashlib.sha256(p).hexdigest() if isinstance(p, bytes) else p for p in sample.parts]
    return hashlib.sha256(canonical({**asdict(sample), "parts": parts}).encode()).digest()


def _row(sample: Sample, images: bool) -> dict[str, Any]:
    row = message_lists(sample, images) | {name: getattr(sample, name) for name in FIELDS}
    if images:
        row["images"] = [{"bytes": p, "path": None} for p in sample.parts if isinstance(p, bytes)]
    return row


def _table(rows: list[dict[str, Any]], images: bool) -> pa.Table:
    """Returns rows as a table; metadata tells the `datasets` library that the column `images` holds images."""
    table = pa.Table.from_pylist(rows)
    if not images:
        return table
    text = {"dtype": "string", "_type": "Value"}
    messages = {"_type": "List", "feature": {"role": text, "content": {"_type": "List", "feature": {
        "type": text, "text": text}}}}  # fmt: skip
    features: dict[str, Any] = {
        name: {"dtype": str(table.schema.field(name).type).replace("double", "float64"), "_type": "Value"}
        for name in FIELDS
    }
    features |= {"prompt": messages, "completion": messages, "images": {"_type": "List", "feature": {"_type": "Image"}}}
    ordered = {name: features[name] for name in table.column_names}
    return table.replace_schema_metadata({"huggingface": json.dumps({"info": {"features": ordered}})})


def _card(facts: Mapping[str, Any]) -> str:
    """Returns the data card."""
    columns = ("collected", "kept", "episodes", "samples", "copies", "too_long", "used")
    table = [
        f"| game | {' | '.join(columns)} |",
        "|---" * (len(columns) + 1) + "|",
        *(f"| {g} | {' | '.join(str(a[c]) for c in columns)} |" for g, a in facts["audit"].items()),
    ]
    made = {k: v for k, v in facts.items() if k not in ("audit", "trained_on", "runs", "samples")}
    return "\n".join(
        [
            "---", "license: other", "---", "# Recorded play as training data", "",
            "Each row is a question of an agent and the answer to learn, in TRL's chat form (`prompt`, `completion`).",
            "Every question was rebuilt by replay and compared with its hash in the reply log (`words_hash`).", "",
            *(f"- run {run}" for run in facts["runs"]),
            *(f"- {split}: {count} samples" for split, count in facts["samples"].items()),
            *(f"- {name}: {value}" for name, value in made.items()), "",
            "collected and kept are decisions, samples are questions; used = samples × copies − too_long.", "", *table,
            "", "Trained on (results of these are seen, all others unseen):", "",
            *(f"- {kind}: {', '.join(map(str, values))}" for kind, values in facts["trained_on"].items()), "",
        ]
    )  # fmt: skip
