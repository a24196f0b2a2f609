"""Breaks one part of a cluster at a random moment of a sweep, lets the same command go on, and counts what it cost.

    sudo python bench/cluster_faults.py [--line actor host …] [--count 20] [--seed 1] [--minutes 60]

The cluster is that of `scripts/cluster.sh`: three hosts with nothing in common but a read-only checkout and an S3
server, where the run directory is. A model that answers everything stands beside them. Lines:

  actor, renderer, browser, node   kill -9 of one such process on any host
  driver                           kill -9 of the command itself
  raylet                           kill -9 of a host's Ray; it joins again
  host                             kill of a host with all that runs on it; it joins again
  stopped                          SIGSTOP of an actor for 20 s
  link                             a host's cable is out for 15 s
  slow                             200 ms and 5 % loss on a host's cable until the run ends
  store                            the S3 server answers nobody for 30 s
  full                             a host's disk is full for 15 s

After each trial the results must be those of an undisturbed run, no reply asked for again that was not in flight, no
process left on any host, and every episode must verify. Exit code 1 otherwise. Lines take turns, so that a count that
`--minutes` breaks off has about as many trials of each. Needs Linux and root.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import psutil
from faults import IN_FLIGHT, Tally, options, show

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests")]

from pipelines.conftest import short_library  # noqa: E402
from pipelines.test_survival import answer, results  # noqa: E402
from standin import Standin  # noqa: E402

from gwray.pipelines.verify import verify_run  # noqa: E402
from gwray.store import RunDir  # noqa: E402

HOSTS = ("alpha", "beta", "gamma")
HEAD, HUB = "10.77.0.1:6379", "10.77.0.254"
STATE = Path(os.environ.get("GWRAY_CLUSTER", "/tmp/gwray-cluster"))
LIBRARY = ROOT / "build" / "cluster-library"
"""In the checkout, which every host sees."""
PROCESSES = {"actor": "ray::SandboxActor", "node": "run-driver", "raylet": "raylet/raylet", "driver": "launch.py"}
OURS = ("headless", "run-driver", "ray::Sandbox", "launch.py")
"""Words of processes that a run starts, and that must be gone after it."""
LATENCY_S = 0.05
STRIKES = [
    "actor",
    "renderer",
    "browser",
    "node",
    "driver",
    "raylet",
    "host",
    "stopped",
    "link",
    "slow",
    "store",
    "full",
]


def cluster(*words: str, **how: object) -> subprocess.CompletedProcess[str]:
    """A command of `scripts/cluster.sh`."""
    return subprocess.run([str(ROOT / "scripts" / "cluster.sh"), *words], check=True, text=True, **how)


def processes(*hosts: str) -> list[tuple[psutil.Process, str]]:
    """What runs on these hosts, with its command line: their processes are known by their network."""
    found = []
    nets = set()
    for host in hosts:
        with contextlib.suppress(OSError):
            nets.add(f"net:[{Path(f'/var/run/netns/gwray-{host}').stat().st_ino}]")
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if str(Path(f"/proc/{process.pid}/ns/net").readlink()) in nets:
                found.append((process, " ".join(process.cmdline())))
    return found


def one_of(line: str, draw: random.Random, *hosts: str) -> psutil.Process | None:
    """A process of that kind, or None if there is none now."""
    running = processes(*hosts)
    if line in ("browser", "renderer"):
        browsers = [(p, words) for p, words in running if "headless" in words.partition(" ")[0]]
        found = [p for p, words in browsers if ("--type=renderer" in words) == (line == "renderer")]
        found = [p for p in found if line == "renderer" or "--type=" not in " ".join(p.cmdline())]
    else:
        found = [p for p, words in running if PROCESSES[line] in words and "nsenter" not in words]
    return draw.choice(found) if found else None


def link(host: str, *words: str) -> None:
    subprocess.run(["ip", "-n", "gwray-hub", "link", "set", host, *words], check=True)


def strike(line: str, draw: random.Random) -> list[str] | None:
    """Break it, and mend what does not mend itself; hosts that have to join again after the run, or None if there was
    nothing to break."""
    host = draw.choice(HOSTS[1:])
    match line:
        case "host":
            cluster("kill", host)
            return [host]
        case "link":
            link(host, "down")
            time.sleep(15)
            link(host, "up")
        case "slow":
            netem = [
                "tc",
                "-n",
                "gwray-hub",
                "qdisc",
                "add",
                "dev",
                host,
                "root",
                "netem",
                "delay",
                "200ms",
                "loss",
                "5%",
            ]
            subprocess.run(netem, check=True)
        case "store":
            servers = [p for p in psutil.process_iter() if "moto.server" in " ".join(p.cmdline())]
            for server in servers:
                server.suspend()
            time.sleep(30)
            for server in servers:
                server.resume()
        case "full":
            fill = "dd if=/dev/zero of=/tmp/full bs=1M; sleep 15; rm /tmp/full"
            cluster("on", host, "sh", "-c", fill, capture_output=True)
        case "stopped":
            process = one_of("actor", draw, *HOSTS)
            if process is None:
                return None
            process.suspend()
            time.sleep(20)
            with contextlib.suppress(psutil.Error):
                process.resume()
        case _:
            process = one_of(line, draw, *(HOSTS[1:] if line == "raylet" else HOSTS))
            if process is None:
                return None
            where = next((h for h in HOSTS if process in [p for p, _ in processes(h)]), host)
            process.kill()
            return [where] if line == "raylet" else []
    return []


def mended(line: str, broken: list[str]) -> None:
    """The cluster as it was before."""
    if line == "slow":
        for host in HOSTS[1:]:
            subprocess.run(["tc", "-n", "gwray-hub", "qdisc", "del", "dev", host, "root"], stderr=subprocess.DEVNULL)
    for host in broken:
        if line == "raylet":
            cluster("kill", host)
        cluster("join", host)


def left() -> list[str]:
    """What a run has left on the hosts, after up to 30 s."""
    end = time.monotonic() + 30
    while True:
        there = [words[:80] for _, words in processes(*HOSTS) if any(word in words for word in OURS)]
        if not there or time.monotonic() > end:
            return there
        time.sleep(0.5)


def command(standin: Standin, name: str) -> list[str]:
    launch = ["on", "alpha", "python", str(ROOT / "launch.py")]
    model = ["model=openai-compatible", f"model.base_url={standin.base_url('openai_chat')}", "model.max_in_flight=4"]
    return [
        str(ROOT / "scripts" / "cluster.sh"), *launch, *model, "game=[short-flight,short-pair]",
        "task=[1,2]", "repeats=2",
        f"libraries=[{LIBRARY}]", "executor=ray", f"executor.address={HEAD}", "executor.lanes=2",
        "tracking.mode=disabled", f"run_dir=s3://runs/{name}",
    ]  # fmt: skip


def trial(line: str, name: str, standin: Standin, calm: list[tuple], needed: int, draw: random.Random, tally: Tally):
    """One run, broken at a random moment, and the same command until it is complete."""
    at = draw.randrange(1, needed * 3 // 4)
    where = f"{line} after {at} replies ({name}): "
    standin.seen.clear()
    words = command(standin, name)
    log = STATE / f"{name}.log"
    with log.open("wb") as out:
        driver = subprocess.Popen(words, stdout=out, stderr=out)
        while standin.answered < at and driver.poll() is None:
            time.sleep(0.005)
        broken: list[str] | None = None
        while driver.poll() is None and (broken := strike(line, draw)) is None:
            time.sleep(0.02)
        tally.late += broken is None
        driver.wait(timeout=900)
        mended(line, broken or [])
        rc = subprocess.run(words, stdout=out, stderr=out, timeout=900).returncode
    tally.trials += 1
    tally.planned += len(calm)
    run = RunDir.open(f"s3://runs/{name}")
    tally.finished += len(run.results())
    asked = standin.answered - needed
    tally.asked_again += asked
    tally.most_at_once = max(tally.most_at_once, asked)
    found = asyncio.run(verify_run(run))
    tally.verified += sum(f.verdict == "identical" for f in found)
    there = left()
    tally.left += len(there)
    if rc:
        tally.wrong.append(where + f"the same command ended with {rc}: {log.read_text()[-600:]}")
    if results(f"s3://runs/{name}") != calm:
        tally.wrong.append(where + "the results are not those of an undisturbed run")
    if not 0 <= asked <= IN_FLIGHT:
        tally.wrong.append(where + f"{asked} replies were asked for again")
    if len(found) != len(calm) or any(f.verdict != "identical" for f in found):
        tally.wrong.append(where + f"not verified: {[f for f in found if f.verdict != 'identical']}")
    if there:
        tally.wrong.append(where + f"left running: {there}")


@contextlib.contextmanager
def three_hosts() -> Iterator[None]:
    shutil.rmtree(LIBRARY, ignore_errors=True)
    shutil.copytree(short_library(), LIBRARY)
    cluster("up", *HOSTS)
    try:
        yield
    finally:
        subprocess.run([str(ROOT / "scripts" / "cluster.sh"), "down"], check=False)
        shutil.rmtree(LIBRARY)


def measure(told: argparse.Namespace) -> int:
    """Beside the cluster, in the network of its hosts."""
    draw, tallies = random.Random(told.seed), {line: Tally() for line in told.line}
    ends = time.monotonic() + told.minutes * 60
    aws = {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any", "AWS_DEFAULT_REGION": "us-east-1"}
    os.environ |= {**aws, "AWS_ENDPOINT_URL": f"http://{HUB}:5000"}
    with Standin(keep_bodies=False, host=HUB) as standin:
        standin.answer = answer
        subprocess.run(command(standin, "calm"), check=True, timeout=900)
        calm, needed = results("s3://runs/calm"), standin.answered
        standin.latency_s = LATENCY_S
        for n, line in ((n, line) for n in range(told.count) for line in told.line):
            if time.monotonic() > ends:
                break
            began, wrong = time.monotonic(), len(tallies[line].wrong)
            trial(line, f"{line}-{n}", standin, calm, needed, draw, tallies[line])
            said = f"{line}: {n + 1} of {told.count}, {time.monotonic() - began:.0f} s"
            print(
                f"{datetime.now(UTC):%H:%M} {said}",
                *tallies[line].wrong[wrong:],
                sep="\n  ",
                file=sys.stderr,
                flush=True,
            )
    return show(tallies, told.seed)


def main() -> int:
    p = options(STRIKES, __doc__)
    p.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    told = p.parse_args()
    if told.inside:
        return measure(told)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with three_hosts():
        inside = ["nsenter", "--net=/var/run/netns/gwray-hub", sys.executable, __file__, *sys.argv[1:], "--inside"]
        return subprocess.run(inside, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
