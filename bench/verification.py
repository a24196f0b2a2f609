"""Processor time and steps per second of playing episodes with an instant player, and of verifying them.

    python bench/verification.py [--game 13_flappy-bird] [--lanes 4] [--episodes 8] [--executor inline]
    PYTHONPATH=OTHER_CHECKOUT python bench/verification.py          # another version, alternating with this one

Processor time of all processes: it is hardly affected by other load on the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from rich.console import Console

import gwray
from gwray.cli.console import terminal
from gwray.cli.executors import make_executor, make_replays
from gwray.cli.terminal import print_table
from gwray.pipelines.plan import make_plan
from gwray.pipelines.run import run_plan
from gwray.pipelines.settings import run_spec
from gwray.verification import verify_run

POLL_S = 0.1
"""Seconds between looks at the processes below this one: what one uses in its last moments is not seen."""


class Meter:
    """Processor seconds of this process and of all that it starts, by kind of process."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.wall_s = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        ended, began, used = threading.Event(), time.perf_counter(), {}
        before = {p: _used(p) for p in _tree()}

        def look() -> None:
            for process in _tree():
                if (found := _used(process)) is not None:
                    used[process] = found

        def poll() -> None:
            while not ended.wait(POLL_S):
                look()
            self.seconds["python"] -= time.thread_time()

        thread = threading.Thread(target=poll)
        thread.start()
        try:
            yield
        finally:
            self.wall_s = time.perf_counter() - began
            ended.set()
            thread.join()
            look()
        for process, (kind, seconds) in used.items():
            self.seconds[kind] += seconds - (before.get(process) or ("", 0.0))[1]


def _tree() -> list[psutil.Process]:
    own = psutil.Process()
    return [own, *own.children(recursive=True)]


def _used(process: psutil.Process) -> tuple[str, float] | None:
    """Returns the kind of a process and its processor seconds; None if it has ended."""
    try:
        times, words = process.cpu_times(), process.cmdline()
    except psutil.Error:
        return None
    named = next((w.removeprefix("--type=") for w in words if w.startswith("--type=")), "")
    name = Path(words[0] if words else "").name
    kind = named or next((k for k in ("node", "python", "ray") if k in name), "browser")
    return kind, times.user + times.system


def job(args: argparse.Namespace, folder: str) -> dict[str, Any]:
    return {
        "game": args.game, "task": args.task, "model": args.model, "run_dir": f"{folder}/run", "name": "bench",
        "repeats": args.episodes, "executor": {"name": args.executor, "lanes": args.lanes},
        "tracking": {"mode": "disabled"}, "observation": {"format": args.picture},
    }  # fmt: skip


async def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--game", default="13_flappy-bird")
    p.add_argument("--task", default="5")
    p.add_argument("--model", default="random")
    p.add_argument("--lanes", type=int, default=4)
    p.add_argument("--replay-lanes", type=int, help="default: as many")
    p.add_argument("--episodes", type=int, default=8)
    p.add_argument("--picture", default="jpeg", choices=("jpeg", "png", "none"))
    p.add_argument("--executor", default="inline", choices=("inline", "ray"))
    p.add_argument("--replays", help="executor of the verification; default: the same")
    args = p.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        meters = {"play": Meter(), "verify": Meter()}
        with meters["play"].running():
            ended = await run_plan(make_plan([run_spec(job(args, folder))]), Console(file=io.StringIO()), make_executor)
        steps = sum(r.steps for r in ended.run.results())
        with meters["verify"].running():
            replays = make_replays(args.replays or args.executor, None, args.replay_lanes or args.lanes)
            found = await verify_run(ended.run, executor=replays)
        verdicts = Counter(f.verdict for f in found)
    for name, meter in meters.items():
        total = sum(meter.seconds.values())
        kinds = ", ".join(
            f"{kind} {1e3 * s / steps:.1f}" for kind, s in meter.seconds.most_common() if s * 1e3 > steps / 10
        )
        rows.append((name, f"{1e3 * total / steps:.1f}", kinds, f"{steps / meter.wall_s:.1f}"))
    columns = ("", "processor ms per step", "by kind of process", "steps/s")
    title = f"{args.game}, task {args.task}: {steps} steps, {dict(verdicts)}, {Path(gwray.__file__).parents[1].name}"
    print_table(columns, rows, terminal(), title)


if __name__ == "__main__":
    asyncio.run(main())
