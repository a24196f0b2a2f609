"""Distributions agree with scipy, which is not used for them because its import takes too long."""

import pytest
from scipy.special import betainc, betaincinv, stdtr, stdtrit

from gwray.analysis.distributions import beta_cdf, beta_quantile, t_quantiles, t_tails

DF = (1, 2, 2.5, 4, 7.3, 33, 1000.5, 1e4)


@pytest.mark.parametrize("level", [0.5, 0.6, 0.95, 0.99])
def test_t_quantiles(level):
    assert t_quantiles(level, DF) == pytest.approx(stdtrit(DF, 0.5 + level / 2), rel=1e-10)


@pytest.mark.parametrize("t", [0, 1e-3, 0.7, -1.96, 10, 1e4])
def test_t_tails(t):
    assert [t_tails(t, df) for df in DF] == pytest.approx(2 * stdtr(DF, -abs(t)), rel=1e-10)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (1.5, 0.5), (16.5, 0.5), (3, 40)])
def test_beta(a, b):
    for p in (1e-9, 0.0015, 0.5, 0.99):
        assert beta_quantile(p, a, b) == pytest.approx(betaincinv(a, b, p), rel=1e-10)
        assert beta_cdf(p, a, b) == pytest.approx(betainc(a, b, p), rel=1e-10)
    assert (beta_cdf(0, a, b), beta_cdf(1, a, b)) == (0, 1)
