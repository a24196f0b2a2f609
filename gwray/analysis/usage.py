"""What playing cost and how it went about it: tokens, money, time, invalid replies; memory and latency studies.

Sums run over finished episodes, so that every rate has a whole episode behind it; money also over failed ones where
it says "spent".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import polars as pl

from gwray.analysis.cells import Cell, Counts, Plan, counts, scored
from gwray.analysis.intervals import Estimate
from gwray.analysis.pairs import Comparison, compare, corrected
from gwray.analysis.scores import score
from gwray.records import canonical

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
    """Cells that differ in memory rounds and in nothing else, player by player (the published table 9).

    The differences are one family: their p values carry Holm's correction over all of them.
    """
    out = []
    for player, group in _series(plan, "memory"):
        if len({c.memory_rounds for c in group}) < 2:
            continue
        group.sort(key=lambda c: c.memory_rounds)
        for c in group:
            out.append(
                MemoryRow(
                    cell=c.id,
                    player=player,
                    rounds=c.memory_rounds,
                    usage=usage(frame, plan, c.id),
                    pg=score(frame, plan, c.id).pg,
                    against_base=None if c is group[0] else compare(frame, c.id, group[0].id),
                )
            )
    compared = iter(corrected([r.against_base for r in out if r.against_base]))
    return [replace(r, against_base=next(compared)) if r.against_base else r for r in out]


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

    points = []
    for player, group in _series(plan, "timing"):
        paused = None if any(_charge(c) == 0 for c in group) else 0.0
        at = [(paused if c.timing == "paused" else _charge(c), c) for c in group]
        points += _curve(frame, plan, player, at)
    return points


def frame_budget_curves(frame: pl.DataFrame, plan: Plan) -> list[CurvePoint]:
    """Cells that differ in `hold_scale`, which the manifest's cells carry, and in nothing else."""
    points = []
    for player, group in _series(plan, "hold"):
        points += _curve(frame, plan, player, [(_hold(c), c) for c in group])
    return points


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


def _curve(frame: pl.DataFrame, plan: Plan, player: str, at: Sequence[tuple[float | None, Cell]]) -> list[CurvePoint]:
    """The points of one player, by position; none when they are all in one place."""
    points = []
    for x, c in at:
        if x is not None and scored(frame.filter(pl.col("cell") == c.id)).height:
            s = score(frame, plan, c.id)
            points.append(CurvePoint(c.id, player, x, s.sr, s.pg, s.counts))
    return sorted(points, key=lambda p: p.x) if len({p.x for p in points}) >= 2 else []


def _series(plan: Plan, varied: Literal["memory", "timing", "hold"]) -> list[tuple[str, list[Cell]]]:
    """Cells that are equal in everything but what is varied, each group under a name of its own."""
    groups: dict[tuple, list[Cell]] = {}
    names: dict[tuple, str] = {}
    taken: dict[str, int] = {}
    for c in plan.cells.values():
        hold = _hold(c)
        settings = {
            "memory": f"memory {c.memory_rounds}" if c.memory_rounds else "",
            "timing": "" if c.timing == "paused" else f"{c.timing} {c.latency}".rstrip(),
            "hold": "" if hold == 1 else f"hold ×{hold:g}",
        }
        del settings[varied]
        words = (c.model, c.interface.replace("_", "-"), *settings.values())
        key = (*words, _rest(c))
        if key not in names:
            name = " · ".join(w for w in words if w)
            taken[name] = taken.get(name, 0) + 1
            names[key] = name if taken[name] == 1 else f"{name} ({taken[name]})"
        groups.setdefault(key, []).append(c)
    return [(names[key], group) for key, group in groups.items()]


def _rest(c: Cell) -> str:
    """What else of a cell's specification can change how it plays, as far as the manifest says."""
    model, agent, observation = (dict(c.spec.get(part) or {}) for part in ("model", "agent", "observation"))
    agent.pop("memory_rounds", None)
    observation.pop("hold_scale", None)
    asked = {k: model.get(k) for k in ("model_id", "image", "sampling", "structured", "options")}
    roles = {role: m.get("name") for role, m in (c.spec.get("roles") or {}).items()}
    return canonical([asked, agent, observation, roles])
