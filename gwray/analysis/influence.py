"""Finds the games that dominate a mean or a difference, and results that depend on a single game."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gwray.analysis.intervals import FLAT, GameClusters

MOST_SKEWED = 2.0
"""With a larger absolute skewness of the games, tests and intervals are optimistic."""
MOST_TASKS = 0.15
"""A game with a larger share of the tasks dominates, if it has at least twice as many as the average game."""


@dataclass(frozen=True)
class GameInfluence:
    """How a mean over tasks depends on single games."""

    without: dict[str, float]
    """The mean without each game; empty for a single game."""
    share: dict[str, float]
    """Each game's share of the spread between games, u_g² / Σ u², u_g its summed deviation from the mean."""
    skewness: float
    """Skewness of the games' sums of values, adjusted for bias; 0 with fewer than three games."""
    dominant: str
    """The game that dominates the mean; empty if there is none."""

    @property
    def low(self) -> float | None:
        """Smallest mean without one game."""
        return min(self.without.values(), default=None)

    @property
    def high(self) -> float | None:
        """Largest mean without one game."""
        return max(self.without.values(), default=None)

    @property
    def caveat(self) -> str:
        """Why a test or an interval over games may be too optimistic; empty if nothing suggests it."""
        notes = []
        if self.dominant:
            notes.append(f"this value depends mostly on {self.dominant}")
        if abs(self.skewness) > MOST_SKEWED:
            notes.append(
                f"games differ very unequally (skewness {self.skewness:.1f}): p and the interval are optimistic"
            )
        return "; ".join(notes)


def game_influence(values: ArrayLike, games: Sequence[str] | NDArray) -> GameInfluence:
    """Returns the influence of each game on the mean of `values`, one for each task.

    A game dominates if it has more than 15 % of the tasks and twice as many as the average game, or if its share of
    Σ u² is larger than that of any of G normal games in 95 % of studies: Cochran, Annals of Eugenics 11 (1941) 47–52,
    with the bound 1 − B⁻¹(0.05/G; (G−1)/2, 1/2), B the beta distribution function. Leave-one-out means: Efron &
    Tibshirani, An Introduction to the Bootstrap (1993), chapter 11.
    """
    from scipy.special import betaincinv

    x, clusters = np.asarray(values, float), GameClusters(games)
    names, g, t = [str(n) for n in np.unique(np.asarray(games))], clusters.n, clusters.tasks
    sums = clusters.sums(x)
    if g < 2:
        return GameInfluence({}, dict.fromkeys(names, 1.0), 0.0, "")
    u = sums - clusters.sizes * x.mean()
    total = float(u @ u)
    share = u**2 / total if total > FLAT**2 else np.zeros(g)
    most = max(MOST_TASKS, 1 - float(betaincinv((g - 1) / 2, 0.5, 0.05 / g)))
    size = clusters.sizes / t
    large = [i for i in range(g) if size[i] > max(MOST_TASKS, 2 / g) or (g > 3 and share[i] > most)]
    centred = sums - sums.mean()
    variance = float(centred @ centred) / g
    skewness = 0.0
    if g > 2 and variance > FLAT**2:
        skewness = float(np.mean(centred**3)) / variance**1.5 * math.sqrt(g * (g - 1)) / (g - 2)
    without = (float(x.sum()) - sums) / (t - clusters.sizes)
    return GameInfluence(
        {name: float(v) for name, v in zip(names, without, strict=True)},
        {name: float(v) for name, v in zip(names, share, strict=True)},
        skewness,
        names[max(large, key=lambda i: max(size[i], share[i]))] if large else "",
    )
