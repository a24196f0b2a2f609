"""Queries a Ray cluster: its nodes, its Serve instance and applications, and the leftovers of crashed runs. Serve
applications outlive the driver that deployed them. Those of gwray have the driver's job id in their names, so the next
start can tell the models of a crashed run from those of a run that still uses the cluster."""

import contextlib
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from gwray.errors import GwrayError
from gwray.ray_connection import (
    call_in_actor,
    forget_serve,
    free_resources,
    living_jobs,
    logs_folder,
    read_note,
    serve_client,
    this_node,
    write_note,
)
from gwray.serving.placement import ClusterResources, Node

PREFIX = "gwray-"
CONTROLLER = "SERVE_CONTROLLER_ACTOR"
SERVE_NAMESPACE = "serve"
REPLICA = "SERVE_REPLICA::"
"""Prefix of Serve's name of a replica, and of its placement group."""
ROUTER_DEPLOYMENT = "LLMRouter"
"""Name of the deployment without an engine in each application."""
_KEY = "gwray:serve"
T = TypeVar("T")

GPU_QUERY = ("nvidia-smi", "--query-gpu=memory.total", "--format=csv,noheader,nounits")
ASK_S = 60.0
"""Seconds in which the nodes must tell the memory of their GPUs."""
_gpu_memory: dict[str, float | None] = {}
"""Memory of the smallest GPU of each node that was asked, by the node's id."""


def cluster_resources(reserve_cpus: float = 0, *, free: bool = False) -> ClusterResources:
    """Returns the resources of the living nodes of the connected cluster. `free`: only those not in use."""
    import ray

    available = free_resources() if free else {}
    living = {n["NodeID"]: n["Resources"] for n in ray.nodes() if n.get("Alive")}
    gpu_memory = _ask_gpu_memory([node for node, has in living.items() if has.get("GPU")])
    nodes = []
    for node, total in living.items():
        have: dict[str, float] = available.get(node, {}) if free else total
        kind = next((k.partition(":")[2] for k in have if k.startswith("accelerator_type:")), None)
        memory_gb = have.get("memory", 0) / 1e9
        nodes.append(Node(have.get("CPU", 0), have.get("GPU", 0), gpu_memory.get(node), memory_gb, kind))
    return ClusterResources(tuple(nodes), reserve_cpus)


def this_machine(reserve_cpus: float = 0) -> ClusterResources:
    """Returns the resources that Ray would find on this machine, without starting it."""
    cpus, memory, gpus, kind = this_node()
    node = Node(cpus, gpus, gpu_memory_gb() if gpus else None, memory * 0.7 / 1e9, kind)
    return ClusterResources((node,), reserve_cpus)


def gpu_memory_gb() -> float | None:
    """Returns the memory of the smallest GPU of this node; None if its driver does not tell. Runs on the node."""
    try:
        lines = subprocess.run(GPU_QUERY, capture_output=True, text=True, timeout=30, check=True).stdout
        return min(float(line) for line in lines.split("\n") if line.strip()) * 2**20 / 1e9
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def _ask_gpu_memory(nodes: Sequence[str]) -> dict[str, float | None]:
    """Returns `gpu_memory_gb` of these nodes of the cluster, by id. Each node is asked once."""
    import ray

    calls = {_on_node(node, gpu_memory_gb): node for node in nodes if node not in _gpu_memory}
    done, _ = ray.wait(list(calls), num_returns=len(calls), timeout=ASK_S) if calls else ([], [])
    for call in done:
        with contextlib.suppress(Exception):  # it has just left the cluster
            _gpu_memory[calls[call]] = ray.get(call)
    return _gpu_memory


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


def mark_serve() -> None:
    """Records on the cluster that this driver starts Serve."""
    write_note(_KEY, job_id())


def serve_mark() -> str:
    """Returns the id of the gwray job that started Serve on this cluster; empty if none did."""
    return read_note(_KEY)


def app_name(model: str) -> str:
    return f"{PREFIX}{job_id()}-{model}"


def remove_leftovers() -> list[str]:
    """Deletes the applications of ended drivers, and Serve itself if such a driver started it and no other uses it.
    Returns the names of what was removed. Call it when connected to Ray, before deploying."""
    if not serve_runs():
        return []
    from ray import serve

    living = living_jobs()
    names = list(applications())
    dead = [n for n in names if n.startswith(PREFIX) and n.removeprefix(PREFIX).split("-")[0] not in living]
    for name in dead:
        serve.delete(name)
    mark = serve_mark()
    if len(dead) == len(names) and mark and mark not in living:
        shutdown_serve()
        dead.append("serve")
    return dead


def shutdown_serve(within_s: float = 30) -> None:
    """Stops Serve and waits until its controller has ended, at most `within_s` seconds. `serve.shutdown()` waits inside
    a call to the controller, which ends by killing itself: Ray then prints that the call failed and would be retried
    forever."""
    import ray

    client = serve_client(required=False)
    if client is not None:
        client.shutdown_cached_handles()
    controller = ray.get_actor(CONTROLLER, namespace=SERVE_NAMESPACE)
    ray.get(controller.graceful_shutdown.remote(wait=False), timeout=within_s)
    end = time.monotonic() + within_s
    while serve_runs() and time.monotonic() < end:
        time.sleep(0.1)
    forget_serve()
    write_note(_KEY, None)


def serve_details() -> dict[str, Any]:
    """Returns Serve's details: applications, deployments, replicas (dead ones too), proxies, HTTP options."""
    return serve_client().get_serve_details()


def applications() -> dict[str, Any]:
    """Returns Serve's details of its applications, by name. `serve.status()` would build deployment configurations of
    them, which two threads of a process cannot do at once: Ray registers a module while it pickles a router's class."""
    return serve_details()["applications"]


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

    running = [r for r in _replicas(app, "replicas") if str(getattr(r["state"], "value", r["state"])) == "RUNNING"]
    names = [r["actor_name"] for r in running if r.get("actor_name")]
    calls = {}
    for name in names:
        with contextlib.suppress(ValueError):  # it has just died
            calls[call_in_actor(ray.get_actor(name, namespace=SERVE_NAMESPACE), _page)] = name
    done, late = ray.wait(list(calls), num_returns=len(calls), timeout=timeout_s) if calls else ([], [])
    for call in late:
        ray.cancel(call)
    out = {}
    for call in done:
        with contextlib.suppress(Exception):  # it died during the call
            out[calls[call]] = ray.get(call)
    return out


def _page(replica: Any) -> str:
    """Returns the metrics page; runs in the replica."""
    from prometheus_client import generate_latest
    from vllm.v1.metrics.prometheus import get_prometheus_registry  # pyright: ignore[reportMissingImports]

    return generate_latest(get_prometheus_registry()).decode()


def replica_log(app: str, lines: int = 400) -> list[str]:
    """Returns the last lines printed by an application's replicas and engines, read on the nodes where they ran. Empty
    if the logs cannot be read."""
    import ray

    try:
        replicas = [r for r in _replicas(app, "recent_dead_replicas", "replicas") if r.get("worker_id")]
        calls = [_on_node(r["node_id"], _tail, r["worker_id"], r.get("log_file_path"), lines) for r in replicas[-4:]]
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
    deployments = applications().get(app, {}).get("deployments", {})
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
    logs = logs_folder()
    files: Sequence[Path] = sorted(logs.glob(f"worker-{worker_id}-*"))
    if serve_log:
        files = [logs / serve_log.lstrip("/"), *files]
    out: list[str] = []
    for file in files:
        if file.exists():
            out += file.read_text(errors="replace").splitlines()[-lines:]
    return out
