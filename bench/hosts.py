"""The same sweep on one, two and three hosts; the third joins during the run.

    sudo python bench/hosts.py

On the cluster of `scripts/cluster.sh`, with its runs in S3 and a model that answers everything. All runs must be the
same, pictures too. Prints seconds, episodes by host, and the seconds from the start command of the third host until it
has finished its first episode. Exit code 1 if anything differs or a host played nothing. Needs Linux and root.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

from cluster_faults import LATENCY_S, command
from cluster_hosts import HOSTS, HUB, cluster, hosts, in_hub
from pipelines.test_survival import answer, results
from standin import Standin

from gwray.cli.console import terminal
from gwray.cli.terminal import print_table
from gwray.errors import GwrayError
from gwray.store import RunDir

LOOKS_APART_S = 0.2
REPEATS = 30
"""Of four tasks: long enough that a host can join in the middle."""


def played(name: str) -> Counter[str]:
    """Finished episodes by the host that played them."""
    try:
        return Counter(r.machine for r in RunDir.open(f"s3://runs/{name}").results())
    except GwrayError:  # nothing is written yet
        return Counter()


def until(name: str, driver: subprocess.Popen[bytes], so: Callable[[Counter[str]], bool]) -> float | None:
    """When it was so, or None if the run ended before."""
    while driver.poll() is None:
        if so(played(name)):
            return time.monotonic()
        time.sleep(LOOKS_APART_S)
    return time.monotonic() if so(played(name)) else None


def measure() -> int:
    rows: list[tuple[str, ...]] = []
    wrong: list[str] = []
    with Standin(keep_bodies=False, host=HUB) as standin:
        standin.answer, standin.latency_s = answer, LATENCY_S
        first: list[tuple] = []
        for many in (1, 2, 3):
            name, joined = f"hosts-{many}", ""
            if many == 2:
                cluster("join", HOSTS[1])
            began = time.monotonic()
            driver = subprocess.Popen(command(standin, name, repeats=REPEATS))
            if many == 3:
                until(name, driver, lambda by: len(by) == 2)
                started = time.monotonic()
                cluster("join", HOSTS[2])
                there = time.monotonic() - started
                done = until(name, driver, lambda by: HOSTS[2] in by)
                joined = f"{there:.0f} · " + (f"{done - started:.0f}" if done else "never")
            if driver.wait(timeout=1800):
                wrong.append(f"{name}: the command ended with {driver.returncode}")
            took, by = time.monotonic() - began, played(name)
            first = first or results(f"s3://runs/{name}")
            if results(f"s3://runs/{name}") != first:
                wrong.append(f"{name}: not the run of one host")
            if len(by) != many:
                wrong.append(f"{name}: played by {dict(by)}")
            rows.append((str(many), f"{took:.0f}", " · ".join(f"{h} {by[h]}" for h in HOSTS[:many]), joined))
    load = " ".join(f"{x:.0f}" for x in os.getloadavg())
    columns = (
        "hosts",
        "s",
        "episodes by host",
        "third host there · its first episode finished, s after its start command",
    )
    print_table(columns, rows, terminal(), f"{datetime.now(UTC):%Y-%m-%d}, load at the end {load}")
    print(*wrong or ["all runs are the same, pictures too"], sep="\n")
    return int(bool(wrong))


def main() -> int:
    with hosts(HOSTS[0]), in_hub():
        return measure()


if __name__ == "__main__":
    sys.exit(main())
