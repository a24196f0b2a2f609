"""Samples and summaries from the metrics text of an engine."""

import pytest

from gwray.serving.metrics import History, parse


def page(model="tiny-vl", *, running=2, waiting=1, queries=1000, hits=250, generated=100, ended=5, kv=0.25):
    return "\n".join(
        [
            "# HELP vllm:num_requests_running Requests.",
            f'vllm:num_requests_running{{engine="0",model_name="{model}"}} {running}',
            f'vllm:num_requests_waiting{{engine="0",model_name="{model}"}} {waiting}',
            f'vllm:num_requests_waiting_by_reason{{engine="0",model_name="{model}",reason="capacity"}} 99',
            f'vllm:kv_cache_usage_perc{{engine="0",model_name="{model}"}} {kv}',
            f'vllm:prefix_cache_queries_total{{engine="0",model_name="{model}"}} {queries}',
            f'vllm:prefix_cache_hits_total{{engine="0",model_name="{model}"}} {hits}',
            f'vllm:prompt_tokens_total{{engine="0",model_name="{model}"}} 4.016e+03',
            f'vllm:generation_tokens_total{{engine="0",model_name="{model}"}} {generated}',
            f'vllm:request_success_total{{engine="0",finished_reason="stop",model_name="{model}"}} {ended}',
            f'vllm:request_success_total{{engine="0",finished_reason="length",model_name="{model}"}} 1',
        ]
    )


def test_replicas_are_summed_without_other_models():
    now = parse({"a": page(kv=0.1), "b": page(running=3, kv=0.7), "c": page("other", running=50)}, "tiny-vl")
    assert (now.replicas, now.total("waiting"), now.total("requests")) == (2, 2, 12)
    reading = History("tiny-vl").add(now)
    assert (reading.running, reading.kv_usage, reading.generation_tokens_per_s) == (5, 0.7, None)


def test_page_without_metrics_has_no_replicas():
    assert parse({"a": "python_info 1.0\n", "b": ""}, "tiny-vl").replicas == 0


def test_rates_are_since_previous_sample():
    history = History("tiny-vl")
    history.add(parse({"a": page()}, "tiny-vl", 10))
    one = history.add(parse({"a": page(queries=1100, hits=340, generated=300)}, "tiny-vl", 20))
    assert (one.generation_tokens_per_s, one.prefix_cache_hit_rate, one.requests_per_s) == (20, 0.9, 0)


def test_summary_has_busy_share():
    history = History("tiny-vl")
    for second, running in enumerate([0, 4, 4, 2]):
        text = page(running=running, waiting=0, generated=100 + 50 * second, ended=5 + second)
        history.add(parse({"a": text}, "tiny-vl", second))
    summary = history.summary()
    assert (summary.busy_share, summary.samples) == (0.75, 4)
    assert (summary.generation_tokens_per_s, summary.requests, summary.restarts) == (50, 3, 0)


def test_replaced_engine_does_not_decrease_counters():
    history = History("tiny-vl")
    for second, generated in enumerate([1000, 1200, 30, 80]):
        history.add(parse({"a": page(generated=generated)}, "tiny-vl", second))
    summary = history.summary()
    assert summary.restarts == 1
    assert summary.generation_tokens_per_s == pytest.approx((200 + 30 + 50) / 3)


def test_replicas_are_counted_separately():
    """One is replaced (at a new address), one is out of reach for a moment, one is added: nothing is counted twice."""
    history = History("tiny-vl")
    for second, engines in enumerate(
        [{"a": 100, "b": 1000}, {"a": 150}, {"a": 200, "b": 1100}, {"c": 10, "b": 1200}, {"c": 40, "b": 1300, "d": 5}]
    ):
        history.add(parse({k: page(generated=g) for k, g in engines.items()}, "tiny-vl", second))
    summary = history.summary()
    assert summary.generation_tokens_per_s == pytest.approx((100 + 40 + 300 + 5) / 4)
    assert summary.restarts == 1 and summary.engine_hours == pytest.approx((1 + 2 + 2 + 3) / 3600)


def test_no_samples_give_empty_summary():
    assert History("tiny-vl").summary().busy_share is None
