"""Coverage of intervals and p values in simulations; `bench/coverage.py` runs more of them."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

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


def likely(share: float, worlds: int, least: float, most: float) -> bool:
    """Returns whether the hits are plausible (1 in 10,000) for a true share between `least` and `most`."""
    hits = round(share * worlds)
    return binom.cdf(hits, worlds, least) > 1e-4 and binom.sf(hits - 1, worlds, most) > 1e-4


def test_success_intervals_cover_with_game_effects(coverage):
    found = coverage.measure(coverage.Simulation("sr", 0.15, "strong", 1), 300, seed=5)
    assert likely(found.mean, 300, 0.93, 0.97)
    assert likely(found.false_positives, 300, 0.0, 0.06)


def test_batched_p_equals_sign_flip(coverage):
    sums = np.random.default_rng(4).normal(0.3, 1, (6, 12))
    drawn = coverage.p_values(sums, np.random.default_rng(5))
    assert drawn == pytest.approx([sign_flip(s) for s in sums], abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("games", [34, 7, 4])
def test_coverage_in_every_simulation(coverage, games):
    """Wide margins: what fails here is wrong, not unlucky. That intervals are no wider than they must be takes more
    worlds, and only the bench shows it."""
    worlds = 60 if games == 34 else 40
    failed = []
    for cell in coverage.cells(games):
        found = coverage.measure(cell, worlds, seed=11)
        least = 0.93 if games == 34 else 0.92
        for name in ("mean", "equal", "unequal"):
            with_interval = worlds if name == "mean" else max(1, round(worlds * (1 - found.without)))
            if not likely(getattr(found, name), with_interval, least, 1.0):
                failed.append(f"{cell}: {name} covers {getattr(found, name):.3f}")
        if not likely(found.false_positives, worlds, 0.0, 0.06):
            failed.append(f"{cell}: p ≤ 0.05 in {found.false_positives:.3f}")
    assert not failed
