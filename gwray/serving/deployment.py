"""Builds a Ray Serve application from a serving profile: one model, one application, one deployment of replicas.
`ray.serve.llm` and the engine are imported inside functions, so that a machine without them can still plan."""

from typing import Any

from gwray.serving.profile import DeploymentSpec
from gwray.serving.weights import Weights

ROUTER = "ray.serve.experimental.consistent_hash_router.ConsistentHashRouter"
"""Routes all requests with one `x-session-id` to one replica, which has the episode's prefix in its cache."""
HEALTH_PERIOD_S = 2
"""Seconds between health checks; Serve replaces an engine after three failed ones."""

DRAIN_S = 300
"""Seconds in which an engine that autoscaling removes finishes its replies; idle engines end at once."""


def llm_config(
    spec: DeploymentSpec, weights: Weights, model_id: str, env: dict[str, str], *, pictures: bool = True
) -> dict[str, Any]:
    """Returns the arguments of Ray's `LLMConfig` as plain values. `pictures`: whether the model accepts images."""
    need = spec.resources
    config: dict[str, Any] = {
        "model_loading_config": {"model_id": model_id, "model_source": weights.source},
        "engine_kwargs": spec.engine_arguments(pictures=pictures),
        "runtime_env": {"env_vars": env},
        "log_engine_metrics": False,  # the engine's own page is exact; Ray's exporter publishes it seconds late
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
            "graceful_shutdown_timeout_s": DRAIN_S,
            # The placement group below reserves everything a replica needs; its actor itself reserves nothing.
            "ray_actor_options": {"num_cpus": 0},
        },
    }
    if weights.built_from:
        config["callback_config"] = {
            "callback_class": "gwray.serving.weights_node:BuildWeights",
            "callback_kwargs": {"source": weights.built_from, "folder": weights.source},
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
        bundles = [first] + [{"GPU": 1.0}] * (need.gpus - 1)
        config["placement_group_config"] = {"bundles": bundles, "strategy": "STRICT_PACK"}
    return config


def build_app(config: dict[str, Any]) -> Any:
    """Returns the application for `serve.run`."""
    from ray.serve.llm import LLMConfig, build_openai_app

    return build_openai_app({"llm_configs": [LLMConfig(**config)]})
