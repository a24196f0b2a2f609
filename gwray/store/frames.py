"""All episodes of one or more runs as one Polars frame: what the statistics start from.

One row an episode, finished or failed, all fields of `EpisodeRecord` plus `run` (the run directory's URL).
Column types are fixed, so an empty run and a full one fit together. No numbers are computed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from gwray.records import EpisodeRecord
from gwray.store.run_dir import RunDir

_TYPES: dict[str, Any] = {
    **dict.fromkeys(EpisodeRecord.model_fields, pl.String),
    **dict.fromkeys(
        (
            "level", "memory_rounds", "seed", "repeat", "steps", "resets", "proposals", "no_tool_call",
            "out_of_space", "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens",
            "blocked_requests", "tries",
        ),
        pl.Int64,
    ),
    **dict.fromkeys(
        ("progress", "score", "cost_usd", "latency_ms", "charged_ms", "game_time_ms", "wall_s"), pl.Float64
    ),
    **dict.fromkeys(("success", "sees_state", "reproducible"), pl.Boolean),
    **dict.fromkeys(("caveats", "page_errors"), pl.List(pl.String)),
}  # fmt: skip
SCHEMA = pl.Schema({"run": pl.String, **_TYPES})


def results_frame(run: RunDir | Sequence[RunDir]) -> pl.DataFrame:
    runs = [run] if isinstance(run, RunDir) else list(run)
    columns: dict[str, list[Any]] = {name: [] for name in SCHEMA}
    for one in runs:
        for records in one.outcomes():
            columns["run"] += [one.url] * len(records)
            for name in _TYPES:
                columns[name] += [getattr(r, name) for r in records]
    return pl.DataFrame(columns, schema=SCHEMA)
