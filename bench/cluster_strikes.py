"""The faults that `cluster_faults.py` injects into the cluster of `scripts/cluster.sh`, and their repair."""

from __future__ import annotations

import contextlib
import random
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import psutil
from cluster_hosts import HEAD, HOSTS, ROOT, cluster, processes

CLOCK = ROOT / "build" / "cluster-clock"
"""Seconds that `clock.c` adds to the time of day of every process on the hosts; in the checkout: all hosts see it."""
PROGRAMS = {
    "actor": "ray::SandboxActor",
    "node": "run-driver",
    "raylet": "raylet/raylet",
    "gcs": "gcs_server",
    "driver": "launch.py",
    "tracker": "wandb-core",
}
"""By what word of its command line a process is known."""
AWAY_S, STORE_S, PARTITION_S, NOTICE_S = 15, 60, 100, 10


def below(process: psutil.Process) -> list[tuple[psutil.Process, str]]:
    """What descends from a process, with its command line."""
    found = []
    with contextlib.suppress(psutil.Error):
        for child in process.children(recursive=True):
            with contextlib.suppress(psutil.Error):
                found.append((child, " ".join(child.cmdline())))
    return found


@dataclass
class Breaker:
    """Breaks one line, at whatever the seed draws. What a strike returns is whether there was something to break."""

    draw: random.Random
    more: dict[str, Callable[[], bool]] = field(default_factory=dict)
    """Lines of the caller's own."""

    def strike(self, line: str) -> bool:
        if line in self.more:
            return self.more[line]()
        own = getattr(self, f"_{line.replace('-', '_')}", None)
        return own() if own else self._kill(line)

    def _one(self, line: str) -> psutil.Process | None:
        running = processes(*HOSTS)
        found: list[psutil.Process] = []
        if line in ("browser", "renderer"):
            heads = [(p, words) for p, words in running if "headless" in words.partition(" ")[0]]
            found = [p for p, words in heads if "--type=" not in words]
        if line == "renderer":  # it has a network of its own
            found = [page for browser in found for page, words in below(browser) if "--type=renderer" in words]
        elif line != "browser":
            found = [p for p, words in running if PROGRAMS[line] in words and "nsenter" not in words]
        return self.draw.choice(found) if found else None

    def _kill(self, line: str) -> bool:
        process = self._one(line)
        if process is None:
            return False
        process.kill()
        return True

    def _raylet(self) -> bool:
        host = self.draw.choice(HOSTS[1:])
        for process, words in processes(host):
            if PROGRAMS["raylet"] in words:
                process.kill()
        time.sleep(2)
        return self._host_again(host)

    def _host(self) -> bool:
        return self._host_again(self.draw.choice(HOSTS[1:]))

    def _host_again(self, host: str) -> bool:
        cluster("kill", host)
        cluster("join", host)
        return True

    def _drain(self) -> bool:
        host = self.draw.choice(HOSTS[1:])
        why = ("--reason", "DRAIN_NODE_REASON_PREEMPTION", "--reason-message", "notice")
        notice = ("--deadline-remaining-seconds", str(NOTICE_S))
        cluster("on", host, "ray", "drain-node", "--address", HEAD, *why, *notice, stdout=subprocess.DEVNULL)
        time.sleep(NOTICE_S)
        return self._host_again(host)

    def _head(self) -> bool:
        cluster("kill", HOSTS[0])
        self._all_join()
        return True

    def _gcs(self) -> bool:
        if not self._kill("gcs"):
            return False
        time.sleep(2)
        self._all_join()
        return True

    def _all_join(self) -> None:
        """Nothing of a Ray without its head can be used again."""
        for host in HOSTS:
            with contextlib.suppress(subprocess.CalledProcessError):
                cluster("kill", host, stderr=subprocess.DEVNULL)
        cluster("join", HOSTS[0])
        others = [threading.Thread(target=cluster, args=("join", host)) for host in HOSTS[1:]]
        for joining in others:
            joining.start()
        for joining in others:
            joining.join()

    def _stopped(self) -> bool:
        process = self._one("actor")
        if process is None:
            return False
        process.suspend()
        time.sleep(20)
        with contextlib.suppress(psutil.Error):
            process.resume()
        return True

    def _partition(self) -> bool:
        return self._link(HOSTS[1:], PARTITION_S)

    def _link(self, hosts: tuple[str, ...] = HOSTS, away_s: float = AWAY_S) -> bool:
        host = self.draw.choice(hosts)
        subprocess.run(["ip", "-n", "gwray-hub", "link", "set", host, "down"], check=True)
        time.sleep(away_s)
        subprocess.run(["ip", "-n", "gwray-hub", "link", "set", host, "up"], check=True)
        return True

    def _store(self) -> bool:
        with store_stopped():
            time.sleep(STORE_S)
        return True

    def _store_slow(self) -> bool:
        end = time.monotonic() + AWAY_S
        while time.monotonic() < end:
            with store_stopped():
                time.sleep(0.8)
            time.sleep(0.1)
        return True

    def _disk_full(self) -> bool:
        fill = f"dd if=/dev/zero of=/tmp/full bs=1M; sleep {AWAY_S}; rm /tmp/full"
        cluster("on", self.draw.choice(HOSTS), "sh", "-c", fill, capture_output=True)
        return True

    def _clock(self) -> bool:
        CLOCK.write_text(f"{self.draw.uniform(-6, 6) * 3600:.0f}\n")
        return True


@contextlib.contextmanager
def store_stopped() -> Iterator[None]:
    servers = [process for process, words in processes("hub") if "moto.server" in words]
    for server in servers:
        server.suspend()
    try:
        yield
    finally:
        for server in servers:
            server.resume()


def faked_clock() -> dict[str, str]:
    """Settings of a cluster whose clock can be moved; the machine's own stays as it is."""
    CLOCK.parent.mkdir(exist_ok=True)
    CLOCK.write_text("0\n")
    library = CLOCK.with_suffix(".so")
    source = ROOT / "bench" / "clock.c"
    try:
        subprocess.run(["cc", "-O2", "-Wall", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    except FileNotFoundError:
        raise SystemExit(
            "A C compiler is missing, which makes the clock that can be moved: apt-get install gcc"
        ) from None
    return {"GWRAY_CLUSTER_SETTINGS": f"LD_PRELOAD={library} GWRAY_CLOCK={CLOCK}"}
