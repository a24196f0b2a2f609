"""Kills the driver of a sweep with `kill -9` at random moments and resumes with the same command, repeatedly.

The agents ask up to six questions a turn, three of them at once, over a real wire. In the end nothing may differ from
an undisturbed run: not the results, not one question or reply in the logs. Only a question that was in flight at a
kill may have been asked again; the endpoint numbers its replies, so each reply that is missing in the logs is known,
and how long before the kill it was given. At last the run is verified: every step is played again from its log.

    python bench/killed_agents.py [--count 50] [--seed 1] [--executor inline]

Exit code 1 if anything is lost, asked twice without need, or different.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "bench")]

from pipelines.conftest import short_library  # noqa: E402
from standin import Say, Standin  # noqa: E402

from gwray.cli.console import terminal  # noqa: E402
from gwray.cli.terminal import print_table  # noqa: E402
from gwray.pipelines.replays import InlineReplays  # noqa: E402
from gwray.pipelines.verify import verify_run  # noqa: E402
from gwray.records import OUTCOME_FIELDS  # noqa: E402
from gwray.store import RunDir  # noqa: E402

IN_FLIGHT = 6
LATENCY_S = 0.03


@dataclass
class Endpoint:
    """A model whose reply is a function of the request. Its replies are numbered where no prompt can see it."""

    answered_at: list[float] = field(default_factory=list)

    def __call__(self, wire: str, body: dict[str, Any], session: str) -> Say:
        number, words = len(self.answered_at), hashlib.sha256(json.dumps(body, sort_keys=True).encode()).digest()
        self.answered_at.append(time.monotonic())
        model = f"standin-{number}"
        if names := [t["function"]["name"] for t in body.get("tools", [])]:
            return Say(calls=[(names[words[0] % len(names)], {})], model=model)
        verdict = ("worked", "failed", "unclear")[words[1] % 3]
        return Say(text=f"I think {words.hex()[:8]}.\nVerdict: {verdict}", model=model)


@dataclass
class Tally:
    """What happened in all lives of all runs."""

    kills: int = 0
    starting: int = 0
    """Kills before the first reply of that life."""
    replies: int = 0
    needed: int = 0
    open: int = 0
    """Questions that were on the way at a kill."""
    unwritten: int = 0
    """Replies given before a kill and not yet in the log when it came."""
    oldest_ms: float = 0.0
    """How long before its kill the oldest of them was given."""
    most_at_once: int = 0
    """Replies lost by one kill."""
    left_running: int = 0
    episodes: int = 0
    verified: int = 0
    unexplained: list[str] = field(default_factory=list)
    """What is wrong with replies: lost without a kill, too many of them, or there twice."""
    differing: list[str] = field(default_factory=list)
    """Runs that did not end like the undisturbed one, and episodes that do not verify."""


def command(standin: Standin, run_dir: Path, options: argparse.Namespace, repeats: int) -> list[str]:
    settings = [
        "model=openai-compatible", f"model.base_url={standin.base_url('openai_chat')}",
        f"model.max_in_flight={IN_FLIGHT}", "agent=reflection_planning", "agent._target_=council.Council",
        "agent.modules=[reflection,planning,advice,act]", f"libraries=[{short_library()}]",
        "game=[short-flight,short-pair]", "task=[1,2,3]", f"repeats={repeats}", f"executor={options.executor}",
        "executor.lanes=3", "tracking.mode=disabled", f"run_dir={run_dir}",
    ]  # fmt: skip
    return [sys.executable, str(ROOT / "launch.py"), *settings, *(["executor.actors=1"] * (options.executor == "ray"))]


def start(words: list[str]) -> subprocess.Popen[bytes]:
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'bench'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    return subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def finished(driver: subprocess.Popen[bytes]) -> None:
    """Waits for a driver that is not killed."""
    _, output = driver.communicate(timeout=1800)
    if driver.returncode:
        raise SystemExit(f"the run failed: {output.decode()[-2000:]}")


def kill(driver: subprocess.Popen[bytes], tally: Tally) -> float:
    """`kill -9`, then wait for what the driver had started to end by itself."""
    family = psutil.Process(driver.pid).children(recursive=True)
    at = time.monotonic()
    os.kill(driver.pid, signal.SIGKILL)
    driver.communicate()
    tally.left_running += len(psutil.wait_procs(family, timeout=30)[1])
    return at


def one_run(standin: Standin, folder: Path, options: argparse.Namespace, tally: Tally, draw: random.Random) -> None:
    """One sweep from its beginning to its end, with as many kills as are still due."""
    endpoint = Endpoint()
    standin.answer = endpoint
    words = command(standin, folder, options, options.repeats)
    kills: list[float] = []
    while True:
        driver, before = start(words), len(endpoint.answered_at)
        early = draw.random() < 0.2
        wait_s, replies = draw.uniform(0.5, 6), draw.randrange(2, options.every)
        began = time.monotonic()
        if tally.kills >= options.count:
            finished(driver)
            break
        while driver.poll() is None and (
            time.monotonic() - began < wait_s if early else len(endpoint.answered_at) - before < replies
        ):
            time.sleep(0.002)
        if driver.poll() is not None:
            finished(driver)
            break
        tally.starting += len(endpoint.answered_at) == before
        kills.append(kill(driver, tally))
        tally.kills += 1
    account(RunDir.open(str(folder)), endpoint, kills, tally)


def account(run: RunDir, endpoint: Endpoint, kills: list[float], tally: Tally) -> None:
    """Which replies are missing in the logs, and which kill each of them was lost by."""
    lines = [line for record in run.results() for line in run.log(record.key).read()]
    kept = {int(line.reply.served_model.removeprefix("standin-")) for line in lines}
    tally.replies += len(endpoint.answered_at)
    tally.needed += len(lines)
    if len(kept) != len(lines):
        tally.unexplained.append("one reply is in the logs twice")
    lost = [0] * len(kills)
    for number in sorted(set(range(len(endpoint.answered_at))) - kept):
        at = endpoint.answered_at[number]
        # A question on the way is answered at most one latency after its kill; any other one was answered before it.
        cause = min(range(len(kills)), key=lambda k: abs(kills[k] - at), default=None)
        if cause is None or not -1.0 < kills[cause] - at < 1.0:
            tally.unexplained.append(f"reply {number} was lost, and no kill is near it")
            continue
        lost[cause] += 1
        if at >= kills[cause]:
            tally.open += 1
        else:
            tally.unwritten += 1
            tally.oldest_ms = max(tally.oldest_ms, (kills[cause] - at) * 1e3)
    tally.most_at_once = max([tally.most_at_once, *lost])
    if any(n > IN_FLIGHT for n in lost):
        tally.unexplained.append(f"{max(lost)} replies were lost by one kill, more than can be in flight ({IN_FLIGHT})")


def log_content(run: RunDir) -> list[tuple[Any, ...]]:
    """Results, questions and replies of a run, without what only time decides."""
    out: list[tuple[Any, ...]] = []
    for record in sorted(run.results(), key=lambda r: r.key):
        out.append(tuple(getattr(record, name) for name in (*OUTCOME_FIELDS, "frame_chain", "input_tokens")))
        lines = sorted(run.log(record.key).read(), key=lambda x: (x.decision, x.role, x.call))
        out += [(x.decision, x.role, x.call, x.batch, x.module, x.words_hash, x.pictures_hash, x.reply.text,
                 x.reply.tool_calls) for x in lines]  # fmt: skip
    return out


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=50, help="kills")
    p.add_argument("--seed", type=int, default=1, help="of the moments")
    p.add_argument(
        "--repeats", type=int, default=2, help="of six episodes; a finished run is started again until COUNT"
    )
    p.add_argument("--every", type=int, default=150, help="most replies between two kills")
    p.add_argument("--executor", default="inline", choices=("inline", "ray"))
    options = p.parse_args()
    draw, tally, runs = random.Random(options.seed), Tally(), 0
    with tempfile.TemporaryDirectory() as temporary, Standin(keep_bodies=False) as standin:
        folder = Path(temporary)
        standin.latency_s, standin.answer = LATENCY_S, Endpoint()
        finished(start(command(standin, folder / "calm", options, options.repeats)))
        calm = log_content(RunDir.open(str(folder / "calm")))
        while tally.kills < options.count:
            runs += 1
            one_run(standin, folder / f"killed-{runs}", options, tally, draw)
            run = RunDir.open(str(folder / f"killed-{runs}"))
            tally.episodes += len(run.results())
            if log_content(run) != calm:
                tally.differing.append(f"run {runs} differs from the undisturbed one")
            found = asyncio.run(verify_run(run, executor=InlineReplays(3), trusted={"council.Council"}))
            tally.verified += len(found)
            wrong = [f for f in found if f.verdict != "identical" or f.detail]
            tally.differing += [f"run {runs} does not verify: {f}" for f in wrong]
            print(f"run {runs}: {tally.kills} kills of {options.count}", file=sys.stderr, flush=True)
    tally.unexplained += [f"a request was refused: {problem}" for problem in standin.problems]
    if tally.replies - tally.needed != tally.open + tally.unwritten:
        tally.unexplained.append("some questions were asked again without a kill")
    rows = [
        ("kills", tally.kills),
        ("  before the first reply of that start", tally.starting),
        ("runs · episodes in them", f"{runs} · {tally.episodes}"),
        ("replies needed", tally.needed),
        ("replies given", tally.replies),
        ("asked again", tally.replies - tally.needed),
        ("  on the way at a kill", tally.open),
        (f"  given, not yet written (oldest {tally.oldest_ms:.0f} ms)", tally.unwritten),
        (f"most asked again after one kill (in flight: at most {IN_FLIGHT})", tally.most_at_once),
        ("replies lost otherwise, or in the logs twice", len(tally.unexplained)),
        ("runs that differ from the undisturbed one, or do not verify", len(tally.differing)),
        ("episodes played again to verify them", tally.verified),
        ("processes left running", tally.left_running),
    ]  # fmt: skip
    title = f"{datetime.now(UTC):%Y-%m-%d}, seed {options.seed}, executor {options.executor}"
    print_table(("", "count"), [(what, str(n)) for what, n in rows], terminal(), title)
    for problem in (*tally.unexplained, *tally.differing):
        print(problem, file=sys.stderr)
    return 1 if tally.unexplained or tally.differing or tally.left_running else 0


if __name__ == "__main__":
    sys.exit(main())
