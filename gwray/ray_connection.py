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
import re
import shutil
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

from gwray.errors import RayNotStarted, UsageError
from gwray.visible_text import warn

_TITLES = ("ray::DashboardAgent", "ray::RuntimeEnvAgent")
_PROGRAMS = ("/ray/dashboard/agent.py", "/ray/_private/runtime_env/agent/main.py")
_SESSION = re.compile(r"session_[0-9-]+_[0-9-]+_[0-9_]+")


NAMESPACE = "gwray"
"""Ray namespace of gwray's actors, on clusters that others use too."""
OBJECT_STORE_BYTES = 128 * 2**20
"""Object store of a local Ray. It can be small: screenshots and weights do not pass through it."""
OLD_S = 3600.0
"""Seconds for which logs of ended Ray sessions are kept."""
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
        UsageError: no cluster answers at `address`, it runs another version of Ray or Python, or `abandon` was called
            meanwhile.
        RayNotStarted: Ray does not start on this machine.
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
                raise RayNotStarted(
                    f"Ray did not start on this machine in {START_TRIES} tries ({str(e).strip()}). It may be too "
                    "busy: try again later, or play in one process with executor=inline."
                ) from e


@contextlib.contextmanager
def _own_session() -> Iterator[None]:
    """Starts Ray's processes in sessions of their own. A signal to the process group, as `timeout` and systemd send it,
    would end them before this process can end them in order, and Ray would wait a minute for its dead head. They still
    die with this process."""
    from ray._private import services  # there is no public setting

    usual = getattr(services, "ConsolePopen", None)
    if usual is None:
        warn(
            f"Ray {version('ray')} starts its processes in the process group of this command, so a signal to the group "
            "kills them before the run can stop in order. Install the version of Ray that gwray requires."
        )
        yield
        return
    services.ConsolePopen = functools.partial(usual, start_new_session=True)
    try:
        yield
    finally:
        services.ConsolePopen = usual


@contextlib.contextmanager
def _few_processes(*, metrics: bool) -> Iterator[None]:
    """Starts Ray without processes and modules that only its dashboard, autoscaler and printed logs need: they take
    half of its start. A version of Ray that names them otherwise starts them all."""
    from ray._private import utils  # there is no public setting
    from ray._private.node import Node

    unused: list[tuple[Any, str, Any]] = [
        (Node, name, lambda *_, **__: None) for name in ("start_api_server", "start_monitor", "start_log_monitor")
    ]
    if not metrics:  # the node's agent then loads what it does in an installation without the dashboard
        unused.append((utils, "get_dashboard_dependency_error", lambda: ImportError("not needed")))
    usual = [(owner, name, getattr(owner, name)) for owner, name, _ in unused if hasattr(owner, name)]
    try:
        for owner, name, replacement in unused:
            if hasattr(owner, name):
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


def prepare(address: str | None) -> None:
    """Prepares a connection: kills orphans of earlier local Rays (None), or raises `UsageError` if no cluster answers
    at `address`, because Ray itself would retry for minutes."""
    if address is None:
        end_leftovers()
        remove_old_sessions()
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


def remove_old_sessions() -> None:
    """Removes logs of this user's ended Ray sessions that were not written to for an hour."""
    running = set()
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            running |= {name for word in process.cmdline() for name in _SESSION.findall(word)}
    folder = Path(os.environ.get("RAY_TMPDIR") or tempfile.gettempdir()) / "ray"
    for session in folder.glob("session_*"):
        with contextlib.suppress(OSError):
            own = session.lstat()  # the newest may be a link, and another process may be removing them
            logs = session / "logs"
            latest = max(own.st_mtime, logs.stat().st_mtime if logs.exists() else 0)
            old = latest < time.time() - OLD_S and own.st_uid == os.getuid()
            if old and not session.is_symlink() and session.name not in running:
                shutil.rmtree(session, ignore_errors=True)


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
