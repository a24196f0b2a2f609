"""SR and PG by task, game, genre, level and overall, with intervals and counts.

Tasks have equal weights: repeats are averaged within a task first, then tasks are averaged. Success rate is the share
of episodes that reached their target, progress the mean best progress; both are fractions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from gwray.analysis.cells import PLAY, Counts, PlannedTasks, _count_episodes, counts, play, scored
from gwray.analysis.intervals import Interval, at_least, bounded_mean, clustered_mean, cut, independent_se, value_range
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
    """Success rate with its interval on these tasks (`reruns.same_tasks`); None when nothing was scored."""
    pg: Interval | None
    tasks: int
    sr_games: Interval | None = None
    """Success rate with its interval on games like these (`intervals.bounded_mean`), never the shorter one."""
    pg_games: Interval | None = None
    """Progress with the same interval, or that of `intervals.clustered_mean` if a task without a cap exceeds 1, which
    starts at 0 unless an episode is below."""


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
        scored(frame.select("cell", "game", "task", "genre", "level", "status", "success", "progress", *PLAY))
        .group_by("cell", "game", "task", "genre", "level")
        .agg(
            pl.col("success").cast(pl.Float64).mean().alias("sr"),
            pl.col("progress").mean().alias("pg"),
            pl.len().alias("repeats"),
            pl.col("success").cast(pl.Float64).alias("successes"),
            pl.col("progress").alias("progresses"),
            play().alias("plays"),
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
    rows = frame.select("cell", *keys, "status", "success", "progress").partition_by("cell", *keys, as_dict=True)
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
    plays = tasks["plays"].explode().to_numpy()

    def both(mean: str, episodes: str) -> tuple[Interval, Interval]:
        x, each = tasks[mean].to_numpy(), tasks[episodes].explode().to_numpy()
        least, most = value_range(each)
        bounded = (least, most) == (0, 1)
        own = cut(same_tasks(each, task, bounded=bounded, plays=plays), least, most)
        games = (
            bounded_mean(x, names, episodes=len(each))
            if bounded
            else clustered_mean(x, names, least_se=independent_se(each))
        )
        return own, at_least(cut(games, least, most), own)

    (sr, sr_games), (pg, pg_games) = both("sr", "successes"), both("pg", "progresses")
    return Score(cell, group, n, sr, pg, tasks.height, sr_games, pg_games)
