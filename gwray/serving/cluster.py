"""Queries a Ray cluster: its nodes, its Serve instance and applications, and the leftovers of crashed runs. Serve
applications outlive the driver that deployed them. Those of gwray have the driver's job id in their names, so the next
start can tell the models of a crashed run from those of a run that still uses the cluster."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from gwray.errors import GwrayError
from gwray.serving.placement import ClusterResources, Node

PREFIX = "gwray-"
CONTROLLER = "SERVE_CONTROLLER_ACTOR"
SERVE_NAMESPACE = "serve"
REPLICA = "SERVE_REPLICA::"
"""Prefix of Serve's name of a replica, and of its placement group."""
ROUTER_DEPLOYMENT = "LLMRouter"
"""Name of the deployment without an engine in each application."""
_KEY, _SPACE = "gwray:serve", "gwray"
T = TypeVar("T")

GPU_MEMORY_GB = {
    "T4": 16, "V100": 16, "P100": 16, "L4": 24, "A10G": 24, "A40": 48, "L40S": 48, "A100-40G": 40, "A100-80G": 80,
    "H100": 80, "H20": 96, "H200": 141, "B200": 180, "B300": 288,
}  # fmt: skip
"""Memory by Ray's name of the GPU, from data sheets; `A100` alone is ambiguous and therefore absent."""


@dataclass(frozen=True)
class ServeMark:
    """The gwray job that started Serve on this cluster."""

    job: str
    direct: bool


def cluster_resources(reserve_cpus: float = 0, *, free: bool = False) -> ClusterResources:
    """Returns the resources of the living nodes of the connected cluster. `free`: only those not in use."""
    import ray
    from ray._private.state import available_resources_per_node

    available = available_resources_per_node() if free else {}
    nodes = []
    for n in ray.nodes():
        if not n.get("Alive"):
            continue
        have: dict[str, float] = available.get(n["NodeID"], {}) if free else n["Resources"]
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
    """Returns the resources that Ray would find on this machine, without starting it."""
    from ray._common.utils import get_system_memory
    from ray._private.accelerators import NvidiaGPUAcceleratorManager as Gpus
    from ray._private.utils import get_num_cpus

    count = Gpus.get_current_node_num_accelerators()
    kind = Gpus.get_current_node_accelerator_type() if count else None
    node = Node(
        cpus=get_num_cpus(override_docker_cpu_warning=True),  # respects a container's limit
        gpus=count,
        gpu_memory_gb=GPU_MEMORY_GB.get(kind or ""),
        memory_gb=get_system_memory() * 0.7 / 1e9,
        accelerator_type=kind,
    )
    return ClusterResources((node,), reserve_cpus)


def serve_runs() -> bool:
    """Returns whether the connected cluster has a Serve controller."""
    import ray

    try:
        ray.get_actor(CONTROLLER, namespace=SERVE_NAMESPACE)
    except ValueError:
        return False
    return True


def job_id() -> str:
    """Returns this driver's job id on the connected cluster."""
    import ray

    return ray.get_runtime_context().get_job_id()


def mark_serve(direct: bool) -> None:
    """Records on the cluster that this driver started Serve."""
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
    """Deletes the applications of ended drivers, and Serve itself if such a driver started it and no other uses it.
    Returns the names of what was removed. Call it when connected to Ray, before deploying."""
    if not serve_runs():
        return []
    from ray import serve
    from ray._private.state import jobs

    living = {j["JobID"] for j in jobs() if not j.get("IsDead")}
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
    """Stops Serve and waits until its controller has ended, at most `within_s` seconds. `serve.shutdown()` waits inside
    a call to the controller, which ends by killing itself: Ray then prints that the call failed and would be retried
    forever."""
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


def serve_details() -> dict[str, Any]:
    """Returns Serve's details: applications, deployments, replicas (dead ones too), proxies, HTTP options."""
    from ray.serve.context import _get_global_client

    client = _get_global_client()
    assert client is not None
    return client.get_serve_details()


def is_placed(app: str) -> bool:
    """Returns whether the cluster has reserved what each engine of an application needs."""
    from ray.util import placement_group_table

    groups = placement_group_table().values()
    states = [g["state"] for g in groups if g["name"].startswith(f"{REPLICA}{app}#") and g["state"] != "REMOVED"]
    return bool(states) and all(state == "CREATED" for state in states)


def engine_pages(app: str, timeout_s: float = 10) -> dict[str, str]:
    """Returns the metrics page of each engine of an application, by the name of its replica. Calls the replicas as
    actors: an HTTP request would queue behind the requests that a full replica has not accepted. Skips replicas that do
    not answer."""
    import ray

    deployments = serve_details()["applications"].get(app, {}).get("deployments", {})
    names = [
        r["actor_name"]
        for name, d in deployments.items()
        if name != ROUTER_DEPLOYMENT
        for r in d.get("replicas", ())
        if r.get("actor_name") and str(getattr(r["state"], "value", r["state"])) == "RUNNING"
    ]
    calls = {}
    for name in names:
        try:
            calls[ray.get_actor(name, namespace=SERVE_NAMESPACE).__ray_call__.remote(_page)] = name
        except ValueError:  # it has just died
            continue
    done, late = ray.wait(list(calls), num_returns=len(calls), timeout=timeout_s) if calls else ([], [])
    for call in late:
        ray.cancel(call)
    out = {}
    for call in done:
        try:
            out[calls[call]] = ray.get(call)
        except Exception:  # it died during the call
            continue
    return out


def _page(replica: Any) -> str:
    """Returns the metrics page; runs in the replica."""
    from prometheus_client import generate_latest
    from vllm.v1.metrics.prometheus import get_prometheus_registry  # pyright: ignore[reportMissingImports]

    return generate_latest(get_prometheus_registry()).decode()


def node_exporters() -> list[str]:
    """Returns the URL of Ray's metrics page of each node."""
    import ray

    return [f"http://{n['NodeManagerAddress']}:{n['MetricsExportPort']}/metrics" for n in ray.nodes() if n.get("Alive")]


def replica_log(app: str, lines: int = 400) -> list[str]:
    """Returns the last lines printed by an application's replicas and engines, read on the nodes where they ran. Empty
    if the logs cannot be read."""
    import ray

    replicas = [r for r in _replicas(app, "recent_dead_replicas", "replicas") if r.get("worker_id")]
    calls = [_on_node(r["node_id"], _tail, r["worker_id"], r.get("log_file_path"), lines) for r in replicas[-4:]]
    try:
        return [line for part in ray.get(calls, timeout=20) for line in part]
    except Exception:  # a missing log must not hide the error that it belongs to
        return []


def on_engine_nodes(app: str, call: Callable[..., T], *args: Any) -> list[T]:
    """Returns the results of a call on each node of an application's engines. Raises its `GwrayError`."""
    import ray
    from ray.exceptions import RayTaskError

    try:
        return ray.get(
            [_on_node(node, call, *args) for node in sorted({r["node_id"] for r in _replicas(app, "replicas")})]
        )
    except RayTaskError as e:
        if isinstance(e.cause, GwrayError):
            raise e.cause from None
        raise


def _replicas(app: str, *kinds: str) -> list[dict[str, Any]]:
    """Returns Serve's details of an application's engines that have a node."""
    deployments = serve_details()["applications"].get(app, {}).get("deployments", {})
    engines = [d for name, d in deployments.items() if name != ROUTER_DEPLOYMENT]
    return [r for d in engines for kind in kinds for r in d.get(kind, ()) if r.get("node_id")]


def _on_node(node_id: str, call: Callable[..., Any], *args: Any) -> Any:
    """Starts a call on a node and returns Ray's reference to its result."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    there = NodeAffinitySchedulingStrategy(node_id, soft=False)
    return ray.remote(num_cpus=0, max_retries=0)(call).options(scheduling_strategy=there).remote(*args)


def _tail(worker_id: str, serve_log: str | None, lines: int) -> list[str]:
    """Returns the last lines of a replica's log files; runs on its node."""
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
