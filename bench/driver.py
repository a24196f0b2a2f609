"""What the driver of a sweep costs: episodes that end the moment they begin, so that nothing but the driver works.

A sweep over the whole library is planned, scheduled to an executor that plays in no time, recorded and
sealed, and read by `gwray results`; beside it a dry run of 30,600 episodes. Of each part the seconds, the processor's
milliseconds an episode, and the most memory that its process had until then. Fails when the driver takes more than 2 ms
of the processor or grows by more than 10 KB an episode, or when anything takes more than 1.5 GB.

    python bench/driver.py [--episodes 20000] [--models 6] [--slots 64]
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from gwray.cli.console import terminal
from gwray.cli.terminal import print_table
from gwray.pipelines import PlayProgress, make_plan, run_plan, run_spec
from gwray.records import EpisodeRecord
from gwray.settings import EpisodeSpec
from gwray.store import RunDir

TASKS = 170
AIM_MS = 2.0
"""Of the processor, an episode."""
AIM_KB = 10.0
"""Of memory, an episode."""
AIM_MB = 1500.0
"""Of memory, in all."""
DRY_RUN = 30_600
LAUNCH = Path(__file__).parent.parent / "launch.py"


class Instant:
    """Plays in no time: an executor whose episodes end as soon as it gets them."""

    def __init__(self, slots: int):
        self.slots = slots

    def want(self, lanes: int) -> None: ...
    async def start(self) -> None: ...
    async def set_endpoints(self, endpoints: Mapping[str, str]) -> None: ...
    async def close(self) -> None: ...

    async def progress(self) -> PlayProgress:
        return PlayProgress()

    async def play(self, spec: EpisodeSpec, trial: int, *, alone: bool = False) -> EpisodeRecord:
        await asyncio.sleep(0)
        return EpisodeRecord(
            key=spec.key, cell=spec.cell_id, game=spec.game, task=spec.task, model=spec.cell.model.name,
            interface=spec.cell.agent.interface, seed=spec.seed, repeat=spec.repeat, progress=0.5, steps=100,
            ended_by="budget", state_chain="0" * 16, frame_chain="0" * 16, row_chain="0" * 16,
        )  # fmt: skip


class Measured:
    """Seconds, seconds of the processor and megabytes of one part after the other."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, float, float, float, int]] = []
        self._since = time.perf_counter(), time.process_time()

    def part(self, what: str, episodes: int) -> None:
        """Of this process, since the last part ended."""
        wall, cpu = self._since
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        self.rows.append((what, time.perf_counter() - wall, time.process_time() - cpu, peak, episodes))
        self._since = time.perf_counter(), time.process_time()

    def command(self, what: str, episodes: int, *words: str) -> None:
        """Of a process of its own."""
        began = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(words)} ended with {process.returncode}")
        cpu = used.ru_utime + used.ru_stime
        self.rows.append((what, time.perf_counter() - began, cpu, used.ru_maxrss / 1024, episodes))
        self._since = time.perf_counter(), time.process_time()


def plan_bytes(run_dir: str) -> int:
    return Path(run_dir, "run.json").stat().st_size


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=20_000, help="at least so many (default: %(default)s)")
    parser.add_argument("--models", type=int, default=6, help="models in the sweep (default: %(default)s)")
    parser.add_argument("--slots", type=int, default=64, help="lanes of the executor (default: %(default)s)")
    args = parser.parse_args()
    repeats = -(-args.episodes // (TASKS * args.models))
    n, load = repeats * TASKS * args.models, os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        job = {
            "game": "all", "task": "all", "model": "random", "run_dir": f"{folder}/run", "name": "bench",
            "repeats": repeats, "tracking": {"mode": "disabled"},
        }  # fmt: skip
        specs = []
        for number in range(args.models):
            spec = run_spec(job)
            name = f"model-{number}"  # one that is asked over a network, so that it has a line of its own
            model = spec.model.model_copy(update={"name": name, "model_id": name, "provider": "openai_chat"})
            specs.append(spec.model_copy(update={"model": model}))
        measured = Measured()
        plan = make_plan(specs)
        measured.part("planned", n)
        assert len(plan.episodes) == n
        ended = await run_plan(plan, Console(file=io.StringIO()), lambda *a, **k: Instant(args.slots))
        measured.part("begun, scheduled, recorded and sealed", n)
        assert ended.complete and RunDir.open(plan.run_dir).manifest().seal
        driver = sum(cpu for _, _, cpu, _, _ in measured.rows)
        measured.command("gwray results", n, "-m", "gwray", "results", plan.run_dir)
        size = plan_bytes(plan.run_dir)
        measured.command(
            f"dry run of {DRY_RUN:,}", DRY_RUN, str(LAUNCH), "experiment=main", "repeats=10", "dry_run=true"
        )
    title = (
        f"{n:,} episodes in {args.models} cells, {args.slots} lanes, load {load:.0f}, {datetime.now(UTC):%Y-%m-%d}; "
        f"run.json has {size / n:.0f} bytes an episode"
    )
    columns = ("", "seconds", "processor, s", "processor, ms an episode", "most memory, MB")
    cells = [
        (what, f"{s:.1f}", f"{cpu:.1f}", f"{1e3 * cpu / of:.3f}", f"{mb:.0f}") for what, s, cpu, mb, of in measured.rows
    ]
    print_table(columns, cells, terminal(), title)
    (*_, before, _), (*_, after, _) = measured.rows[:2]
    missed = {
        f"{1e3 * driver / n:.2f} ms of the processor an episode ({AIM_MS:g})": 1e3 * driver / n > AIM_MS,
        f"{1e3 * (after - before) / n:.1f} KB an episode ({AIM_KB:g})": 1e3 * (after - before) / n > AIM_KB,
        f"more than {AIM_MB:g} MB": any(mb > AIM_MB for *_, mb, _ in measured.rows),
    }
    for what in (what for what, so in missed.items() if so):
        print(f"too much: {what}", file=sys.stderr)
    return int(any(missed.values()))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
