"""Estimates with confidence intervals that generalize to other games.

All functions take plain arrays, one value for each task. `games` is the cluster of each value: tasks of one game share
its mechanics, so they are not independent, and an interval that ignores this is too narrow. `bench/coverage.py`
measures the coverage of each interval; `docs/statistics.md` has all formulas.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL = 0.95
LEAST_GAMES = 4
"""Confidence intervals need at least this many games."""
FEW_GAMES = 20
"""With fewer games, spread and skewness are not estimated; conservative assumptions make intervals wider instead."""
RESAMPLES = 2000
SKEW_OF_MEANS, SKEW_OF_DIFFERENCES = 1.2, 2.0
"""Weights of the squared skewness in `spread_df`, chosen in simulations (`bench/coverage.py`)."""
FLAT = 1e-12
"""Below this standard error there is no spread to estimate from: an interval of width 0 would claim certainty."""


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


def bounded_mean(values: ArrayLike, games: Sequence[object] | NDArray, level: float = LEVEL) -> Interval:
    """Mean of values in [0, 1] (a success rate, a progress) with Wilson's interval on the effective number of tasks.

    With x̄ the mean, SE = `clustered_se`, n* = x̄(1−x̄)/SE² and t the Student quantile on `spread_df`:
    centre = (x̄ + t²/2n*) / (1 + t²/n*), half width = t √(x̄(1−x̄)/n* + t²/4n*²) / (1 + t²/n*). Sources: Wilson, J.
    Amer. Statist. Assoc. 22 (1927) 209–212, for the interval, which is longer on the side away from the bound; Korn &
    Graubard, Survey Methodology 24 (1998) 193–201, for n*, the number of independent wins and losses with the same
    information; compared with others by Franco et al., J. Surv. Stat. Methodol. 7 (2019) 334–364.

    n* may exceed the number of tasks, since repeats and progress carry more information than one win or loss each; with
    fewer than `FEW_GAMES` games it may not, because a small spread of few games is often luck. Games without any spread
    count once each. Raises `ValueError` for values outside [0, 1].
    """
    x, _, g = _clusters(values, games)
    if x.min() < 0 or x.max() > 1:
        raise ValueError(f"values range from {x.min():g} to {x.max():g}; a bounded mean needs values from 0 to 1")
    mean, se = float(x.mean()), clustered_se(values, games)
    if se is None or g < LEAST_GAMES:
        return Interval(mean, None, None, se, len(x), g, f"fewer than {LEAST_GAMES} games: no interval")
    df = spread_df(x, games, SKEW_OF_MEANS)
    effective = mean * (1 - mean) / se**2 if se >= FLAT else float(g)
    if g < FEW_GAMES:
        effective = min(effective, float(len(x)))
    low, high = _wilson(mean, effective, t_quantile(level, df))
    return Interval(mean, low, high, se, len(x), g, f"Wilson, {effective:.0f} effective tasks, {df:.1f} df")


def _wilson(p: float, n: float, z: float) -> tuple[float, float]:
    scale = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / scale
    half = z * math.sqrt(max(0.0, p * (1 - p)) / n + z * z / (4 * n * n)) / scale
    return min(max(0.0, centre - half), p), max(min(1.0, centre + half), p)


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


def spread_df(values: ArrayLike, games: Sequence[object] | NDArray, skew: float) -> float:
    """Degrees of freedom of the clustered standard error, fewer where games are skewed.

    df = max(2, (G−1) / (1 + c γ²)), c = `skew`, γ the sample skewness of the games' sums of residuals (adjusted for
    bias, as Fisher's G₁). G − 1 is right for normal games only (Cameron & Miller, J. Human Resources 50 (2015) 317–372,
    section VI). The t interval of skewed values misses more often, in the first place by a term in γ²/G: Hall, The
    Bootstrap and Edgeworth Expansion (1992), section 2.6, q₂(z) = z(κ(z²−3)/12 − γ²(z⁴+2z²−3)/18 − (z²+3)/4). Student's
    quantile grows by z(z²+1)/4df, so that term is worth a factor 1 + 0.89 γ² on 1/df at 95 %. A sample of few games
    shows less of a tail than there is, so c is 1.2 for means, and 2 for differences, which are less symmetric than they
    seem. Wide intervals of differences cost no power: another test decides about 0 (`pairs.consistent`). The term in κ
    is small and omitted.
    """
    x, code, g = _clusters(values, games)
    if g < 3:
        return float(g - 1)
    sums = np.bincount(code, weights=x - x.mean(), minlength=g)
    variance = float(sums @ sums) / g
    if variance < FLAT**2:
        return float(g - 1)
    skewness = float(np.mean(sums**3)) / variance**1.5 * math.sqrt(g * (g - 1)) / (g - 2)
    return min(g - 1.0, max(2.0, (g - 1) / (1 + skew * skewness**2)))


def clustered_mean(values: ArrayLike, games: Sequence[object] | NDArray, level: float = LEVEL) -> Interval:
    """Mean of values without bounds, with a t interval: x̄ ± t · SE, SE = `clustered_se`, t on `spread_df`.

    No interval with fewer than `FEW_GAMES` games: it would be too short, and without bounds there is no conservative
    alternative.
    """
    x, _, g = _clusters(values, games)
    mean, se = float(x.mean()), clustered_se(values, games)
    if se is None or g < FEW_GAMES:
        return Interval(mean, None, None, se, len(x), g, f"fewer than {FEW_GAMES} games: no interval")
    if se < FLAT:
        return Interval(mean, None, None, se, len(x), g, "no spread between games: no interval")
    df = spread_df(x, games, SKEW_OF_DIFFERENCES)
    half = t_quantile(level, df) * se
    return Interval(mean, mean - half, mean + half, se, len(x), g, f"clustered t, {df:.1f} df")


def paired_difference(a: ArrayLike, b: ArrayLike, games: Sequence[object] | NDArray, level: float = LEVEL) -> Interval:
    """Mean of a − b, task by task, for values in [0, 1]: `clustered_mean` of the differences, cut to [−1, 1].

    With fewer than `FEW_GAMES` games the interval is combined from the `bounded_mean` of each, (l, u) around ā and
    b̄: low = d̄ − √((ā−lₐ)² − 2r(ā−lₐ)(u_b−b̄) + (u_b−b̄)²) and high likewise with the other ends, r being the correlation
    of the games' sums. Source: Newcombe, Stat. Med. 17 (1998) 2635–2650; Zou & Donner, Stat. Med. 27 (2008)
    1693–1702. Values outside the bounds have no interval then.
    """
    x, y = np.asarray(a, float), np.asarray(b, float)
    unbounded = clustered_mean(x - y, games, level)
    d, se, g = unbounded.value, unbounded.se, unbounded.clusters or 0
    if se is not None and se < FLAT:
        return replace(unbounded, method="no spread between games: no interval")
    inside = min(x.min(), y.min()) >= 0 and max(x.max(), y.max()) <= 1
    if unbounded.low is not None and unbounded.high is not None:
        return replace(unbounded, low=max(-1.0, unbounded.low), high=min(1.0, unbounded.high)) if inside else unbounded
    if g < LEAST_GAMES or not inside:
        return replace(unbounded, method=f"fewer than {LEAST_GAMES if inside else FEW_GAMES} games: no interval")
    first, second = bounded_mean(x, games, level), bounded_mean(y, games, level)
    r = _correlation(x, y, games)

    def combined(p: float, q: float) -> float:
        return math.sqrt(max(0.0, p * p - 2 * r * p * q + q * q))

    (la, ua), (lb, ub) = ((e.low or 0.0, 1.0 if e.high is None else e.high) for e in (first, second))
    low = max(-1.0, d - combined(first.value - la, ub - second.value))
    high = min(1.0, d + combined(ua - first.value, second.value - lb))
    return replace(unbounded, low=low, high=high, method="combined from both intervals")


def _correlation(x: NDArray, y: NDArray, games: Sequence[object] | NDArray) -> float:
    _, code, g = _clusters(x, games)
    u, v = (np.bincount(code, weights=z - z.mean(), minlength=g) for z in (x, y))
    scale = math.sqrt(float(u @ u) * float(v @ v))
    return max(-1.0, min(1.0, float(u @ v) / scale)) if scale > FLAT else 0.0


def t_quantile(level: float, df: float) -> float:
    """Returns the two-sided Student quantile."""
    from scipy.special import stdtrit  # imported late: it takes 0.1 s, and commands without tables do not need it

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
    """Returns the interval of a mean or an IQM by resampling complete games with replacement.

    Percentile interval over `resamples` seeded draws (Efron & Tibshirani 1993, ch. 13; Field & Welsh, J. R. Statist.
    Soc. B 69 (2007) 369–390 for clusters), its percentiles moved outwards to Φ(−√(G/(G−1)) · t_{G−1}) so that it is
    not too narrow with few games (Hesterberg, Amer. Statist. 69 (2015) 371–386). With fewer than `FEW_GAMES` it still
    is, so there is none. `weights` give tasks with different numbers of repeats equal weights. Equal input and
    seed give equal output.
    """
    kernels: dict[str, Callable[[NDArray, NDArray], NDArray]] = {"mean": _mean_rows, "iqm": _iqm_rows}
    rows = kernels[statistic]
    x, code, g = _clusters(values, games)
    from scipy.special import ndtr

    w = np.ones_like(x) if weights is None else np.asarray(weights, float)
    order = np.argsort(x, kind="stable")
    x, code, w = x[order], code[order], w[order]
    point = float(rows(x, w[None, :])[0])
    name = f"cluster bootstrap, {resamples} draws"
    if g < FEW_GAMES:
        return Interval(point, None, None, None, len(x), g, f"fewer than {FEW_GAMES} games: no interval")
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
        raise ValueError("there are no values to average")
    if not np.isfinite(x).all():
        raise ValueError("a value to average is not a finite number")
    names, code = np.unique(np.asarray(games), return_inverse=True)
    if len(code) != len(x):
        raise ValueError(f"there are {len(x)} values but {len(code)} cluster names; each value needs one")
    return x, code, len(names)
