"""Intervals agree with independent implementations, and cover what they promise to cover."""

import errorbars
import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import stdtrit
from scipy.stats import norm, skew, trim_mean
from statsmodels.stats.proportion import proportion_confint

from gwray.analysis import FEW_GAMES, LEAST_GAMES, bounded_mean, paired_difference
from gwray.analysis.intervals import (
    SKEW_OF_DIFFERENCES,
    SKEW_OF_MEANS,
    cluster_bootstrap,
    clustered_mean,
    clustered_se,
    iqm,
    spread_df,
)
from gwray.analysis.sign_flip import sign_flip

GAMES = np.repeat(np.arange(34), 5)


def draw(rng, runs, mean=0.4, between=0.15, within=0.2):
    """`runs` benchmarks of 34 games × 5 tasks whose games share a random effect."""
    game = rng.normal(0, between, (runs, 34)).repeat(5, axis=1)
    return mean + game + rng.normal(0, within, (runs, 170))


@pytest.mark.parametrize("k", [4, 35, 85, 150])
def test_independent_wins_have_wilson_interval(k):
    """One task a game: nothing is clustered, and all tasks but the one for the mean are effective."""
    x = np.arange(170) < k
    e = bounded_mean(x, np.arange(170))
    z = stdtrit(spread_df(x, np.arange(170), SKEW_OF_MEANS), 0.975)
    level = 2 * norm.sf(z)
    assert (e.low, e.high) == pytest.approx(
        proportion_confint(k * 169 / 170, 169, alpha=level, method="wilson"), abs=1e-9
    )
    theirs = errorbars.wilson_ci(k, 170)
    assert (e.low, e.high) == pytest.approx((theirs.ci_low, theirs.ci_high), abs=0.03)


def test_correlated_wins_widen_the_interval():
    together, apart = np.arange(170) < 85, np.arange(170) % 2 == 0
    wide, narrow = bounded_mean(together, GAMES), bounded_mean(apart, GAMES)
    assert wide.value == narrow.value == 0.5
    assert (wide.high - wide.low) > 2 * (narrow.high - narrow.low)
    # As wide as 34 tasks of games that are won or lost whole.
    assert (wide.low, wide.high) == pytest.approx(proportion_confint(17, 34, method="wilson"), abs=0.01)


def test_repeats_and_progress_narrow_the_interval():
    rng = np.random.default_rng(12)
    once, often = rng.binomial(1, 0.5, 170), rng.binomial(10, 0.5, 170) / 10
    one, ten = bounded_mean(once, GAMES), bounded_mean(often, GAMES)
    assert (ten.high - ten.low) < 0.5 * (one.high - one.low)


def test_degrees_of_freedom_fall_with_skewness():
    x = np.zeros(34)
    x[0] = 1
    assert spread_df(np.arange(34.0), np.arange(34), 1) == pytest.approx(33)
    assert spread_df(x, np.arange(34), 1) == 2
    mild = np.random.default_rng(13).gamma(2, size=34)
    assert spread_df(mild, np.arange(34), 1.2) == pytest.approx(33 / (1 + 1.2 * skew(mild, bias=False) ** 2))


def test_fewer_than_four_games_have_no_interval():
    x, games = np.array([0.2, 0.4, 0.6]), np.arange(3)
    for e in (bounded_mean(x, games), paired_difference(x, x[::-1], games)):
        assert (e.low, e.high) == (None, None) and e.method == f"fewer than {LEAST_GAMES} games: no interval"
    assert bounded_mean([*x, 0.8], range(4)).low is not None


def test_few_games_limit_effective_tasks():
    """A small spread of seven games may be luck: 35 tasks of equal progress say no more than 35 wins and losses."""
    x = 0.3 + np.tile([-0.01, 0.01, 0, 0.02, -0.02], 7) + np.arange(35) // 5 / 100
    few = bounded_mean(x, np.repeat(np.arange(7), 5))
    assert (few.high - few.low) > 0.3 and "35 effective" in few.method
    many = bounded_mean(np.tile(x, 5), np.repeat(np.arange(FEW_GAMES + 15), 5))
    assert (many.high - many.low) < 0.05


def test_bounded_mean_refuses_values_out_of_range():
    with pytest.raises(ValueError, match=r"from 0\.1 to 1\.5.*from 0 to 1"):
        bounded_mean([0.2, 1.5, 0.3, 0.1], range(4))


def test_difference_of_few_games_combines_both_intervals():
    rng = np.random.default_rng(14)
    a, b, games = rng.random(35), rng.random(35), np.repeat(np.arange(7), 5)
    d, back = paired_difference(a, b, games), paired_difference(b, a, games)
    assert d.value == pytest.approx((a - b).mean()) and d.low < d.value < d.high
    assert (back.low, back.high) == pytest.approx((-d.high, -d.low))
    assert paired_difference(a, a, games).low is None, "no game differs: there is no spread to judge by"
    # Progress past 1 has no bounds to stand in for what few games do not show.
    assert paired_difference(a + 1, b, games).low is None


def test_unbounded_difference_is_not_clipped():
    rng = np.random.default_rng(15)
    a, b = rng.random(170) * 3, rng.random(170)
    assert paired_difference(a, b, GAMES).high == clustered_mean(a - b, GAMES).high


def test_clustered_se_equals_statsmodels():
    rng = np.random.default_rng(1)
    games = rng.integers(0, 24, 180)
    x = rng.normal(size=180) + games / 5
    fit = sm.OLS(x, np.ones(180)).fit(cov_type="cluster", cov_kwds={"groups": games}, use_t=True)
    e = clustered_mean(x, games)
    assert e.se == pytest.approx(fit.bse[0], rel=1e-9)
    assert e.se == pytest.approx(errorbars.cluster_robust_se(x, games), rel=1e-9)
    t = stdtrit(spread_df(x, games, SKEW_OF_DIFFERENCES), 0.975) / stdtrit(games.max(), 0.975)
    half = np.ptp(fit.conf_int()[0]) / 2 * t
    assert (e.low, e.high) == pytest.approx((x.mean() - half, x.mean() + half), rel=1e-9)


def test_clustered_se_agrees_with_a_mixed_model():
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
    for e in (clustered_mean([1.0] * 170, GAMES), cluster_bootstrap([1.0] * 170, GAMES)):
        assert (e.value, e.low, e.high) == (1.0, None, None)
    # Every game won: a game counts once, since nothing says that its tasks are more than one.
    e = bounded_mean([1.0] * 170, GAMES)
    assert e.high == 1 and e.low == pytest.approx(34 / (34 + stdtrit(33, 0.975) ** 2))


def test_iqm_is_the_quarter_trimmed_mean():
    rng = np.random.default_rng(3)
    x = rng.random(40)
    assert iqm(x) == pytest.approx(trim_mean(x, 0.25))
    assert iqm([0, 1, 2]) == pytest.approx(1.0)
    assert iqm([0.0, 1.0, 5.0, 9.0], [1, 1, 1, 1]) == pytest.approx(3.0)
    # A value of weight 2 is the value twice.
    assert iqm([1, 2, 7], [2, 1, 1]) == pytest.approx(iqm([1, 1, 2, 7]))


def test_bootstrap_depends_only_on_its_seed():
    x = draw(np.random.default_rng(4), 1)[0]
    assert cluster_bootstrap(x, GAMES, seed=5) == cluster_bootstrap(x, GAMES, seed=5)
    assert cluster_bootstrap(x, GAMES, seed=5) != cluster_bootstrap(x, GAMES, seed=6)


def test_bootstrap_agrees_with_clustered_t():
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


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_non_finite_values_are_refused(odd):
    x, ones = [odd, *[0.5] * 33], [0.5] * 34
    for refusing in (
        lambda: bounded_mean(x, range(34)),
        lambda: clustered_mean(x, range(34)),
        lambda: paired_difference(x, ones, range(34)),
        lambda: cluster_bootstrap(x, range(34)),
        lambda: sign_flip(x),
    ):
        with pytest.raises(ValueError, match=r"finite|from 0 to 1"):
            refusing()
