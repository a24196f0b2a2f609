"""The latency that realtime timing charges."""

import pytest

from gwray.errors import UsageError
from gwray.pipelines.latency import parse_latency
from gwray.records import Reply
from gwray.settings import TimingSpec

WHERE = {"task": "13_01", "seed": 42, "repeat": 0, "decision": 3, "role": "player"}


def charge(rule: str, mode: str = "realtime", seed: int = 0, measured: float = 321.5, **where) -> float:
    timing = TimingSpec(mode=mode, latency=rule, latency_seed=seed)  # type: ignore[arg-type]
    return parse_latency(timing).charge(Reply(latency_ms=measured), **(WHERE | where))


def test_measured_charges_what_the_log_says():
    assert charge("measured") == 321.5


def test_fixed_charges_the_same_always():
    assert {charge("fixed:250", decision=s) for s in range(5)} == {250}


@pytest.mark.parametrize("rule", ["uniform:100,400", "normal:300,50", "lognormal:300,0.5", "exponential:300"])
def test_draws_depend_on_seed_and_position_only(rule):
    draws = [charge(rule, decision=s) for s in range(200)]
    assert draws == [charge(rule, decision=s, measured=9.0) for s in range(200)]
    assert len(set(draws)) > 190
    assert draws != [charge(rule, decision=s, seed=1) for s in range(200)]
    assert draws != [charge(rule, decision=s, call=1) for s in range(200)], "every question draws its own"
    assert 150 < sum(draws) / 200 < 450
    assert min(draws) >= 0


def test_no_charge_is_longer_than_a_minute():
    assert charge("fixed:1e9") == 60_000


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ({"mode": "adaptive"}, r"timing=adaptive needs .* timing.paused_in=\[combat\], or use timing=realtime"),
        (
            {"mode": "realtime", "paused_in": ("a", "b")},
            r"timing.paused_in=\[a,b\] with timing=realtime: only timing=adap",
        ),
    ],
)
def test_paused_in_needs_adaptive_timing(words, why):
    with pytest.raises(ValueError, match=why):
        TimingSpec(**words)


@pytest.mark.parametrize(
    "rule", ["", "fixed", "fixed:", "fixed:-1", "fixed:1,2", "gauss:1,2", "uniform:1", "fixed:nan", "exponential:0"]
)
def test_invalid_latency_names_allowed_forms(rule):
    with pytest.raises(UsageError, match=r"measured, fixed:MS, uniform:LOW,HIGH"):
        parse_latency(TimingSpec(mode="realtime", latency=rule))
