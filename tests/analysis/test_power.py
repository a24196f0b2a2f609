"""Variance components and what they say about larger studies."""

import math

import numpy as np
import pytest
from synthetic_sweep import sweep

from gwray.analysis import VarianceComponents, plan_of, power_plan, variance_components


def test_components_of_a_known_population():
    rng = np.random.default_rng(1)
    game = rng.normal(0, 0.3, (300, 1, 1))
    x = game + rng.normal(0, 0.2, (300, 5, 1)) + rng.normal(0, 0.1, (300, 5, 3))
    games = np.repeat(np.arange(300), 15)
    tasks = np.repeat(np.arange(1500), 3)
    found = variance_components(x.ravel(), tasks.tolist(), games.tolist())
    assert (found.game, found.task, found.repeat) == pytest.approx((0.09, 0.04, 0.01), rel=0.15)
    assert found.se(300, 5, 3) == pytest.approx(x.mean(axis=(1, 2)).std(ddof=1) / math.sqrt(300))
    assert found.se(300, 5, 10) > found.se(300, 5, math.inf) > found.se(600, 5, 3)


def test_plan_from_a_pilot():
    pair = sweep({"a": 0.5, "b": 0.4}, n_games=8, repeats=3, wall_s=60.0)
    found = power_plan(pair, plan_of(pair))
    assert found and found.paired and (found.games, found.tasks, found.repeats, found.usd) == (8, 5, 3, 0.5)
    assert "8 games × 3 repeats" in found.sentence() and "cannot go below" in found.sentence()
    alone = sweep({"a": 0.5}, n_games=8, repeats=3)
    single = power_plan(alone, plan_of(alone))
    assert single and not single.paired
    assert single.components.se(8, 5, 3) > found.components.se(8, 5, 3), "pairing removes what models share"


def test_games_needed_is_the_smallest_number():
    components = VarianceComponents(0.15**2, 0.2**2, 0.25**2)
    for difference in (0.02, 0.05, 0.14, 0.9):
        games = components.games_needed(difference, 5, 3)
        found = [components.detectable(g, 5, 3) for g in (games, games - 1)]
        assert found[0] <= difference < (found[1] or math.inf)
