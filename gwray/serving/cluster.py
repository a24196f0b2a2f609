"""What gwray asks of a Ray cluster: its machines, whether Serve runs there and who started it, and what a crash left.

Serve applications outlive the driver that deployed them. Ours carry the driver's job id in their names, so the next
start can tell a crashed run's models from those of a run that is still going on the same cluster.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gwray.serving.placement import ClusterResources, Node

PREFIX = "gwray-"
CONTROLLER = "SERVE_CONTROLLER_ACTOR"
SERVE_NAMESPACE = "serve"
ROUTER_DEPLOYMENT = "LLMRouter"
"""Of each application, the deployment that has no engine."""
_KEY, _SPACE = "gwray:serve", "gwray"

GPU_MEMORY_GB = {
    "T4": 16, "V100": 16, "P100": 16, "L4": 24, "A10G": 24, "A40": 48, "L40S": 48, "A100-40G": 40, "A100-80G": 80,
    "H100": 80, "H20": 96, "H200": 141, "B200": 180, "B300": 288,
}  # fmt: skip
"""By Ray's name of the GPU, from the manufacturer's data sheets; A100 alone is ambiguous, hence absent."""


@dataclass(frozen=True)
class ServeMark:
    """Who started Serve on this cluster, when that was gwray."""

    job: str
    direct: bool


def resources(reserve_cpus: float = 0) -> ClusterResources:
    """The living nodes of the connected cluster."""
    import ray

    nodes = []
    for n in ray.nodes():
        if not n.get("Alive"):
            continue
        have: dict[str, float] = n["Resources"]
        kind = next((k.partition(":")[2] for k in have if k.startswith("accelerator_type:")), None)
        nodes.append(
            Node(
                cpus=have.get("CPU", 0),
                gpus=have.get("GPU", 0),
                gpu_memory_gb=GPU_MEMORY_GB.get(kind or ""),
                memory_gb=have.get("memory", 0) / 1e9,
                accelerator_type=kind,
            )
        )
    return ClusterResources(tuple(nodes), reserve_cpus)


def this_machine(reserve_cpus: float = 0) -> ClusterResources:
    """What Ray would find here, without starting it."""
    from ray._common.utils import get_system_memory
    from ray._private.accelerators import NvidiaGPUAcceleratorManager as Gpus
    from ray._private.utils import get_num_cpus

    count = Gpus.get_current_node_num_accelerators()
    kind = Gpus.get_current_node_accelerator_type() if count else None
    node = Node(
        cpus=get_num_cpus(override_docker_cpu_warning=True),  # in a container: what its limit allows
        gpus=count,
        gpu_memory_gb=GPU_MEMORY_GB.get(kind or ""),
        memory_gb=get_system_memory() * 0.7 / 1e9,
        accelerator_type=kind,
    )
    return ClusterResources((node,), reserve_cpus)


def serve_runs() -> bool:
    """Is there a Serve controller on the connected cluster?"""
    import ray

    try:
        ray.get_actor(CONTROLLER, namespace=SERVE_NAMESPACE)
    except ValueError:
        return False
    return True


def job_id() -> str:
    """This driver's job on the connected cluster."""
    import ray

    return ray.get_runtime_context().get_job_id()


def mark_serve(direct: bool) -> None:
    """Write down that this driver started Serve."""
    from ray.experimental.internal_kv import _internal_kv_put

    _internal_kv_put(_KEY, json.dumps({"job": job_id(), "direct": direct}), namespace=_SPACE)


def serve_mark() -> ServeMark | None:
    from ray.experimental.internal_kv import _internal_kv_get

    raw = _internal_kv_get(_KEY, namespace=_SPACE)
    return ServeMark(**json.loads(raw)) if raw else None


def unmark_serve() -> None:
    from ray.experimental.internal_kv import _internal_kv_del

    _internal_kv_del(_KEY, namespace=_SPACE)


def app_name(model: str) -> str:
    return f"{PREFIX}{job_id()}-{model}"


def remove_leftovers() -> list[str]:
    """Delete the applications of drivers that are no more, and Serve itself if such a driver started it and nobody else
    uses it. Returns the names of what was removed. Call it when connected to Ray, before deploying."""
    if not serve_runs():
        return []
    from ray import serve

    living = _living_jobs()
    names = list(serve.status().applications)
    dead = [n for n in names if n.startswith(PREFIX) and n.removeprefix(PREFIX).split("-")[0] not in living]
    for name in dead:
        serve.delete(name)
    removed = list(dead)
    mark = serve_mark()
    if len(dead) == len(names) and mark is not None and mark.job not in living:
        shutdown_serve()
        unmark_serve()
        removed.append("serve")
    return removed


def shutdown_serve(within_s: float = 30) -> None:
    """Stop Serve and wait for its end.

    `serve.shutdown()` waits inside a call to the controller, which ends by killing itself: Ray then prints that the
    call failed and would be retried for ever. Here the controller is told, and watched until it is gone.
    """
    import ray
    from ray.serve.context import _get_global_client, _set_global_client

    client = _get_global_client(raise_if_no_controller_running=False)
    if client is not None:
        client.shutdown_cached_handles()
    controller = ray.get_actor(CONTROLLER, namespace=SERVE_NAMESPACE)
    ray.get(controller.graceful_shutdown.remote(wait=False), timeout=within_s)
    end = time.monotonic() + within_s
    while serve_runs() and time.monotonic() < end:
        time.sleep(0.1)
    _set_global_client(None)


def _living_jobs() -> set[str]:
    from ray._private.state import jobs

    return {j["JobID"] for j in jobs() if not j.get("IsDead")}


def serve_details() -> dict[str, Any]:
    """Serve's own account of itself: applications, deployments, replicas (dead ones too), proxies, HTTP options."""
    from ray.serve.context import _get_global_client

    client = _get_global_client()
    assert client is not None
    return client.get_serve_details()


def engine_pages(app: str, timeout_s: float = 10) -> dict[str, str]:
    """The metrics page of each engine of an application, by the name of its replica.

    Asked of the replicas as actors: a request for the page would wait its turn behind the requests that a full replica
    has not let in yet. Replicas that do not answer are left out.
    """
    import ray

    deployments = serve_details()["applications"].get(app, {}).get("deployments", {})
    names = [
        r["actor_name"]
        for name, d in deployments.items()
        if name != ROUTER_DEPLOYMENT
        for r in d.get("replicas", ())
        if r.get("actor_name") and str(getattr(r["state"], "value", r["state"])) == "RUNNING"
    ]
    asked = {}
    for name in names:
        try:
            asked[ray.get_actor(name, namespace=SERVE_NAMESPACE).__ray_call__.remote(_page)] = name
        except ValueError:  # it has just died
            continue
    done, late = ray.wait(list(asked), num_returns=len(asked), timeout=timeout_s) if asked else ([], [])
    for call in late:
        ray.cancel(call)
    out = {}
    for call in done:
        try:
            out[asked[call]] = ray.get(call)
        except Exception:  # it died while it was asked
            continue
    return out


def _page(replica: Any) -> str:
    """Runs in the replica."""
    from prometheus_client import generate_latest
    from vllm.v1.metrics.prometheus import get_prometheus_registry  # pyright: ignore[reportMissingImports]

    return generate_latest(get_prometheus_registry()).decode()


def node_exporters() -> list[str]:
    """Ray's metrics page of each node."""
    import ray

    return [f"http://{n['NodeManagerAddress']}:{n['MetricsExportPort']}/metrics" for n in ray.nodes() if n.get("Alive")]


def replica_log(app: str, lines: int = 400) -> list[str]:
    """The end of what the replicas of an application printed (the engine prints into the same files), read on the node
    where each ran. Empty when it cannot be had."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    details = serve_details()["applications"].get(app, {}).get("deployments", {})
    replicas = [
        r
        for name, d in details.items()
        if name != ROUTER_DEPLOYMENT
        for r in (*d.get("recent_dead_replicas", ()), *d.get("replicas", ()))
        if r.get("node_id") and r.get("worker_id")
    ]
    read = ray.remote(num_cpus=0, max_retries=0)(_tail)
    asked = [
        read.options(scheduling_strategy=NodeAffinitySchedulingStrategy(r["node_id"], soft=False)).remote(
            r["worker_id"], r.get("log_file_path"), lines
        )
        for r in replicas[-4:]
    ]
    try:
        return [line for part in ray.get(asked, timeout=20) for line in part]
    except Exception:  # the log is a courtesy: whatever prevents it must not hide the failure it belongs to
        return []


def _tail(worker_id: str, serve_log: str | None, lines: int) -> list[str]:
    """Runs on the replica's node."""
    from pathlib import Path

    import ray

    logs = Path(ray._private.worker._global_node.get_logs_dir_path())  # pyright: ignore
    files: Sequence[Path] = sorted(logs.glob(f"worker-{worker_id}-*"))
    if serve_log:
        files = [logs / serve_log.lstrip("/"), *files]
    out: list[str] = []
    for file in files:
        if file.exists():
            out += file.read_text(errors="replace").splitlines()[-lines:]
    return out
