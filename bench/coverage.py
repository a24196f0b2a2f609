"""Coverage of the intervals of `gwray.analysis`, and false positives of its test, in simulations.

    python bench/coverage.py                 # the tables of bench/README.md: 2,000 samples a world, minutes on one core
    python bench/coverage.py --samples 200 --seed 7 --world base

A sample is one simulated study of two models, A and B: its games and tasks are drawn from a population whose mean is
known. The probability of success of a task is logistic(a + s·z_game + s'·z_task), with z standard normal and a such
that the population has the requested mean. Success is the mean of R wins and losses, progress the mean of R draws of
Beta(2p, 2(1−p)), which is mostly close to 0 or 1. A and B share half of the variance of games and tasks. All intervals
are those of the package, computed for all samples of a world at once; p is its sign-flip test with drawn signs (a test
checks that both agree). "Width" is the median width of the intervals, as a multiple of 3.92 times the true standard
deviation of the estimate: no valid interval can be much shorter than 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from gwray.analysis.intervals import GameClusters, independent_se
from gwray.analysis.reruns import repeat_error, same_tasks, same_tasks_ends

METRICS = ("sr", "pg")
BETA = 2.0
SIGNS = 1_999
SHARED = 0.5
ALPHA = 0.05


@dataclass(frozen=True)
class World:
    """A population of games and tasks, and a benchmark's size."""

    name: str
    games: int = 34
    tasks: int | Sequence[int] = 5
    """Tasks of each game."""
    repeats: int = 3
    mean: float = 0.2
    difference: float = 0.1
    """How much better B is where the models differ."""
    game_sd: float = 1.2
    """Spread of games in log-odds."""
    task_sd: float = 0.8
    dead: float = 0.0
    """Share of games in which no model ever succeeds."""
    easier: Sequence[float] = ()
    """Log-odds by which each game is easier; empty: none."""
    copies: float = 0.0
    """Share of the repeats that copy the first of their task."""
    specialist: tuple[float, float] | None = None
    """Share q of games and jump h: A is better by (1−q)·h in these games and worse by q·h in all others, so that both
    means are equal, and the differences of games are skewed."""

    @property
    def sizes(self) -> NDArray:
        return np.full(self.games, self.tasks) if isinstance(self.tasks, int) else np.asarray(self.tasks)

    @property
    def symmetric(self) -> bool:
        """Whether both models are exchangeable when their means are equal: the null of the sign-flip test."""
        return self.specialist is None


@dataclass(frozen=True)
class Coverage:
    """Shares of samples, of one metric."""

    mean: float
    """A's mean is in its interval on games like these."""
    mean_width: float
    equal: float
    """The difference of equal models is in its interval."""
    equal_width: float
    unequal: float
    """The difference of unequal models is in its interval."""
    unequal_width: float
    false_positives: float
    """Equal models: p ≤ 0.05."""
    power: float
    """Unequal models: p ≤ 0.05, with the right sign."""
    again: float
    """The mean of A's tasks is in its interval on these tasks."""
    again_width: float


@cache
def _nodes() -> tuple[NDArray, NDArray]:
    x, w = np.polynomial.hermite_e.hermegauss(80)
    return x, w / w.sum()


def intercept(mean: float, sd: float, shifts: NDArray, weights: NDArray) -> float:
    """Returns a with Σ weight · E[logistic(a + shift + sd·z)] = mean."""
    x, w = _nodes()
    return float(brentq(lambda a: float(weights @ (expit(a + shifts[:, None] + sd * x) @ w)) - mean, -40, 40))


def probabilities(rng: np.random.Generator, world: World, samples: int, means: Sequence[float]) -> list[NDArray]:
    """Returns the success probabilities of each model, of shape samples × tasks."""
    sizes = world.sizes
    code = np.repeat(np.arange(world.games), sizes)
    if world.specialist:
        q, h = world.specialist
        shift = np.where(rng.random((samples, world.games)) < q, (1 - q) * h, -q * h)[:, code] / 2
        return [0.4 + shift, 0.4 - shift]
    easier = np.asarray(world.easier or np.zeros(world.games), float)
    alive = (rng.random((samples, world.games)) >= world.dead)[:, code]
    shape = (samples, world.games), (samples, len(code))
    shared = [rng.normal(size=s) for s in shape]
    out = []
    for mean in means:
        game, task = (
            np.sqrt(SHARED) * z + np.sqrt(1 - SHARED) * rng.normal(size=s) for z, s in zip(shared, shape, strict=True)
        )
        a = intercept(mean / (1 - world.dead), float(np.hypot(world.game_sd, world.task_sd)), easier, sizes / len(code))
        out.append(expit(a + easier[code] + world.game_sd * game[:, code] + world.task_sd * task) * alive)
    return out


def outcomes(rng: np.random.Generator, p: NDArray, metric: str, repeats: int) -> NDArray:
    """Returns episodes, of shape samples × tasks × repeats."""
    p = np.repeat(p[..., None], repeats, axis=-1)
    if metric == "sr":
        return (rng.random(p.shape) < p).astype(float)
    drawn = rng.beta(np.maximum(BETA * p, 1e-9), np.maximum(BETA * (1 - p), 1e-9))
    return np.where(p > 0, drawn, 0.0)


def p_values(sums: NDArray, rng: np.random.Generator) -> NDArray:
    """Returns the sign-flip p of each row of sums over games."""
    signs = rng.integers(0, 2, (SIGNS, sums.shape[1])) * 2.0 - 1.0
    seen = np.abs(sums.sum(axis=1)) - 1e-9 * np.abs(sums).sum(axis=1)
    return (1 + (np.abs(sums @ signs.T) >= seen[:, None]).sum(axis=1)) / (1 + SIGNS)


def _summary(low: NDArray, high: NDArray, truth: NDArray | float, sd: float) -> tuple[float, float]:
    """Returns coverage and relative width."""
    covered = (low <= np.asarray(truth) + 1e-12) & (np.asarray(truth) <= high + 1e-12)
    return float(covered.mean()), float(np.median(high - low)) / (3.92 * sd)


def measure(world: World, metric: str, samples: int, seed: int) -> Coverage:
    """Returns the coverage in samples of a world. Equal arguments give equal results."""
    rng = np.random.default_rng([seed, METRICS.index(metric), *world.name.encode()])
    games = GameClusters(np.repeat(np.arange(world.games), world.sizes))
    found: dict[str, float] = {}
    for case, change in (("equal", 0.0), ("unequal", world.difference)):
        p = probabilities(rng, world, samples, (world.mean, world.mean + change))
        a, b = (outcomes(rng, x, metric, world.repeats) for x in p)
        x, d = a.mean(axis=-1), (a - b).mean(axis=-1)
        flat = (samples, -1)
        if case == "equal":
            truth = 0.4 if world.specialist else world.mean
            low, high, *_ = games.bounded(x, a[0].size)
            found["mean"], found["mean_width"] = _summary(low, high, truth, x.mean(axis=1).std())
            found["again"], found["again_width"] = _again(a, p[0], rng, world.copies)
        low, high, *_ = games.unbounded(d, independent_se((a - b).reshape(flat)))
        value, test = d.mean(axis=1), p_values(games.sums(d), rng)
        found[case], found[f"{case}_width"] = _summary(low, high, -change, value.std())
        hit = test <= ALPHA
        found["power" if change else "false_positives"] = float((hit & (value * change <= 0)).mean())
        if world.specialist:
            nothing = dict.fromkeys(("unequal", "unequal_width", "power"), float("nan"))
            return Coverage(**found, **nothing)
    return Coverage(**found)


def _again(a: NDArray, p: NDArray, rng: np.random.Generator, copies: float) -> tuple[float, float]:
    """Returns coverage and relative width of the interval on these tasks."""
    samples, tasks, repeats = a.shape
    if copies:
        copied = rng.random(a.shape) < copies
        copied[..., 0] = False
        a = np.where(copied, a[..., :1], a)
        truth = p.mean(axis=1)
        plays = np.where(copied, 0, np.arange(repeats)).astype(str)
        task = np.repeat(np.arange(tasks), repeats)
        found = [same_tasks(x.ravel(), task, plays=play.ravel()) for x, play in zip(a, plays, strict=True)]
        low, high = (np.array([getattr(e, end) for e in found], float) for end in ("low", "high"))
        return _summary(low, high, truth, (a.mean(axis=(1, 2)) - truth).std())
    mean, truth = a.mean(axis=(1, 2)), p.mean(axis=1)
    if repeats > 1:
        se, df = repeat_error(a.var(axis=-1, ddof=1), np.full(tasks, float(repeats)))
    else:
        n = float(tasks)
        se = np.sqrt(np.maximum(a[..., 0].var(axis=1, ddof=1), 1 / n) / n)
        df = np.full(samples, n - 1)
    low, high = same_tasks_ends(mean, se, df, float(tasks * repeats))
    return _summary(low, high, truth, (mean - truth).std())


def _geometric(games: int) -> tuple[int, ...]:
    return tuple(int(n) for n in np.clip(np.random.default_rng(3).geometric(0.25, games), 1, 25))


UNEQUAL = _geometric(34)
WORLDS = (
    World("base"),
    World("R = 1", repeats=1),
    World("R = 10", repeats=10),
    World("games do not differ", game_sd=0.0),
    World("games do not differ, R = 1, mean 0.02", game_sd=0.0, repeats=1, mean=0.02, difference=0.03),
    World("games differ much", game_sd=2.0),
    World("mean 0.97", mean=0.97, difference=-0.05),
    World("70 % dead games, mean 0.08", dead=0.7, mean=0.08, difference=0.06),
    World("85 % dead games, mean 0.03, R = 1", dead=0.85, mean=0.03, repeats=1, difference=0.03),
    World("1 to 25 tasks a game", tasks=UNEQUAL),
    World("1 to 25 tasks, large games easier", tasks=UNEQUAL, easier=tuple(0.7 * np.log(np.array(UNEQUAL) / 5))),
    World("one game has 60 of 225 tasks", tasks=(60, *[5] * 33)),
    World("the same, and is easier", tasks=(60, *[5] * 33), easier=(2.5, *[0.0] * 33)),
    World("4 games", games=4),
    World("7 games", games=7),
    World("8 games", games=8),
    World("8 games, half of them dead, mean 0.1", games=8, dead=0.5, mean=0.1),
    World("8 games, R = 1, mean 0.05", games=8, repeats=1, mean=0.05),
    World("8 games, one has 15 of 50 tasks", games=8, tasks=(15, *[5] * 7)),
    World("12 games", games=12),
    World("20 games", games=20),
    World("20 games, 70 % dead, mean 0.1", games=20, dead=0.7, mean=0.1),
    World("100 games of 1 task", games=100, tasks=1),
    World("specialist in 20 % of games", specialist=(0.2, 0.4)),
    World("specialist in 10 % of games, R = 10", specialist=(0.1, 0.4), repeats=10),
    World("specialist in 5 % of games, R = 10", specialist=(0.05, 0.4), repeats=10),
    World("4 games, 90 % dead, mean 0.03", games=4, dead=0.9, mean=0.03, difference=0.03),
    World("8 games, 90 % dead, mean 0.03, R = 10", games=8, dead=0.9, mean=0.03, repeats=10, difference=0.03),
    World("12 games of 3 tasks, R = 5, 80 % of repeats are copies", games=12, tasks=3, repeats=5, copies=0.8),
    World("12 games, specialist in 10 %, R = 10", games=12, specialist=(0.1, 0.4), repeats=10),
)


def table(found: dict[World, dict[str, Coverage]]) -> str:
    """Returns a Markdown table, a row for each world: percent covered, relative width in parentheses."""

    def both(world: World, *names: str) -> str:
        out = []
        for metric in METRICS:
            c = found[world][metric]
            value = getattr(c, names[0])
            text = "–" if np.isnan(value) else f"{100 * value:.1f}"
            out.append(text if len(names) == 1 or np.isnan(value) else f"{text} ({getattr(c, names[1]):.2f})")
        return ", ".join(out)

    heads = ("mean", "difference, equal", "difference, unequal", "false positives", "power", "on these tasks")
    lines = ["| world: SR, PG | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    for world in found:
        cells = [
            both(world, "mean", "mean_width"), both(world, "equal", "equal_width"),
            both(world, "unequal", "unequal_width"), both(world, "false_positives"), both(world, "power"),
            both(world, "again", "again_width"),
        ]  # fmt: skip
        lines.append(f"| {world.name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=20261125)
    parser.add_argument("--world", nargs="+", default=[], help="Names of worlds; default: all.")
    args = parser.parse_args()
    error = 196 * (0.95 * 0.05 / args.samples) ** 0.5
    print(f"{args.samples} samples a world, seed {args.seed}, simulation error ± {error:.1f} at 95 %. Percent.\n")
    found = {}
    for world in WORLDS:
        if not args.world or world.name in args.world:
            found[world] = {metric: measure(world, metric, args.samples, args.seed) for metric in METRICS}
            print(world.name, found[world], file=sys.stderr, flush=True)
    print(table(found))


if __name__ == "__main__":
    main()
