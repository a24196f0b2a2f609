"""Paired comparisons of cells on the same tasks and seeds: difference, interval and test.

Both cells play the same task under the same seed, so the difference is taken within each task before averaging, and the
task's difficulty cancels out. All pairs that are ranked together are corrected together (Holm).
"""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from gwray.analysis.cells import PlannedTasks, scored
from gwray.analysis.influence import GameInfluence, game_influence
from gwray.analysis.intervals import (
    FLAT,
    Interval,
    bounded_mean,
    cut,
    independent_se,
    paired_difference,
    value_range,
)
from gwray.analysis.reruns import Metric, same_tasks, t_test
from gwray.analysis.sign_flip import sign_flip

ALPHA = 0.05
TESTED_GAMES = 6
"""With fewer games no sign-flip p is below 0.05, and only these tasks again can be tested."""


@dataclass(frozen=True)
class Comparison:
    """A minus B."""

    a: str
    b: str
    metric: Metric
    difference: Interval
    """Difference with the interval for games like these."""
    p: float | None
    """Sign-flip test over games (`sign_flip`), two-sided; None with fewer than two games."""
    again: Interval
    """Difference with the interval for these tasks again: other repeats of exactly these tasks."""
    p_again: float
    """t-test of `again`: both cells are equally good on these tasks."""
    influence: GameInfluence
    p_success: float | None
    """p of the sign-flip test on success, independent of `metric`."""
    p_holm: float | None
    """`p`, corrected over all pairs that were compared together; None before `corrected`."""
    p_success_holm: float | None
    better: int
    """Number of tasks on which A's success rate is higher."""
    worse: int
    improvement: Interval
    """Probability that an episode of A beats an episode of B on the same task."""
    matched: int
    """Number of episodes with a partner of the same game, task, seed and repeat."""
    unmatched: int
    """Number of episodes of either cell without a partner; they are not in the difference."""
    detectable: float | None
    """Smallest true difference that this design finds with 80 % power."""

    @property
    def significant(self) -> bool:
        p = self.p if self.p_holm is None else self.p_holm
        return p is not None and p <= ALPHA

    @property
    def caveat(self) -> str:
        """Why p or the interval may be too optimistic; empty if nothing suggests it."""
        return self.influence.caveat


def compare(frame: pl.DataFrame, a: str, b: str, metric: Metric = "pg", *, genre: str = "") -> Comparison | None:
    """Returns the paired comparison of two cells; None if no episode of one has a partner in the other.

    `genre`: on the games of one genre only; empty: on all games.

    d_t = mean over matched (seed, repeat) of x^A − x^B; difference d̄ = (1/T) Σ d_t (Miller, arXiv 2411.00640, section
    4) with the p of `sign_flip.sign_flip` over the games' Σ d_t and the interval of `intervals.paired_difference`, made
    `consistent` with it; on these tasks again, `reruns.same_tasks` with the p of its t. Probability of improvement:
    (1/T) Σ_t P(x^A > x^B) + ½ P(x^A = x^B) over all pairs of repeats of a task (Mann–Whitney; Agarwal et al., arXiv
    2108.13264).
    """
    if genre:
        frame = frame.filter(pl.col("genre") == genre)
    played = _episodes_by_cell(frame.filter(pl.col("cell").is_in([a, b])), metric)
    return _compare(a, b, metric, played[a], played[b]) if a in played and b in played else None


@dataclass(frozen=True)
class _ScoredEpisodes:
    """The scored episodes of one cell. Ids of episodes, tasks and games are shared by all cells."""

    episode: NDArray
    """Sorted ids of (game, task, seed, repeat)."""
    task: NDArray
    game: NDArray
    x: NDArray
    success: NDArray
    games: Sequence[str]
    """Name of each game; ids count from 1."""


def _episodes_by_cell(frame: pl.DataFrame, metric: Metric) -> dict[str, _ScoredEpisodes]:
    """Returns the scored episodes of each cell, sorted by episode id."""
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
    games = scored(frame)["game"].unique().sort().to_list()
    return {
        str(k[0]): _ScoredEpisodes(*(part[c].to_numpy() for c in columns), games=games)
        for k, part in rows.partition_by("cell", as_dict=True, maintain_order=True).items()
    }


def _compare(a: str, b: str, metric: Metric, left: _ScoredEpisodes, right: _ScoredEpisodes) -> Comparison | None:
    """Compares two cells on their common episodes; None if there are none."""
    _, i, j = np.intersect1d(left.episode, right.episode, return_indices=True)
    if not len(i):
        return None
    # Episode ids are ordered by task, so a task's rows are adjacent.
    tasks, first, n = np.unique(left.task[i], return_index=True, return_counts=True)
    games = left.game[i][first]
    xa, xb = (np.add.reduceat(x, first) / n for x in (left.x[i], right.x[j]))
    p = _p(xa - xb, games)
    each = left.x[i] - right.x[j]
    difference = consistent(paired_difference(xa, xb, games, least_se=independent_se(each)), p)
    least, most = value_range(np.concatenate((left.x[i], right.x[j])))
    again = cut(same_tasks(each, left.task[i], bounded=False), least - most, most - least)
    ds = np.add.reduceat(left.success[i] - right.success[j], first) / n
    improvement = bounded_mean(_improvement(left, i, right, j, tasks), games)
    return Comparison(
        a=a,
        b=b,
        metric=metric,
        difference=difference,
        p=p,
        again=again,
        p_again=t_test(again),
        influence=game_influence(xa - xb, [str(left.games[int(g) - 1]) for g in games]),
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
    """Returns the interval, adjusted to contain 0 if and only if `p` is above 0.05, so that it agrees with the exact
    test.

    If p excludes 0, the interval ends just before 0, at the smallest number. Otherwise it reaches to 0. Then 0 is
    covered as often as p promises, however skewed the games are, and a true difference is covered as before unless its
    sign is wrong. Source of such one-sided ends: Hsu & Berger, J. Amer. Statist. Assoc. 94 (1999) 468–482, section 2.
    Missing intervals stay as they are.
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
    # With fewer than 6 games the test finds nothing significant.
    return minimum_detectable_difference(se, games - 1) if se >= FLAT and 2.0 ** (1 - games) < ALPHA else None


def _improvement(left: _ScoredEpisodes, i: NDArray, right: _ScoredEpisodes, j: NDArray, tasks: NDArray) -> NDArray:
    """Returns P(x^A > x^B) + ½ P(x^A = x^B) of each task, over all pairs of its matched repeats."""
    # Counted by rank: pair by pair a task with a thousand repeats would have a million pairs.
    bounds = np.searchsorted(left.task[i], np.append(tasks, tasks[-1] + 1))
    first, sizes = bounds[:-1], np.diff(bounds)
    values, rank = np.unique(np.concatenate([left.x[i], right.x[j]]), return_inverse=True)
    task = np.repeat(np.arange(len(tasks)), sizes) * len(values)
    x, y = task + rank[: len(i)], np.sort(task + rank[len(i) :])
    below, up_to = np.searchsorted(y, x, "left"), np.searchsorted(y, x, "right")
    wins = np.add.reduceat(below + up_to, first) - sizes * (2 * first + sizes)
    return 0.5 + wins / sizes**2 / 2


def holm(p: Sequence[float]) -> list[float]:
    """Returns p values after Holm's step-down correction: p̃_(i) = max_{j≤i} min(1, (m−j+1) p_(j)).

    Source: Holm, Scand. J. Statist. 6 (1979) 65–70. A test checks that it equals statsmodels'
    `multipletests`, which is not used here because its import takes seconds.
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
    """Returns the comparison of every pair of ranked cells, Holm-corrected: one family for each group of cells that are
    ranked together (`Cell.rank_group`), and one for all pairs across groups."""
    chosen = [c for c in plan.cells if plan.cells[c].ranked] if cells is None else list(cells)
    columns = ("cell", "game", "task", "seed", "repeat", "status", "success", "progress")
    played = _episodes_by_cell(frame.select(columns).filter(pl.col("cell").is_in(chosen)), metric)
    found = [
        c
        for a, b in itertools.combinations([c for c in chosen if c in played], 2)
        if (c := _compare(a, b, metric, played[a], played[b])) is not None
    ]
    return _by_family(found, plan, corrected)


def _by_family(
    found: Sequence[Comparison], plan: PlannedTasks, change: Callable[[Sequence[Comparison]], list[Comparison]]
) -> list[Comparison]:
    """Returns the comparisons in their order, changed family by family: each group of cells that are ranked together,
    and all pairs across groups."""
    groups = {c: plan.cells[c].rank_group for pair in found for c in (pair.a, pair.b)}
    families: dict[object, list[Comparison]] = {}
    for c in found:
        families.setdefault(groups[c.a] if groups[c.a] == groups[c.b] else None, []).append(c)
    by_pair = {(c.a, c.b): c for family in families.values() for c in change(family)}
    return [by_pair[c.a, c.b] for c in found]


def by_testable_kind(found: Sequence[Comparison], plan: PlannedTasks) -> list[Comparison]:
    """Returns the result of `compare_all` with difference, p and Holm's p of the kind that can be tested in each
    family: for games like these, or for these tasks again if a pair has fewer than `TESTED_GAMES` games."""
    return _by_family(found, plan, family_by_testable_kind)


def family_by_testable_kind(family: Sequence[Comparison]) -> list[Comparison]:
    """Returns the comparisons of one family with difference, p and Holm's p of the kind that can be tested."""
    if all((c.difference.clusters or 0) >= TESTED_GAMES for c in family):
        return list(family)
    p = holm([c.p_again for c in family])
    return [replace(c, difference=c.again, p=c.p_again, p_holm=h) for c, h in zip(family, p, strict=True)]


def corrected(family: Sequence[Comparison]) -> list[Comparison]:
    """Returns the comparisons with `p_holm` and `p_success_holm`: Holm's correction over all that have a test."""
    tested = [c for c in family if c.p is not None and c.p_success is not None]
    p, p_success = (iter(holm(values)) for values in ([c.p or 0 for c in tested], [c.p_success or 0 for c in tested]))
    return [c if c.p is None else replace(c, p_holm=next(p), p_success_holm=next(p_success)) for c in family]


def minimum_detectable_difference(se: float, df: int) -> float | None:
    """Returns the smallest true difference that a two-sided test with this standard error finds with 80 % power.

    MDD = (t_{1−α/2, df} + t_{0.8, df}) · SE. Source: Bloom, Evaluation Review 19 (1995) 547–556. None without
    degrees of freedom.
    """
    if df < 1:
        return None
    from scipy.special import stdtrit

    return float((stdtrit(df, 1 - ALPHA / 2) + stdtrit(df, 0.8)) * se)


def detectable_between_reruns(within_task_sd: float, tasks: int, repeats: int) -> float | None:
    """Returns the smallest difference between two cells that these repeats can distinguish from rerun noise.

    SE = √2 · s_within / √(T·R), df = 2T(R−1), then `minimum_detectable_difference`. The tasks are fixed: this answers
    whether a rerun could reverse the order, not whether the order generalizes to other games.
    """
    se = math.sqrt(2) * within_task_sd / math.sqrt(tasks * repeats)
    return minimum_detectable_difference(se, 2 * tasks * (repeats - 1))


def ranks(values: Sequence[float | None]) -> list[int | None]:
    """Returns plain ranks, highest value first; ties share the better rank ("1224"); None stays unranked."""
    known = [round(v, 12) for v in values if v is not None]
    return [None if v is None else 1 + sum(o > round(v, 12) for o in known) for v in values]


def rank_intervals(cells: Sequence[str], comparisons: Sequence[Comparison]) -> dict[str, tuple[int, int]]:
    """Returns the best and the worst rank that the tests allow: 1 + the number of cells that are significantly better,
    and the number of cells less those that are significantly worse.

    "Better" means a Holm-corrected paired p of at most 0.05 in that cell's favor, of the kind that can be tested
    (`family_by_testable_kind`). All true ranks lie in these intervals together in at least 95 % of studies, since Holm
    bounds the chance of a single wrong order (Mogstad et al., Rev. Econ. Stud. 91 (2024) 476–518; Holm's tests instead
    of their bootstrap). Ties are not transitive: A ties B and B ties C does not imply that A ties C.
    """
    better, worse = dict.fromkeys(cells, 0), dict.fromkeys(cells, 0)
    for c in family_by_testable_kind([c for c in comparisons if c.a in better and c.b in better]):
        if c.significant:
            winner, loser = (c.a, c.b) if c.difference.value > 0 else (c.b, c.a)
            better[loser] += 1
            worse[winner] += 1
    return {c: (1 + better[c], len(better) - worse[c]) for c in better}


def tiers(cells: Sequence[str], comparisons: Sequence[Comparison]) -> dict[str, tuple[int, int]]:
    """Returns the best and the worst level of each cell, which do not depend on how many equal cells there are.

    A level counts the cells of a chain in which each is significantly better than the next: the best level is 1 + the
    longest chain above a cell, the worst is the length of the longest chain of all less the longest one below it.

    "Better" means a paired p of at most 0.05, which is not corrected for the number of cells, so that a further cell
    changes no comparison between two others. `cells` must have the same episodes and be in order of progress, best
    first.
    """
    better: dict[str, list[str]] = {c: [] for c in cells}
    worse: dict[str, list[str]] = {c: [] for c in cells}
    for c in comparisons:
        if c.p is not None and c.p <= ALPHA and c.a in better and c.b in better:
            winner, loser = (c.a, c.b) if c.difference.value > 0 else (c.b, c.a)
            better[loser].append(winner)
            worse[winner].append(loser)
    above, below = _chains(cells, better), _chains([*reversed(cells)], worse)
    levels = 1 + max(above.values(), default=0)
    return {c: (1 + above[c], levels - below[c]) for c in cells}


def _chains(cells: Sequence[str], before: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Returns the length of the longest chain that leads to each cell."""
    found: dict[str, int] = {}
    for cell in cells:
        found[cell] = max((1 + found[b] for b in before[cell] if b in found), default=0)
    return found
