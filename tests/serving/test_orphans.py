"""A proxy whose manager was killed is ended by the next start; one that is managed is left alone."""

import subprocess
import sys
import time

import psutil
import pytest

from gwray.serving.cluster import end_orphaned_proxies


@pytest.fixture
def haproxy(tmp_path):
    """A process that looks like Serve's HAProxy, without being one."""
    program = tmp_path / "haproxy"
    program.write_text("#!/bin/sh\nwhile :; do sleep 1; done\n")
    program.chmod(0o755)
    return [str(program), "-f", f"{tmp_path}/haproxy-serve/haproxy.cfg"]


def test_a_proxy_without_a_manager_is_ended(haproxy):
    leaves = f"import subprocess as s; print(s.Popen({haproxy!r}, stdout=s.DEVNULL, stderr=s.DEVNULL).pid)"
    pid = int(subprocess.run([sys.executable, "-c", leaves], capture_output=True, text=True, check=True).stdout)
    process = psutil.Process(pid)
    try:
        end = time.monotonic() + 20
        while process.name() != "haproxy" and time.monotonic() < end:
            time.sleep(0.01)
        assert pid in end_orphaned_proxies()
        psutil.wait_procs([process], timeout=20)
        assert not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    finally:
        if process.is_running():
            process.kill()


def test_a_managed_proxy_is_left_alone(haproxy):
    manages = f"import subprocess; p = subprocess.Popen({haproxy!r}); print(p.pid, flush=True); p.wait()"
    # The last word stands for the title that Ray gives its actors' processes.
    command = [sys.executable, "-c", manages, "ray::HAProxyManager"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as manager:
        assert manager.stdout is not None
        process = psutil.Process(int(manager.stdout.readline()))
        try:
            end = time.monotonic() + 20
            while process.name() != "haproxy" and time.monotonic() < end:
                time.sleep(0.01)
            assert process.pid not in end_orphaned_proxies()
            assert process.is_running()
        finally:
            process.kill()
