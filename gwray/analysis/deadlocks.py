"""Whether getting stuck explains failing: success and steps by category, movement measures by outcome, and the
correlation of both. After PokeGym; the measures of an episode are the metric `movement`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

IM, REC, MAX_IM, ENT = (
    f"metrics.movement.{name}" for name in ("ineffective_share", "recovered_share", "longest_run", "stuck_entropy")
)


@dataclass(frozen=True)
class CategoryRate:
    """Success of one cell in one category of games or quests."""

    successes: int
    episodes: int
    steps: float | None = None
    """Stp: mean environment steps of its successful episodes; None: there are none."""

    @property
    def rate(self) -> float:
        return self.successes / self.episodes


@dataclass(frozen=True)
class Averages:
    """Two averages of the same rates, both of which are published under one word. Fractions."""

    by_category: float
    """Unweighted mean of the categories."""
    by_episode: float
    """Successes of all episodes: categories weigh as many episodes as they have."""
    steps: float | None
    """Unweighted mean of the categories' Stp; those without a success are left out."""


@dataclass(frozen=True)
class Behaviour:
    """Movement measures of the episodes of one outcome; means over episodes that have the measure, None: none has."""

    success: bool
    episodes: int
    ineffective: float | None
    """IM: share of moves that moved nothing."""
    recovered: float | None
    """Rec: share of those that the next decision made good."""
    longest_run: float | None
    """MaxIM: longest run of ineffective moves."""
    entropy: float | None
    """Ent, in nats."""


@dataclass(frozen=True)
class Correlation:
    """Pearson's r of points (x, y) with the line of least squares."""

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
        """The 95 % confidence band of the line at x: y ± t · s · √(1/n + (x − x̄)² / Σ(xᵢ − x̄)²)."""
        from scipy.special import stdtrit

        half = stdtrit(self.n - 2, 0.975) * self._residual
        half *= math.sqrt(1 / self.n + (x - self._mean_x) ** 2 / self._sum_squares)
        y = self.intercept + self.slope * x
        return y - half, y + half


def category_rates(frame: pl.DataFrame, category: str = "genre") -> dict[str, dict[str, CategoryRate]]:
    """Cell → category → its rate, of finished episodes. `category`: the column that says it."""
    done = frame.filter(pl.col("status") == "finished")
    out: dict[str, dict[str, CategoryRate]] = {}
    for (cell, name), group in sorted(done.group_by("cell", category), key=lambda pair: str(pair[0])):
        steps = group.filter(pl.col("success"))["steps"]
        rate = CategoryRate(int(group["success"].sum()), group.height, _mean(steps.to_list()))
        out.setdefault(str(cell), {})[str(name)] = rate
    return out


def averages(rates: Mapping[str, CategoryRate]) -> Averages:
    """Both averages of one cell's categories. Raises `ValueError` without any."""
    if not rates:
        raise ValueError("an average of no category does not exist")
    kept = list(rates.values())
    return Averages(
        by_category=sum(r.rate for r in kept) / len(kept),
        by_episode=sum(r.successes for r in kept) / sum(r.episodes for r in kept),
        steps=_mean([r.steps for r in kept]),
    )


def behaviour(frame: pl.DataFrame) -> list[Behaviour]:
    """Movement measures of the successful episodes and of the others, in this order; empty where no game of the frame
    says what moving is."""
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
    """Columns cell, task, im and sr: mean IM and success rate of each cell in each task, fractions, of the finished
    episodes that have an IM."""
    if IM not in frame.columns:
        return pl.DataFrame(schema={"cell": pl.String, "task": pl.String, "im": pl.Float64, "sr": pl.Float64})
    done = frame.filter((pl.col("status") == "finished") & pl.col(IM).is_not_null())
    means = (pl.col(IM).mean().alias("im"), pl.col("success").cast(pl.Float64).mean().alias("sr"))
    return done.group_by("cell", "task").agg(means).sort("cell", "task")


def success_by_immobility(frame: pl.DataFrame) -> Correlation | None:
    """Of task-level success rate (y) and mean IM (x): of `task_points`. None for fewer than three points, or where one
    of them does not vary."""
    points = task_points(frame)
    return correlation(points["im"].to_list(), points["sr"].to_list())


def correlation(x: Sequence[float], y: Sequence[float]) -> Correlation | None:
    """Of points by their coordinates; None for fewer than three, or where a coordinate does not vary."""
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


def state_complexity(area: float, step: float, directions: int = 360) -> float:
    """States that a quest's ground can be in: places a step apart times directions of view. `area` in squares of the
    unit of `step`."""
    return area / step**2 * directions


def action_complexity(choices: int, per_reply: int) -> int:
    """Replies that differ: `choices` of an action, so many actions in order. Seven controls, three a reply: 343."""
    return choices**per_reply


def stick_choices(levels: int = 21, sticks: int = 2) -> int:
    """Actions of sticks whose two axes and duration have so many levels each, or of one more thing that only has a
    duration. Two sticks with 21 levels: 18,543."""
    return sticks * levels**3 + levels


def _mean(values: Sequence[float | None]) -> float | None:
    there = [v for v in values if v is not None]
    return sum(there) / len(there) if there else None
