"""What playing cost and how it went about it: tokens, money, time, invalid replies; memory and latency studies.

Sums run over finished episodes, so that every rate has a whole episode behind it; money also over failed ones where
it says "spent".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from gwray.analysis.cells import Cell, Counts, Plan, counts, scored
from gwray.analysis.intervals import Estimate
from gwray.analysis.pairs import Comparison, compare
from gwray.analysis.scores import score

BENCHMARK_TASKS = 170


@dataclass(frozen=True)
class Usage:
    """Rates of one cell."""

    cell: str
    counts: Counts
    steps: int
    proposals: int
    iar: float | None
    """Invalid action ratio: (no_tool_call + out_of_space) / proposals."""
    no_tool_call: float | None
    out_of_space: float | None
    input_tokens: float | None
    """Per step, as all below that do not say otherwise."""
    cached_tokens: float | None
    output_tokens: float | None
    reasoning_tokens: float | None
    latency_s: float | None
    charged_s: float | None
    """Game time charged for thinking (real-time)."""
    seconds_per_step: float | None
    """Game seconds from one step to the next: thinking charged plus the action's hold."""
    wall_s: float | None
    cost_usd: float | None
    """USD per step; None when an episode's price is not known."""
    cost_170: float | None
    """USD for 170 tasks, one repeat each."""
    tokens_170: float | None
    spent_usd: float
    """All that was paid and priced, failed episodes included."""
    unpriced: int
    """Finished episodes without a known price."""


def usage(frame: pl.DataFrame, plan: Plan, cell: str) -> Usage:
    """Rates of one cell: Σ quantity / Σ steps over finished episodes; IAR as in the published table 11.

    Cost for 170 tasks = 170 · (1/T) Σ_t mean_r cost, so that a partly finished or repeated cell is comparable with
    table 13. It is None rather than too small when some episode has no price.
    """
    rows = frame.filter(pl.col("cell") == cell)
    done = rows.filter(pl.col("status") == "finished")
    steps = int(done["steps"].sum() or 0)
    proposals = int(done["proposals"].sum() or 0)

    def per_step(column: str, scale: float = 1.0) -> float | None:
        return float(done[column].fill_null(0).sum()) * scale / steps if steps else None

    def share(column: str) -> float | None:
        return float(done[column].fill_null(0).sum()) / proposals if proposals else None

    none, outside = share("no_tool_call"), share("out_of_space")
    unpriced = int(done["cost_usd"].is_null().sum())
    task_means = done.group_by("game", "task").agg(
        pl.col("cost_usd").mean(), (pl.col("input_tokens") + pl.col("output_tokens")).mean().alias("tokens")
    )
    priced = done.height > 0 and unpriced == 0
    return Usage(
        cell=cell,
        counts=counts(frame, plan, cell),
        steps=steps,
        proposals=proposals,
        iar=None if none is None or outside is None else none + outside,
        no_tool_call=none,
        out_of_space=outside,
        input_tokens=per_step("input_tokens"),
        cached_tokens=per_step("cached_tokens"),
        output_tokens=per_step("output_tokens"),
        reasoning_tokens=per_step("reasoning_tokens"),
        latency_s=per_step("latency_ms", 1e-3),
        charged_s=per_step("charged_ms", 1e-3),
        seconds_per_step=per_step("game_time_ms", 1e-3),
        wall_s=per_step("wall_s"),
        cost_usd=per_step("cost_usd") if priced else None,
        cost_170=BENCHMARK_TASKS * _mean(task_means["cost_usd"]) if priced else None,
        tokens_170=BENCHMARK_TASKS * _mean(task_means["tokens"]) if done.height else None,
        spent_usd=float(rows["cost_usd"].fill_null(0).sum()),
        unpriced=unpriced,
    )


def _mean(s: pl.Series) -> float:
    return math.fsum(s.to_list()) / len(s)


@dataclass(frozen=True)
class MemoryRow:
    """One memory setting of a player, beside the fewest rounds it was run with."""

    cell: str
    player: str
    rounds: int
    usage: Usage
    pg: Estimate | None
    against_base: Comparison | None
    """Paired difference to the row with the fewest rounds; None for that row itself."""


def memory_ablation(frame: pl.DataFrame, plan: Plan) -> list[MemoryRow]:
    """Cells that differ in memory rounds and in nothing else, player by player (the published table 9)."""
    players: dict[tuple, list[Cell]] = {}
    for c in plan.cells.values():
        players.setdefault((c.model, c.interface, c.timing, c.latency, c.facts.get("hold_scale")), []).append(c)
    out = []
    for group in players.values():
        if len({c.memory_rounds for c in group}) < 2:
            continue
        group.sort(key=lambda c: c.memory_rounds)
        for c in group:
            out.append(
                MemoryRow(
                    cell=c.id,
                    player=f"{c.model} · {c.interface.replace('_', '-')}",
                    rounds=c.memory_rounds,
                    usage=usage(frame, plan, c.id),
                    pg=score(frame, plan, c.id).pg,
                    against_base=None if c is group[0] else compare(frame, c.id, group[0].id),
                )
            )
    return out


@dataclass(frozen=True)
class CurvePoint:
    """One point of a latency or frame-budget curve."""

    cell: str
    player: str
    x: float
    """Seconds charged per reply (latency), or the factor on every hold (frame budget)."""
    sr: Estimate | None
    pg: Estimate | None
    counts: Counts


def latency_curves(frame: pl.DataFrame, plan: Plan) -> list[CurvePoint]:
    """Cells that differ in what thinking is charged and in nothing else, player by player, two points or more.

    A point is a real-time cell with a fixed charge (`fixed:<ms>`), or the paused cell, in which thinking costs nothing:
    the zero, unless `fixed:0` was played too.
    """

    def others(c: Cell) -> tuple:
        return c.model, c.interface, c.memory_rounds, _hold(c)

    zeros = {others(c) for c in plan.cells.values() if _charge(c) == 0}

    def position(c: Cell) -> float | None:
        if c.timing == "paused" and others(c) not in zeros:
            return 0.0
        return _charge(c)

    return _curves(frame, plan, position, others)


def frame_budget_curves(frame: pl.DataFrame, plan: Plan) -> list[CurvePoint]:
    """Cells that differ in `hold_scale`, which the manifest's cells carry, and in nothing else."""
    return _curves(frame, plan, _hold, lambda c: (c.model, c.interface, c.memory_rounds, c.timing, c.latency))


def _hold(c: Cell) -> float:
    scale = c.facts.get("hold_scale")
    return float(scale) if isinstance(scale, int | float) else 1.0


def _charge(c: Cell) -> float | None:
    """Seconds that every reply is charged; None if that is not one fixed number."""
    if c.timing != "realtime" or not c.latency.startswith("fixed:"):
        return None
    try:
        return float(c.latency.removeprefix("fixed:")) / 1000
    except ValueError:
        return None


def _curves(
    frame: pl.DataFrame, plan: Plan, position: Callable[[Cell], float | None], others: Callable[[Cell], tuple]
) -> list[CurvePoint]:
    """`others`: everything that must be equal along a curve."""
    found: dict[tuple, list[CurvePoint]] = {}
    for c in plan.cells.values():
        x = position(c)
        if x is None or not scored(frame.filter(pl.col("cell") == c.id)).height:
            continue
        s = score(frame, plan, c.id)
        memory = f" · memory {c.memory_rounds}" if c.memory_rounds else ""
        charge = f" · {c.timing} {c.latency}".rstrip() if position is _hold and c.timing != "paused" else ""
        player = f"{c.model} · {c.interface.replace('_', '-')}{memory}{charge}"
        found.setdefault(others(c), []).append(CurvePoint(c.id, player, x, s.sr, s.pg, s.counts))
    out = []
    for points in found.values():
        if len({p.x for p in points}) >= 2:
            out += sorted(points, key=lambda p: p.x)
    return out
