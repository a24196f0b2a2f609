"""Paired comparisons of cells on the same tasks and seeds: difference, interval and test.

Both cells play the same task under the same seed, so the difference is taken within each task before averaging, and the
task's difficulty cancels out. All pairs that are ranked together are corrected together (Holm).
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from gwray.analysis.cells import PLAY, PlannedTasks, play, scored
from gwray.analysis.intervals import FLAT, Interval, at_least, cut, independent_se, paired_difference, value_range
from gwray.analysis.reruns import Metric, same_tasks, t_test
from gwray.analysis.sign_flip import sign_flip
from gwray.pages import counted, points

ALPHA = 0.05
TESTED_GAMES = 6
"""With fewer games no sign-flip p is below 0.05, and nothing is known of other games."""


@dataclass(frozen=True, repr=False)
class Comparison:
    """A minus B. Shown as a sentence."""

    a: str
    b: str
    metric: Metric
    difference: Interval
    """Difference with its interval on these tasks."""
    p: float | None
    """t-test of `difference`: both cells are equally good on these tasks. None without an interval."""
    games: Interval
    """Difference with its interval on games like these."""
    p_games: float | None
    """Sign-flip test over games (`sign_flip`), two-sided; None with fewer than `TESTED_GAMES` games."""
    p_holm: float | None
    """`p`, corrected over all pairs that were compared together; None before `corrected`."""
    p_games_holm: float | None
    """`p_games`, corrected over all pairs that have one."""
    better: int
    """Number of tasks on which A's success rate is higher."""
    worse: int
    matched: int
    """Number of episodes with a partner of the same game, task, seed and repeat."""
    unmatched: int
    """Number of episodes of either cell without a partner; they are not in the difference."""

    @property
    def significant(self) -> bool:
        p = self.p if self.p_holm is None else self.p_holm
        return p is not None and p <= ALPHA

    @property
    def elsewhere(self) -> str:
        """Whether the difference holds on games like these, in words: yes, no evidence, or not known."""
        p = self.p_games if self.p_games_holm is None else self.p_games_holm
        if p is None:
            return f"not known from {counted(self.games.clusters or 0, 'game')}, needs {TESTED_GAMES}"
        same_side = self.games.value * self.difference.value > 0
        return "yes" if p <= ALPHA and same_side and self.significant else "no evidence"

    def __repr__(self) -> str:
        return difference_text(self, {self.a: self.a, self.b: self.b})


def difference_text(c: Comparison, names: Mapping[str, str] | None = None) -> str:
    """Returns a difference, larger minus smaller, with interval, tasks, p, and whether it holds on other games.
    `names`: of cells; None where it is clear which two are meant."""
    d = c.difference
    a, b, sign = (c.a, c.b, 1) if d.value >= 0 else (c.b, c.a, -1)

    def ends(e: Interval) -> str:
        at = sorted(sign * v for v in (e.low, e.high) if v is not None)
        return f" [{', '.join(points(v, e) for v in at)}]" if at else ""

    of = f"{names[a]} minus {names[b]} =" if names else "difference"
    text = f"{of} {points(sign * d.value, d, signed=True)} points{ends(d)} on "
    text += "this task" if d.n == 1 else f"these {d.n:,} tasks"
    if (p := c.p if c.p_holm is None else c.p_holm) is None:
        return f"{text} ({d.method})"
    if not c.significant:
        return f"{text}: not enough data to tell them apart"
    text += f", p {'< 0.001' if p < 0.001 else f'= {p:.2g}'}"
    return f"{text}; also on games like these: {c.elsewhere}{',' + ends(c.games) if c.elsewhere == 'yes' else ''}"


def compare(frame: pl.DataFrame, a: str, b: str, metric: Metric = "pg", *, genre: str = "") -> Comparison | None:
    """Returns the paired comparison of two cells; None if no episode of one has a partner in the other.

    `genre`: on the games of one genre only; empty: on all games.

    d_t = mean over matched (seed, repeat) of x^A − x^B; difference d̄ = (1/T) Σ d_t (Miller, arXiv 2411.00640, section
    4) with the interval and the t of `reruns.same_tasks`; on games like these, the interval of
    `intervals.paired_difference` and the p of `sign_flip.sign_flip` over the games' Σ d_t.
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
    play: NDArray
    """`cells.play` of each, as objects."""


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
            play().alias("play"),
        )
        .sort("episode")
    )
    columns = ("episode", "task", "game", "x", "success", "play")
    return {
        str(k[0]): _ScoredEpisodes(*(part[c].to_numpy() for c in columns))
        for k, part in rows.partition_by("cell", as_dict=True, maintain_order=True).items()
    }


def _compare(a: str, b: str, metric: Metric, left: _ScoredEpisodes, right: _ScoredEpisodes) -> Comparison | None:
    """Compares two cells on their common episodes; None if there are none."""
    _, i, j = np.intersect1d(left.episode, right.episode, return_indices=True)
    if not len(i):
        return None
    # Episode ids are ordered by task, so a task's rows are adjacent.
    _, first, n = np.unique(left.task[i], return_index=True, return_counts=True)
    games = left.game[i][first]
    xa, xb = (np.add.reduceat(x, first) / n for x in (left.x[i], right.x[j]))
    each = left.x[i] - right.x[j]
    least, most = value_range(np.concatenate((left.x[i], right.x[j])))
    plays = left.play[i] + right.play[j]
    difference = cut(same_tasks(each, left.task[i], bounded=False, plays=plays), least - most, most - least)
    elsewhere = at_least(paired_difference(xa, xb, games, least_se=independent_se(each)), difference)
    ds = np.add.reduceat(left.success[i] - right.success[j], first) / n
    return Comparison(
        a, b, metric, difference, t_test(difference), elsewhere, _p(xa - xb, games), p_holm=None, p_games_holm=None,
        better=int((ds > FLAT).sum()), worse=int((ds < -FLAT).sum()), matched=len(i),
        unmatched=len(left.x) + len(right.x) - 2 * len(i),
    )  # fmt: skip


def _p(d: NDArray, games: NDArray) -> float | None:
    _, code = np.unique(games, return_inverse=True)
    sums = np.bincount(code, weights=d)
    return sign_flip(sums) if len(sums) >= TESTED_GAMES else None


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
    columns = ("cell", "game", "task", "seed", "repeat", "status", "success", "progress", *PLAY)
    played = _episodes_by_cell(frame.select(columns).filter(pl.col("cell").is_in(chosen)), metric)
    found = [
        c
        for a, b in itertools.combinations([c for c in chosen if c in played], 2)
        if (c := _compare(a, b, metric, played[a], played[b])) is not None
    ]
    return _by_family(found, plan)


def _by_family(found: Sequence[Comparison], plan: PlannedTasks) -> list[Comparison]:
    """Returns the comparisons in their order, corrected family by family: each group of cells that are ranked together,
    and all pairs across groups."""
    groups = {c: plan.cells[c].rank_group for pair in found for c in (pair.a, pair.b)}
    families: dict[object, list[Comparison]] = {}
    for c in found:
        families.setdefault(groups[c.a] if groups[c.a] == groups[c.b] else None, []).append(c)
    by_pair = {(c.a, c.b): c for family in families.values() for c in corrected(family)}
    return [by_pair[c.a, c.b] for c in found]


def corrected(family: Sequence[Comparison]) -> list[Comparison]:
    """Returns the comparisons with `p_holm` and `p_games_holm`: Holm's correction over all that have a test."""

    def held(p: Sequence[float | None]) -> list[float | None]:
        tested = iter(holm([x for x in p if x is not None]))
        return [None if x is None else next(tested) for x in p]

    both = zip(family, held([c.p for c in family]), held([c.p_games for c in family]), strict=True)
    return [replace(c, p_holm=p, p_games_holm=p_games) for c, p, p_games in both]


def ranks(values: Sequence[float | None]) -> list[int | None]:
    """Returns plain ranks, highest value first; ties share the better rank ("1224"); None stays unranked."""
    known = [round(v, 12) for v in values if v is not None]
    return [None if v is None else 1 + sum(o > round(v, 12) for o in known) for v in values]


def rank_intervals(cells: Sequence[str], comparisons: Sequence[Comparison]) -> dict[str, tuple[int, int]]:
    """Returns the best and the worst rank that the tests allow: 1 + the number of cells that are significantly better,
    and the number of cells less those that are significantly worse.

    "Better" means a Holm-corrected paired p of at most 0.05 on these tasks in that cell's favor. All true ranks lie in
    these intervals together in at least 95 % of studies, since Holm bounds the chance of a single wrong order (Mogstad
    et al., Rev. Econ. Stud. 91 (2024) 476–518; Holm's tests instead of their bootstrap). Ties are not transitive: A
    ties B and B ties C does not imply that A ties C.
    """
    better, worse = dict.fromkeys(cells, 0), dict.fromkeys(cells, 0)
    for c in comparisons:
        if c.a in better and c.b in better and c.significant:
            winner, loser = (c.a, c.b) if c.difference.value > 0 else (c.b, c.a)
            better[loser] += 1
            worse[winner] += 1
    return {c: (1 + better[c], len(better) - worse[c]) for c in better}
