"""Breaks a hosted model's engine, its replica or Serve's proxy at random moments of a sweep, and counts what it cost.

    .venv-vllm/bin/python bench/engine_faults.py [--line engine replica proxy] [--count 20] [--seed 1] [--minutes 60]

On this machine, with the tiny model on the real engine for CPUs (`make setup-vllm`). Faults are repeated while the
model answers; the seed sets the number of replies between two of them. Serve restarts what was broken, and the same
command is started again whenever it has ended. Runs differ, because the model's replies do: a complete run must have
all episodes, all verified, and leave no process. Each run's counts are appended to `results/cluster_faults.jsonl`,
from which `cluster_faults.py --table` makes `docs/faults.md`. Exit code 1 on any error.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil
from cluster_page import HOSTED, RESULTS, ROOT

sys.path[:0] = [str(ROOT / "tests" / "serving")]

from launches import Launch, command_of, launched, short_library  # noqa: E402

from gwray.store import RunDir  # noqa: E402
from gwray.verification.verify import verify_run  # noqa: E402

EPISODES = 12
APART = 20
"""Replies between two strikes, on average."""
STARTS = 5
"""Of a command that ends without a strike."""


def parts(launch: Launch, line: str) -> list[psutil.Process]:
    """What of a launch can be broken."""
    if line == "engine":
        return launch.engines()
    if line == "replica":
        return [parent for engine in launch.engines() if (parent := engine.parent()) is not None]
    managers = ("ray::HAProxyManager", "ray::ProxyActor")
    return [p for p in launch.family() if p.name() == "haproxy" or command_of(p).startswith(managers)]


def replies(folder: Path) -> list[Any]:
    """All that were written down."""
    if not RunDir.is_run(folder):
        return []
    run = RunDir.open(folder)
    return [reply for key in run.logged_keys() for reply in run.log(key).read()]


def played(
    line: str, options: argparse.Namespace, n: int, draw: random.Random, most: int, ends: float
) -> dict[str, Any]:
    """One run, until it is complete; `most`: strikes that are left."""
    began, struck, starts, idle, left = time.monotonic(), 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as at:
        folder = Path(at)
        library, run_dir = short_library(folder / "library", "01_2048"), folder / "run"
        command = ["launch.py", "model=tiny-vl", "game=01_2048-short", "task=1", f"repeats={EPISODES}",
                   "tracking.mode=disabled", f"libraries=[{library}]", f"run_dir={run_dir}"]  # fmt: skip
        rc, after = None, draw.randrange(2 * APART)
        while rc != 0 and idle < STARTS:
            starts, idle = starts + 1, idle + 1
            with launched(folder, command) as launch:
                while (rc := launch.process.poll()) is None:
                    if struck < most and time.monotonic() < ends and len(replies(run_dir)) >= after:
                        time.sleep(draw.random())
                        if some := parts(launch, line):
                            draw.choice(some).kill()
                            struck, idle = struck + 1, 0
                            after = len(replies(run_dir)) + 4 + draw.randrange(2 * APART)
                            print(f"{datetime.now(UTC):%H:%M:%S} {line} struck", file=sys.stderr, flush=True)
                    time.sleep(0.2)
                left += len(launch.left(30))
                if rc:
                    print(launch.said[-3000:], file=sys.stderr, flush=True)
        run = RunDir.open(run_dir)
        findings = asyncio.run(verify_run(run))
        verified = sum(f.proven for f in findings)
        finished = len(run.results())
        again = sum(r.reply.requests > 1 for r in replies(run_dir))
        made = len(replies(run_dir))
    bad = {f"{EPISODES - finished} episodes lost": finished < EPISODES, f"{left} processes left": left > 0,
           f"not verified: {[f for f in findings if not f.proven]}": verified < EPISODES}  # fmt: skip
    wrong = [f"{line}-{options.seed}-{n}: {what}" for what, so in bad.items() if so]
    return {
        "line": line, "seed": options.seed, "run": n, "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M}", "strikes": struck,
        "planned": EPISODES, "finished": finished, "replies": made, "again": again, "verified": verified, "left": left,
        "starts": starts, "seconds": round(time.monotonic() - began), "load": round(os.getloadavg()[0], 1),
        "wrong": wrong,
    }  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--line", nargs="+", choices=HOSTED, default=HOSTED)
    parser.add_argument("--count", type=int, default=20, help="strikes of each line (20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60, help="begin no strike after so long (60)")
    options = parser.parse_args()
    ends, bad = time.monotonic() + options.minutes * 60, False
    for line in options.line:
        draw, strikes, n = random.Random(f"{line} {options.seed}"), 0, 0
        while strikes < options.count and time.monotonic() < ends:
            count = played(line, options, n, draw, options.count - strikes, ends)
            strikes, n = strikes + count["strikes"], n + 1
            print(json.dumps(count), file=sys.stderr, flush=True)
            with RESULTS.open("a") as file:
                file.write(json.dumps(count) + "\n")
            if count["wrong"]:
                bad = True
                break
    return int(bad)


if __name__ == "__main__":
    raise SystemExit(main())
