"""Breaks one part of a cluster at random moments of a sweep, resumes with the same command, and counts the cost.

    sudo python bench/cluster_faults.py [--line actor host …] [--count 20] [--seed 1] [--minutes 60] [--repeats 3]
    python bench/cluster_faults.py --table

The cluster is that of `scripts/cluster.sh`: three nodes that share only a read-only checkout and an S3 server, which
holds the run directory. A model server answers every request. A line is one fault type: see `LINES`. Each line has its
own runs with repeated faults: the seed sets the number of replies between two faults, plus up to half a second. What
was broken is repaired immediately, and the command is started again whenever it has ended. A complete run is counted
and must equal an undisturbed one: the same episodes with the same outcomes and screenshots, no repeated request that no
fault explains, all episodes verified, no process left on any node.

Lines take turns, one run at a time. Each run's counts are appended to `results/cluster_faults.jsonl`, from which
`--table` makes `docs/faults.md`, or to another file (`--results`). A line ends at its first error, and the command then
exits with 1. Needs Linux and root. `tests/cluster` injects one fault of each of six lines.
"""

from __future__ import annotations

import argparse
import asyncio
import bisect
import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import psutil
from cluster_hosts import HEAD, HOSTS, HUB, LIBRARY, ROOT, SCRIPT, STATE, hosts, in_hub, processes
from cluster_page import HOSTED, LINES, RESULTS, write_page
from cluster_strikes import Breaker, faked_clock
from faults import IN_FLIGHT, options
from pipelines.test_survival import answer, results
from standin import Standin
from tracking.wandb_server import WandbServer

from gwray.store import RunDir
from gwray.verification.verify import verify_run

OURS = ("headless", "run-driver", "ray::Sandbox", "launch.py", "wandb-core")
"""Words in the command lines of processes that a run starts, none of which may remain."""
LATENCY_S = 0.05
APART = 10
"""Replies between two strikes, on average."""
OPEN = 2
"""Questions that an episode may have open: one for each role."""
WRITING_S = 2.0
"""So long before a strike a reply may have been given that it has lost."""
TURN_S = 90
"""After so long a run is no longer struck, and another line has its turn sooner."""
STARTS = 5
"""Of a command that ends without a strike."""


@dataclass
class Count:
    """One run of a line, and what it has cost."""

    line: str
    seed: int
    run: int
    date: str = field(default_factory=lambda: f"{datetime.now(UTC):%Y-%m-%d %H:%M}")
    strikes: int = 0
    planned: int = 0
    finished: int = 0
    different: int = 0
    """Episodes whose outcome or pictures are not those of the undisturbed run; a score of 0 by accident is one."""
    replies: int = 0
    again: int = 0
    most_again: int = 0
    """After one strike."""
    verified: int = 0
    left: int = 0
    starts: int = 0
    """Of the command."""
    seconds: int = 0
    load: float = 0.0
    wrong: list[str] = field(default_factory=list)


class Line:
    """One kind of fault, and its runs."""

    def __init__(self, name: str, options: argparse.Namespace, standin: Standin, calm: Calm, wandb: WandbServer):
        self.name, self.strikes, self.runs = name, 0, 0
        self._options, self._standin, self._calm, self._wandb = options, standin, calm, wandb
        self._draw = random.Random(f"{name} {options.seed}")
        self._breaker = Breaker(self._draw, {"tracker": self._tracker})
        self._next = self._moment()
        self._since = 0
        """Replies of earlier runs since the last strike."""
        self._struck: list[float] = []

    def _moment(self) -> int:
        return self._draw.randrange(2 * APART)

    def run(self, ends: float) -> Count:
        """One run, until it is complete."""
        count = Count(self.name, self._options.seed, self.runs)
        name, began, first = f"{self.name}-{count.seed}-{self.runs}", time.monotonic(), self.strikes
        self.runs += 1
        self._standin.seen.clear()
        self._struck.clear()
        since, idle = -self._since, 0
        with (STATE / f"{name}.log").open("ab") as log:
            driver = self._start(name, log)
            while (rc := driver.poll()) != 0 and idle < STARTS:
                if rc is not None:
                    driver, idle, count.starts = self._start(name, log), idle + 1, count.starts + 1
                more = self.strikes < self._options.count and time.monotonic() < min(ends, began + TURN_S)
                if more and self._standin.answered - since >= self._next:
                    time.sleep(self._draw.random() / 2)
                    self._struck.append(time.monotonic())
                    if not self._breaker.strike(self.name):
                        self._struck.pop()
                        continue
                    self.strikes += 1
                    self._next, since, idle = self._moment(), self._standin.answered, 0
                    print(f"{datetime.now(UTC):%H:%M:%S} {self.name} {self.strikes}", file=sys.stderr)
                time.sleep(0.01)
        self._since = self._standin.answered - since
        where = f"{name}, strikes {first + 1} to {self.strikes}: "
        if rc != 0:
            count.wrong.append(f"{where}the command ended with {rc} {STARTS} times, see {log.name}")
            driver.kill()
        count.starts, count.strikes = count.starts + 1, self.strikes - first
        self._judge(name, where, count)
        count.seconds, count.load = round(time.monotonic() - began), round(os.getloadavg()[1], 1)
        return count

    def _start(self, name: str, log: object) -> subprocess.Popen[bytes]:
        more = {"WANDB_BASE_URL": self._wandb.url, "WANDB_API_KEY": "a" * 40} if self.name == "tracker" else {}
        words = command(self._standin, name, more, self._options.repeats)
        return subprocess.Popen(words, stdout=log, stderr=log)  # pyright: ignore

    def _judge(self, name: str, where: str, count: Count) -> None:
        calm, again = self._calm, self._asked_again()
        run = results(f"s3://runs/{name}")
        found = asyncio.run(verify_run(RunDir.open(f"s3://runs/{name}")))
        remaining = left()
        different = sum(row not in calm.results for row in run)
        count.planned, count.finished, count.different = len(calm.results), len(run), different
        by_strike = Counter[int]()
        for (strike, _), times in again.items():
            by_strike[strike] += times
        count.replies, count.again = self._standin.answered, sum(again.values())
        count.most_again, most_of_one = max(by_strike.values(), default=0), max(again.values(), default=0)
        count.verified, count.left = sum(f.verdict == "identical" for f in found), len(remaining)
        odd = [f for f in found if f.verdict != "identical"]
        wrong = {
            f"{len(calm.results) - len(run)} episodes lost": len(run) != len(calm.results),
            f"{different} episodes are not those of an undisturbed run": different,
            f"{by_strike[-1]} replies asked for again before any strike": by_strike[-1],
            f"{most_of_one} replies of one episode asked for again after one strike": most_of_one > OPEN,
            f"not verified: {odd}": odd or len(found) != len(run),
            f"left running: {remaining}": remaining,
        }
        count.wrong += [where + what for what, so in wrong.items() if so]

    def _asked_again(self) -> Counter[tuple[int, str]]:
        """Replies beyond those that the logs needed, by the strike that cost the first of them (-1: none did) and the
        episode."""
        needed, again = Counter(self._calm.asked), Counter[tuple[int, str]]()
        for seen in sorted(self._standin.seen, key=lambda s: s.at):
            if seen.status != 200:
                continue
            needed[seen.session, seen.body_hash] -= 1
            if needed[seen.session, seen.body_hash] < 0:
                again[self._strike_of(seen.session, seen.body_hash), seen.session] += 1
        return again

    def _strike_of(self, session: str, body_hash: str) -> int:
        first = next(s.at for s in self._standin.seen if (s.session, s.body_hash) == (session, body_hash))
        return bisect.bisect(self._struck, first + WRITING_S) - 1

    def _tracker(self) -> bool:
        """Its process dies, or W&B's server stops answering for a while."""
        if self._draw.random() < 0.5:
            return self._breaker._kill("tracker")
        self._wandb.hang.set()
        time.sleep(15)
        self._wandb.hang.clear()
        return True


@dataclass(frozen=True)
class Calm:
    """What an undisturbed run is, and what it asked."""

    results: list[tuple]
    asked: Counter[tuple[str, str]]


def sweep(standin: Standin, repeats: int) -> list[str]:
    """What is played, wherever it is."""
    return [
        "model=openai-compatible", f"model.base_url={standin.base_url('openai_chat')}",
        f"model.max_in_flight={IN_FLIGHT}", "game=[short-flight,short-pair]", "task=[1,2]", f"repeats={repeats}",
        f"libraries=[{LIBRARY}]", "executor.lanes=2",
    ]  # fmt: skip


def command(standin: Standin, name: str, settings: dict[str, str] | None = None, repeats: int = 3) -> list[str]:
    words = [f"{k}={v}" for k, v in (settings or {}).items()]
    return [
        SCRIPT, "on", HOSTS[0], "env", *words, "python", str(ROOT / "launch.py"), *sweep(standin, repeats),
        "executor=ray", f"executor.address={HEAD}",
        f"tracking.mode={'online' if settings else 'disabled'}", f"run_dir=s3://runs/{name}",
    ]  # fmt: skip


def undisturbed(standin: Standin, repeats: int) -> Calm:
    """Play it, as `s3://runs/calm`."""
    subprocess.run(command(standin, "calm", repeats=repeats), check=True, timeout=900)
    return Calm(results("s3://runs/calm"), Counter((s.session, s.body_hash) for s in standin.seen))


def end_ours() -> None:
    """On every host."""
    for process, words in processes(*HOSTS):
        if any(word in words for word in OURS):
            with contextlib.suppress(psutil.Error):
                process.kill()


def left() -> list[str]:
    """What a run has left on the hosts, after up to 30 s."""
    end = time.monotonic() + 30
    while True:
        there = [words[:80] for _, words in processes(*HOSTS) if any(word in words for word in OURS)]
        if not there or time.monotonic() > end:
            return there
        time.sleep(0.5)


def measure(options: argparse.Namespace) -> int:
    """Beside the cluster."""
    ends, wrong = time.monotonic() + options.minutes * 60, []
    with Standin(keep_bodies=False, host=HUB) as standin, WandbServer(host=HUB) as wandb:
        standin.answer, standin.latency_s = answer, LATENCY_S
        calm = undisturbed(standin, options.repeats)
        lines = [Line(name, options, standin, calm, wandb) for name in options.line]
        while time.monotonic() < ends and (left_over := [line for line in lines if line.strikes < options.count]):
            for line in left_over:
                if time.monotonic() > ends:
                    break
                try:
                    count = line.run(ends)
                except subprocess.SubprocessError as e:  # a failure of the cluster itself is not counted
                    print(f"{line.name}: {e}", file=sys.stderr, flush=True)
                    lines.remove(line)
                    end_ours()
                    continue
                print(f"{datetime.now(UTC):%H:%M} {asdict(count)}", file=sys.stderr, flush=True)
                with options.results.open("a") as file:
                    file.write(json.dumps(asdict(count)) + "\n")
                wrong += count.wrong
                if count.wrong:
                    lines.remove(line)
                    keep_logs(line.name)
    return int(bool(wrong))


def keep_logs(name: str) -> None:
    """Those of the commands; what lies on the hosts ends with them."""
    folder = ROOT / "build" / f"faults-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    for log in STATE.glob("*.log"):
        shutil.copy(log, folder)


def parse_options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """What the command line says, or these words."""
    p = options([line for line in LINES if line not in HOSTED], __doc__)
    p.add_argument("--repeats", type=int, default=3, help="of each task in a run")
    p.add_argument("--results", type=Path, default=RESULTS, help="the file to which counts are added")
    p.add_argument("--table", action="store_true", help="write docs/faults.md of what was counted")
    return p.parse_args(words)


def main() -> int:
    options = parse_options()
    if options.table:
        write_page()
        return 0
    if "clock" in options.line:
        if len(options.line) > 1:
            options.line.remove("clock")  # it needs another cluster
        else:
            os.environ |= faked_clock()
    with hosts(*HOSTS), in_hub():
        return measure(options)


if __name__ == "__main__":
    sys.exit(main())
