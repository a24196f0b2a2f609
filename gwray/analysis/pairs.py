"""Two cells on the same tasks and seeds: who is better, by how much, and could it be chance?

Both players meet the same task under the same seed, so the difference is taken within each task before anything is
averaged: what makes a task hard cancels out. All pairs shown together are corrected together (Holm).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from gwray.analysis.cells import PlannedTasks, scored
from gwray.analysis.intervals import FLAT, Interval, bounded_mean, paired_difference
from gwray.analysis.reruns import Metric
from gwray.analysis.sign_flip import sign_flip

ALPHA = 0.05


@dataclass(frozen=True)
class Comparison:
    """A minus B."""

    a: str
    b: str
    metric: Metric
    difference: Interval
    p: float | None
    """Sign-flip test over games (`sign_flip`), two-sided; None with fewer than two games."""
    p_success: float | None
    """The same of success, whatever the metric."""
    p_holm: float | None
    """`p`, corrected over all pairs that were compared together; None before `corrected`."""
    p_success_holm: float | None
    better: int
    """Tasks on which A's success rate is higher."""
    worse: int
    improvement: Interval
    """Probability that an episode of A beats an episode of B on the same task."""
    matched: int
    """Episodes with a partner of the same game, task, seed and repeat."""
    unmatched: int
    """Episodes of either cell without a partner, left out of the difference."""
    detectable: float | None
    """Smallest true difference this design would find with 80 % power."""

    @property
    def significant(self) -> bool:
        p = self.p if self.p_holm is None else self.p_holm
        return p is not None and p < ALPHA


def compare(frame: pl.DataFrame, a: str, b: str, metric: Metric = "pg") -> Comparison | None:
    """Paired comparison of two cells; None when no episode of one has a partner in the other.

    d_t = mean over matched (seed, repeat) of x^A − x^B; difference d̄ = (1/T) Σ d_t (Miller, arXiv 2411.00640, section
    4) with the p of `sign_flip.sign_flip` over the games' Σ d_t and the interval of `intervals.paired_difference`, made
    `consistent` with it. Probability of improvement: (1/T) Σ_t P(x^A > x^B) + ½ P(x^A = x^B) over all pairs of repeats
    of a task (Mann–Whitney; Agarwal et al., arXiv 2108.13264).
    """
    played = _played(frame, metric)
    return _compare(a, b, metric, played[a], played[b]) if a in played and b in played else None


@dataclass(frozen=True)
class _Played:
    """The scored episodes of one cell; the numbers of episodes, tasks and games are shared by all cells."""

    episode: NDArray
    """Sorted: one number for each (game, task, seed, repeat)."""
    task: NDArray
    game: NDArray
    x: NDArray
    success: NDArray


def _played(frame: pl.DataFrame, metric: Metric) -> dict[str, _Played]:
    x = pl.col("success").cast(pl.Float64) if metric == "sr" else pl.col("progress")
    rows = (
        scored(frame)
        .select(
            "cell",
            pl.struct("game", "task", "seed", "repeat").rank("dense").alias("episode"),
            pl.struct("game", "task").rank("dense").alias("task"),
            pl.col("game").rank("dense").alias("game"),
            x.alias("x"),
            pl.col("success").cast(pl.Float64).alias("success"),
        )
        .sort("episode")
    )
    columns = ("episode", "task", "game", "x", "success")
    return {
        str(k[0]): _Played(*(part[c].to_numpy() for c in columns))
        for k, part in rows.partition_by("cell", as_dict=True, maintain_order=True).items()
    }


def _compare(a: str, b: str, metric: Metric, left: _Played, right: _Played) -> Comparison | None:
    _, i, j = np.intersect1d(left.episode, right.episode, return_indices=True)
    if not len(i):
        return None
    # Episodes are numbered task by task, so a task's rows lie together.
    tasks, first, n = np.unique(left.task[i], return_index=True, return_counts=True)
    games = left.game[i][first]
    xa, xb = (np.add.reduceat(x, first) / n for x in (left.x[i], right.x[j]))
    p = _p(xa - xb, games)
    difference = consistent(paired_difference(xa, xb, games), p)
    ds = np.add.reduceat(left.success[i] - right.success[j], first) / n
    improvement = bounded_mean(_improvement(left, i, right, j, tasks), games)
    return Comparison(
        a=a,
        b=b,
        metric=metric,
        difference=difference,
        p=p,
        p_success=_p(ds, games),
        p_holm=None,
        p_success_holm=None,
        better=int((ds > FLAT).sum()),
        worse=int((ds < -FLAT).sum()),
        improvement=improvement,
        matched=len(i),
        unmatched=len(left.x) + len(right.x) - 2 * len(i),
        detectable=_detectable(difference),
    )


def consistent(difference: Interval, p: float | None) -> Interval:
    """The same interval with 0 in it if, and only if, `p` is above 0.05: what is said of 0 is said by the exact test.

    Where p rules 0 out, so does the interval: it ends just before 0, at the smallest number. Where p does not, it
    reaches to 0. Then the truth 0 is covered as often as p promises, however skewed the games are, and a true
    difference is covered as before unless its sign was mistaken. Source of such one-sided ends: Hsu & Berger, J. Amer.
    Statist. Assoc. 94 (1999) 468–482, section 2. Intervals without bounds stay as they are.
    """
    low, high = difference.low, difference.high
    if p is None or low is None or high is None:
        return difference
    if p > ALPHA:
        return replace(difference, low=min(low, 0.0), high=max(high, 0.0))
    if difference.value > 0:
        return replace(difference, low=max(low, math.ulp(0.0)))
    return replace(difference, high=min(high, -math.ulp(0.0)))


def _p(d: NDArray, games: NDArray) -> float | None:
    _, code = np.unique(games, return_inverse=True)
    sums = np.bincount(code, weights=d)
    return sign_flip(sums) if len(sums) > 1 else None


def _detectable(difference: Interval) -> float | None:
    games, se = difference.clusters or 0, difference.se or 0.0
    # With fewer than 6 games the test calls nothing significant, however large.
    return minimum_detectable_difference(se, games - 1) if se >= FLAT and 2.0 ** (1 - games) < ALPHA else None


def _improvement(left: _Played, i: NDArray, right: _Played, j: NDArray, tasks: NDArray) -> NDArray:
    """P(x^A > x^B) + ½ P(x^A = x^B) of each task, over all pairs of its matched repeats."""
    # Counted by rank and not pair by pair, which would be a million pairs for a task with a thousand repeats.
    bounds = np.searchsorted(left.task[i], np.append(tasks, tasks[-1] + 1))
    first, sizes = bounds[:-1], np.diff(bounds)
    values, rank = np.unique(np.concatenate([left.x[i], right.x[j]]), return_inverse=True)
    task = np.repeat(np.arange(len(tasks)), sizes) * len(values)
    x, y = task + rank[: len(i)], np.sort(task + rank[len(i) :])
    below, up_to = np.searchsorted(y, x, "left"), np.searchsorted(y, x, "right")
    wins = np.add.reduceat(below + up_to, first) - sizes * (2 * first + sizes)
    return 0.5 + wins / sizes**2 / 2


def holm(p: Sequence[float]) -> list[float]:
    """Holm's step-down correction: p̃_(i) = max_{j≤i} min(1, (m−j+1) p_(j)).

    Source: Holm, Scand. J. Statist. 6 (1979) 65–70. Equal to statsmodels' `multipletests`, which a test checks; that
    one is not imported here because it takes seconds, and a table in a terminal should not.
    """
    x = np.asarray(p, float)
    order = np.argsort(x, kind="stable")
    stepped = np.minimum(1, np.maximum.accumulate((len(x) - np.arange(len(x))) * x[order]))
    out = np.empty_like(stepped)
    out[order] = stepped
    return out.tolist()


def compare_all(
    frame: pl.DataFrame, plan: PlannedTasks, metric: Metric = "pg", *, cells: Sequence[str] | None = None
) -> list[Comparison]:
    """Every pair of ranked cells, Holm-corrected over all of them as one family."""
    chosen = [c for c in plan.cells if plan.cells[c].ranked] if cells is None else list(cells)
    columns = ("cell", "game", "task", "seed", "repeat", "status", "success", "progress")
    played = _played(frame.select(columns).filter(pl.col("cell").is_in(chosen)), metric)
    found = [
        c
        for a, b in itertools.combinations([c for c in chosen if c in played], 2)
        if (c := _compare(a, b, metric, played[a], played[b])) is not None
    ]
    return corrected(found)


def corrected(family: Sequence[Comparison]) -> list[Comparison]:
    """The same comparisons with `p_holm` and `p_success_holm`: Holm's correction over all of them that have a test."""
    tested = [c for c in family if c.p is not None and c.p_success is not None]
    p, p_success = (iter(holm(values)) for values in ([c.p or 0 for c in tested], [c.p_success or 0 for c in tested]))
    return [c if c.p is None else replace(c, p_holm=next(p), p_success_holm=next(p_success)) for c in family]


def minimum_detectable_difference(se: float, df: int, *, alpha: float = ALPHA, power: float = 0.8) -> float | None:
    """Smallest true difference that a two-sided test with this standard error finds with the given power.

    MDD = (t_{1−α/2, df} + t_{power, df}) · SE. Source: Bloom, Evaluation Review 19 (1995) 547–556. None without
    degrees of freedom.
    """
    if df < 1:
        return None
    from scipy.special import stdtrit

    return float((stdtrit(df, 1 - alpha / 2) + stdtrit(df, power)) * se)


def detectable_between_reruns(within_task_sd: float, tasks: int, repeats: int) -> float | None:
    """Smallest difference between two players that these repeats can tell from rerun noise, on these very tasks.

    SE = √2 · s_within / √(T·R), df = 2T(R−1), then `minimum_detectable_difference`. The games are taken as given: this
    answers "would running both again turn the order round?", not "would it hold on other games?".
    """
    se = math.sqrt(2) * within_task_sd / math.sqrt(tasks * repeats)
    return minimum_detectable_difference(se, 2 * tasks * (repeats - 1))


def ranks(values: Sequence[float | None]) -> list[int | None]:
    """Plain ranks, highest first; equal values share the better rank ("1224"); None stays unranked."""
    known = [round(v, 12) for v in values if v is not None]
    return [None if v is None else 1 + sum(o > round(v, 12) for o in known) for v in values]


def shared_ranks(cells: Sequence[str], comparisons: Sequence[Comparison]) -> dict[str, int]:
    """Ranks with statistical ties: 1 + the number of cells that are significantly better.

    "Better" means a Holm-corrected paired p below 0.05 in that cell's favour. Cells that nothing separates share a
    rank. Not transitive: A ties B and B ties C does not make A tie C, and the ranks show it.
    """
    beaten = dict.fromkeys(cells, 0)
    for c in comparisons:
        if c.significant:
            loser = c.b if c.difference.value > 0 else c.a
            if loser in beaten:
                beaten[loser] += 1
    return {c: 1 + n for c, n in beaten.items()}
