"""Spread of scores over reruns of the same benchmark.

There are two spreads: that of full-benchmark averages, and that of one task's results. Neither generalizes to other
games; `intervals` does.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from gwray.analysis.cells import PlannedTasks, scored
from gwray.analysis.intervals import LEVEL, t_quantile

Metric = Literal["sr", "pg"]


@dataclass(frozen=True)
class Rerun:
    """Rerun statistics of one metric of one cell (or of its part named `group`)."""

    cell: str
    group: str
    metric: Metric
    repeats: int
    """Number of complete repeats."""
    incomplete: int
    """Number of planned repeats that are skipped because they lack a planned task."""
    averages: tuple[float, ...]
    """Average of each complete repeat, in their order."""
    mean: float | None
    sd: float | None
    """Sample SD of the averages; None with fewer than two repeats."""
    within_task_sd: float | None
    low: float | None
    high: float | None
    """t interval of the mean over reruns on the same tasks (R − 1 df)."""


def reruns(frame: pl.DataFrame, plan: PlannedTasks, cell: str, metric: Metric, *, game: str | None = None) -> Rerun:
    """Returns the spread over repeats of one cell, over all tasks or one game.

    A_r = (1/T) Σ_t x_{t,r}; mean = (1/R) Σ A_r; SD = √(Σ (A_r − mean)² / (R−1)), the sample SD that the published
    table 7 reports. Within-task SD = √((1/T) Σ_t s_t²), s_t² being the variance of task t over its repeats: the root
    of the mean variance, since variances add and deviations do not. A repeat is one (seed, repeat): a sweep over seeds
    plays the benchmark again too. Only repeats that have every planned task of the cell count, played or not: a
    partial average would compare different benchmarks.
    """
    rows = scored(frame.filter(pl.col("cell") == cell))
    planned = plan.episodes.filter(pl.col("cell") == cell)
    if game is not None:
        rows, planned = (f.filter(pl.col("game") == game) for f in (rows, planned))
    column = pl.col("success").cast(pl.Float64) if metric == "sr" else pl.col("progress")
    rows = rows.select("game", "task", "seed", "repeat", column.alias("x"))
    tasks = planned.select("game", "task").n_unique()
    again = planned.select("seed", "repeat").n_unique()
    per_repeat = rows.group_by("seed", "repeat").agg(
        pl.col("x").mean(), pl.struct("game", "task").n_unique().alias("tasks")
    )
    complete = per_repeat.filter(pl.col("tasks") == tasks).sort("seed", "repeat")
    a = complete["x"].to_numpy()
    r = len(a)
    mean = float(a.mean()) if r else None
    # One repeat has no spread (n − 1 = 0); 0 would claim perfect stability.
    sd = float(a.std(ddof=1)) if r >= 2 else None
    variances = (rows.group_by("game", "task").agg(pl.col("x").var(ddof=1).alias("v"), pl.len().alias("n"))).filter(
        pl.col("n") >= 2
    )["v"]
    within = math.sqrt(float(np.mean(variances.to_numpy()))) if len(variances) else None
    half = t_quantile(LEVEL, r - 1) * sd / math.sqrt(r) if sd is not None else None
    return Rerun(
        cell=cell,
        group=game or "",
        metric=metric,
        repeats=r,
        incomplete=max(again, per_repeat.height) - r,
        averages=tuple(float(v) for v in a),
        mean=mean,
        sd=sd,
        within_task_sd=within,
        low=mean - half if mean is not None and half is not None else None,
        high=mean + half if mean is not None and half is not None else None,
    )


def game_reruns(frame: pl.DataFrame, plan: PlannedTasks, cell: str, metric: Metric) -> list[Rerun]:
    """Returns `reruns` for every game of a cell: bars and error bars of the figure by game."""
    games = plan.episodes.filter(pl.col("cell") == cell)["game"].unique().sort().to_list()
    return [reruns(frame, plan, cell, metric, game=g) for g in games]
