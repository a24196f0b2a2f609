"""The next start ends the processes of a killed run, and keeps those of a running one."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import psutil
import pytest

from gwray.ray_connection import end_leftovers, is_agent


@pytest.fixture
def haproxy(tmp_path):
    """A process that looks like Serve's HAProxy, without being one."""
    program = tmp_path / "haproxy"
    program.write_text("#!/bin/sh\nwhile :; do sleep 1; done\n")
    program.chmod(0o755)
    return [str(program), "-f", f"{tmp_path}/haproxy-serve/haproxy.cfg"]


def test_orphaned_proxy_is_ended(haproxy):
    leaves = f"import subprocess as s; print(s.Popen({haproxy!r}, stdout=s.DEVNULL, stderr=s.DEVNULL).pid)"
    pid = int(subprocess.run([sys.executable, "-c", leaves], capture_output=True, text=True, check=True).stdout)
    process = psutil.Process(pid)
    try:
        wait_until(lambda: name_of(process) in ("haproxy", ""))
        assert pid in end_leftovers() or not is_alive(process), "by us, or by a run that began beside this test"
        wait_until(lambda: not is_alive(process))
    finally:
        if process.is_running():
            process.kill()


def test_managed_proxy_is_kept(haproxy):
    manages = f"import subprocess; p = subprocess.Popen({haproxy!r}); print(p.pid, flush=True); p.wait()"
    # The last word stands for the title that Ray gives its actors' processes.
    command = [sys.executable, "-c", manages, "ray::HAProxyManager"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as manager:
        assert manager.stdout is not None
        process = psutil.Process(int(manager.stdout.readline()))
        try:
            wait_until(lambda: name_of(process) == "haproxy")
            assert process.pid not in end_leftovers()
            assert process.is_running()
        finally:
            process.kill()


STARTS_RAY = """
import sys, time
from gwray.ray_connection import connect
connect(None)
print("up", flush=True)
time.sleep(600)
"""


@pytest.mark.slow
def test_only_agents_of_killed_drivers_are_ended():
    drivers = [subprocess.Popen([sys.executable, "-c", STARTS_RAY], stdout=subprocess.PIPE, text=True) for _ in "12"]
    agents: list[list[psutil.Process]] = []
    try:
        for driver in drivers:
            assert driver.stdout is not None and driver.stdout.readline() == "up\n"
        agents = [agents_of(d.pid) for d in drivers]
        assert [len(a) for a in agents] == [2, 2]
        killed, living = agents
        os.kill(drivers[0].pid, signal.SIGKILL)
        drivers[0].wait()
        wait_until(lambda: end_leftovers() is not None and not any(is_alive(p) for p in killed))
        assert [p for p in living if is_alive(p)] == living
    finally:
        for process in (*drivers, *(p for both in agents for p in both)):
            process.kill()


def agents_of(pid: int) -> list[psutil.Process]:
    """The two agents of the driver's node."""
    end = time.monotonic() + 200
    while True:
        found = [p for p in psutil.Process(pid).children(recursive=True) if is_agent(words(p))]
        if len(found) == 2 or time.monotonic() > end:
            return found
        time.sleep(0.1)


def wait_until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not happened():
        assert time.monotonic() < end, "the condition did not become true in time"
        time.sleep(0.05)


def name_of(process: psutil.Process) -> str:
    """Empty when it has ended."""
    try:
        return process.name()
    except psutil.Error:
        return ""


def words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
