"""Steps per second of whole episodes with an instant player: loop, log, browser, pictures and results together.

Everything is measured in one run, and the number to quote is the ratio to `timing=wallclock` on one lane of that run.

    python bench/episodes.py [--game 13_flappy-bird] [--lanes 1 2 4 8] [--repeats 4] [--executor inline]
"""

from __future__ import annotations

import argparse
import asyncio
import io
import tempfile
import time
from typing import Any

from rich.console import Console

from gwray.cli.console import terminal
from gwray.cli.executors import make_executor
from gwray.cli.terminal import print_table
from gwray.pipelines.plan import make_plan
from gwray.pipelines.run import run_plan
from gwray.pipelines.settings import run_spec


async def steps_per_second(args: argparse.Namespace, lanes: int, picture: str, timing: str = "paused") -> float:
    """Plays some episodes; the browser's start and stop count, so give it enough of them."""
    with tempfile.TemporaryDirectory() as folder:
        job: dict[str, Any] = {
            "game": args.game, "task": args.task, "model": "random", "run_dir": f"{folder}/run", "name": "bench",
            "repeats": 1 if timing == "wallclock" else args.repeats * lanes,
            "executor": {"name": args.executor, "lanes": lanes, "actors": 1}, "tracking": {"mode": "disabled"},
            "observation": {"format": picture}, "timing": {"mode": timing},
        }  # fmt: skip
        began = time.perf_counter()
        ended = await run_plan(make_plan([run_spec(job)]), Console(file=io.StringIO()), make_executor)
        return sum(r.steps for r in ended.run.results()) / (time.perf_counter() - began)


async def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--game", default="13_flappy-bird")
    p.add_argument("--task", default="5")
    p.add_argument("--lanes", type=int, nargs="+", default=[1, 2, 4, 8])
    p.add_argument("--repeats", type=int, default=4, help="episodes per lane")
    p.add_argument("--executor", default="inline", choices=("inline", "ray"))
    args = p.parse_args()
    slow = await steps_per_second(args, 1, "jpeg", "wallclock")
    rows = [("wallclock, 1 lane", f"{slow:.1f}", "", "1.0")]
    for lanes in args.lanes:
        seen = await steps_per_second(args, lanes, "jpeg")
        blind = await steps_per_second(args, lanes, "none")
        rows.append((f"stepped, {lanes} lanes", f"{seen:.1f}", f"{blind:.1f}", f"{seen / slow:.1f}"))
    columns = ("", "steps/s with picture", "steps/s without", "× wallclock")
    print_table(columns, rows, terminal(), f"{args.game}, task {args.task}")


if __name__ == "__main__":
    asyncio.run(main())
