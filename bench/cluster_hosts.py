"""The hosts of `scripts/cluster.sh`: up for as long as a block lasts, what runs on them, and their network."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests")]

from pipelines.conftest import short_library  # noqa: E402

SCRIPT = str(ROOT / "scripts" / "cluster.sh")
HOSTS, HEAD, HUB = ("alpha", "beta", "gamma"), "10.77.0.1:6379", "10.77.0.254"
STATE = Path(os.environ.get("GWRAY_CLUSTER", "/tmp/gwray-cluster"))
LIBRARY = ROOT / "build" / "cluster-library"
"""In the checkout, which every host sees."""
S3 = {
    "AWS_ACCESS_KEY_ID": "any",
    "AWS_SECRET_ACCESS_KEY": "any",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ENDPOINT_URL": f"http://{HUB}:5000",
}


def cluster(*words: str, **how: Any) -> subprocess.CompletedProcess[str]:
    """A command of `scripts/cluster.sh`."""
    return subprocess.run([SCRIPT, *words], check=True, text=True, **how)


def processes(*hosts: str) -> list[tuple[psutil.Process, str]]:
    """What runs on these hosts (`hub`: beside them), with its command line: they are known by their network."""
    nets, found = set(), []
    for host in hosts:
        with contextlib.suppress(OSError):
            nets.add(f"net:[{Path(f'/var/run/netns/gwray-{host}').stat().st_ino}]")
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if str(Path(f"/proc/{process.pid}/ns/net").readlink()) in nets:
                found.append((process, " ".join(process.cmdline())))
    return found


@contextlib.contextmanager
def hosts(*names: str) -> Iterator[None]:
    """A cluster of these, with short games in `LIBRARY`. Whatever ends the block, a SIGTERM too, takes it down."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    up = subprocess.Popen([SCRIPT, "up", *names])
    try:
        if up.wait():  # it removed what it had started, or another cluster exists
            raise subprocess.CalledProcessError(up.returncode, up.args)
        shutil.rmtree(LIBRARY, ignore_errors=True)
        shutil.copytree(short_library(), LIBRARY)
        yield
    finally:
        if up.poll() is None:
            up.terminate()
        if up.wait() == 0:
            subprocess.run([SCRIPT, "down"], check=False)
            shutil.rmtree(LIBRARY, ignore_errors=True)
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def in_hub() -> Iterator[None]:
    """Beside the hosts: this thread, and those that it starts, are in the network of the hub and find the S3 server."""
    before = dict(os.environ)
    with Path("/proc/thread-self/ns/net").open() as outside, Path("/var/run/netns/gwray-hub").open() as hub:
        _enter(hub.fileno())
        os.environ |= S3
        try:
            yield
        finally:
            _enter(outside.fileno())
            os.environ.clear()
            os.environ |= before


def _enter(net: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(net, 0x40000000):  # CLONE_NEWNET
        raise OSError(ctypes.get_errno(), "cannot enter a network namespace")
