"""Counts the exit codes of short commands that read a run, while the machine is busy.

A thread of a library that is still alive when the interpreter ends can abort the process after its work is done
("terminate called without an active exception", 134). It is a matter of chance and load, so the commands are repeated,
a few at once, each in a process of its own, with others beside them that only keep the processors busy.

    python bench/exit_codes.py [--count 500] [--minutes 60] [--at-once 4] [--busy 2] [--read-in-threads]

`--read-in-threads` lets Arrow read with its own threads, which gwray does not: the condition itself, for comparison.
Exit code 1 if any command ended otherwise than with 0.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests")]

from pipelines.conftest import play  # noqa: E402

from gwray.cli.console import terminal  # noqa: E402
from gwray.cli.terminal import print_table  # noqa: E402

READS = """
import sys
from gwray.store import RunDir
run = RunDir(sys.argv[1])
run.read_episode(run.episode_keys()[0])
"""
READS_IN_THREADS = """
import sys
from pathlib import Path
import pyarrow.parquet as pq
with next(Path(sys.argv[1]).glob("episodes/*.parquet")).open("rb") as file:
    pq.ParquetFile(file, page_checksum_verification=True).read_row_group(0, use_threads=True).to_pylist()
"""


def commands(run: str, in_threads: bool) -> dict[str, list[str]]:
    """By the name of their row in the table."""
    if in_threads:
        return {"Arrow's own threads": ["-c", READS_IN_THREADS, run]}
    gwray = ["-m", "gwray"]
    return {
        "read_episode": ["-c", READS, run],
        "results": [*gwray, "results", run, "--format", "json"],
        "results --by module": [*gwray, "results", run, "--by", "module"],
        "verify --stored": [*gwray, "verify", run, "--stored"],
        "rescore --dry-run": [*gwray, "rescore", run, "--dry-run"],
        "seal": [*gwray, "seal", run],
        "tasks": [*gwray, "tasks", "13_flappy-bird"],
        "games": [*gwray, "games"],
    }


async def ended_with(words: list[str]) -> tuple[int, str]:
    """Returns the exit code as a shell reports it, and the text on standard error."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, *words, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE, cwd=ROOT
    )
    _, errors = await child.communicate()
    code = child.returncode or 0
    return (128 - code if code < 0 else code), errors.decode(errors="replace")


async def count(options: argparse.Namespace, run: str) -> dict[str, Counter[int]]:
    """Exit codes by command; each of those that are at work at once has a copy of the run, since one may lock it."""
    codes: dict[str, Counter[int]] = {name: Counter() for name in commands(run, options.read_in_threads)}
    numbers, ends = iter(range(options.count)), time.monotonic() + options.minutes * 60

    async def work(copy: str) -> None:
        todo = list(commands(copy, options.read_in_threads).items())
        for n in itertools.takewhile(lambda _: time.monotonic() < ends, numbers):
            name, words = todo[n % len(todo)]
            code, errors = await ended_with(words)
            codes[name][code] += 1
            if code:
                print(f"{name}: {code}: {errors.strip()[-300:]}", file=sys.stderr, flush=True)

    busy = [await asyncio.create_subprocess_exec(sys.executable, "-c", "while True: pass") for _ in range(options.busy)]
    try:
        copies = [shutil.copytree(run, f"{run}-{i}") for i in range(options.at_once)]
        await asyncio.gather(*(work(copy) for copy in copies))
    finally:
        for one in busy:
            one.kill()
            await one.wait()
    return codes


async def measure(options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as folder:
        ended = await play(Path(folder), {"game": "short-sums", "task": "all"})
        codes = await count(options, ended.run.url)
    rows = [
        (name, str(c.total()), ", ".join(f"{code}: {n}" for code, n in sorted(c.items()))) for name, c in codes.items()
    ]
    load = " ".join(f"{x:.0f}" for x in os.getloadavg())
    title = f"{datetime.now(UTC):%Y-%m-%d}, {sum(c.total() for c in codes.values())} commands, load at the end {load}"
    print_table(("command", "times", "exit codes"), rows, terminal(), title)
    return int(any(code for c in codes.values() for code in c))


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=500, help="commands in all")
    p.add_argument("--minutes", type=float, default=float("inf"), help="no command begins later")
    p.add_argument("--at-once", type=int, default=4, help="commands at a time")
    p.add_argument("--busy", type=int, default=2, help="processes beside them that only compute")
    p.add_argument("--read-in-threads", action="store_true", help="read by Arrow's own threads instead")
    return asyncio.run(measure(p.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
