"""The beta and Student distributions, for commands that answer in half a second: importing `scipy` takes 0.15 s."""

import itertools
import math
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

EPSILON = 1e-16
"""Smallest relative change of a continued fraction or quantile that is still followed."""


def beta_cdf(x: float, a: float, b: float) -> float:
    """Returns I_x(a, b), the distribution function of the beta distribution, for x in [0, 1] and a, b > 0.

    The continued fraction of DLMF 8.17.22, evaluated forwards; past the mean its mirror image, where it converges.
    """
    if not 0 < x < 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(1 - x, b, a)
    # The fraction 1 / (1 + d1 / (1 + d2 / (1 + ...))) as a product of ratios of its convergents.
    fraction, above, below = 1.0, 1.0, 0.0
    for n in itertools.count(1):
        m = n // 2
        odd = -(a + m) * (a + b + m) / ((a + 2 * m) * (a + 2 * m + 1))
        d = (odd if n % 2 else m * (b - m) / ((a + 2 * m - 1) * (a + 2 * m))) * x
        above, below = 1 + d / above, 1 / (1 + d * below)
        fraction *= above * below
        if abs(above * below - 1) < EPSILON * 8:
            break
    return math.exp(_log_density(x, a, b)) * x * (1 - x) / (a * fraction)


def _log_density(x: float, a: float, b: float) -> float:
    return math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x)


@cache
def beta_quantile(p: float, a: float, b: float) -> float:
    """Returns the x with I_x(a, b) = p, by Newton's method within the interval that still contains it."""
    low, high, x = 0.0, 1.0, a / (a + b)
    for _ in range(200):
        error = beta_cdf(x, a, b) - p
        low, high = (low, x) if error > 0 else (x, high)
        density = math.exp(_log_density(x, a, b))
        step = x - error / density if density else low
        step = step if low < step < high else (low + high) / 2
        if abs(step - x) <= EPSILON * step:
            break
        x = step
    return x


def t_tails(t: float, df: float) -> float:
    """Returns the probability that Student's t is at least as far from 0 as `t`, on both sides."""
    square = t * t
    if square < 1:
        return 1 - beta_cdf(square / (df + square), 0.5, df / 2)
    return beta_cdf(df / (df + square), df / 2, 0.5)


def t_quantiles(level: float, df: ArrayLike) -> NDArray:
    """Returns the t that Student's t does not pass on either side with probability `level`, for each `df`."""
    y = np.vectorize(lambda n: beta_quantile(level, 0.5, n / 2), otypes=[float])(df)
    return np.sqrt(np.asarray(df) * y / (1 - y))


def t_quantile(level: float, df: float) -> float:
    """Returns `t_quantiles` of a single number of degrees of freedom."""
    return float(t_quantiles(level, df))
