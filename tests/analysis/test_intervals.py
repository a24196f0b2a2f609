"""Intervals agree with independent implementations, and cover what they promise to cover."""

import errorbars
import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import stdtrit
from scipy.stats import trim_mean
from statsmodels.stats.proportion import proportion_confint

from gwray.analysis import cluster_bootstrap, clustered_mean, clustered_se, iqm, wilson

GAMES = np.repeat(np.arange(34), 5)


def draw(rng, runs, mean=0.4, between=0.15, within=0.2):
    """`runs` benchmarks of 34 games × 5 tasks whose games share a random effect."""
    game = rng.normal(0, between, (runs, 34)).repeat(5, axis=1)
    return mean + game + rng.normal(0, within, (runs, 170))


@pytest.mark.parametrize(("k", "n"), [(0, 170), (1, 170), (35, 170), (170, 170), (3, 5), (0, 1)])
def test_wilson_equals_statsmodels_and_errorbars(k, n):
    ours = wilson(k, n)
    assert (ours.low, ours.high) == pytest.approx(proportion_confint(k, n, method="wilson"), abs=1e-12)
    theirs = errorbars.wilson_ci(k, n)
    assert (ours.low, ours.high) == pytest.approx((theirs.ci_low, theirs.ci_high), abs=1e-9)


def test_clustered_error_equals_statsmodels_and_errorbars_on_unequal_clusters():
    rng = np.random.default_rng(1)
    games = rng.integers(0, 12, 90)
    x = rng.normal(size=90) + games / 5
    fit = sm.OLS(x, np.ones(90)).fit(cov_type="cluster", cov_kwds={"groups": games}, use_t=True)
    e = clustered_mean(x, games)
    assert e.se == pytest.approx(fit.bse[0], rel=1e-9)
    assert e.se == pytest.approx(errorbars.cluster_robust_se(x, games), rel=1e-9)
    assert (e.low, e.high) == pytest.approx(tuple(fit.conf_int()[0]), rel=1e-9)


def test_clustered_error_agrees_with_a_mixed_model_on_data_with_known_truth():
    rng = np.random.default_rng(2)
    x = draw(rng, 1)[0]
    fit = sm.MixedLM(x, np.ones(170), groups=GAMES).fit(reml=True)
    assert clustered_se(x, GAMES) == pytest.approx(fit.bse_fe[0], rel=0.03)
    assert clustered_mean(x, GAMES).value == pytest.approx(fit.fe_params[0], abs=1e-9)
    truth = np.sqrt(0.15**2 / 34 + 0.2**2 / 170)
    many = [clustered_se(y, GAMES) for y in draw(rng, 400)]
    assert np.mean(np.square(many)) == pytest.approx(truth**2, rel=0.05)


def test_one_game_has_no_clustered_interval():
    e = clustered_mean([0.1, 0.5], ["a", "a"])
    assert e.value == pytest.approx(0.3)
    assert (e.low, e.high, e.se) == (None, None, None)


def test_values_without_spread_claim_no_certainty():
    for e in (clustered_mean([1.0] * 4, list("aabb")), cluster_bootstrap([1.0] * 4, list("aabb"))):
        assert (e.value, e.low, e.high) == (1.0, None, None)


def test_an_interval_of_progress_stays_where_progress_can_be():
    e = clustered_mean([1.0, 0.2, 1.0, 1.0], list("abcd"), bounds=(0, 1))
    assert e.high == 1.0 and e.low is not None and e.low >= 0


def test_iqm_is_the_quarter_trimmed_mean_and_moves_smoothly_between_multiples_of_four():
    rng = np.random.default_rng(3)
    x = rng.random(40)
    assert iqm(x) == pytest.approx(trim_mean(x, 0.25))
    assert iqm([0, 1, 2]) == pytest.approx(1.0)
    assert iqm([0.0, 1.0, 5.0, 9.0], [1, 1, 1, 1]) == pytest.approx(3.0)
    # A value of weight 2 is the value twice.
    assert iqm([1, 2, 7], [2, 1, 1]) == pytest.approx(iqm([1, 1, 2, 7]))


def test_the_bootstrap_is_a_function_of_its_seed():
    x = draw(np.random.default_rng(4), 1)[0]
    assert cluster_bootstrap(x, GAMES, seed=5) == cluster_bootstrap(x, GAMES, seed=5)
    assert cluster_bootstrap(x, GAMES, seed=5) != cluster_bootstrap(x, GAMES, seed=6)


def test_bootstrap_and_clustered_t_tell_the_same_story():
    x = draw(np.random.default_rng(6), 1)[0]
    a, b = clustered_mean(x, GAMES), cluster_bootstrap(x, GAMES, resamples=8000)
    assert b.value == pytest.approx(a.value)
    assert (b.low, b.high) == pytest.approx((a.low, a.high), abs=0.005)


def test_clustered_t_intervals_cover_95_percent():
    rng = np.random.default_rng(7)
    x = draw(rng, 6000)
    mean = x.mean(axis=1)
    covered = 0
    for i in range(6000):
        e = clustered_mean(x[i], GAMES)
        covered += e.low <= 0.4 <= e.high
    assert 0.93 <= covered / 6000 <= 0.97
    # The same without clustering would be too narrow, which is why it is not offered.
    naive = x.std(axis=1, ddof=1) / np.sqrt(170) * stdtrit(169, 0.975)
    assert (np.abs(mean - 0.4) <= naive).mean() < 0.90


@pytest.mark.parametrize(("statistic", "runs"), [("mean", 1200), ("iqm", 1200)])
def test_bootstrap_intervals_cover_95_percent(statistic, runs):
    x = draw(np.random.default_rng(8), runs)
    covered = 0
    for i in range(runs):
        e = cluster_bootstrap(x[i], GAMES, statistic=statistic, resamples=500, seed=i)
        covered += e.low <= 0.4 <= e.high
    assert 0.93 <= covered / runs <= 0.97


@pytest.mark.parametrize("p", [0.13, 0.2, 0.5])
def test_wilson_intervals_cover_95_percent(p):
    wins = np.random.default_rng(9).binomial(170, p, 4000)
    intervals = {k: wilson(int(k), 170) for k in np.unique(wins)}
    covered = np.mean([intervals[k].low <= p <= intervals[k].high for k in wins])
    assert 0.93 <= covered <= 0.97
