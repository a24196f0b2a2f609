"""Estimates with their intervals: what one number says about games it has not seen.

All functions take plain arrays. `games` is the cluster of each value: tasks of one game share its mechanics, so
they are not independent, and an interval that forgets this is too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri, stdtrit

LEVEL = 0.95
RESAMPLES = 2000
FLAT = 1e-12
"""Below this there is no spread to estimate from: an interval of width 0 would claim certainty."""


@dataclass(frozen=True)
class Interval:
    """A value with its interval. `se`, `low`, `high` are None where the data cannot say (one cluster, n < 2)."""

    value: float
    low: float | None
    high: float | None
    se: float | None
    n: int
    """Tasks that went into it."""
    clusters: int | None
    """Games that went into it; None where clustering plays no part."""
    method: str


def wilson(successes: float, n: int, level: float = LEVEL) -> Interval:
    """Wilson's score interval for a proportion.

    centre = (p + z²/2n) / (1 + z²/n), half width = z √(p(1−p)/n + z²/4n²) / (1 + z²/n), with p = successes/n and z the
    normal quantile. Source: Wilson, J. Amer. Statist. Assoc. 22 (1927) 209–212. `successes` may be a fraction: with
    several repeats it is the sum of the tasks' success rates and n stays the number of tasks, because repeating a task
    says nothing new about other tasks. That is wider, never narrower, than counting repeats as trials.
    """
    if n < 1:
        raise ValueError("a proportion needs at least one task")
    p, z = successes / n, float(ndtri(0.5 + level / 2))
    scale = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / scale
    half = z * math.sqrt(max(0.0, p * (1 - p) / n + z * z / (4 * n * n))) / scale
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return Interval(p, min(low, p), max(high, p), math.sqrt(p * (1 - p) / n), n, None, "Wilson")


def clustered_se(values: ArrayLike, games: Sequence[object] | NDArray) -> float | None:
    """Cluster-robust standard error of a mean, CR1.

    SE² = G/(G−1) · Σ_g (Σ_{t∈g} (x_t − x̄))² / N². Source: Liang & Zeger, Biometrika 73 (1986) 13–22, with the usual
    G/(G−1) correction (Cameron & Miller, J. Human Resources 50 (2015) 317–372); recommended for model evaluations by
    Miller, arXiv 2411.00640. None with fewer than two games: one cluster has no spread between clusters.
    """
    x, code, g = _clusters(values, games)
    if g < 2:
        return None
    sums = np.bincount(code, weights=x - x.mean(), minlength=g)
    return float(math.sqrt(g / (g - 1) * float(sums @ sums)) / len(x))


def clustered_mean(
    values: ArrayLike,
    games: Sequence[object] | NDArray,
    level: float = LEVEL,
    *,
    bounds: tuple[float, float] | None = None,
) -> Interval:
    """Mean with t interval on `clustered_se` and G − 1 degrees of freedom.

    x̄ ± t_{G−1} · SE. Source: Cameron & Miller (2015), section VI: with few clusters the normal quantile under-covers.
    `bounds`: where the truth must lie; the interval is cut to it, which takes nothing from its coverage.
    """
    x, _, g = _clusters(values, games)
    mean, se = float(x.mean()), clustered_se(values, games)
    if se is None:
        return Interval(mean, None, None, None, len(x), g, "one game: no interval")
    if se < FLAT:
        return Interval(mean, None, None, se, len(x), g, "no spread between games: no interval")
    half = t_quantile(level, g - 1) * se
    least, most = bounds or (-math.inf, math.inf)
    low, high = max(least, mean - half), min(most, mean + half)
    return Interval(mean, low, high, se, len(x), g, f"clustered t, {g - 1} df")


def t_quantile(level: float, df: int) -> float:
    """Two-sided Student quantile."""
    return float(stdtrit(df, 0.5 + level / 2))


def iqm(values: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Interquartile mean: the mean of the middle half of the weight.

    Sorted values x_i with weights w_i; each contributes the part of its weight that lies between 25 % and 75 % of the
    total. Equals scipy's 25 % trimmed mean when n is a multiple of 4 and weights are equal. Source: Agarwal et al.,
    NeurIPS 2021, arXiv 2108.13264.
    """
    x = np.asarray(values, float)
    w = np.ones_like(x) if weights is None else np.asarray(weights, float)
    order = np.argsort(x, kind="stable")
    return float(_iqm_rows(x[order], w[order][None, :])[0])


def _iqm_rows(x: NDArray, w: NDArray) -> NDArray:
    upper = np.cumsum(w, axis=1)
    total = upper[:, -1:]
    inner = np.clip(upper, 0.25 * total, 0.75 * total)
    part = np.diff(inner, axis=1, prepend=0.25 * total)
    return (part @ x) / (0.5 * total[:, 0])


def _mean_rows(x: NDArray, w: NDArray) -> NDArray:
    return (w @ x) / w.sum(axis=1)


def cluster_bootstrap(
    values: ArrayLike,
    games: Sequence[object] | NDArray,
    *,
    statistic: str = "mean",
    weights: ArrayLike | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """Interval of a mean or an IQM by drawing whole games with replacement.

    Percentile interval over `resamples` seeded draws (Efron & Tibshirani 1993, ch. 13; Field & Welsh, J. R. Statist.
    Soc. B 69 (2007) 369–390 for clusters), its percentiles moved outwards to Φ(−√(G/(G−1)) · t_{G−1}) so that few games
    do not make it too narrow (Hesterberg, Amer. Statist. 69 (2015) 371–386). `weights` let tasks weigh equally when
    they have different numbers of repeats. Equal input and seed give equal output.
    """
    kernels: dict[str, Callable[[NDArray, NDArray], NDArray]] = {"mean": _mean_rows, "iqm": _iqm_rows}
    rows = kernels[statistic]
    x, code, g = _clusters(values, games)
    w = np.ones_like(x) if weights is None else np.asarray(weights, float)
    order = np.argsort(x, kind="stable")
    x, code, w = x[order], code[order], w[order]
    point = float(rows(x, w[None, :])[0])
    name = f"cluster bootstrap, {resamples} draws"
    if g < 2:
        return Interval(point, None, None, None, len(x), g, "one game: no interval")
    if np.ptp(x) < FLAT:
        return Interval(point, None, None, 0.0, len(x), g, "no spread between games: no interval")
    drawn = np.random.default_rng(seed).multinomial(g, np.full(g, 1 / g), size=resamples)
    stats = np.concatenate([rows(x, drawn[i : i + 250][:, code] * w) for i in range(0, resamples, 250)])
    tail = float(ndtr(-math.sqrt(g / (g - 1)) * t_quantile(level, g - 1)))
    low, high = np.quantile(stats, [tail, 1 - tail])
    return Interval(point, float(low), float(high), float(stats.std(ddof=1)), len(x), g, name)


def _clusters(values: ArrayLike, games: Sequence[object] | NDArray) -> tuple[NDArray, NDArray, int]:
    x = np.asarray(values, float)
    if x.size == 0:
        raise ValueError("no values: there is nothing to average")
    names, code = np.unique(np.asarray(games), return_inverse=True)
    if len(code) != len(x):
        raise ValueError(f"{len(x)} values but {len(code)} cluster names")
    return x, code, len(names)
