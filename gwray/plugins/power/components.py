"""How many games, tasks and repeats a study needs, from the variance components of a pilot run."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from gwray.analysis import ALPHA, TESTED_GAMES, PlannedTasks, scored


def minimum_detectable_difference(se: float, df: int, models: int = 2) -> float | None:
    """Returns the smallest true difference that a two-sided test with this standard error finds with 80 % power.

    MDD = (t_{1−α/2m, df} + t_{0.8, df}) · SE, m the number of pairs of models: the first step of Holm's correction.
    Source: Bloom, Evaluation Review 19 (1995) 547–556. None below `TESTED_GAMES` games, which no test can separate.
    """
    if df + 1 < TESTED_GAMES:
        return None
    from scipy.special import stdtrit

    return float((stdtrit(df, 1 - ALPHA / (models * (models - 1))) + stdtrit(df, 0.8)) * se)


@dataclass(frozen=True)
class VarianceComponents:
    """Variance of a value, or of a difference of two cells, by its sources."""

    game: float
    task: float
    """Variance of tasks within their game."""
    repeat: float
    """Variance of repeats within their task; 0 if the pilot has a single repeat, whose noise is then part of `task`."""

    def se(self, games: int, tasks: float, repeats: float) -> float:
        """Returns the standard error of the mean: √(σ_g²/G + σ_t²/(G·k) + σ_r²/(G·k·R)), k tasks a game. Infinite
        `repeats` give the limit that no number of repeats passes."""
        return math.sqrt((self.game + (self.task + self.repeat / repeats) / tasks) / games)

    def detectable(self, games: int, tasks: float, repeats: float, models: int = 2) -> float | None:
        """Returns the smallest true mean that is found with 80 % power (`minimum_detectable_difference`)."""
        return minimum_detectable_difference(self.se(games, tasks, repeats), games - 1, models)


def variance_components(values: ArrayLike, tasks: Sequence[object], games: Sequence[object]) -> VarianceComponents:
    """Returns the components of episodes nested in tasks and games, by the method of moments.

    σ_r² is the pooled variance within tasks, σ_t² that of task means within games less σ_r²·mean(1/R), σ_g² that of the
    games' means less (σ_t² + σ_r²·mean(1/R))·mean(1/n); negative estimates are 0. Source: Searle, Casella & McCulloch,
    Variance Components (1992), section 5.3, with unweighted means.
    """
    frame = pl.DataFrame({"x": np.asarray(values, float), "task": list(tasks), "game": list(games)})
    by_task = frame.group_by("game", "task").agg(pl.col("x").mean(), pl.col("x").var().alias("v"), pl.len().alias("n"))
    by_game = by_task.group_by("game").agg(pl.col("x").mean(), pl.col("x").var().alias("v"), pl.len().alias("n"))

    def pooled(part: pl.DataFrame) -> float:
        known = part.filter(pl.col("n") > 1)
        freedom = (known["n"] - 1).sum()
        return float((known["v"] * (known["n"] - 1)).sum()) / float(freedom) if freedom else 0.0

    repeat = pooled(by_task)
    noise = repeat * float((1 / by_task["n"]).mean())  # type: ignore[arg-type]
    task = max(0.0, pooled(by_game) - noise)
    between = float(by_game["x"].var()) if by_game.height > 1 else 0.0  # type: ignore[arg-type]
    game = max(0.0, between - (task + noise) * float((1 / by_game["n"]).mean()))  # type: ignore[arg-type]
    return VarianceComponents(game, task, repeat)


@dataclass(frozen=True)
class PowerPlan:
    """What larger studies of two cells can detect, estimated from a pilot run."""

    components: VarianceComponents
    games: int
    tasks: float
    """Tasks per game."""
    repeats: float
    paired: bool
    """False: from one cell, as if the second were independent, which is an upper bound."""
    usd: float | None
    """Mean cost of an episode of one cell, in USD; None: unknown."""
    seconds: float | None

    def spread(self) -> tuple[float, float]:
        """Returns the factors of the estimated standard error between which the true one lies with 80 % confidence:
        √((G − 1) / χ²), the variance being that of G games' means. (1, 1) for a pilot of one game."""
        from scipy.special import chdtri

        if (df := self.games - 1) < 1:
            return 1.0, 1.0
        return math.sqrt(df / chdtri(df, 0.1)), math.sqrt(df / chdtri(df, 0.9))

    def detectable_text(self, games: int, repeats: float, models: int = 2) -> str:
        """Returns what is detectable in points, `18 – 60`: no difference is larger than 100."""
        least = self.components.detectable(games, self.tasks, repeats, models)
        if least is None:
            return "–"
        low, high = (round(100 * least * factor) for factor in self.spread())
        if low >= 100:
            return "not detectable"
        return f"{low} or more" if high >= 100 else " – ".join(dict.fromkeys((str(low), str(high))))


def power_plan(frame: pl.DataFrame, plan: PlannedTasks) -> PowerPlan | None:
    """Returns the plan from a pilot's progress: components of the differences of all pairs that are ranked together, on
    average, or twice those of single cells. None without a scored episode."""
    rows = scored(frame).with_columns(pl.concat_str("game", "task", separator="/").alias("id"))
    cells = [c for c in plan.cells.values() if c.ranked and rows.filter(pl.col("cell") == c.id).height]
    if not cells:
        return None
    keys = ["game", "id", "seed", "repeat"]
    values = {c.id: rows.filter(pl.col("cell") == c.id).select(*keys, "progress") for c in cells}
    pairs = [(a.id, b.id) for a, b in itertools.combinations(cells, 2) if a.rank_group == b.rank_group]
    joined = [values[a].join(values[b], on=keys, suffix="_b") for a, b in pairs]
    samples = [(j, (j["progress"] - j["progress_b"]).to_numpy()) for j in joined if j.height]
    paired, factor = bool(samples), 1.0 if samples else 2.0
    samples = samples or [(v, v["progress"].to_numpy()) for v in values.values()]
    found = [variance_components(x, part["id"].to_list(), part["game"].to_list()) for part, x in samples]
    mean = (factor * float(np.mean([getattr(c, name) for c in found])) for name in ("game", "task", "repeat"))
    one = samples[0][0]
    games, tasks = one["game"].n_unique(), one["id"].n_unique()
    usd, seconds = rows["cost_usd"].mean(), rows["wall_s"].mean()
    return PowerPlan(
        VarianceComponents(*mean), games, tasks / games, one.height / tasks, paired,
        usd if isinstance(usd, float) else None, seconds if isinstance(seconds, float) else None,
    )  # fmt: skip
