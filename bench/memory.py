"""Memory of one actor over many short episodes, and whether its browser's last screenshots equal its first.

    python bench/memory.py                                   # 64 lanes, 1,000 episodes
    python bench/memory.py --lanes 4 --episodes 60 --limit 1000

All episodes have the same task, seed and actions, so their chains of states and screenshots must be equal. One browser
plays all of them. A played page stays open, as if it waited for a model, until three quarters of the lanes wait, so
that most lanes have a page at any time however busy the computer is. Memory is the proportional set size of the actor's
process, its browser and its driver: shared pages count once. Exits with 1 if an episode fails or differs from the first
one, if memory exceeds the limit, or if the time is not enough for all episodes.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Sequence

import psutil
from rich.console import Console

from gwray.cli.executors import make_executor
from gwray.pipelines.plan import make_plan
from gwray.pipelines.run import run_plan
from gwray.pipelines.settings import run_spec
from gwray.sandbox import GamePage
from gwray.store import RunDir

Row = tuple[float, int, int, float]
"""Seconds, finished episodes, processes of pages, MB."""


def used() -> tuple[int, float]:
    """Returns the number of processes of pages, and the proportional set size of this process and all below it in
    MB."""
    own, pages, total = psutil.Process(), 0, 0
    for process in (own, *own.children(recursive=True)):
        try:
            total += process.memory_full_info().pss
            pages += "--type=renderer" in process.cmdline()
        except psutil.Error:
            continue
    return pages, total / 1e6


def hold_pages(most: int, longest_s: float) -> None:
    """Lets each page wait before it closes, until `most` others have begun to wait, at most `longest_s`."""
    close, waiting = GamePage.close, deque[asyncio.Future[None]]()

    async def closed_later(self: GamePage) -> None:
        waiting.append(mine := asyncio.get_running_loop().create_future())
        if len(waiting) > most:
            waiting.popleft().set_result(None)
        await asyncio.wait({mine}, timeout=longest_s)
        if mine in waiting:
            waiting.remove(mine)
        await close(self)

    GamePage.close = closed_later


def watch(run_dir: str, ended: threading.Event, rows: list[Row], every_s: float) -> None:
    """Appends to `rows` until `ended` is set."""
    began = time.monotonic()
    while not ended.wait(every_s):
        pages, memory = used()
        try:
            finished = sum(1 for _ in RunDir.open(run_dir).results())
        except Exception:  # the run directory is being made
            finished = 0
        rows.append((time.monotonic() - began, finished, pages, memory))


async def main(argv: Sequence[str] | None = None) -> int:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--game", default="13_flappy-bird")
    p.add_argument("--task", default="1")
    p.add_argument("--model", default="noop")
    p.add_argument("--steps", type=int, default=3, help="steps of an episode")
    p.add_argument("--lanes", type=int, default=64)
    p.add_argument("--episodes", type=int, default=1000)
    p.add_argument("--hold", type=float, default=60, help="most seconds that a played page stays open")
    p.add_argument("--limit", type=float, default=3000, help="most MB allowed")
    p.add_argument("--seconds", type=float, default=840, help="seconds after which the run is ended")
    p.add_argument("--every", type=float, default=5, help="seconds between measurements")
    args = p.parse_args(argv)
    hold_pages(args.lanes * 3 // 4, args.hold)
    with tempfile.TemporaryDirectory() as folder:
        executor = {"name": "inline", "lanes": args.lanes, "episodes_per_browser": args.episodes + 1}
        spec = run_spec({
            "game": args.game, "task": args.task, "model": args.model, "run_dir": f"{folder}/run", "name": "memory",
            "repeats": args.episodes, "executor": executor, "tracking": {"mode": "disabled"},
            "limit": {"steps": args.steps},
        })  # fmt: skip
        rows: list[Row] = [(0.0, 0, *used())]
        ended, began = threading.Event(), time.monotonic()
        thread = threading.Thread(target=watch, args=(f"{folder}/run", ended, rows, args.every))
        thread.start()
        try:
            with contextlib.suppress(TimeoutError):
                running = run_plan(make_plan([spec]), Console(file=io.StringIO()), make_executor)
                await asyncio.wait_for(running, args.seconds)
        finally:
            ended.set()
            thread.join()
        records = [*RunDir.open(f"{folder}/run").results()]
        wall_s = time.monotonic() - began
    chains = {(r.frame_chain, r.state_chain) for r in records}
    print("| seconds | episodes | pages | MB |\n|---|---|---|---|")
    for seconds, finished, pages, memory in rows[:: max(1, len(rows) // 12)]:
        print(f"| {seconds:.0f} | {finished} | {pages} | {memory:.0f} |")
    peak = max(memory for *_, memory in rows)
    print(
        f"\n{len(records)} of {args.episodes} episodes of {args.steps} steps on {args.lanes} lanes in {wall_s:.0f} s; "
        f"at most {peak:.0f} MB of {args.limit:.0f} allowed; {len(chains)} different chains of states and screenshots"
    )
    return 0 if len(records) == args.episodes and len(chains) == 1 and peak <= args.limit else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
