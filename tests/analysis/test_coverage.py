"""Coverage of intervals and p values in simulations; `bench/coverage.py` runs more of them."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from gwray.analysis import bounded_mean, paired_difference, same_tasks
from gwray.analysis.intervals import independent_se
from gwray.analysis.sign_flip import sign_flip

BENCH = Path(__file__).parents[2] / "bench/coverage.py"


@pytest.fixture(scope="module")
def coverage():
    spec = importlib.util.spec_from_file_location("coverage_bench", BENCH)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def likely(share: float, samples: int, least: float, most: float) -> bool:
    """Returns whether the hits are plausible (1 in 10,000) for a true share between `least` and `most`."""
    hits = round(share * samples)
    return binom.cdf(hits, samples, least) > 1e-4 and binom.sf(hits - 1, samples, most) > 1e-4


def test_batched_p_equals_sign_flip(coverage):
    sums = np.random.default_rng(4).normal(0.3, 1, (6, 12))
    drawn = coverage.p_values(sums, np.random.default_rng(5))
    assert drawn == pytest.approx([sign_flip(s) for s in sums], abs=0.04)


def test_batched_intervals_equal_the_package(coverage):
    """The bench measures what the tables show: one sample of each kind, made the usual way."""
    rng = np.random.default_rng(6)
    world = replace(coverage.WORLDS[0], tasks=(9, *[5] * 33))
    p = coverage.probabilities(rng, world, 3, (0.2, 0.3))
    names = np.repeat(np.arange(34), world.sizes)
    clusters = coverage.GameClusters(names)
    for metric in coverage.METRICS:
        a, b = (coverage.outcomes(rng, x, metric, 3) for x in p)
        low, high, *_ = clusters.bounded(a.mean(-1), a[0].size)
        d = (a - b).mean(-1)
        d_low, d_high, *_ = clusters.unbounded(d, independent_se((a - b).reshape(3, -1)))
        for i in range(3):
            e = bounded_mean(a[i].mean(-1), names, episodes=a[i].size)
            assert (e.low, e.high) == pytest.approx((low[i], high[i]))
            least = independent_se((a - b)[i].ravel())
            e = paired_difference(a[i].mean(-1), b[i].mean(-1), names, least_se=least)
            assert (e.low, e.high) == pytest.approx((d_low[i], d_high[i]))
        again = same_tasks(a[0].ravel(), np.repeat(np.arange(len(names)), 3))
        se, df = coverage.repeat_error(a.var(-1, ddof=1), np.full(len(names), 3.0))
        assert (again.se, again.df) == pytest.approx((se[0], df[0]))


HARD = {
    "the same, and is easier": 0.91,
    "8 games, half of them dead, mean 0.1": 0.91,
    "specialist in 5 % of games, R = 10": 0.91,
    "12 games, specialist in 10 %, R = 10": 0.85,
    "8 games, 90 % dead, mean 0.03, R = 10": 0.45,
}
"""Worlds where few games decide the mean, and their least coverage on games like these. In the last one most samples
have no game, or one, in which anything is won, so a difference on other games is not known; on these tasks it is."""


@pytest.mark.parametrize("names", [["the same, and is easier"], pytest.param([], marks=pytest.mark.slow)])
def test_coverage_in_every_world(coverage, names):
    """Wide margins: what fails here is wrong, not unlucky. The bench takes more samples."""
    samples, failed = 150, []
    for world in coverage.WORLDS:
        if names and world.name not in names:
            continue
        for metric in coverage.METRICS:
            found = coverage.measure(world, metric, samples, seed=11)
            for name in ("mean", "equal", "unequal", "again"):
                value, width = getattr(found, name), getattr(found, f"{name}_width")
                if np.isnan(value):
                    continue
                least = 0.93 if name == "again" else HARD.get(world.name, 0.93)
                if not likely(value, samples, least, 1.0) or (
                    world.name not in HARD and world.games >= 8 and world.repeats > 1 and width > 1.6
                ):
                    failed.append(f"{world.name}, {metric}: {name} covers {value:.3f}, width {width:.2f}")
            if world.symmetric and not likely(found.false_positives, samples, 0.0, 0.06):
                failed.append(f"{world.name}, {metric}: p ≤ 0.05 in {found.false_positives:.3f}")
    assert not failed
