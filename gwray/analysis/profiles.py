"""Performance profiles: how far a cell gets, in which share of the tasks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from gwray.analysis.cells import scored
from gwray.analysis.intervals import Interval, bounded_mean, trials
from gwray.analysis.reruns import same_tasks
from gwray.analysis.scores import shown_interval

THRESHOLDS = tuple(n / 20 for n in range(20))


@dataclass(frozen=True)
class ProfilePoint:
    """One point of a profile."""

    threshold: float
    """Progress, a fraction."""
    share: Interval
    """Share of tasks with more progress, with its pointwise interval: for games like these from 4 games on, for these
    tasks again otherwise."""


def performance_profile(frame: pl.DataFrame, cell: str, thresholds: Sequence[float] = THRESHOLDS) -> list[ProfilePoint]:
    """Returns the share of tasks with progress above each threshold; empty if nothing was scored.

    F(τ) = (1/T) Σ_t mean_r 1[x_tr > τ] with the interval of a success rate. Source: Agarwal et al., arXiv 2108.13264,
    section 4.2 (run-score distributions). The profile of a cell that is better at every threshold lies above.
    """
    rows = scored(frame.filter(pl.col("cell") == cell)).sort("game", "task")
    if not rows.height:
        return []
    x = rows["progress"].to_numpy()
    task = rows.select(pl.struct("game", "task").rank("dense").alias("task"))["task"].to_numpy() - 1
    repeats = np.bincount(task)
    games = rows["game"].to_numpy()[np.cumsum(repeats) - repeats]
    points = []
    for threshold in thresholds:
        above = (x > threshold).astype(float)
        over_games = bounded_mean(np.bincount(task, weights=above) / repeats, games, trials=trials(above))
        share = shown_interval(over_games, same_tasks(above, task))
        if share is not None:
            points.append(ProfilePoint(threshold, share))
    return points
