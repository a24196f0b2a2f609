"""Turns a serving profile into a Ray Serve application: one model, one application, one deployment of engine replicas.

Needs `ray.serve.llm` and an engine, which are imported in the functions: a machine without them can still plan.
"""

from __future__ import annotations

from typing import Any

from gwray.serving.profile import DeploymentSpec
from gwray.serving.weights import Weights

ROUTER = "ray.serve.experimental.consistent_hash_router.ConsistentHashRouter"
"""Sends all requests with one `x-session-id` to one replica, where the episode's prefix is cached."""
HEALTH_PERIOD_S = 2
"""A dead engine is noticed after three periods."""


def llm_config(
    spec: DeploymentSpec,
    weights: Weights,
    model_id: str,
    env: dict[str, str],
    *,
    direct: bool,
    pictures: bool = True,
) -> dict[str, Any]:
    """The arguments of Ray's `LLMConfig`, as plain values; `pictures`: whether the model can see any."""
    need = spec.resources
    config: dict[str, Any] = {
        "model_loading_config": {"model_id": model_id, "model_source": weights.source},
        "engine_kwargs": spec.engine_arguments(pictures=pictures),
        "runtime_env": {"env_vars": env},
        # Through Ray's exporter a gauge is seconds old; the engine's own page is exact, but only reached directly.
        "log_engine_metrics": not direct,
        "deployment_config": {
            "autoscaling_config": {
                "min_replicas": spec.replicas_min,
                "initial_replicas": spec.replicas_min,
                "max_replicas": spec.replicas_max,
                "target_ongoing_requests": spec.requests_per_replica,
            },
            "max_ongoing_requests": spec.max_num_seqs,
            "request_router_config": {"request_router_class": ROUTER},
            "health_check_period_s": HEALTH_PERIOD_S,
            "health_check_timeout_s": 30,
            "graceful_shutdown_wait_loop_s": 0.5,
            "graceful_shutdown_timeout_s": 5,
            # The bundles below hold everything a replica needs; its actor itself takes nothing beside them.
            "ray_actor_options": {"num_cpus": 0},
        },
    }
    if weights.fetched_from:
        config["callback_config"] = {
            "callback_class": "gwray.serving.fetching:FetchFirst",
            "callback_kwargs": {"url": weights.fetched_from, "folder": weights.source},
        }
    bundle: dict[str, float] = {"CPU": need.cpus}
    if need.memory_gb:
        bundle["memory"] = need.memory_gb * 1e9
    if spec.engine == "cpu":
        config["accelerator_config"] = {"kind": "cpu"}
        config["placement_group_config"] = {"bundles": [bundle]}
    else:
        if need.accelerator_type:
            config["accelerator_type"] = need.accelerator_type
        first = {"GPU": 1.0, **bundle}
        config["placement_group_config"] = {"bundles": [first] + [{"GPU": 1.0}] * (need.gpus - 1), "strategy": "PACK"}
    return config


def build_app(config: dict[str, Any]) -> Any:
    """The application, ready for `serve.run`."""
    from ray.serve.llm import LLMConfig, build_openai_app

    return build_openai_app({"llm_configs": [LLMConfig(**config)]})
