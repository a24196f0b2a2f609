"""The one connection of this process to Ray, started here or joined elsewhere, by whichever room needs it first.

Who plays and who serves models share it; its options are the same whoever comes first, and it is ended by whoever made
it. Ray itself is imported when it is connected to, never before.

Of a run that was killed, some processes are left. Ray's own follow a killed driver within two seconds, with two
exceptions. The agents of its node first tell a head node that is no more, for a minute. HAProxy, which Serve starts,
replaces itself whenever a replica comes or goes, and one that is born while its manager is being killed has nobody who
would end it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil

from gwray.errors import UsageError

_TITLES = ("ray::DashboardAgent", "ray::RuntimeEnvAgent")
_PROGRAMS = ("/ray/dashboard/agent.py", "/ray/_private/runtime_env/agent/main.py")
_SESSION = re.compile(r"session_[0-9-]+_[0-9-]+_[0-9_]+")


NAMESPACE = "gwray"
"""Of the names of our actors on a cluster that others use too."""
OBJECT_STORE_BYTES = 128 * 2**20
"""Of a Ray that is started here. What crosses between processes is small; pictures and weights do not."""
OLD_S = 3600.0
"""So long the logs of a Ray that has ended are kept."""
START_TRIES = 6
"""On a machine that is too busy, Ray does not start within its own 30 s."""


def connect(address: str | None, env: Mapping[str, str] | None = None) -> bool:
    """Join the cluster at `address`, or start one on this machine (None).

    `env`: environment variables of every process that works for us there, beside those that always hold. Returns
    whether the connection was made by this call: who made it ends it, with `disconnect`. Blocks for some seconds.
    Raises `UsageError` when nobody answers at `address`, or Ray does not start here.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import ray
    from ray.exceptions import RayError

    if ray.is_initialized():
        return False
    # Written bytecode saves every worker a minute of compiling; some containers switch it off.
    variables = {"PYTHONDONTWRITEBYTECODE": "", **(env or {})}
    options: dict[str, Any] = {"namespace": NAMESPACE, "log_to_driver": False, "runtime_env": {"env_vars": variables}}
    if address is None and (problem := path_problem()):
        raise UsageError(problem)
    prepare(address)
    if address is not None:
        try:
            ray.init(address=address, logging_level=logging.ERROR, **options)
        except (ConnectionError, RayError, ValueError) as e:
            raise no_answer(address, e) from e
        return True
    options |= {"include_dashboard": False, "object_store_memory": OBJECT_STORE_BYTES}
    for left in reversed(range(START_TRIES)):
        try:
            ray.init(address="local", logging_level=logging.CRITICAL if left else logging.ERROR, **options)
            break
        except Exception as e:
            ray.shutdown()
            if not left:
                raise UsageError(
                    f"Ray did not start on this machine in {START_TRIES} tries ({str(e).strip()}). It may be too "
                    "busy: try again later, or play without Ray by executor=inline."
                ) from e
    return True


def path_problem(python: str = sys.executable) -> str | None:
    """Returns a message if Ray cannot start workers with this interpreter, None if it can.

    Ray passes the path to a shell without quotes, so its workers never start and the run would hang.
    """
    special = sorted(set(python) & set(" \t\n'\"\\$&()<>;|*?`"))
    if not special:
        return None
    return (
        f"Ray cannot start workers with the interpreter '{python}', because its path contains {special[0]!r}. Move the "
        "environment to a path without spaces and shell characters and set it up there, or use executor=inline."
    )


def disconnect() -> None:
    """End the connection, and a Ray that was started here with it; no harm if there is none. Blocks for some seconds.

    Not beside the event loop in a thread: an actor's handle that the loop lets go of meanwhile, as after a second
    Ctrl-C, reaches for what is half gone, and Ray ends the process at once.
    """
    import ray

    ray.shutdown()


def drained_nodes() -> frozenset[str]:
    """Ids of the nodes of the connected cluster that are about to go: a notice of a spot machine, `ray drain-node`."""
    from ray._private.state import state  # nothing public tells

    return frozenset(state.get_draining_nodes())


def prepare(address: str | None) -> None:
    """Before a Ray of our own is started (None): end what a killed one left. Before one is joined: `UsageError` when
    nobody answers there, since Ray itself would knock for minutes."""
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
    """No Ray cluster can be joined there."""
    return UsageError(
        f"no Ray cluster answers at '{address}' ({why}). Start one with `ray start --head`, name another with "
        "executor.address=HOST:6379, or leave it out to start one here. (With a token: RAY_AUTH_MODE=token.)"
    )


def end_leftovers() -> list[int]:
    """End this user's agents of Ray and proxies of Serve whose own parent is no more; returns their process ids.

    Those of a run that is still going on are left alone.
    """
    ended = []
    for process in psutil.process_iter():
        try:
            if process.uids().real == os.getuid() and _is_left_over(process):
                process.kill()
                ended.append(process.pid)
        except psutil.Error:  # it has just ended, or is not ours to look at
            continue
    return ended


def remove_old_sessions() -> None:
    """Remove the logs of this user's Rays that run no more and were not written to for an hour."""
    running = set()
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            running |= {name for word in process.cmdline() for name in _SESSION.findall(word)}
    folder = Path(os.environ.get("RAY_TMPDIR") or tempfile.gettempdir()) / "ray"
    for session in folder.glob("session_*"):
        with contextlib.suppress(OSError):
            own = session.lstat()  # the newest may be a link, and another start may be removing them at this moment
            logs = session / "logs"
            latest = max(own.st_mtime, logs.stat().st_mtime if logs.exists() else 0)
            old = latest < time.time() - OLD_S and own.st_uid == os.getuid()
            if old and not session.is_symlink() and session.name not in running:
                shutil.rmtree(session, ignore_errors=True)


def _is_left_over(process: psutil.Process) -> bool:
    name, words = process.name(), process.cmdline()
    if name == "haproxy" and any("/haproxy-serve/" in w for w in words):
        manager = process.parent()
        return manager is None or not any(w.startswith("ray::") or "/ray/" in w for w in manager.cmdline())
    if is_agent(words):
        node = process.parent()
        return node is None or node.name() != "raylet"
    return False


def is_agent(words: list[str]) -> bool:
    """Whether a command line is that of an agent of a Ray node: its title, or its program if it could not take one."""
    if not words:
        return False
    program = next((w for w in words[1:] if not w.startswith("-")), "")
    return words[0].strip() in _TITLES or ("python" in words[0] and program.endswith(_PROGRAMS))
