"""What the sections of a report are written from, computed once, and what several of them say the same way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from gwray.analysis import (
    Cell,
    Comparison,
    Diagnosis,
    MainRow,
    Plan,
    Usage,
    compare_all,
    counts,
    episode_frame,
    main_table,
    plan_of,
    usage,
)
from gwray.report.ceilings import NONE, Ceilings
from gwray.report.content import Td


@dataclass(frozen=True)
class Study:
    """Everything that sections are written from."""

    frame: pl.DataFrame
    plan: Plan
    main: list[MainRow]
    pairs: list[Comparison]
    usages: dict[str, Usage]
    allow_incomplete: bool
    diagnoses: Mapping[str, Diagnosis] = field(default_factory=dict)
    ceilings: Ceilings = NONE
    replays: Mapping[str, str] = field(default_factory=dict)
    """Key of each replayed episode → its page."""

    @property
    def order(self) -> list[str]:
        return [r.cell.id for r in self.main]

    def name(self, cell: str) -> str:
        return self.plan.cells[cell].name

    def tasks(self, by: str = "") -> dict[str, list[str]]:
        """Ids of the planned tasks, by what the column `by` says of their game; all under "" without it."""
        planned = self.plan.episodes.select("game", "task").unique().sort("game", "task")
        if not by:
            return {"": planned["task"].to_list()}
        facts = self.frame.select("game", pl.col(by).cast(pl.String).alias("_by")).unique("game")
        groups = planned.join(facts, on="game").group_by("_by").agg("task")
        return dict(groups.iter_rows())

    def shows(self, cell: str) -> bool:
        return any(r.cell.id == cell and not r.refused for r in self.main)


def study(
    frame: pl.DataFrame, manifests: Sequence[Mapping[str, Any]] = (), *, allow_incomplete: bool = False, **more: Any
) -> Study:
    frame = episode_frame(frame)
    plan = plan_of(frame, manifests)
    pairs = compare_all(
        frame,
        plan,
        cells=[
            c for c, cell in plan.cells.items() if cell.ranked and (allow_incomplete or counts(frame, plan, c).complete)
        ],
    )
    main = main_table(frame, plan, allow_incomplete=allow_incomplete, comparisons=pairs)
    usages = {c: usage(frame, plan, c) for c in plan.cells}
    return Study(frame, plan, main, pairs, usages, allow_incomplete, **more)


def plain(c: Cell) -> bool:
    """Whether the published main table speaks of the same conditions: paused, nothing varied."""
    return c.timing == "paused" and not c.memory_rounds and c.facts.get("hold_scale", 1) in (None, 1)


def printed_number(x: float | None) -> Td:
    return Td("–", None, mark="dim", raw="") if x is None else Td(f"{x:.1f}", x, mark="published", raw=x)
