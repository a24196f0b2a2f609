"""Spread of scores over repeats of the same tasks, and the interval *on these tasks*.

Neither generalizes to other games; `intervals` does.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from gwray.analysis.cells import PlannedTasks, scored
from gwray.analysis.intervals import FLAT, LEVEL, Interval, clopper_pearson, t_quantiles, wilson

Metric = Literal["sr", "pg"]
ONE_REPEAT = "conservative (wide), since each task was played once"
LEAST_DF = 4.0
"""Tasks that are always or never won lower the degrees of freedom to this at most."""


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


def repeat_error(variances: NDArray, repeats: NDArray) -> tuple[NDArray, NDArray]:
    """Returns the standard error of a mean over fixed tasks, and its degrees of freedom.

    With s_t² the variance of task t over its R_t repeats (shape (…, tasks)), v_t = s_t²/R_t: SE² = Σ_t v_t / T², not
    below the error of one win among all N episodes, 1/N². df = (Σ v_t)² / Σ v_t²/(R_t−1), from `LEAST_DF` to Σ (R_t−1):
    tasks that are always or never won have no part in it. Source: Satterthwaite, Biometrics Bulletin 2 (1946) 110–114;
    a stratified sample with tasks as strata, Cochran, Sampling Techniques (1977), section 5.4.
    """
    v, n, more = variances / repeats, float(repeats.sum()), repeats > 1
    most = float((repeats - 1).sum())
    fourth = (v[..., more] ** 2 / (repeats[more] - 1)).sum(axis=-1)
    df = v[..., more].sum(axis=-1) ** 2 / np.where(fourth > 0, fourth, 1.0)
    se = np.sqrt(np.maximum(v.sum(axis=-1) / v.shape[-1] ** 2, 1 / n**2))
    return se, np.clip(df, min(LEAST_DF, most), most)


def same_tasks(
    values: ArrayLike, tasks: ArrayLike, level: float = LEVEL, *, bounded: bool = True, plays: ArrayLike | None = None
) -> Interval:
    """Returns the mean over tasks with the interval *on these tasks*: other repeats of exactly these tasks.

    Error and df are those of `repeat_error`; the interval is Wilson's with n* = x̄(1−x̄)/SE², not below N, for values in
    [0, 1] (`bounded`), and x̄ ± t · SE for differences. A task with a single repeat takes the variance of the others; if
    no task has two, the variance between tasks replaces it, which is at least as large on average, so that the
    interval is too long rather than too short; of wins and losses it is the exact one of N independent trials (Clopper
    & Pearson). One task with one repeat has none.

    Copies are no repeats: with w_i the share of play i among the repeats of its task, R_t = 1 / Σ w_i² (Kish, Survey
    Sampling (1965), section 8.2). If tasks have repeats and all are copies, there is no interval.

    Args:
        values: One value for each episode.
        tasks: The task of each episode.
        level: Confidence level.
        bounded: Whether the values are in [0, 1].
        plays: What two repeats of a task have in common only if one is a copy of the other. Default: none is.
    """
    x = np.asarray(values, float)
    if x.size == 0:
        raise ValueError("there are no values to average")
    code = np.unique(np.asarray(tasks), return_inverse=True)[1]
    played = np.bincount(code).astype(float)
    means = np.bincount(code, weights=x) / played
    mean, repeats = float(means.mean()), played
    if plays is not None:
        of_play, alike = np.unique(
            np.stack([code, np.unique(plays, return_inverse=True)[1]]), axis=1, return_counts=True
        )
        repeats = played**2 / np.bincount(of_play[0], weights=alike.astype(float) ** 2)
    n, again = float(repeats.sum()), repeats > 1 + FLAT
    if (played > 1).any() and not again.any():
        return Interval(mean, None, None, None, len(means), None, f"{played.max():.0f} repeats, 1 distinct", "tasks")
    if n == 1:
        return Interval(mean, None, None, None, 1, None, "one task and one repeat: no interval", "tasks")
    if again.any():
        squares = np.bincount(code, weights=(x - means[code]) ** 2)
        freedom = np.where(again, repeats - 1, 0.0)
        squares *= repeats / played
        pooled = float(squares[again].sum() / freedom.sum())
        variances = np.where(again, squares / np.where(again, freedom, 1.0), pooled)
        se, df = (float(v) for v in repeat_error(variances, repeats))
        method = f"within tasks, {df:.1f} df"
    else:
        se, df = math.sqrt(max(float(means.var(ddof=1)), 1 / n) / n), max(LEAST_DF, len(means) - 1.0)
        method = ONE_REPEAT
        if bounded and bool(np.isin(x, (0, 1)).all()):
            low, high = clopper_pearson(int(x.sum()), len(x), level)
            return Interval(mean, low, high, se, len(means), None, method, "tasks", df)
    alike = len(means) ** 2 / float((1 / repeats).sum())
    low, high = same_tasks_ends(np.array(mean), np.array(se), np.array(df), alike, level, bounded=bounded)
    return Interval(mean, float(low), float(high), se, len(means), None, method, "tasks", df)


def t_test(difference: Interval) -> float | None:
    """Returns the two-sided p of Student's t for a difference; None without degrees of freedom."""
    from scipy.special import stdtr

    if difference.df is None:
        return None
    return 2 * float(stdtr(difference.df, -abs(difference.value) / (difference.se or FLAT)))


def same_tasks_ends(
    mean: NDArray, se: NDArray, df: NDArray, n: float, level: float = LEVEL, *, bounded: bool = True
) -> tuple[NDArray, NDArray]:
    """Returns the ends of the interval of `same_tasks` from its mean and error over n episodes, n = T² / Σ 1/R_t where
    tasks have different numbers of them. No values in [0, 1] vary more than as many wins and losses of their mean."""
    if not bounded:
        half = t_quantiles(level, df) * se
        return mean - half, mean + half
    spread = mean * (1 - mean)
    bound = spread <= FLAT
    effective = np.where(bound, n, spread / se**2)
    # Up to n the error follows from the mean and is not estimated.
    df = np.where(bound | (effective < n), np.inf, df)
    return wilson(mean, np.maximum(n, effective), t_quantiles(level, df))


def reruns(frame: pl.DataFrame, plan: PlannedTasks, cell: str, metric: Metric, *, game: str | None = None) -> Rerun:
    """Returns the spread over repeats of one cell, over all tasks or one game.

    A_r = (1/T) Σ_t x_{t,r}; mean = (1/R) Σ A_r; SD = √(Σ (A_r − mean)² / (R−1)), the sample SD that the published
    table 7 reports. A repeat is one (seed, repeat): a sweep over seeds plays the benchmark again too. Only repeats that
    have every planned task of the cell count, played or not: a partial average would compare different benchmarks.
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
    return Rerun(
        cell=cell,
        group=game or "",
        metric=metric,
        repeats=r,
        incomplete=max(again, per_repeat.height) - r,
        averages=tuple(float(v) for v in a),
        mean=mean,
        sd=sd,
    )


def game_reruns(frame: pl.DataFrame, plan: PlannedTasks, cell: str, metric: Metric) -> list[Rerun]:
    """Returns `reruns` for every game of a cell: bars and error bars of the figure by game."""
    games = plan.episodes.filter(pl.col("cell") == cell)["game"].unique().sort().to_list()
    return [reruns(frame, plan, cell, metric, game=g) for g in games]
