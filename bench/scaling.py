"""Engines and lanes follow one signal: a sweep of the tiny model, whose deployment may have two engines, over time.

    .venv-vllm/bin/python bench/scaling.py [--repeats 12] [--lanes 8]

On this machine, on the real engine for CPUs (`make setup-vllm`). An engine is to have half a request to do on average,
which the tiny model, asked three times a turn, has soon passed: Serve adds an engine, and lanes follow what the engines
have to do. Prints what `engines.jsonl` says, a line for each change of engines or lanes. Exit code 1 if there
never were two engines or the run is not complete.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from datetime import datetime
from pathlib import Path

from cluster_page import ROOT

sys.path[:0] = [str(ROOT / "tests" / "serving")]

from launches import launched, profiles, short_library  # noqa: E402

from gwray.store import RunDir, status_of  # noqa: E402

EACH, MOST = 0.5, 2
"""Requests of an engine, and engines."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=12, help="episodes of 20 steps (default: %(default)s)")
    parser.add_argument("--lanes", type=int, default=8, help="lanes of the browser (default: %(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as at:
        folder = Path(at)
        need = {"gpus": 0, "cpus": 0.5, "memory_gb": 3}
        home = profiles(folder / "home", replicas_max=MOST, requests_per_replica=EACH, resources=need)
        library, run_dir = short_library(folder / "library", "01_2048"), folder / "run"
        command = ["launch.py", "model=tiny-vl", "agent=reflection_planning", "game=01_2048-short", "task=1",
                   f"repeats={options.repeats}", f"executor.lanes={options.lanes}", "executor.actors=1",
                   "tracking.mode=disabled", f"libraries=[{library}]", f"run_dir={run_dir}"]  # fmt: skip
        with launched(folder, command, GWRAY_HOME=str(home)) as launch:
            rc = launch.process.wait(1800)
        if rc:
            print(launch.output.read_text(), file=sys.stderr)
        run = RunDir.open(run_dir)
        looks = run.engines()
        complete = not status_of(run).left
    begun, before = datetime.fromisoformat(looks[0].at), None
    for look in looks:
        shown = look.replicas, look.lanes, look.lanes_waiting
        if shown != before:
            print(f"{(datetime.fromisoformat(look.at) - begun).total_seconds():6.0f} s  {look.words()}")
        before = shown
    return int(rc != 0 or not complete or max(look.replicas for look in looks) < MOST)


if __name__ == "__main__":
    sys.exit(main())
