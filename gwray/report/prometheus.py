"""How far a run is, as Prometheus reads it: `/runs/NAME/metrics` of the served site.

Levels of this moment, made when they are asked for: nothing is counted here that the run directory does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, CollectorRegistry, Gauge, generate_latest

if TYPE_CHECKING:
    from gwray.pipelines import RunStatus

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
_ENGINE = {
    "replicas": "Engines of a hosted model that answer",
    "running": "Requests being worked on, over all replicas",
    "waiting": "Requests that an engine has and cannot work on yet",
    "kv_usage": "Share of the key-value cache in use, of the fullest replica",
    "lanes": "Episodes that play with the model",
    "lanes_waiting": "Lanes without an episode, because the model is asked as much as it takes",
    "requests_per_s": "Requests ended a second",
    "prompt_tokens_per_s": "Prompt tokens read a second",
    "generation_tokens_per_s": "Tokens generated a second",
}


def metrics(name: str, status: RunStatus, lanes: tuple[int, int] | None) -> bytes:
    """In Prometheus' text format. `lanes`: how many show something now, and how many of them wait for a model that
    answers nobody; None where lanes show nothing (`executor.live=false`)."""
    registry = CollectorRegistry()

    def put(what: str, told: str, values: Mapping[tuple[str, ...], float | None], *labels: str) -> None:
        gauge = Gauge(f"gwray_{what}", told, ["run", *labels], registry=registry)
        for key, value in values.items():
            if value is not None:
                gauge.labels(name, *key).set(value)

    states = {"planned": status.planned, "finished": status.finished, "failed": status.failed, "left": status.left,
              "begun": len(status.now)}  # fmt: skip
    put("episodes", "Episodes by state", {(state,): n for state, n in states.items()}, "state")
    put("driven", "1 while the run is played", {(): float(status.driven)})
    put("held", "1 while a command works on the run; by what is done with it",
        {(status.holder.doing,): 1} if status.holder else {}, "doing")  # fmt: skip
    put("lanes", "Lanes that play, and how many wait for a model that answers nobody; absent without executor.live",
        {(s,): n for s, n in zip(("playing", "held_back"), lanes or (None, None), strict=True)}, "state")  # fmt: skip
    finished = {(model,): done for model, (done, _) in status.models.items()}
    planned = {(model,): planned for model, (_, planned) in status.models.items()}
    put("model_episodes_finished", "Finished episodes by the model that plays", finished, "model")
    put("model_episodes_planned", "Planned episodes by the model that plays", planned, "model")
    machines = {(machine,): n for machine, n in status.machines.items()}
    put("machine_episodes_finished", "Finished episodes by the machine that played them", machines, "machine")
    failures = {(error,): n for error, n in status.failures.items()}
    put("failures", "Episodes whose last try failed, by class of error", failures, "error")
    tokens = {("input",): status.input_tokens, ("output",): status.output_tokens}
    put("tokens", "Tokens of all replies so far", tokens, "kind")
    put("cost_usd", "Cost of all replies so far; absent where a price is not known", {(): status.cost_usd})
    put("episodes_per_minute", "Of the last ten minutes", {(): status.episodes_per_minute})
    put("steps_per_second", "Of the last ten minutes", {(): status.steps_per_second})
    put("eta_seconds", "Until nothing is left at this rate; absent where nothing ended lately", {(): status.eta_s})
    for field, told in _ENGINE.items():
        values: dict[tuple[str, ...], float | None] = {(one.model,): getattr(one, field) for one in status.engines}
        put(f"engine_{field}", told, values, "model")
    return generate_latest(registry)
