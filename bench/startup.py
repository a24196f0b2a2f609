"""Processor time, user and system, of commands that play nothing: from the start of Python until they have answered.

Give one checkout, or an older one too for a comparison: their commands take turns, so that other work on the computer
changes both alike. Both need bytecode, which the first, uncounted call of each writes.

    python bench/startup.py . ../older --run runs/demo
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path


def processor_s(checkout: Path, command: list[str], cache: str) -> float:
    """Returns the processor seconds of one command."""
    env = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONPYCACHEPREFIX": cache}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "gwray", *command], cwd=checkout, env=env, check=True, stdout=subprocess.DEVNULL
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--run", type=Path, required=True, help="the run that `results` and `report` read")
    parser.add_argument("--times", type=int, default=7)
    asked = parser.parse_args()
    checkouts, run = [c.resolve() for c in asked.checkouts], str(asked.run.resolve())
    sweep = "run -m model=qwen3-vl-30b-a3b,claude-sonnet-4.6 interface=semantic,computer_use game=genre:puzzle task=1"
    plan = [*sweep.split(), "repeats=3", "limit.steps=40", "dry_run=true"]
    with tempfile.TemporaryDirectory() as cache:
        report = ["report", run, "-o", f"{cache}/site"]
        for command in (["--help"], ["models"], ["games"], ["results", run], plan, report):
            times: dict[Path, list[float]] = {c: [] for c in checkouts}
            for _ in range(asked.times + 1):
                for checkout in checkouts:
                    times[checkout].append(processor_s(checkout, command, cache))
            shown = [f"{checkout.name} {statistics.median(t[1:]):.2f} s" for checkout, t in times.items()]
            print(f"{command[0]:10}", " · ".join(shown), flush=True)


if __name__ == "__main__":
    main()
