"""Progress of a run for Prometheus: `/runs/NAME/metrics` of the served site.

Gauges, computed on request from the run directory.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, CollectorRegistry, Gauge, generate_latest

if TYPE_CHECKING:
    from gwray.pipelines import RunStatus

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
_ENGINE = {
    "replicas": "Responding replicas of a hosted model",
    "running": "Requests being processed, over all replicas",
    "waiting": "Requests queued in engines",
    "kv_usage": "Share of the key-value cache in use, of the fullest replica",
    "lanes": "Episodes played with the model",
    "lanes_waiting": "Lanes without an episode, because the model has reached its limits",
    "requests_per_s": "Requests ended a second",
    "prompt_tokens_per_s": "Prompt tokens read a second",
    "generation_tokens_per_s": "Tokens generated a second",
}


def metrics(run: str, status: RunStatus, lanes: tuple[int, int] | None) -> bytes:
    """Metrics of a run in Prometheus' text format. `lanes`: playing lanes, and those of them that wait for a model that
    does not answer; None without `executor.live`."""
    registry = CollectorRegistry()

    def put(name: str, help: str, values: Mapping[tuple[str, ...], float | None], *labels: str) -> None:
        gauge = Gauge(f"gwray_{name}", help, ["run", *labels], registry=registry)
        for key, value in values.items():
            if value is not None:
                gauge.labels(run, *key).set(value)

    states = {"planned": status.planned, "finished": status.finished, "failed": status.failed, "left": status.left,
              "begun": len(status.now)}  # fmt: skip
    put("episodes", "Episodes by state", {(state,): n for state, n in states.items()}, "state")
    put("driven", "1 while the run is played", {(): float(status.driven)})
    put("held", "1 while a command works on the run, by command",
        {(status.holder.doing,): 1} if status.holder else {}, "doing")  # fmt: skip
    put("lanes", "Playing lanes, and lanes that wait for a model that does not answer; absent without executor.live",
        {(s,): n for s, n in zip(("playing", "held_back"), lanes or (None, None), strict=True)}, "state")  # fmt: skip
    finished = {(model,): done for model, (done, _) in status.models.items()}
    planned = {(model,): planned for model, (_, planned) in status.models.items()}
    put("model_episodes_finished", "Finished episodes by model", finished, "model")
    put("model_episodes_planned", "Planned episodes by model", planned, "model")
    machines = {(machine,): n for machine, n in status.machines.items()}
    put("machine_episodes_finished", "Finished episodes by node", machines, "machine")
    failures = {(error,): n for error, n in status.failures.items()}
    put("failures", "Episodes whose last attempt failed, by class of error", failures, "error")
    tokens = {("input",): status.input_tokens, ("output",): status.output_tokens}
    put("tokens", "Tokens of all replies so far", tokens, "kind")
    put("cost_usd", "Cost of all replies so far; absent if a price is unknown", {(): status.cost_usd})
    put("episodes_per_minute", "Of the last ten minutes", {(): status.episodes_per_minute})
    put("steps_per_second", "Of the last ten minutes", {(): status.steps_per_second})
    put("eta_seconds", "Time to the end at this rate; absent if no episode ended recently", {(): status.eta_s})
    for field, help in _ENGINE.items():
        values: dict[tuple[str, ...], float | None] = {(one.model,): getattr(one, field) for one in status.engines}
        put(f"engine_{field}", help, values, "model")
    return generate_latest(registry)
