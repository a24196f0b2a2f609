"""SR and PG by task, game, genre, level and overall, with intervals and counts.

Tasks have equal weights: repeats are averaged within a task first, then tasks are averaged. Success rate is the share
of episodes that reached their target, progress the mean best progress; both are fractions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from gwray.analysis.cells import Counts, PlannedTasks, _count_episodes, counts, scored
from gwray.analysis.intervals import (
    Interval,
    bounded_mean,
    cluster_bootstrap,
    clustered_mean,
    cut,
    independent_se,
    trials,
    value_range,
)
from gwray.analysis.reruns import same_tasks

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
    """Progress with the same interval, or that of `intervals.clustered_mean` if a task without a cap exceeds 1, which
    starts at 0 unless an episode is below."""
    tasks: int
    sr_again: Interval | None = None
    """Success rate with the interval of `reruns.same_tasks`: these tasks again. It exists for any number of games."""
    pg_again: Interval | None = None


def shown_interval(games: Interval | None, again: Interval | None) -> Interval | None:
    """Returns the interval to show where there is room for one: for games like these, or else these tasks again."""
    return again if games is None or games.low is None else games


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
        """Mean over tasks of the mean progress of their episodes. Needs at least one episode."""
        return round(self._pg / len(self._tasks), 9)


def task_scores(frame: pl.DataFrame) -> pl.DataFrame:
    """Returns one row for each cell and task: `sr` and `pg` averaged over repeats, `repeats`, genre, level, and the
    `successes` and `progresses` of the episodes."""
    return (
        scored(frame.select("cell", "game", "task", "genre", "level", "status", "success", "progress"))
        .group_by("cell", "game", "task", "genre", "level")
        .agg(
            pl.col("success").cast(pl.Float64).mean().alias("sr"),
            pl.col("progress").mean().alias("pg"),
            pl.len().alias("repeats"),
            pl.col("success").cast(pl.Float64).alias("successes"),
            pl.col("progress").alias("progresses"),
        )
        .sort("cell", "game", "task")
    )


def score(frame: pl.DataFrame, plan: PlannedTasks, cell: str) -> Score:
    """Returns the score of one cell over all tasks: SR = (1/T) Σ_t mean_r success, PG likewise with progress."""
    tasks = task_scores(frame.filter(pl.col("cell") == cell))
    return _score(cell, "", tasks, counts(frame, plan, cell))


def running_score(episodes: Sequence[tuple[str, str, bool, float]]) -> Score:
    """Returns the score of the episodes that have finished so far: game, task, success and progress of each. Its counts
    are 0."""
    frame = pl.DataFrame(episodes, ("game", "task", "success", "progress"), orient="row")
    same = {"cell": "", "genre": "", "level": 0, "status": "finished"}
    return _score("", "", task_scores(frame.with_columns(**{k: pl.lit(v) for k, v in same.items()})), Counts(0, 0, 0))


def missing_bounds(
    frame: pl.DataFrame, plan: PlannedTasks, cell: str
) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Returns the lowest and highest SR and PG that the missing episodes of a cell allow: all of them 0, or all 1.

    Whatever made episodes fail, the complete score lies between these bounds (Manski, Amer. Econ. Rev. 80 (1990)
    319–323). None if the plan does not list the episodes, or progress has no upper bound.
    """
    done = scored(frame.filter(pl.col("cell") == cell)).select("key", "success", "progress")
    planned = plan.episodes.filter(pl.col("cell") == cell).select("key", "game", "task")
    if not planned.height or (done["progress"].max() or 0) > 1:  # type: ignore[operator]
        return None
    columns = {"sr": pl.col("success").cast(pl.Float64), "pg": pl.col("progress")}
    ends = {f"{name}{end}": x.fill_null(end).mean() for name, x in columns.items() for end in (0.0, 1.0)}
    tasks = planned.join(done, on="key", how="left").group_by("game", "task").agg(**ends).sort("game", "task")
    low, high, low_pg, high_pg = (float(tasks[name].mean()) for name in ends)  # type: ignore[arg-type]
    return (low, high), (low_pg, high_pg)


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
        n = _count_episodes(rows.get(key, none), planned_n.get(key, 0) + unknown.get(key[:1], 0))
        name = " ".join(str(k) for k in key[1:])
        out.append(_score(str(key[0]), name, parts.get(key, empty), n))
    return out


def _heights(episodes: pl.DataFrame, keys: Sequence[str]) -> Iterator[tuple[tuple, int]]:
    for *key, n in episodes.group_by("cell", *keys).len().iter_rows():
        yield tuple(key), n


def _score(cell: str, group: str, tasks: pl.DataFrame, n: Counts) -> Score:
    """Returns the score of a group from rows of `task_scores`."""
    if not tasks.height:
        return Score(cell, group, n, None, None, 0)
    names = tasks["game"].to_numpy()
    task = np.repeat(np.arange(tasks.height), tasks["repeats"].to_numpy())

    def both(mean: str, episodes: str) -> tuple[Interval, Interval]:
        x, each = tasks[mean].to_numpy(), tasks[episodes].explode().to_numpy()
        least, most = value_range(each)
        if (least, most) == (0, 1):
            return bounded_mean(x, names, trials=trials(each)), same_tasks(each, task)
        games, again = clustered_mean(x, names, least_se=independent_se(each)), same_tasks(each, task, bounded=False)
        return cut(games, least, most), cut(again, least, most)

    (sr, sr_again), (pg, pg_again) = both("sr", "successes"), both("pg", "progresses")
    return Score(cell, group, n, sr, pg, tasks.height, sr_again, pg_again)


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
