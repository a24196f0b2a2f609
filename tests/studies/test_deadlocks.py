"""Success by category, movement measures and their correlation, on published and on planted numbers."""

import math

import polars as pl
import pytest
from statsmodels.api import OLS, add_constant

from gwray.studies.pokegym.deadlocks import (
    GAME_SCORES,
    CategoryRate,
    action_complexity,
    averages,
    behaviour,
    category_rates,
    correlation,
    external_correlations,
    external_scores,
    state_complexity,
    stick_choices,
    success_by_immobility,
)
from gwray.studies.pokegym.published import published as pokegym_published

EPISODES = {"nav": 20, "int": 15, "mix": 15}
"""Published: four, three and three quests, five trials each."""


def published_rates(model: str, granularity: str) -> dict[str, CategoryRate]:
    row = pokegym_published("success").filter(model=model, granularity=granularity).to_dicts()[0]
    return {
        name: CategoryRate(round(row[f"{name}_sr"] / 100 * n), n, row[f"{name}_stp"]) for name, n in EPISODES.items()
    }


def episodes(*rows: tuple) -> pl.DataFrame:
    """(cell, task, genre, success, steps, im)."""
    names = ["cell", "task", "genre", "success", "steps", "metrics.movement.ineffective_share"]
    return pl.DataFrame(rows, names, orient="row").with_columns(
        pl.lit("finished").alias("status"), pl.lit(9.0).alias("metrics.movement.moves"))  # fmt: skip


def test_published_averages_are_means_of_categories():
    for row in pokegym_published("success").to_dicts():
        ours = averages(published_rates(row["model"], row["granularity"]))
        assert 100 * ours.by_category == pytest.approx(row["avg_sr"], abs=0.011), row
        assert ours.steps == pytest.approx(row["avg_stp"], abs=0.011), row


def test_published_overall_of_gemini_is_the_mean_of_nine_cells():
    means = [averages(published_rates("Gemini-3-Pro", g)) for g in ("visual_guided", "step_guided", "goal_only")]
    assert round(100 * sum(a.by_category for a in means) / 3, 2) == 58.70


def test_published_leaderboard_follows_from_its_cells():
    overall = {
        "Gemini-3-Pro": 58.70, "GPT-5.2": 58.70, "GPT-5.4": 53.33, "Claude-Sonnet-4.6": 53.15, "Qwen3-VL-30B": 52.04,
        "Qwen3.5-122B": 47.78, "Qwen3.5-35B": 47.59, "GPT-5.4-mini": 46.30, "Qwen3.5-Plus": 43.89, "GLM-4.6V": 42.41,
        "GPT-5.4-nano": 36.67,
    }  # fmt: skip
    texts = ("visual_guided", "step_guided", "goal_only")
    for model, printed in overall.items():
        means = [averages(published_rates(model, g)).by_category for g in texts]
        assert 100 * sum(means) / 3 == pytest.approx(printed, abs=0.011), model


def test_published_ablation_baseline_pools_all_texts():
    nav = [published_rates("GPT-5.2", g)["nav"] for g in ("visual_guided", "step_guided", "goal_only")]
    won = sum(r.successes for r in nav)
    assert sum(r.successes * (r.steps or 0) for r in nav) / won == pytest.approx(101.11, abs=0.011)
    baseline = pokegym_published("studies").filter(study="interventions", arm="none").to_dicts()[0]
    assert 100 * won / 60 == pytest.approx(baseline["nav_sr"], abs=0.011)


def test_published_correlation_needs_unpublished_points():
    """Means of models and categories, which are printed, have a weaker one: −0.57, −0.65, −0.52 cannot be had."""
    im, sr = [], []
    for row in pokegym_published("behaviour").to_dicts():
        texts = pokegym_published("success").filter(model=row["model"])
        rate = texts[f"{row['category'][:3]}_sr"].mean() / 100
        im.append(rate * row["ok_im"] + (1 - rate) * row["fail_im"])
        sr.append(rate)
    found = correlation(im, sr)
    assert found is not None and (found.n, round(found.r, 2)) == (24, -0.26) and found.p > 0.05
    assert pokegym_published("correlation")["r"].max() < -0.5


def test_steps_are_of_successful_episodes_only():
    nav = [("a", "1", "nav", won, steps, 0.1) for won, steps in ((True, 10), (True, 30), (False, 99))]
    frame = episodes(*nav, ("a", "2", "mix", False, 50, 1))
    rates = category_rates(frame)["a"]
    assert rates == {"mix": CategoryRate(0, 1, None), "nav": CategoryRate(2, 3, 20)}
    assert averages(rates).steps == 20 and averages(rates).by_category == pytest.approx(1 / 3)


def test_movement_measures_by_outcome():
    frame = episodes(*[("a", "1", "nav", won, 1, im) for won, im in ((True, 0.1), (False, 0.5), (False, None))])
    good, bad = behaviour(frame)
    assert (good.success, good.episodes, good.ineffective, good.recovered) == (True, 1, 0.1, None)
    assert (bad.success, bad.episodes, bad.ineffective) == (False, 2, 0.5)
    assert behaviour(frame.drop("metrics.movement.ineffective_share")) == []


def test_correlation_is_over_tasks():
    rows = [("a", str(t), "nav", t > 3, 1, 1 - t / 10) for t in range(6)]
    rows += [("a", "0", "nav", True, 1, 0.5)]
    found = success_by_immobility(episodes(*rows))
    assert found is not None and found.n == 6 and found.r < -0.4
    assert success_by_immobility(episodes(*rows[:2])) is None
    assert success_by_immobility(episodes(*[(*r[:5], 0.5) for r in rows])) is None, "one that does not vary"


def test_correlation_equals_ordinary_regression():
    x = [0.02, 0.05, 0.11, 0.16, 0.2, 0.31, 0.37, 0.5]
    y = [0.9, 1.0, 0.7, 0.8, 0.4, 0.45, 0.2, 0.1]
    found = correlation(x, y)
    fit = OLS(y, add_constant(x)).fit()
    assert found is not None
    assert (found.intercept, found.slope) == pytest.approx(tuple(fit.params))
    assert found.r == pytest.approx(-math.sqrt(fit.rsquared)) and found.p == pytest.approx(fit.pvalues[1])
    (low, high) = fit.get_prediction([[1, 0.25]]).conf_int()[0]
    assert found.band(0.25) == pytest.approx((low, high))


def test_published_failures_are_stuck_more_than_successes():
    rows = pokegym_published("behaviour").to_dicts()
    assert len(rows) == 24 and all(r["fail_im"] > r["ok_im"] for r in rows)


def test_complexity_equals_the_publication():
    assert action_complexity(7, 3) == 343 and stick_choices() == 18_543
    assert action_complexity(stick_choices(), 3) == pytest.approx(6.38e12, rel=1e-3)
    assert math.log10(action_complexity(7, 360)) == pytest.approx(304, abs=0.5)
    assert int(math.log10(action_complexity(stick_choices(), 360))) == 1536
    assert state_complexity(187, 1) == 67_320


def test_published_correlations_with_other_benchmarks():
    """All 15 values that PokeGym's appendix G names come out of its table 11, within rounding of the table."""
    ours = {r["model"]: {k: r[k] for k in GAME_SCORES} for r in pokegym_published("external").to_dicts()}
    found = external_correlations(ours, external_scores())
    for row in pokegym_published("external_r").to_dicts():
        assert found[row["score"], row["benchmark"]].r == pytest.approx(row["r"], abs=0.023), row
    assert external_correlations(dict(list(ours.items())[:2]), external_scores())["mixed", "gpqa"] is None
