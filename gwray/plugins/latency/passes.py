"""`gwray latency`: measures each model alone, as the first pass of a real-time study."""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from gwray.cli.compose import job_specs
from gwray.cli.console import terminal
from gwray.cli.launch import run_command
from gwray.cli.terminal import print_table
from gwray.errors import UsageError
from gwray.pipelines import LatencyTable, Plan, make_plan, read_table
from gwray.plugins.latency.measuring import measured, this_machine
from gwray.settings import LOCAL_PLAYERS, RunSpec, TimingSpec
from gwray.store import RunDir

LANES = 2
"""Lanes per request in flight: one plays while the other waits for its reply."""


def measure_latency(settings: Sequence[str], in_flight: str, out: Path, machine: str) -> int:
    """Plays every model at every level and writes the table.

    Args:
        settings: the cells to measure; they are played paused.
        in_flight: numbers of concurrent requests, such as `1,2,3`; each is one pass.
        out: file of the table. Cells that are already in it and are not measured stay.
        machine: description of the server's machine; empty: this machine.

    Returns the exit code of `run_command`. Raises `UsageError` for invalid arguments.
    """
    if not re.fullmatch(r"[1-9]\d{0,3}(,[1-9]\d{0,3})*", in_flight):
        raise UsageError(f"--in-flight '{in_flight}': must be numbers of concurrent requests, such as 1,2,3,4,5")
    levels = sorted({int(n) for n in in_flight.split(",")})
    older = read_table(out) if out.exists() else LatencyTable(cells=())
    jobs, console = [j.model_copy(update={"timing": TimingSpec()}) for j in job_specs(settings)], terminal()
    plan = make_plan(jobs)
    _require_measurable(plan)
    runs: list[tuple[int, RunDir]] = []
    for model in plan.models():
        for level in levels:
            run_dir = f"{plan.run_dir}-latency/{model.name}-{level}"
            console.print(f"{model.name}, {level} in flight", style="bold")
            code = run_command(partial(_plan_alone, jobs, model=model.name, level=level, run_dir=run_dir))
            if code or plan.settings.dry_run:
                return code
            runs.append((level, RunDir.open(run_dir)))
    table = measured(runs, machine or this_machine()).merged(older)
    out.write_text(table.model_dump_json(indent=1) + "\n", encoding="utf-8")
    _show(table, console)
    console.print(f"use it        gwray run … timing=realtime timing.latency=table:{out}")
    return 0


def _plan_alone(jobs: Sequence[RunSpec], *, model: str, level: int, run_dir: str) -> Plan:
    """Returns the plan of one model's jobs with that many requests in flight."""
    of_model = [job for job in jobs if job.model.name == model]
    update = {
        "executor": of_model[0].executor.model_copy(update={"lanes": LANES * level, "actors": 1}),
        "run_dir": run_dir,
        "name": f"latency-{model}-{level}",
    }
    return make_plan(
        [
            j.model_copy(update={**update, "model": j.model.model_copy(update={"max_in_flight": level})})
            for j in of_model
        ]
    )


def _require_measurable(plan: Plan) -> None:
    for cell in plan.cells:
        if len(cell.spec.models()) > 1:
            raise UsageError(f"'{cell.name}' has several models; only cells with one model can be measured")
        if cell.spec.model.provider in LOCAL_PLAYERS:
            raise UsageError(f"'{cell.name}' needs no model: there is no latency to measure")


def _show(table: LatencyTable, console: Console) -> None:
    rows: list[tuple[str, ...]] = []
    for cell in table.cells:
        for one in cell.levels:
            last = len(one.latencies_ms) - 1
            seconds = (one.mean_ms, *(one.latencies_ms[round(share * last)] for share in (0.1, 0.5, 0.9)))
            rows.append((cell.name, str(one.in_flight), f"{one.replies:,}", *(f"{ms / 1e3:.2f}" for ms in seconds)))
    print_table(("cell", "in flight", "replies", "mean s", "10 %", "50 %", "90 %"), rows, console)
