"""`gwray latency`: the first pass of a real-time study, in which each model is measured alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from hydra.errors import HydraException
from omegaconf.errors import OmegaConfBaseException
from rich.console import Console

from gwray.cli.composing import composing
from gwray.cli.console import terminal
from gwray.cli.launch import run_jobs, specs_of
from gwray.cli.overrides import understood
from gwray.cli.terminal import print_table
from gwray.errors import UsageError
from gwray.local_players import LOCAL_PLAYERS
from gwray.pipelines import LatencyTable, Plan, make_plan, measured, read_table, this_machine
from gwray.spec import RunSpec, TimingSpec
from gwray.store import RunDir

LANES = 2
"""Episodes side by side for each request in flight: while one browser plays, another's request is under way."""


def measure_latency(words: Sequence[str], in_flight: str, out: Path, machine: str) -> int:
    """Play every level of every model, and write the table. Returns the exit code, as `run_jobs`; raises `UsageError`
    for wrong words."""
    levels = _levels(in_flight)
    older = read_table(out) if out.exists() else LatencyTable(cells=())
    words, console = understood(words), terminal()
    with composing("latency") as compose:
        try:
            specs = [_paused(spec) for spec in specs_of(compose, words)]
        except (HydraException, OmegaConfBaseException) as e:
            raise UsageError(str(e)) from e
        plan = make_plan(specs)
        _refuse_unmeasurable(plan)
        runs: list[tuple[int, RunDir]] = []
        for model in plan.models():
            for level in levels:
                place = f"{plan.run_dir}-latency/{model.name}-{level}"
                console.print(f"{model.name}, {level} in flight", style="bold", highlight=False)
                code = run_jobs(compose, [words], partial(_alone, model=model.name, level=level, place=place))
                if code or plan.settings.dry_run:
                    return code
                runs.append((level, RunDir.open(place)))
    table = measured(runs, machine or this_machine()).merged(older)
    out.write_text(table.model_dump_json(indent=1) + "\n", encoding="utf-8")
    _show(table, console)
    console.print(f"charge it     python launch.py … timing=realtime timing.latency=table:{out}", highlight=False)
    return 0


def _levels(text: str) -> list[int]:
    if not re.fullmatch(r"[1-9]\d{0,3}(,[1-9]\d{0,3})*", text):
        raise UsageError(f"--in-flight '{text}': give numbers of requests from 1, such as 1,2,3,4,5")
    return sorted({int(n) for n in text.split(",")})


def _paused(spec: RunSpec) -> RunSpec:
    return spec.model_copy(update={"timing": TimingSpec()})


def _alone(specs: Sequence[RunSpec], *, model: str, level: int, place: str) -> Plan:
    """The jobs of one model, with that many requests kept in flight."""
    mine = [_paused(s) for s in specs if s.model.name == model]
    first = mine[0]
    more = {
        "executor": first.executor.model_copy(update={"lanes": LANES * level, "actors": 1}),
        "run_dir": place,
        "name": f"latency-{model}-{level}",
    }
    return make_plan(
        [s.model_copy(update={**more, "model": s.model.model_copy(update={"max_in_flight": level})}) for s in mine]
    )


def _refuse_unmeasurable(plan: Plan) -> None:
    for cell in plan.cells:
        if len(cell.spec.models()) > 1:
            raise UsageError(f"'{cell.name}' asks several models: measure a cell of one model")
        if cell.spec.model.provider in LOCAL_PLAYERS:
            raise UsageError(f"'{cell.name}' asks nobody over a network: there is no latency to measure")


def _show(table: LatencyTable, console: Console) -> None:
    rows: list[tuple[str, ...]] = []
    for cell in table.cells:
        for one in cell.levels:
            last = len(one.latencies_ms) - 1
            seconds = (one.mean_ms, *(one.latencies_ms[round(share * last)] for share in (0.1, 0.5, 0.9)))
            rows.append((cell.name, str(one.in_flight), f"{one.replies:,}", *(f"{ms / 1e3:.2f}" for ms in seconds)))
    print_table(("cell", "in flight", "replies", "mean s", "10 %", "50 %", "90 %"), rows, console)
