"""All episodes of one or more runs as one Polars frame: what the statistics start from.

One row an episode, finished or failed, all fields of `EpisodeRecord` plus `run` (the run directory's URL). These
columns are the same for every run, an empty one too. `metrics` is the exception: each metric that any of the episodes
has is a column `metrics.<name>`. No numbers are computed here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from gwray.columns import polars_schema, table
from gwray.records import EpisodeRecord
from gwray.store.run_dir import RunDir

SCHEMA = pl.Schema({"run": pl.String, **polars_schema(EpisodeRecord)})
"""The columns of every frame."""


def results_frame(run: RunDir | Sequence[RunDir], *, forks: bool = False) -> pl.DataFrame:
    """The episodes of runs, those that finished first. Forks are among them only if asked for: they begin where another
    player had come to, so no table may count them as episodes of their task.

    Example: `results_frame(RunDir.open("runs/main")).group_by("model").agg(pl.col("metrics.movement.moves").mean())`
    """
    runs = [run] if isinstance(run, RunDir) else list(run)
    kept = ((one.url, record) for one in runs for records in one.outcomes() for record in records)
    found = [(url, record) for url, record in kept if forks or not record.prefix]
    urls = pl.Series("run", [url for url, _ in found], pl.String)
    return table([record for _, record in found], EpisodeRecord).insert_column(0, urls)


def without_forks(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """A manifest whose plan has no forks, to go with a frame that has none: cells that only forks play are left out."""
    episodes = [e for e in manifest.get("episodes") or () if not e.get("prefix")]
    if len(episodes) == len(manifest.get("episodes") or ()):
        return dict(manifest)
    cells = [{**c, "planned": sum(e["cell"] == c["id"] for e in episodes)} for c in manifest["cells"]]
    return {**manifest, "episodes": episodes, "cells": [c for c in cells if c["planned"]]}
