"""What has to be seen to before Ray is started here or joined elsewhere, by whichever room does it.

Of a run that was killed, some processes are left. Ray's own follow a killed driver within two seconds, with two
exceptions. The agents of its node first tell a head node that is no more, for a minute. HAProxy, which Serve starts,
replaces itself whenever a replica comes or goes, and one that is born while its manager is being killed has nobody who
would end it.
"""

from __future__ import annotations

import os
import socket

import psutil

from gwray.errors import UsageError

_TITLES = ("ray::DashboardAgent", "ray::RuntimeEnvAgent")
_PROGRAMS = ("/ray/dashboard/agent.py", "/ray/_private/runtime_env/agent/main.py")


def prepare(address: str | None) -> None:
    """Before a Ray of our own is started (None): end what a killed one left. Before one is joined: `UsageError` when
    nobody answers there, since Ray itself would knock for minutes."""
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
