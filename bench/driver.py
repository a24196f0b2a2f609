"""What the driver of a sweep costs: episodes that end the moment they begin, so that nothing but the driver works.

A sweep over the whole library is planned, scheduled to an executor that plays in no time, recorded, and read as a
table. Milliseconds an episode of each part, and the most memory there was.

    python bench/driver.py [--episodes 20000] [--models 6] [--slots 64]
"""

from __future__ import annotations

import argparse
import asyncio
import io
import resource
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime

from rich.console import Console

from gwray.analysis import main_table
from gwray.cli.console import terminal
from gwray.cli.terminal import print_table
from gwray.pipelines import PlayProgress, make_plan, run_plan, run_spec
from gwray.records import EpisodeRecord
from gwray.spec import EpisodeSpec
from gwray.store import RunDir, results_frame, without_forks

TASKS = 170


class Instant:
    """Plays in no time: an executor whose episodes end as soon as it gets them."""

    def __init__(self, slots: int):
        self.slots = slots

    async def start(self) -> None: ...
    async def set_endpoints(self, endpoints: Mapping[str, str]) -> None: ...
    async def close(self) -> None: ...

    async def progress(self) -> PlayProgress:
        return PlayProgress()

    async def play(self, spec: EpisodeSpec, tries: int, *, alone: bool = False) -> EpisodeRecord:
        await asyncio.sleep(0)
        return EpisodeRecord(
            key=spec.key, cell=spec.cell_id, game=spec.game, task=spec.task, model=spec.cell.model.name,
            interface=spec.cell.agent.interface, seed=spec.seed, repeat=spec.repeat, progress=0.5, steps=100,
            ended_by="budget", state_chain="0" * 16, frame_chain="0" * 16, row_chain="0" * 16,
        )  # fmt: skip


def peak_mb() -> float:
    """The most memory this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=20_000, help="at least so many (default: %(default)s)")
    parser.add_argument("--models", type=int, default=6, help="models in the sweep (default: %(default)s)")
    parser.add_argument("--slots", type=int, default=64, help="lanes of the executor (default: %(default)s)")
    args = parser.parse_args()
    repeats = -(-args.episodes // (TASKS * args.models))
    rows: list[tuple[str, float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        job = {
            "game": "all", "task": "all", "model": "random", "run_dir": f"{folder}/run", "name": "bench",
            "repeats": repeats, "tracking": {"mode": "disabled"},
        }  # fmt: skip
        began = time.perf_counter()
        specs = []
        for n in range(args.models):
            spec = run_spec(job)
            model = spec.model.model_copy(update={"name": f"random-{n}", "model_id": f"random-{n}"})
            specs.append(spec.model_copy(update={"model": model}))
        plan = make_plan(specs)
        n = len(plan.episodes)
        rows.append(("planned", time.perf_counter() - began, peak_mb()))
        began = time.perf_counter()
        await run_plan(plan, Console(file=io.StringIO()), lambda *a, **k: Instant(args.slots))
        rows.append(("begun, scheduled and recorded", time.perf_counter() - began, peak_mb()))
        began = time.perf_counter()
        run = RunDir.open(f"{folder}/run")
        main_table(results_frame(run), [without_forks(run.manifest())])
        rows.append(("read as a table", time.perf_counter() - began, peak_mb()))
    title = f"{n:,} episodes in {args.models} cells, {args.slots} lanes, {datetime.now(UTC):%Y-%m-%d}"
    columns = ("", "seconds", "ms an episode", "most memory, MB")
    cells = [(what, f"{s:.1f}", f"{1e3 * s / n:.3f}", f"{mb:.0f}") for what, s, mb in rows]
    print_table(columns, cells, terminal(), title)


if __name__ == "__main__":
    asyncio.run(main())
