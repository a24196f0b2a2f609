"""SR and PG by task, game, genre, level and overall, with intervals and counts.

Tasks have equal weights: repeats are averaged within a task first, then tasks are averaged. Success rate is the share
of episodes that reached their target, progress the mean best progress; both are fractions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from gwray.analysis.cells import Counts, PlannedTasks, _count, counts, scored
from gwray.analysis.intervals import Interval, bounded_mean, cluster_bootstrap, clustered_mean

Group = Literal["task", "game", "genre", "level"]


@dataclass(frozen=True)
class Score:
    """Score of one cell on one group of tasks."""

    cell: str
    group: str
    """Name of the task, game, genre or level; empty for the whole benchmark."""
    counts: Counts
    sr: Interval | None
    """Success rate with the interval of `intervals.bounded_mean`; None when nothing was scored."""
    pg: Interval | None
    """Progress with the same interval, or that of `intervals.clustered_mean` if a task without a cap exceeds 1."""
    tasks: int


class TaskMeans:
    """SR and PG of a growing set of episodes, updated in constant time, for live charts. Equal to the means over the
    rows of `task_scores`.

    Example: `means.add("01_2048/01_01", 1.0, 1.0)`; then `means.sr`, `means.pg`.
    """

    def __init__(self) -> None:
        self._tasks: dict[str, tuple[int, float, float]] = {}
        self._sr = self._pg = 0.0

    def add(self, task: str, success: float, progress: float) -> None:
        """Adds one episode of a task."""
        n, s, p = self._tasks.get(task, (0, 0.0, 0.0))
        if n:
            self._sr -= s / n
            self._pg -= p / n
        n, s, p = n + 1, s + success, p + progress
        self._tasks[task] = (n, s, p)
        self._sr += s / n
        self._pg += p / n

    # Rounded, so that the order of the episodes does not change the last digits.

    @property
    def sr(self) -> float:
        """Mean over tasks of the mean success of their episodes. Needs at least one episode."""
        return round(self._sr / len(self._tasks), 9)

    @property
    def pg(self) -> float:
        """The same for progress."""
        return round(self._pg / len(self._tasks), 9)


def task_scores(frame: pl.DataFrame) -> pl.DataFrame:
    """Returns one row for each cell and task: `sr` and `pg` averaged over repeats, `repeats`, genre and level."""
    return (
        scored(frame.select("cell", "game", "task", "genre", "level", "status", "success", "progress"))
        .group_by("cell", "game", "task", "genre", "level")
        .agg(
            pl.col("success").cast(pl.Float64).mean().alias("sr"),
            pl.col("progress").mean().alias("pg"),
            pl.len().alias("repeats"),
        )
        .sort("cell", "game", "task")
    )


def score(frame: pl.DataFrame, plan: PlannedTasks, cell: str) -> Score:
    """Returns the score of one cell over all tasks: SR = (1/T) Σ_t mean_r success, PG likewise with progress."""
    tasks = task_scores(frame.filter(pl.col("cell") == cell))
    return _score(cell, "", tasks, counts(frame, plan, cell))


def scores_by(frame: pl.DataFrame, plan: PlannedTasks, by: Group) -> list[Score]:
    """Returns the scores of every cell on every task, game, genre or level, in the order of the plan's cells."""
    tasks = task_scores(frame)
    keys = ["game", "task"] if by == "task" else [by]
    planned_n = dict(_heights(plan.episodes.drop_nulls(keys), keys))
    # The group of an unplayed game is unknown; until it is played no group of that cell is complete.
    unknown = dict(_heights(plan.episodes.filter(pl.any_horizontal(pl.col(keys).is_null())), []))
    rows = frame.select("cell", *keys, "status", "progress").partition_by("cell", *keys, as_dict=True)
    parts = tasks.partition_by("cell", *keys, as_dict=True)
    empty, none = tasks.clear(), frame.clear()
    out = []
    order = {c: i for i, c in enumerate(plan.cells)}
    for key in sorted(set(rows) | set(planned_n), key=lambda k: (order.get(str(k[0]), 9999), *map(str, k[1:]))):
        n = _count(rows.get(key, none), planned_n.get(key, 0) + unknown.get(key[:1], 0))
        name = " ".join(str(k) for k in key[1:])
        out.append(_score(str(key[0]), name, parts.get(key, empty), n))
    return out


def _heights(episodes: pl.DataFrame, keys: Sequence[str]) -> Iterator[tuple[tuple, int]]:
    for *key, n in episodes.group_by("cell", *keys).len().iter_rows():
        yield tuple(key), n


def _score(cell: str, group: str, tasks: pl.DataFrame, n: Counts) -> Score:
    if not tasks.height:
        return Score(cell, group, n, None, None, 0)
    sr, pg, games = (tasks[c].to_numpy() for c in ("sr", "pg", "game"))
    interval = bounded_mean if pg.max() <= 1 else clustered_mean
    return Score(cell, group, n, sr=bounded_mean(sr, games), pg=interval(pg, games), tasks=tasks.height)


def robust_progress(
    frame: pl.DataFrame, cell: str, statistic: Literal["mean", "iqm"] = "iqm", *, seed: int = 0
) -> Interval:
    """Returns progress or its interquartile mean with a cluster-bootstrap interval over games.

    Pools all episodes with weight 1/repeats, so that tasks weigh equally (Agarwal et al. 2021).
    """
    rows = scored(frame.filter(pl.col("cell") == cell)).with_columns(
        (1 / pl.len().over("game", "task")).alias("weight")
    )
    x, games, w = (rows[c].to_numpy() for c in ("progress", "game", "weight"))
    return cluster_bootstrap(x, games, statistic=statistic, weights=w, seed=seed)
