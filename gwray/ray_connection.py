"""The single Ray connection of this process, to a local Ray or a cluster.

Executors and serving share it. Its options do not depend on the first user, and the caller that connected disconnects.
Ray is imported on connection only.

A killed run leaves some processes. Ray's own processes follow a killed driver within two seconds, with two exceptions:
the node's agents keep reporting to the dead head node for a minute, and HAProxy, which Serve starts, replaces itself
whenever replicas change; an HAProxy that starts while its manager is killed is orphaned.
"""

import contextlib
import functools
import logging
import os
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from gwray.errors import UsageError
from gwray.pages import warn

_TITLES = ("ray::DashboardAgent", "ray::RuntimeEnvAgent")
_PROGRAMS = ("/ray/dashboard/agent.py", "/ray/_private/runtime_env/agent/main.py")


PRIVATE = {
    "ray._private.services.ConsolePopen": "starts Ray's processes outside this command's process group",
    "ray._private.node.Node.start_api_server": "left out of a local Ray: half of its start",
    "ray._private.node.Node.start_monitor": "the same",
    "ray._private.node.Node.start_log_monitor": "the same",
    "ray._private.utils.get_dashboard_dependency_error": "the same, for the node's agent",
    "ray._private.utils.get_num_cpus": "CPUs of a container; `gwray doctor` counts them without starting Ray",
    "ray._common.utils.get_system_memory": "the same for memory",
    "ray._private.accelerators.NvidiaGPUAcceleratorManager": "the same for GPUs",
    "ray._private.state.state.get_draining_nodes": "nodes with a spot notice; `ray.nodes()` does not tell",
    "ray._private.state.available_resources_per_node": "what is free on a node; the public sum hides fragmentation",
    "ray._private.state.jobs": "which drivers live; the public list needs the dashboard",
    "ray._private.worker._global_node": "folder of the node's logs, for an engine's last lines",
    "ray.experimental.internal_kv": "a note on the cluster that outlives its driver, without an actor",
    "ray.serve.context._get_global_client": "details of replicas; `serve.shutdown()` would print errors",
    "ray.serve.context._set_global_client": "the same",
    "ray.actor.ActorHandle.__ray_call__": "reads an engine's metrics past its queue of requests",
}
"""Names of Ray that are not public, each with the reason. Only this module uses them; with another version of Ray than
the required one, check them first (tests/test_ray_connection.py)."""
NAMESPACE = "gwray"
"""Ray namespace of gwray's actors, on clusters that others use too."""
OBJECT_STORE_BYTES = 128 * 2**20
"""Object store of a local Ray. It can be small: screenshots and weights do not pass through it."""
START_TRIES = 6
"""Attempts to start Ray: on a busy machine it exceeds its own limit of 30 s."""
INTERRUPTED = "the start of Ray was interrupted"


@dataclass
class _Start:
    """A start of Ray that is in progress in some thread."""

    earlier: set[int] = field(default_factory=lambda: {p.pid for p in psutil.Process().children(recursive=True)})
    """Processes below this one that are not part of it."""
    abandoned: bool = False


_start: _Start | None = None
_lock = threading.Lock()


def connect(address: str | None, env: Mapping[str, str] | None = None, *, metrics: bool = False) -> bool:
    """Connects to a Ray cluster, or starts Ray on this machine. Blocks for some seconds.

    Args:
        address: of the cluster; None: the one that RAY_ADDRESS names, as `ray job submit` sets it, otherwise Ray is
            started here; "local": started here.
        env: further environment variables of gwray's processes on the cluster.
        metrics: Whether a Ray that is started here has a page of metrics, as a cluster has; it takes a second longer.

    Returns:
        Whether this call made the connection; its caller must then call `disconnect`.

    Raises:
        UsageError: no cluster answers at `address`, it runs another version of Ray or Python, Ray does not start here,
            or `abandon` was called meanwhile.
    """
    global _start
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    # In `ray job submit`, the job's own runtime environment may set variables that are set below, too.
    os.environ.setdefault("RAY_OVERRIDE_JOB_RUNTIME_ENV", "1")
    # A Ray that is started here would wait until a worker for each CPU runs; actors start those that they need.
    os.environ.setdefault("RAY_enable_worker_prestart", "0")
    os.environ.setdefault("RAY_prestart_worker_first_driver", "0")
    # Bytecode files save every process of Ray a minute of compilation; some containers disable them.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    import ray

    if ray.is_initialized():
        return False
    variables = {"PYTHONDONTWRITEBYTECODE": "", **(env or {})}
    options: dict[str, Any] = {"namespace": NAMESPACE, "log_to_driver": False, "runtime_env": {"env_vars": variables}}
    address = cluster_address(address)
    if address is None and (problem := path_problem()):
        raise UsageError(problem)
    prepare(address)
    _start = start = _Start()
    try:
        _init(address, options, start, metrics=metrics)
    finally:
        with _lock:
            if not start.abandoned:
                _start = None
    if start.abandoned:
        raise UsageError(INTERRUPTED)
    return True


def cluster_address(address: str | None) -> str | None:
    """Returns the cluster that a setting names: the address, that of RAY_ADDRESS, or None for a Ray of this process."""
    address = address or os.environ.get("RAY_ADDRESS") or None
    return None if address == "local" else address


def _init(address: str | None, options: dict[str, Any], start: _Start, *, metrics: bool) -> None:
    """Connects to the cluster at `address`, or starts Ray on this machine, with several attempts."""
    import ray
    from ray.exceptions import RayError

    if address is not None:
        try:
            ray.init(address=address, logging_level=logging.ERROR, **options)
        except (ConnectionError, RayError, ValueError) as e:
            raise no_answer(address, e) from e
        except RuntimeError as e:  # Ray's check of versions has no class of its own
            raise UsageError(
                f"the Ray cluster at '{address}' cannot be joined from here: {str(e).strip()} Use the same versions of "
                "Python (also its last digit) and Ray as the cluster."
            ) from e
        return
    options |= {"include_dashboard": False, "object_store_memory": OBJECT_STORE_BYTES}
    for left in reversed(range(START_TRIES)):
        try:
            with _own_session(), _few_processes(metrics=metrics):
                ray.init(address="local", logging_level=logging.CRITICAL if left else logging.ERROR, **options)
            return
        except Exception as e:
            if start.abandoned:
                raise UsageError(INTERRUPTED) from e
            ray.shutdown()
            _end_processes(start.earlier)
            if left:
                warn(f"Ray did not start; try {START_TRIES - left + 1} of {START_TRIES}")
            else:
                raise UsageError(
                    f"Ray did not start on this machine in {START_TRIES} tries ({str(e).strip()}). It may be too "
                    "busy: try again later, or play in one process with executor=inline."
                ) from e


@contextlib.contextmanager
def _own_session() -> Iterator[None]:
    """Starts Ray's processes in sessions of their own. A signal to the process group, as `timeout` and systemd send it,
    would end them before this process can end them in order, and Ray would wait a minute for its dead head. They still
    die with this process."""
    from ray._private import services  # there is no public setting

    usual = services.ConsolePopen
    services.ConsolePopen = functools.partial(usual, start_new_session=True)
    try:
        yield
    finally:
        services.ConsolePopen = usual


@contextlib.contextmanager
def _few_processes(*, metrics: bool) -> Iterator[None]:
    """Starts Ray without processes and modules that only its dashboard, autoscaler and printed logs need: they take
    half of its start."""
    from ray._private import utils  # there is no public setting
    from ray._private.node import Node

    unused: list[tuple[Any, str, Any]] = [
        (Node, name, lambda *_, **__: None) for name in ("start_api_server", "start_monitor", "start_log_monitor")
    ]
    if not metrics:  # the node's agent then loads what it does in an installation without the dashboard
        unused.append((utils, "get_dashboard_dependency_error", lambda: ImportError("not needed")))
    usual = [(owner, name, getattr(owner, name)) for owner, name, _ in unused]
    try:
        for owner, name, replacement in unused:
            setattr(owner, name, replacement)
        yield
    finally:
        for owner, name, function in usual:
            setattr(owner, name, function)


def abandon() -> bool:
    """Gives up a `connect` that another thread is in, and kills what it has started.

    Returns whether one was given up, now or before. Such a process must exit by `os._exit`: a local Ray dies with the
    thread that started it, and Ray's own shutdown at exit would wait 15 s for a dead one.
    """
    with _lock:
        if _start is not None:
            _start.abandoned = True
            _end_processes(_start.earlier)
        return _start is not None


def _end_processes(earlier: set[int]) -> None:
    """Kills Ray's processes below this one, except `earlier` ones: `ray.shutdown` does not know those of a start that
    failed, and they would slow down the next one."""
    killed = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if process.pid not in earlier and any("/ray/" in w or w.startswith("ray::") for w in process.cmdline()):
                process.kill()
                killed.append(process)
    psutil.wait_procs(killed, timeout=1)  # where nothing collects orphans, a killed grandchild never disappears


def path_problem(python: str = sys.executable) -> str | None:
    """Returns a message if Ray cannot start workers with this interpreter, None if it can. Ray passes the path to a
    shell without quotes, so its workers never start and the run would hang."""
    special = sorted(set(python) & set(" \t\n'\"\\$&()<>;|*?`"))
    if not special:
        return None
    return (
        f"Ray cannot start workers with the interpreter '{python}', because its path contains {special[0]!r}. Move the "
        "environment to a path without spaces and shell characters and set it up there, or use executor=inline."
    )


def disconnect() -> None:
    """Closes the connection, and stops a Ray that was started here; does nothing without one. Blocks for some seconds.
    Do not call it in a thread beside the event loop: if the loop releases an actor handle meanwhile, for example after
    a second Ctrl-C, Ray aborts the process."""
    import ray

    ray.shutdown()


def drained_nodes() -> frozenset[str]:
    """Returns the ids of draining nodes of the cluster (spot notice, `ray drain-node`)."""
    from ray._private.state import state  # there is no public API

    return frozenset(state.get_draining_nodes())


def free_resources() -> dict[str, dict[str, float]]:
    """Returns the resources that nothing uses now, by the id of their node."""
    from ray._private.state import available_resources_per_node

    return available_resources_per_node()


def this_node() -> tuple[float, float, int, str | None]:
    """Returns CPUs, bytes of memory, GPUs and kind of GPU that Ray would find here, without starting it."""
    from ray._common.utils import get_system_memory
    from ray._private.accelerators import NvidiaGPUAcceleratorManager as Gpus
    from ray._private.utils import get_num_cpus

    gpus = Gpus.get_current_node_num_accelerators()
    kind = Gpus.get_current_node_accelerator_type() if gpus else None
    cpus = get_num_cpus(override_docker_cpu_warning=True)  # respects a container's limit
    return cpus, get_system_memory(), gpus, kind


def living_jobs() -> set[str]:
    """Returns the ids of the cluster's drivers that have not ended."""
    from ray._private.state import jobs

    return {j["JobID"] for j in jobs() if not j.get("IsDead")}


def read_note(key: str) -> str:
    """Returns a note that a driver left on the cluster; empty if there is none."""
    from ray.experimental.internal_kv import _internal_kv_get

    return (_internal_kv_get(key, namespace=NAMESPACE) or b"").decode()


def write_note(key: str, text: str | None) -> None:
    """Leaves a note on the cluster, or removes it (None)."""
    from ray.experimental.internal_kv import _internal_kv_del, _internal_kv_put

    if text is None:
        _internal_kv_del(key, namespace=NAMESPACE)
    else:
        _internal_kv_put(key, text, namespace=NAMESPACE)


def serve_client(*, required: bool = True) -> Any:
    """Returns Serve's client of this process. `required`: raise if no Serve runs, instead of returning None."""
    from ray.serve.context import _get_global_client

    return _get_global_client(raise_if_no_controller_running=required)


def forget_serve() -> None:
    """Makes this process look for Serve again."""
    from ray.serve.context import _set_global_client

    _set_global_client(None)


def call_in_actor(actor: Any, function: Any) -> Any:
    """Starts a call of `function(instance)` in an actor of any class; returns Ray's reference to the result."""
    return actor.__ray_call__.remote(function)


def logs_folder() -> Path:
    """Returns the folder of Ray's logs on this node; runs in a worker."""
    from ray._private import worker

    node: Any = worker._global_node
    return Path(node.get_logs_dir_path())


def prepare(address: str | None) -> None:
    """Prepares a connection: kills orphans of earlier local Rays (None), or raises `UsageError` if no cluster answers
    at `address`, because Ray itself would retry for minutes."""
    if address is None:
        end_leftovers()
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        if host and port.isdigit():
            socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except OSError as e:
        raise no_answer(address, e) from e


def no_answer(address: str, why: Exception) -> UsageError:
    """Returns the error for an address without a Ray cluster."""
    return UsageError(
        f"no Ray cluster answers at '{address}' ({why}). Start one with `ray start --head`, name another with "
        "executor.address=HOST:6379, or leave it out to start one here. (With a token: RAY_AUTH_MODE=token.)"
    )


def end_leftovers() -> list[int]:
    """Kills orphaned Ray agents and Serve proxies of this user; returns their process ids. Processes of active runs
    have a parent and are not touched."""
    ended = []
    for process in psutil.process_iter():
        try:
            if process.uids().real == os.getuid() and _is_left_over(process):
                process.kill()
                ended.append(process.pid)
        except psutil.Error:  # it has just ended, or access is denied
            continue
    return ended


def _is_left_over(process: psutil.Process) -> bool:
    """Returns whether a process is an orphan of an ended Ray: an HAProxy without a manager, or an agent without a
    node."""
    name, words = process.name(), process.cmdline()
    if name == "haproxy" and any("/haproxy-serve/" in w for w in words):
        manager = process.parent()
        return manager is None or not any(w.startswith("ray::") or "/ray/" in w for w in manager.cmdline())
    if is_agent(words):
        node = process.parent()
        return node is None or node.name() != "raylet"
    return False


def is_agent(words: list[str]) -> bool:
    """Returns whether a command line is that of a Ray node's agent, by process title or program."""
    if not words:
        return False
    program = next((w for w in words[1:] if not w.startswith("-")), "")
    return words[0].strip() in _TITLES or ("python" in words[0] and program.endswith(_PROGRAMS))
