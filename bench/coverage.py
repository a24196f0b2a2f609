"""Coverage of the intervals of `gwray.analysis`, and false positives of its test, in simulations.

    python bench/coverage.py                 # the tables of bench/README.md: 2,000 worlds a cell, minutes on one core
    python bench/coverage.py --worlds 200 --seed 7 --games 34

A world is one simulated study: its games and tasks are drawn from a population whose mean is known. The probability of
success, or the mean progress, of a task is logistic(a + s·z_game + z_task), with z standard normal and a such that the
population has the requested mean; s, the effect of games, is 0, 1 or 2. Success is binomial over R repeats, progress
the mean of R draws of a Beta(2μ, 2(1−μ)), which is mostly close to 0 or 1. Two players share half of the variance of
games and of tasks. Intervals are computed as in the package, those of differences made `consistent` with p. p is its
sign-flip test, with 9,999 drawn signs for all worlds at once (a test checks that both agree).
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
"""Population mean → that of a second, unequal player."""
EFFECTS = {"none": 0.0, "medium": 1.0, "strong": 2.0}
REPEATS = (1, 10)
METRICS = ("sr", "pg")
TASKS = 5
BETA = 2.0
SIGNS = 9_999
SHARED = 0.5


@dataclass(frozen=True)
class Simulation:
    """Parameters of a simulated world."""

    metric: str
    mean: float
    effect: str
    repeats: int
    games: int = 34

    def __str__(self) -> str:
        return f"{self.metric.upper()} {self.mean:g}, game effect {self.effect}, R = {self.repeats}, {self.games} games"


@dataclass(frozen=True)
class Coverage:
    """Shares of worlds: intervals that cover, among those that exist, and p ≤ 0.05."""

    mean: float
    equal: float
    """Coverage of the difference between equal players."""
    unequal: float
    false_positives: float
    without: float
    """Share of worlds without an interval of the difference, since no game differs."""


@cache
def intercept(mean: float, sd: float) -> float:
    """Returns a with E[logistic(a + sd·z)] = mean."""
    x, w = np.polynomial.hermite_e.hermegauss(80)
    return float(brentq(lambda a: float((w / w.sum()) @ expit(a + sd * x)) - mean, -40, 40))


def effects(rng: np.random.Generator, worlds: int, games: int) -> tuple[NDArray, NDArray]:
    return rng.normal(size=(worlds, games, 1)), rng.normal(size=(worlds, games, TASKS))


def outcomes(rng: np.random.Generator, cell: Simulation, mean: float, drawn: tuple[NDArray, NDArray]) -> NDArray:
    """Returns task averages over repeats, of shape worlds × (games · tasks)."""
    s = EFFECTS[cell.effect]
    mu = expit(intercept(mean, float(np.hypot(s, 1.0))) + s * drawn[0] + drawn[1]).reshape(len(drawn[0]), -1)
    if cell.metric == "sr":
        return rng.binomial(cell.repeats, mu) / cell.repeats
    shape = np.maximum(BETA * mu, 1e-9), np.maximum(BETA * (1 - mu), 1e-9)
    return sum(rng.beta(*shape) for _ in range(cell.repeats)) / cell.repeats


def players(rng: np.random.Generator, cell: Simulation, worlds: int, *means: float) -> Iterator[NDArray]:
    shared = effects(rng, worlds, cell.games)
    for mean in means:
        own = effects(rng, worlds, cell.games)
        mixed = [np.sqrt(SHARED) * z + np.sqrt(1 - SHARED) * y for z, y in zip(shared, own, strict=True)]
        yield outcomes(rng, cell, mean, (mixed[0], mixed[1]))


def covered(intervals: Iterator[Interval], truth: float) -> tuple[float, float]:
    """Returns the share of intervals with bounds that cover, and the share without bounds."""
    bounds = [(e.low, e.high) for e in intervals]
    have = [(low, high) for low, high in bounds if low is not None and high is not None]
    return sum(low <= truth <= high for low, high in have) / max(1, len(have)), 1 - len(have) / len(bounds)


def p_values(sums: NDArray, rng: np.random.Generator) -> NDArray:
    """Returns the sign-flip p of each row of sums over games."""
    signs = rng.integers(0, 2, (SIGNS, sums.shape[1])) * 2.0 - 1.0
    seen = np.abs(sums.sum(axis=1)) - 1e-9 * np.abs(sums).sum(axis=1)
    hits = np.zeros(len(sums), int)
    for part in np.array_split(signs, 10):
        hits += (np.abs(part @ sums.T) >= seen).sum(axis=0)
    return (1 + hits) / (1 + SIGNS)


def differences(a: NDArray, b: NDArray, games: NDArray, p: NDArray) -> Iterator[Interval]:
    for x, y, p_value in zip(a, b, p, strict=True):
        yield consistent(paired_difference(x, y, games), float(p_value))


def measure(cell: Simulation, worlds: int, seed: int) -> Coverage:
    """Returns the coverage in worlds with these parameters. Equal arguments give equal results."""
    entropy = [seed, METRICS.index(cell.metric), round(1000 * cell.mean), list(EFFECTS).index(cell.effect)]
    rng = np.random.default_rng([*entropy, cell.repeats, cell.games])
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
    return Coverage(mean, equal, unequal, float((p <= 0.05).mean()), without)


def cells(games: int) -> list[Simulation]:
    return [Simulation(*c, games) for c in itertools.product(METRICS, MEANS, EFFECTS, REPEATS)]


def table(found: dict[Simulation, Coverage], value: Callable[[Coverage], float], title: str) -> str:
    """Returns a Markdown table: a row for each mean and effect of games, a column for each metric and repeats."""
    columns = list(itertools.product(METRICS, REPEATS))
    games = next(iter(found)).games
    lines = [f"| {title} | game effect | " + " | ".join(f"{m.upper()}, R = {r}" for m, r in columns) + " |"]
    lines.append("|---|---|" + "---|" * len(columns))
    for mean, effect in itertools.product(MEANS, EFFECTS):
        shown = [f"{100 * value(found[Simulation(m, mean, effect, r, games)]):.1f}" for m, r in columns]
        lines.append(f"| {mean:g} | {effect} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--games", type=int, nargs="+", default=[34, 7, 4])
    args = parser.parse_args()
    error = 196 * (0.95 * 0.05 / args.worlds) ** 0.5
    print(f"{args.worlds} worlds a cell, seed {args.seed}, simulation error ± {error:.1f} at 95 %. Percent.")
    for games in args.games:
        found = {}
        for cell in cells(games):
            found[cell] = measure(cell, args.worlds, args.seed)
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
