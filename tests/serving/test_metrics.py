"""Samples and summaries from the metrics text of an engine."""

import pytest

from gwray.serving.metrics import History, parse, sample


def page(
    model="tiny-vl", *, running=2, waiting=1, queries=1000, hits=250, generated=100, ended=5, kv=0.25, prefix="vllm:"
):
    return "\n".join(
        [
            "# HELP vllm:num_requests_running Requests.",
            f'{prefix}num_requests_running{{engine="0",model_name="{model}"}} {running}',
            f'{prefix}num_requests_waiting{{engine="0",model_name="{model}"}} {waiting}',
            f'{prefix}num_requests_waiting_by_reason{{engine="0",model_name="{model}",reason="capacity"}} 99',
            f'{prefix}kv_cache_usage_perc{{engine="0",model_name="{model}"}} {kv}',
            f'{prefix}prefix_cache_queries_total{{engine="0",model_name="{model}"}} {queries}',
            f'{prefix}prefix_cache_hits_total{{engine="0",model_name="{model}"}} {hits}',
            f'{prefix}mm_cache_queries_total{{engine="0",model_name="{model}"}} 0.0',
            f'{prefix}mm_cache_hits_total{{engine="0",model_name="{model}"}} 0.0',
            f'{prefix}prompt_tokens_total{{engine="0",model_name="{model}"}} 4.016e+03',
            f'{prefix}generation_tokens_total{{engine="0",model_name="{model}"}} {generated}',
            f'{prefix}request_success_total{{engine="0",finished_reason="stop",model_name="{model}"}} {ended}',
            f'{prefix}request_success_total{{engine="0",finished_reason="length",model_name="{model}"}} 1',
        ]
    )


def test_replicas_are_summed_without_other_models():
    now = parse([page(kv=0.1), page(running=3, kv=0.7), page("other", running=50)], "tiny-vl")
    assert (now.replicas, now.running, now.waiting, now.kv_usage, now.requests) == (2, 5, 2, 0.7, 12)


@pytest.mark.parametrize("prefix", ["vllm:", "ray_vllm_"])
def test_engine_page_and_ray_exporter_are_parsed(prefix):
    assert parse([page(prefix=prefix)], "tiny-vl").prompt_tokens == 4016


def test_server_without_metrics_has_no_replicas():
    assert parse(["python_info 1.0\n", ""], "tiny-vl").replicas == 0


def test_rates_are_since_previous_sample():
    before, now = parse([page()], "tiny-vl", 10), parse([page(queries=1100, hits=340, generated=300)], "tiny-vl", 20)
    one = sample("tiny-vl", now, before)
    assert (one.generation_tokens_per_s, one.prefix_cache_hit_rate, one.mm_cache_hit_rate) == (20, 0.9, None)
    assert one.running + one.waiting > 0


def test_summary_has_busy_share():
    history = History("tiny-vl")
    for second, running in enumerate([0, 4, 4, 2]):
        history.add(
            parse([page(running=running, waiting=0, generated=100 + 50 * second, ended=5 + second)], "tiny-vl", second)
        )
    summary = history.summary()
    assert (summary.busy_share, summary.mean_running, summary.seconds) == (0.75, 2.5, 3)
    assert (summary.generation_tokens_per_s, summary.requests, summary.restarts) == (50, 3, 0)


def test_replaced_engine_does_not_decrease_counters():
    history = History("tiny-vl")
    for second, generated in enumerate([1000, 1200, 30, 80]):
        history.add(parse([page(generated=generated)], "tiny-vl", second))
    summary = history.summary()
    assert summary.restarts == 1
    assert summary.generation_tokens_per_s == pytest.approx((200 + 30 + 50) / 3)


def test_replicas_are_counted_separately():
    """One is replaced (at a new address), one is out of reach for a moment, one is added: nothing is counted twice."""
    history = History("tiny-vl")
    for second, engines in enumerate(
        [
            {"a": 100, "b": 1000},
            {"a": 150},
            {"a": 200, "b": 1100},
            {"c": 10, "b": 1200},
            {"c": 40, "b": 1300, "d": 5},
        ]
    ):
        history.add(parse({k: page(generated=g) for k, g in engines.items()}, "tiny-vl", second))
    summary = history.summary()
    assert summary.generation_tokens_per_s == pytest.approx((100 + 40 + 300 + 5) / 4)
    assert summary.restarts == 1 and summary.engine_hours == pytest.approx((1 + 2 + 2 + 3) / 3600)


def test_no_samples_give_empty_summary():
    assert History("tiny-vl").summary().busy_share is None
