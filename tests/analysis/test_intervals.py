"""Intervals agree with independent implementations, and cover what they promise to cover."""

import errorbars
import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import stdtrit
from scipy.stats import binomtest, norm
from statsmodels.stats.proportion import proportion_confint

from gwray.analysis import LEAST_GAMES, bounded_mean, paired_difference, same_tasks
from gwray.analysis.intervals import GameClusters, clustered_mean
from gwray.analysis.reruns import ONE_REPEAT
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
    level = 2 * norm.sf(stdtrit(bounded_mean(x, np.arange(170)).df, 0.975))
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
    one, ten = bounded_mean(once, GAMES), bounded_mean(often, GAMES, episodes=1700)
    assert (ten.high - ten.low) < 0.5 * (one.high - one.low)


@pytest.mark.parametrize(("moved", "df"), [(0, 2.5), (1, 2.5), (4, 4.0), (34, 33.0)])
def test_games_without_a_difference_say_nothing_about_its_spread(moved, df):
    a = np.where(np.arange(34) < moved, np.where(np.arange(34) % 2, 0.5, 0.3), 0.0)
    assert paired_difference(a, np.zeros(34), np.arange(34)).df == pytest.approx(df)


def test_fewer_than_four_games_have_no_interval():
    x, games = np.array([0.2, 0.4, 0.6]), np.arange(3)
    for e in (bounded_mean(x, games), paired_difference(x, x[::-1], games)):
        assert (e.low, e.high) == (None, None) and e.method == f"fewer than {LEAST_GAMES} games: no interval"
    assert bounded_mean([*x, 0.8], range(4)).low is not None


def of_games(*wins: int, tasks: int = 5):
    """A task for each win and loss, `tasks` for each game."""
    return [float(k < n) for n in wins for k in range(tasks)], np.repeat(np.arange(len(wins)), tasks)


@pytest.mark.parametrize(
    ("even", "uneven", "tasks"),
    [((5, 5, 5, 5), (6, 5, 5, 4), 25), ((1,) * 34, (2, *(1,) * 32, 0), 5), ((3,) * 19, (4, *(3,) * 17, 2), 5)],
)
def test_agreement_of_games_has_no_cliff(even, uneven, tasks):
    """Games that agree: neither the widest interval, nor a shorter one than independent wins and losses have."""
    widths = []
    for wins in (even, uneven):
        x, games = of_games(*wins, tasks=tasks)
        e = bounded_mean(x, games)
        widths.append(e.high - e.low)
        if 0 < e.value < 1:
            low, high = proportion_confint(sum(x), len(x), method="wilson")
            assert e.high - e.low >= high - low - 1e-9
    assert widths[0] <= widths[1] * 1.001 and widths[1] < widths[0] * 1.5


@pytest.mark.parametrize(("games", "repeats"), [(4, 1), (4, 100), (34, 3)])
def test_all_lost_has_the_exact_interval_of_games(games, repeats):
    exact = binomtest(0, games).proportion_ci(method="exact").high
    lost, won = (bounded_mean([x] * games, range(games), episodes=games * repeats) for x in (0.0, 1.0))
    assert (lost.low, lost.high) == pytest.approx((0, exact)) and (won.low, won.high) == pytest.approx((1 - exact, 1))


def test_interval_changes_smoothly_with_the_number_of_games():
    rng = np.random.default_rng(21)
    p = rng.beta(0.5, 2.0, (400, 20, 1))
    x = rng.binomial(3, np.broadcast_to(p, (400, 20, 5))) / 3
    for ends in (lambda c, y: c.bounded(y, 3 * y.shape[-1]), lambda c, y: c.unbounded(y - 0.2, 0.0)):
        widths = []
        for g in (18, 19, 20):
            low, high, *_ = ends(GameClusters(np.repeat(np.arange(g), 5)), x[:, :g].reshape(400, -1))
            widths.append(np.median(high - low))
        assert widths[0] > widths[1] > widths[2] > 0.95 * widths[1]


def test_pair_without_spread_has_an_interval():
    a, b = [1.0, 1, 1, 1, 0] * 8, [0.0, 0, 0, 0, 1] * 8
    d = paired_difference(a, b, np.repeat(np.arange(8), 5))
    assert d.value == pytest.approx(0.6) and 0.2 < d.low < 0.5 and 0.7 < d.high < 1
    same = paired_difference(a, a, np.repeat(np.arange(8), 5))
    assert same.low < 0 < same.high < 0.1


def test_dominant_game_takes_its_spread_from_the_others():
    """Its own sum is close to the mean by chance: it must not look as if there were no spread."""
    games = np.repeat(np.arange(34), [60, *[5] * 33])
    small = np.repeat(np.random.default_rng(22).permutation(np.linspace(0, 1, 33)), 5)
    x = np.concatenate([np.full(60, 0.5), small])
    e = clustered_mean(x, games)
    assert e.se > 2 * np.sqrt(((small - 0.5) ** 2).sum() * 5) / 225


def test_same_tasks_interval():
    """Known answers, and that it exists for one game, one repeat and one episode."""
    tasks = np.repeat(np.arange(40), 3)
    x = np.random.default_rng(23).binomial(1, 0.3, 120)
    e = same_tasks(x, tasks)
    variances = x.reshape(40, 3).var(axis=1, ddof=1)
    assert e.se == pytest.approx(np.sqrt((variances / 3).sum()) / 40)
    assert e.kind == "tasks" and e.low < e.value < e.high
    for values, task in (([0.0, 0.0], [0, 0]), ([1.0, 0.0, 0.5], [0, 1, 2]), ([0.4] * 6, [0, 1] * 3)):
        few = same_tasks(values, task)
        assert few.low is not None and few.high > few.low
    assert same_tasks([1.0], [0]).low is None, "one task and one repeat have none"
    exact = binomtest(1, 4).proportion_ci(method="exact")
    assert (once := same_tasks([1.0, 0, 0, 0], range(4))).method == ONE_REPEAT and once.high == pytest.approx(
        exact.high
    )
    certain = same_tasks([0.0, 1.0] * 3, [0, 1] * 3)
    assert certain.high - certain.low < bounded_mean([0.0, 1.0], [0, 1]).value * 2


def test_bounded_mean_refuses_values_out_of_range():
    with pytest.raises(ValueError, match=r"from 0\.1 to 1\.5.*from 0 to 1"):
        bounded_mean([0.2, 1.5, 0.3, 0.1], range(4))


def test_unbounded_difference_is_not_clipped():
    rng = np.random.default_rng(15)
    a, b = rng.random(170) * 3, rng.random(170)
    assert paired_difference(a, b, GAMES).high == clustered_mean(a - b, GAMES).high


def test_clustered_error_equals_statsmodels():
    rng = np.random.default_rng(1)
    games = np.arange(180) % 20
    x = rng.normal(size=180) + games / 5
    fit = sm.OLS(x, np.ones(180)).fit(cov_type="cluster", cov_kwds={"groups": games}, use_t=True)
    e = clustered_mean(x, games)
    corrected = np.sqrt(179 / 180)  # statsmodels' factor for the degrees of freedom of the mean
    assert e.se == pytest.approx(fit.bse[0] * corrected, rel=0.01)
    assert e.se == pytest.approx(errorbars.cluster_robust_se(x, games), rel=1e-9)
    t = stdtrit(e.df, 0.975) / stdtrit(games.max(), 0.975) * e.se / fit.bse[0]
    half = np.ptp(fit.conf_int()[0]) / 2 * t
    assert (e.low, e.high) == pytest.approx((x.mean() - half, x.mean() + half), rel=1e-9)


def test_clustered_error_agrees_with_a_mixed_model():
    rng = np.random.default_rng(2)
    x = draw(rng, 1)[0]
    fit = sm.MixedLM(x, np.ones(170), groups=GAMES).fit(reml=True)
    variances = GameClusters(GAMES).robust_variance
    assert np.sqrt(variances(x)) == pytest.approx(fit.bse_fe[0], rel=0.03)
    assert clustered_mean(x, GAMES).value == pytest.approx(fit.fe_params[0], abs=1e-9)
    truth = np.sqrt(0.15**2 / 34 + 0.2**2 / 170)
    assert np.mean(variances(draw(rng, 400))) == pytest.approx(truth**2, rel=0.05)


def test_one_game_has_no_clustered_interval():
    e = clustered_mean([0.1, 0.5], ["a", "a"])
    assert e.value == pytest.approx(0.3)
    assert (e.low, e.high, e.se) == (None, None, None)


def test_values_without_spread_claim_no_certainty():
    e = clustered_mean([1.0] * 170, GAMES)
    assert 0 < e.high - e.low < 0.05
    e = bounded_mean([1.0] * 170, GAMES)
    assert e.high == 1 and e.low < 0.95


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


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_non_finite_values_are_refused(odd):
    x, ones = [odd, *[0.5] * 33], [0.5] * 34
    for refusing in (
        lambda: bounded_mean(x, range(34)),
        lambda: clustered_mean(x, range(34)),
        lambda: paired_difference(x, ones, range(34)),
        lambda: sign_flip(x),
    ):
        with pytest.raises(ValueError, match=r"finite|from 0 to 1"):
            refusing()
