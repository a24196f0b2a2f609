"""Estimates with confidence intervals that generalize to other games.

All functions take plain arrays, one value for each task. `games` is the cluster of each value: tasks of one game share
its mechanics, so they are not independent, and an interval that ignores this is too narrow. `bench/coverage.py`
measures the coverage of each interval; `docs/statistics.md` has all formulas. Intervals for the same tasks played again
are in `reruns`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL = 0.95
LEAST_GAMES = 4
"""Confidence intervals over games need at least this many games."""
FEWEST_DF = 2.5
"""A few games with a difference lower the degrees of freedom of a difference to this at most (`bench/coverage.py`)."""
FLAT = 1e-12
"""Smaller differences are rounding."""

Kind = Literal["games", "tasks"]
KINDS: dict[Kind, str] = {"tasks": "on these tasks", "games": "on games like these"}
"""What an interval generalizes to."""
KINDS_EXPLAINED: dict[Kind, str] = {
    "tasks": "where the average of more repeats of exactly these tasks would be",
    "games": "where the average on other games of this kind would be",
}


@dataclass(frozen=True)
class Interval:
    """A value with its interval. `se`, `low` and `high` are None where they cannot be estimated; `method` has the
    reason."""

    value: float
    low: float | None
    high: float | None
    se: float | None
    n: int
    """Number of tasks."""
    clusters: int | None
    """Number of games; None without clustering."""
    method: str
    kind: Kind = "games"
    df: float | None = None
    """Degrees of freedom of `se`; None without an interval."""


def bounded_mean(
    values: ArrayLike, games: Sequence[object] | NDArray, level: float = LEVEL, *, episodes: int | None = None
) -> Interval:
    """Returns the mean of values in [0, 1] (a success rate, a progress) with Wilson's interval on the effective number
    of tasks.

    With x̄ the mean, SE of `GameClusters.error`, n* = min(x̄(1−x̄)/SE², episodes), t the Student quantile, df = G − 1:
    centre = (x̄ + t²/2n*) / (1 + t²/n*), half width = t √(x̄(1−x̄)/n* + t²/4n*²) / (1 + t²/n*). Sources: Wilson, J.
    Amer. Statist. Assoc. 22 (1927) 209–212, for the interval, which is longer on the side away from the bound; Korn &
    Graubard, Survey Methodology 24 (1998) 193–201, for n*, the number of independent wins and losses with the same
    information; compared with others by Franco et al., J. Surv. Stat. Methodol. 7 (2019) 334–364. A mean of 0 or 1 has
    the exact interval of 0 or G won among G games (Clopper & Pearson, Biometrika 26 (1934) 404–413).

    Args:
        values: One value for each task.
        games: The game of each value.
        level: Confidence level.
        episodes: Number of episodes that the values average; default: one for each task. Games that happen to agree
            cannot make the interval shorter than that of independent episodes.

    Raises `ValueError` for values outside [0, 1].
    """
    x, clusters = _check_values(values, games)
    if x.min() < 0 or x.max() > 1:
        raise ValueError(f"values range from {x.min():g} to {x.max():g}; a bounded mean needs values from 0 to 1")
    g, mean = clusters.n, float(x.mean())
    if g < LEAST_GAMES:
        return Interval(mean, None, None, float(clusters.error(x)) if g > 1 else None, len(x), g, TOO_FEW)
    most = len(x) if episodes is None else episodes
    low, high, se, effective, df = (float(v) for v in clusters.bounded(x, most, level))
    return Interval(mean, low, high, se, len(x), g, f"Wilson, {effective:.0f} effective tasks, {df:.1f} df", df=df)


TOO_FEW = f"fewer than {LEAST_GAMES} games: no interval"


class GameClusters:
    """Tasks grouped by game. Methods take values of shape (…, tasks), so that simulations can use them for many samples
    at once."""

    def __init__(self, games: Sequence[object] | NDArray):
        names, code = np.unique(np.asarray(games), return_inverse=True)
        self.n = len(names)
        """Number of games."""
        self.tasks = len(code)
        self.sizes = np.bincount(code, minlength=self.n).astype(float)
        """Tasks of each game."""
        self._member = np.zeros((len(code), self.n))
        self._member[np.arange(len(code)), code] = 1.0

    def sums(self, x: NDArray) -> NDArray:
        """Returns the sum of each game's values, shape (…, games), games sorted by name."""
        return x @ self._member

    def robust_variance(self, x: NDArray) -> NDArray:
        """Returns the cluster-robust variance of the mean, CR2: Σ_g u_g² / (1 − n_g/T) / T², u_g = Σ_{t∈g} (x_t − x̄).

        Sources: Liang & Zeger, Biometrika 73 (1986) 13–22; Bell & McCaffrey, Survey Methodology 28 (2002) 169–181, for
        the factor, which is the usual G/(G−1) where all games have the same number of tasks; recommended for model
        evaluations by Miller, arXiv 2411.00640. A single game has no spread between games: the result is not finite.
        """
        u = self.sums(x - x.mean(axis=-1, keepdims=True))
        with np.errstate(divide="ignore", invalid="ignore"):
            return (u**2 / (1 - self.sizes / self.tasks)).sum(axis=-1) / self.tasks**2

    def error(self, x: NDArray) -> NDArray:
        """Returns the standard error of the mean of each sample.

        SE² is the larger of `robust_variance` and the variance under random effects of games and tasks,
        Σ_g (n_g/T)² (s² − w · mean(1/n_g)) + w/T, with s² the variance of the games' means and w that of tasks within
        their games (Searle, Casella & McCulloch, Variance Components (1992), section 3.6, with unweighted means). Both
        are equal where all games have the same number of tasks. Where one game has many, its sum is a single draw that
        says little about its own spread, and the second takes it from the other games.
        """
        g, t = self.n, self.tasks
        means = self.sums(x) / self.sizes
        spread = means.var(axis=-1, ddof=1)
        squares = (x**2).sum(axis=-1) - (means**2 * self.sizes).sum(axis=-1)
        within = np.maximum(0.0, squares) / max(1, t - g)
        share = float(((self.sizes / t) ** 2).sum())
        effects = share * (spread - within * float((1 / self.sizes).mean())) + within / t
        return np.sqrt(np.maximum(self.robust_variance(x), effects))

    def bounded(self, x: NDArray, episodes: int, level: float = LEVEL) -> tuple[NDArray, ...]:
        """Returns low, high, SE, n* and df of `bounded_mean`. For means of 0 and 1, games are the trials."""
        mean = x.mean(axis=-1)
        se = self.error(x)
        spread = mean * (1 - mean)
        bound = spread <= FLAT
        effective = np.where(bound | (se < FLAT), episodes, spread / np.where(se < FLAT, 1.0, se) ** 2)
        effective = np.minimum(effective, episodes)
        df = np.full(mean.shape, self.n - 1.0)
        low, high = wilson(mean, effective, t_quantiles(level, df))
        miss = 1 - ((1 - level) / 2) ** (1 / self.n)  # Clopper–Pearson for 0 of G games
        low = np.where(bound & (mean > 0.5), 1 - miss, low)
        high = np.where(bound & (mean <= 0.5), miss, high)
        return low, high, np.where(bound, se, np.sqrt(spread / effective)), effective, df

    def unbounded(self, x: NDArray, least_se: ArrayLike, level: float = LEVEL) -> tuple[NDArray, ...]:
        """Returns low, high, SE and df of `clustered_mean`."""
        mean = x.mean(axis=-1)
        moved = (self.sums(np.abs(x)) > FLAT).sum(axis=-1)
        df = np.maximum(np.minimum(self.n - 1.0, moved), min(FEWEST_DF, self.n - 1.0))
        se = np.maximum(self.error(x), least_se)
        half = t_quantiles(level, df) * se
        return mean - half, mean + half, se, df


def wilson(p: NDArray, n: NDArray, z: NDArray) -> tuple[NDArray, NDArray]:
    """Returns the ends of Wilson's interval of a share p of n trials; z: two-sided quantile."""
    scale = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / scale
    half = z * np.sqrt(np.maximum(0.0, p * (1 - p)) / n + z * z / (4 * n * n)) / scale
    return np.clip(centre - half, 0.0, p), np.clip(centre + half, p, 1.0)


def clopper_pearson(won: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Returns the ends of the exact interval of a share (Clopper & Pearson, Biometrika 26 (1934) 404–413)."""
    from scipy.special import betaincinv  # `scipy.stats` has it too, but takes seconds to import

    out = (1 - level) / 2
    low = float(betaincinv(won, n - won + 1, out)) if won else 0.0
    return low, float(betaincinv(won + 1, n - won, 1 - out)) if won < n else 1.0


def clustered_mean(
    values: ArrayLike, games: Sequence[object] | NDArray, level: float = LEVEL, *, least_se: ArrayLike | None = None
) -> Interval:
    """Returns the mean of values without bounds, with a t interval: x̄ ± t · SE, SE of `GameClusters.error`.

    df is the smaller of G − 1 and the number of games with a value other than 0: where only 3 of 34 games show a
    difference, the spread is known from 3 games. It is not below `FEWEST_DF`.

    `least_se`: smallest standard error, default `independent_se` of the values.
    """
    x, clusters = _check_values(values, games)
    g, mean = clusters.n, float(x.mean())
    if g < LEAST_GAMES:
        return Interval(mean, None, None, float(clusters.error(x)) if g > 1 else None, len(x), g, TOO_FEW)
    least = independent_se(x) if least_se is None else least_se
    low, high, se, df = (float(v) for v in clusters.unbounded(x, least, level))
    return Interval(mean, low, high, se, len(x), g, f"clustered t, {df:.1f} df", df=df)


def independent_se(episodes: ArrayLike) -> NDArray:
    """Returns the standard error of a mean over independent episodes, shape (…, N): √(max(s², 1/N) / N).

    It is a floor for clustered errors. Without any spread it is that of one win among N episodes, since even equal
    episodes are no proof that the next one is equal.
    """
    x = np.asarray(episodes, float)
    n = x.shape[-1]
    return np.sqrt(np.maximum(x.var(axis=-1), 1 / n) / n)


def paired_difference(
    a: ArrayLike,
    b: ArrayLike,
    games: Sequence[object] | NDArray,
    level: float = LEVEL,
    *,
    least_se: ArrayLike | None = None,
) -> Interval:
    """Returns the mean of a − b, task by task: `clustered_mean` of the differences, cut to what differences of such
    values can be."""
    x, y = np.asarray(a, float), np.asarray(b, float)
    least, most = value_range(np.concatenate((x, y)))
    return cut(clustered_mean(x - y, games, level, least_se=least_se), least - most, most - least)


def value_range(x: NDArray) -> tuple[float, float]:
    """Returns the range of a metric from its values: from 0 if none is negative, and to 1 if none is above."""
    return 0.0 if x.min() >= 0 else -math.inf, 1.0 if x.max() <= 1 else math.inf


def cut(found: Interval, least: float, most: float) -> Interval:
    """Returns an interval without what lies outside the possible values `least` to `most`."""
    if found.low is None or found.high is None:
        return found
    return replace(found, low=max(least, found.low), high=min(most, found.high))


def at_least(found: Interval, other: Interval) -> Interval:
    """Returns an interval widened to contain another: what holds for more games holds for these tasks."""
    if found.low is None or found.high is None or other.low is None or other.high is None:
        return found
    return replace(found, low=min(found.low, other.low), high=max(found.high, other.high))


def t_quantiles(level: float, df: ArrayLike) -> NDArray:
    """Returns two-sided Student quantiles."""
    from scipy.special import stdtrit  # imported late: it takes 0.1 s, and commands without tables do not need it

    return stdtrit(df, 0.5 + level / 2)


def _check_values(values: ArrayLike, games: Sequence[object] | NDArray) -> tuple[NDArray, GameClusters]:
    """Returns values as an array, and their games. Raises `ValueError` for no values, other than finite numbers, or
    another number of games."""
    x = np.asarray(values, float)
    if x.size == 0:
        raise ValueError("there are no values to average")
    if not np.isfinite(x).all():
        raise ValueError("a value to average is not a finite number")
    clusters = GameClusters(games)
    if clusters.tasks != len(x):
        raise ValueError(f"there are {len(x)} values but {clusters.tasks} cluster names; each value needs one")
    return x, clusters
