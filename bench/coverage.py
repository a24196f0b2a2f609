"""How often the intervals of `gwray.analysis` cover the truth, and how often its p calls equal players different.

    python bench/coverage.py                 # the tables of bench/README.md: 2,000 worlds a cell, minutes on one core
    python bench/coverage.py --worlds 200 --seed 7 --games 34

A world is one study of a benchmark: its games and tasks are drawn, and what holds for all such games is known. A task
is won, or progress made, with probability (mean) logistic(a + s·z_game + z_task), z standard normal and a such that the
mean over all games is the one asked for; s, the effect of games, is 0, 1 or 2. Success is binomial over R repeats,
progress the mean of R draws of a Beta(2μ, 2(1−μ)), which is mostly close to 0 or 1. Two players share half of the
variance of games and of tasks. Intervals are those of the package, called as it calls them, those of differences made
`consistent` with p; p is its sign-flip test, with 9,999 drawn signs for all worlds at once (a test checks that both
agree).
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from gwray.analysis import Interval, bounded_mean, consistent, paired_difference

MEANS = {0.02: 0.05, 0.15: 0.30, 0.50: 0.65, 0.97: 0.90}
"""The means of worlds, each with that of a second player who is not equal."""
EFFECTS = {"none": 0.0, "medium": 1.0, "strong": 2.0}
REPEATS = (1, 10)
METRICS = ("sr", "pg")
TASKS = 5
BETA = 2.0
SIGNS = 9_999
SHARED = 0.5


@dataclass(frozen=True)
class Cell:
    """One kind of world."""

    metric: str
    mean: float
    effect: str
    repeats: int
    games: int = 34

    def __str__(self) -> str:
        return f"{self.metric.upper()} {self.mean:g}, game effect {self.effect}, R = {self.repeats}, {self.games} games"


@dataclass(frozen=True)
class Found:
    """Shares of worlds: where the interval covers, of those that have one; where p ≤ 0.05."""

    mean: float
    equal: float
    """Of the difference between equal players."""
    unequal: float
    false_positives: float
    without: float
    """Share of the difference's worlds without an interval: no game differs."""


@cache
def intercept(mean: float, sd: float) -> float:
    """The a with E[logistic(a + sd·z)] = mean."""
    x, w = np.polynomial.hermite_e.hermegauss(80)
    return float(brentq(lambda a: float((w / w.sum()) @ expit(a + sd * x)) - mean, -40, 40))


def effects(rng: np.random.Generator, worlds: int, games: int) -> tuple[NDArray, NDArray]:
    return rng.normal(size=(worlds, games, 1)), rng.normal(size=(worlds, games, TASKS))


def outcomes(rng: np.random.Generator, cell: Cell, mean: float, drawn: tuple[NDArray, NDArray]) -> NDArray:
    """Task averages over repeats, worlds × (games · tasks)."""
    s = EFFECTS[cell.effect]
    mu = expit(intercept(mean, float(np.hypot(s, 1.0))) + s * drawn[0] + drawn[1]).reshape(len(drawn[0]), -1)
    if cell.metric == "sr":
        return rng.binomial(cell.repeats, mu) / cell.repeats
    shape = np.maximum(BETA * mu, 1e-9), np.maximum(BETA * (1 - mu), 1e-9)
    return sum(rng.beta(*shape) for _ in range(cell.repeats)) / cell.repeats


def players(rng: np.random.Generator, cell: Cell, worlds: int, *means: float) -> Iterator[NDArray]:
    shared = effects(rng, worlds, cell.games)
    for mean in means:
        own = effects(rng, worlds, cell.games)
        mixed = [np.sqrt(SHARED) * z + np.sqrt(1 - SHARED) * y for z, y in zip(shared, own, strict=True)]
        yield outcomes(rng, cell, mean, (mixed[0], mixed[1]))


def covered(intervals: Iterator[Interval], truth: float) -> tuple[float, float]:
    """Share that covers of those with bounds, and share without bounds."""
    bounds = [(e.low, e.high) for e in intervals]
    have = [(low, high) for low, high in bounds if low is not None and high is not None]
    return sum(low <= truth <= high for low, high in have) / max(1, len(have)), 1 - len(have) / len(bounds)


def p_values(sums: NDArray, rng: np.random.Generator) -> NDArray:
    """The sign-flip p of each row of sums over games."""
    signs = rng.integers(0, 2, (SIGNS, sums.shape[1])) * 2.0 - 1.0
    seen = np.abs(sums.sum(axis=1)) - 1e-9 * np.abs(sums).sum(axis=1)
    hits = np.zeros(len(sums), int)
    for part in np.array_split(signs, 10):
        hits += (np.abs(part @ sums.T) >= seen).sum(axis=0)
    return (1 + hits) / (1 + SIGNS)


def differences(a: NDArray, b: NDArray, games: NDArray, p: NDArray) -> Iterator[Interval]:
    for x, y, told in zip(a, b, p, strict=True):
        yield consistent(paired_difference(x, y, games), float(told))


def measure(cell: Cell, worlds: int, seed: int) -> Found:
    """All shares of one kind of world; the same arguments give the same numbers."""
    told = [seed, METRICS.index(cell.metric), round(1000 * cell.mean), list(EFFECTS).index(cell.effect)]
    rng = np.random.default_rng([*told, cell.repeats, cell.games])
    games = np.repeat(np.arange(cell.games), TASKS)
    alone = outcomes(rng, cell, cell.mean, effects(rng, worlds, cell.games))
    mean, _ = covered((bounded_mean(x, games) for x in alone), cell.mean)
    a, b = players(rng, cell, worlds, cell.mean, cell.mean)
    p = p_values((a - b).reshape(worlds, cell.games, TASKS).sum(axis=2), rng)
    equal, without = covered(differences(a, b, games, p), 0.0)
    other = MEANS[cell.mean]
    a, b = players(rng, cell, worlds, cell.mean, other)
    p_other = p_values((a - b).reshape(worlds, cell.games, TASKS).sum(axis=2), rng)
    unequal, _ = covered(differences(a, b, games, p_other), cell.mean - other)
    return Found(mean, equal, unequal, float((p <= 0.05).mean()), without)


def cells(games: int) -> list[Cell]:
    return [Cell(*c, games) for c in itertools.product(METRICS, MEANS, EFFECTS, REPEATS)]


def table(found: dict[Cell, Found], value: Callable[[Found], float], title: str) -> str:
    """Markdown: a row for each mean and effect of games, a column for each metric and number of repeats."""
    columns = list(itertools.product(METRICS, REPEATS))
    games = next(iter(found)).games
    lines = [f"| {title} | game effect | " + " | ".join(f"{m.upper()}, R = {r}" for m, r in columns) + " |"]
    lines.append("|---|---|" + "---|" * len(columns))
    for mean, effect in itertools.product(MEANS, EFFECTS):
        shown = [f"{100 * value(found[Cell(m, mean, effect, r, games)]):.1f}" for m, r in columns]
        lines.append(f"| {mean:g} | {effect} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--games", type=int, nargs="+", default=[34, 7, 4])
    asked = parser.parse_args()
    error = 196 * (0.95 * 0.05 / asked.worlds) ** 0.5
    print(f"{asked.worlds} worlds a cell, seed {asked.seed}, simulation error ± {error:.1f} at 95 %. Percent.")
    for games in asked.games:
        found = {}
        for cell in cells(games):
            found[cell] = measure(cell, asked.worlds, asked.seed)
            print(cell, found[cell], file=sys.stderr, flush=True)
        for title, value in (
            ("mean: covered", lambda f: f.mean),
            ("difference of equal players: covered", lambda f: f.equal),
            ("difference to another player: covered", lambda f: f.unequal),
            ("equal players: p ≤ 0.05", lambda f: f.false_positives),
        ):
            print(f"\n{games} games\n\n{table(found, value, title)}", flush=True)


if __name__ == "__main__":
    main()
