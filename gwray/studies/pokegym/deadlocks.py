"""Statistics of PokeGym: success and steps by category, movement measures by outcome, and their correlation, which
shows whether getting stuck explains failures. The measures of an episode are the metric `movement`."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from gwray.studies.pokegym.published import published

IM, REC, MAX_IM, ENT = (
    f"metrics.movement.{name}" for name in ("ineffective_share", "recovered_share", "longest_run", "stuck_entropy")
)


@dataclass(frozen=True)
class CategoryRate:
    """Success of one cell in one category of games or quests."""

    successes: int
    episodes: int
    steps: float | None = None
    """Stp: mean environment steps of successful episodes; None without any."""

    @property
    def rate(self) -> float:
        return self.successes / self.episodes


@dataclass(frozen=True)
class Averages:
    """Averages of the rates of categories, which count the same."""

    by_category: float
    """Success rate, a fraction."""
    steps: float | None
    """Stp; categories without a success are skipped."""


@dataclass(frozen=True)
class Behaviour:
    """Mean movement measures of the episodes with one outcome; None where no episode has the measure."""

    success: bool
    episodes: int
    ineffective: float | None
    """IM: share of moves without an effect."""
    recovered: float | None
    """Rec: share of ineffective moves after which the next decision is not ineffective."""
    longest_run: float | None
    """MaxIM: longest run of ineffective moves."""
    entropy: float | None
    """Ent, in nats."""


@dataclass(frozen=True)
class Correlation:
    """Pearson's r of points (x, y) with the least-squares line."""

    n: int
    r: float
    p: float
    """Two-sided, for r = 0."""
    slope: float
    intercept: float
    _mean_x: float
    _sum_squares: float
    _residual: float

    def band(self, x: float) -> tuple[float, float]:
        """Returns the 95 % confidence band of the line at x: y ± t · s · √(1/n + (x − x̄)² / Σ(xᵢ − x̄)²)."""
        from scipy.special import stdtrit

        half = stdtrit(self.n - 2, 0.975) * self._residual
        half *= math.sqrt(1 / self.n + (x - self._mean_x) ** 2 / self._sum_squares)
        y = self.intercept + self.slope * x
        return y - half, y + half


def category_rates(frame: pl.DataFrame, category: str = "genre") -> dict[str, dict[str, CategoryRate]]:
    """Returns cell → category → rate over finished episodes. `category`: name of the column."""
    done = frame.filter(pl.col("status") == "finished")
    out: dict[str, dict[str, CategoryRate]] = {}
    for (cell, name), group in sorted(done.group_by("cell", category), key=lambda pair: str(pair[0])):
        steps = group.filter(pl.col("success"))["steps"]
        rate = CategoryRate(int(group["success"].sum()), group.height, _mean(steps.to_list()))
        out.setdefault(str(cell), {})[str(name)] = rate
    return out


def averages(rates: Mapping[str, CategoryRate]) -> Averages:
    """Returns the averages over one cell's categories. Raises `ValueError` without categories."""
    if not rates:
        raise ValueError("there are no categories to average")
    kept = list(rates.values())
    return Averages(by_category=sum(r.rate for r in kept) / len(kept), steps=_mean([r.steps for r in kept]))


def behaviour(frame: pl.DataFrame) -> list[Behaviour]:
    """Returns movement measures of successful episodes and of the others, in this order; empty if no game of the frame
    defines movement."""
    if IM not in frame.columns:
        return []
    done = frame.filter((pl.col("status") == "finished") & pl.col("metrics.movement.moves").is_not_null())
    out = []
    for success in (True, False):
        group = done.filter(pl.col("success") == success)
        means = (_mean(group[c].to_list()) if c in group.columns else None for c in (IM, REC, MAX_IM, ENT))
        out.append(Behaviour(success, group.height, *means))
    return out


def task_points(frame: pl.DataFrame) -> pl.DataFrame:
    """Returns columns cell, task, im and sr: mean IM and success rate of each cell in each task, as fractions, over
    finished episodes with an IM."""
    if IM not in frame.columns:
        return pl.DataFrame(schema={"cell": pl.String, "task": pl.String, "im": pl.Float64, "sr": pl.Float64})
    done = frame.filter((pl.col("status") == "finished") & pl.col(IM).is_not_null())
    means = (pl.col(IM).mean().alias("im"), pl.col("success").cast(pl.Float64).mean().alias("sr"))
    return done.group_by("cell", "task").agg(means).sort("cell", "task")


def success_by_immobility(frame: pl.DataFrame) -> Correlation | None:
    """Returns the correlation of task-level success rate (y) and mean IM (x) (`task_points`). None for fewer than three
    points, or if one of them does not vary."""
    points = task_points(frame)
    return correlation(points["im"].to_list(), points["sr"].to_list())


def correlation(x: Sequence[float], y: Sequence[float]) -> Correlation | None:
    """Returns the correlation of points; None for fewer than three, or if a coordinate does not vary."""
    n = len(x)
    if n < 3 or len(set(x)) == 1 or len(set(y)) == 1:
        return None
    from scipy.stats import linregress

    line: Any = linregress(x, y)
    mean_x = sum(x) / n
    squares = sum((a - mean_x) ** 2 for a in x)
    left = sum((b - line.intercept - line.slope * a) ** 2 for a, b in zip(x, y, strict=True))
    residual = math.sqrt(left / (n - 2))
    return Correlation(n, line.rvalue, line.pvalue, line.slope, line.intercept, mean_x, squares, residual)


def state_complexity(area: float, step: float) -> float:
    """Returns the number of states of a quest: positions one step apart times 360 view directions. `area` is in squares
    of the unit of `step`."""
    return area / step**2 * 360


def action_complexity(choices: int, per_reply: int) -> int:
    """Returns the number of distinct replies with `per_reply` ordered actions. Seven choices, three per reply: 343."""
    return choices**per_reply


def stick_choices() -> int:
    """Returns the number of actions of two sticks with two axes and a duration of 21 levels each, plus one control with
    only a duration: 18,543."""
    return 2 * 21**3 + 21


def _mean(values: Sequence[float | None]) -> float | None:
    there = [v for v in values if v is not None]
    return sum(there) / len(there) if there else None


GAME_SCORES = ("visual_guided", "step_guided", "goal_only", "navigation", "interaction", "mixed")
"""Columns of `pokegym_external` that are success rates in the games; the others are other benchmarks."""

ModelScores = Mapping[str, Mapping[str, float | None]]
"""Model → name of a score → value."""


def external_scores() -> dict[str, dict[str, float]]:
    """Returns the published results of five models on eight other benchmarks: model → benchmark → value (a share, or
    Elo points)."""
    rows = published("external").drop(GAME_SCORES).to_dicts()
    return {r.pop("model"): r for r in rows}


def external_correlations(ours: ModelScores, external: ModelScores) -> dict[tuple[str, str], Correlation | None]:
    """Returns (score, benchmark) → correlation over the models that have both.

    None for fewer than three such models, or if one of the two does not vary. With five models, as in the publication,
    r must exceed 0.88 to be significant at 5 %.
    """
    scores, benchmarks = (list(dict.fromkeys(k for r in table.values() for k in r)) for table in (ours, external))
    found = {}
    for s in scores:
        for b in benchmarks:
            pairs = [(ours[m].get(s), external[m].get(b)) for m in ours if m in external]
            known = [(x, y) for x, y in pairs if x is not None and y is not None]
            found[s, b] = correlation([x for x, _ in known], [y for _, y in known])
    return found
