"""Variance components and what they say about larger studies."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from analysis.synthetic_sweep import sweep
from typer.testing import CliRunner

from gwray.analysis import plan_of
from gwray.analysis.intervals import clustered_mean
from gwray.cli import app
from gwray.plugins.power.components import (
    PowerPlan,
    VarianceComponents,
    minimum_detectable_difference,
    power_plan,
    variance_components,
)


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
    assert re.fullmatch(r"\d+ – \d+", found.detectable_text(8, 3)) and found.detectable_text(5, 3) == "–"
    alone = sweep({"a": 0.5}, n_games=8, repeats=3)
    single = power_plan(alone, plan_of(alone))
    assert single and not single.paired
    assert single.components.se(8, 5, 3) > found.components.se(8, 5, 3), "pairing removes what models share"


def test_range_from_a_pilot_holds_the_true_error():
    """A pilot of 8 games knows the standard error only roughly; the printed range has it in 4 of 5 pilots."""
    rng = np.random.default_rng(5)
    true, inside = VarianceComponents(0.09, 0.0, 0.04).se(8, 1, 1), []
    for _ in range(150):
        x = rng.normal(0, 0.3, 8) + rng.normal(0, 0.2, 8)
        found = variance_components(x, range(8), range(8))
        low, high = PowerPlan(found, 8, 1, 1, True, None, None).spread()
        inside.append(low * found.se(8, 1, 1) <= true <= high * found.se(8, 1, 1))
    assert 0.72 <= np.mean(inside) <= 0.88


def test_plans_that_cannot_show_anything_say_so():
    few = sweep({"a": 0.5, "b": 0.4}, n_games=5)
    found = power_plan(few, plan_of(few))
    assert found.components.detectable(5, 5, 1) is None
    assert found.components.detectable(8, 5, 1, models=8) > 1.2 * found.components.detectable(8, 5, 1)
    wide = replace(found, components=VarianceComponents(1.0, 0.0, 0.0))
    assert wide.detectable_text(6, 1) == "not detectable" and wide.detectable_text(12, 1).endswith(" or more")


def test_detectable_difference_has_80_percent_power():
    rng = np.random.default_rng(0)
    games = np.repeat(np.arange(34), 5)
    se = np.sqrt(0.05**2 / 34 + 0.2**2 / 170)
    delta = minimum_detectable_difference(se, 33)
    assert delta

    found = 0
    for _ in range(2000):
        d = delta + rng.normal(0, 0.05, 34).repeat(5) + rng.normal(0, 0.2, 170)
        found += (clustered_mean(d, games).low or 0) > 0
    assert found / 2000 == pytest.approx(0.80, abs=0.04)


def test_pilot_with_one_task_and_one_repeat_says_what_it_cannot_know(monkeypatch):
    frame = sweep({"a": 0.5, "b": 0.4}, n_games=7, tasks_per_game=1)
    monkeypatch.setattr("gwray.plugins.power.commands._pilot", lambda run: power_plan(frame, plan_of(frame)))
    done = CliRunner().invoke(app, ["power", "runs/pilot"])
    assert "tasks not known from one task a game, repeats not known from one repeat." in done.stdout, done.output
