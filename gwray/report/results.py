"""What the sections of a report are written from, computed once, and what several of them say the same way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from gwray.analysis import (
    Annotations,
    Cell,
    Comparison,
    Diagnosis,
    JudgedBy,
    Known,
    Labelled,
    MainRow,
    ModuleUsage,
    PlannedTasks,
    UsageTable,
    compare_all,
    counts,
    episode_frame,
    main_table,
    plan_of,
    usage,
)
from gwray.axes import family
from gwray.catalog import published_protocol
from gwray.report.ceilings import NONE, Ceilings
from gwray.spec import CellSpec


@dataclass(frozen=True)
class Example:
    """One reply that was no legal action."""

    key: str
    cell: str
    task: str
    kind: str
    step: int
    reply: str
    reason: str


@dataclass(frozen=True)
class Results:
    """Everything that sections are written from."""

    frame: pl.DataFrame
    plan: PlannedTasks
    main: list[MainRow]
    pairs: list[Comparison]
    usages: dict[str, UsageTable]
    allow_incomplete: bool
    diagnoses: Mapping[str, Diagnosis] = field(default_factory=dict)
    annotations: Annotations = field(default_factory=dict)
    ceilings: Ceilings = NONE
    examples: Sequence[Example] = ()
    """Replies that were no legal action."""
    asked: Sequence[ModuleUsage] = ()
    """Of the cells whose agents ask more than one question a decision, or helpers."""
    replays: Mapping[str, str] = field(default_factory=dict)
    """Key of each replayed episode → its page."""
    codes: Annotations = field(default_factory=dict)
    """Failure codes of adventures that people gave."""
    judged: Sequence[JudgedBy] = ()
    """What judges said of these runs, held against what is known."""
    labelled: Sequence[Labelled] = ()
    """The labels that judges, or people in their place, gave episodes."""
    known: Sequence[Known] = ()
    """What models knew of the games without seeing them."""

    @property
    def order(self) -> list[str]:
        return [r.cell.id for r in self.main]

    def name(self, cell: str) -> str:
        return self.plan.cells[cell].name

    def tasks(self, by: str = "") -> dict[str, list[str]]:
        """Ids of the planned tasks, by what the column `by` says of their game; all under "" without it."""
        planned = self.plan.episodes.unique(["game", "task"]).sort("game", "task")
        if not by:
            return {"": planned["task"].to_list()}
        return dict(planned.drop_nulls(by).group_by(pl.col(by).cast(pl.String)).agg("task").iter_rows())

    @property
    def asking(self) -> dict[str, CellSpec]:
        """The cells whose agents ask more than one question a decision, or helpers; in their order."""
        several = self.frame.filter((pl.col("status") == "finished") & (pl.col("calls") > pl.col("proposals")))
        more, cells = set(several["cell"]), self.plan.cells
        chosen = [c for c in self.order if c in more or cells[c].spec.get("helpers")]
        return {c: CellSpec.model_validate(cells[c].spec) for c in chosen if cells[c].spec}

    def block(self, cell: str) -> str:
        """Whom a cell is ranked among, in words."""
        c = self.plan.cells[cell]
        words = [c.interface.replace("_", "-"), *([c.timing] if c.timing != "paused" else [])]
        return ", ".join([*words, *(["told in words"] if c.sees_text else [])])

    def shows(self, cell: str) -> bool:
        return any(r.cell.id == cell and not r.refused for r in self.main)

    @property
    def shown(self) -> PlannedTasks:
        """The plan without the cells whose headline is refused: no figure may stand on them either."""
        return replace(self.plan, cells={c: cell for c, cell in self.plan.cells.items() if self.shows(c)})


def make_results(
    frame: pl.DataFrame, manifests: Sequence[Mapping[str, Any]] = (), *, allow_incomplete: bool = False, **more: Any
) -> Results:
    frame = episode_frame(frame)
    plan = plan_of(frame, manifests)
    partly = {c for c in plan.cells if not counts(frame, plan, c).complete}
    if allow_incomplete:
        # In the name, so that every table, figure and file says so.
        marked = {
            c: replace(cell, name=f"{cell.name} (incomplete)") if c in partly else cell
            for c, cell in plan.cells.items()
        }
        plan, partly = replace(plan, cells=marked), set()
    pairs = compare_all(frame, plan, cells=[c for c, x in plan.cells.items() if x.ranked and c not in partly])
    main = main_table(frame, plan, allow_incomplete=allow_incomplete, comparisons=pairs)
    usages = {c: usage(frame, plan, c) for c in plan.cells}
    return Results(frame, plan, main, pairs, usages, allow_incomplete, **more)


def matches_published_settings(c: Cell) -> bool:
    """Nothing but the timing may differ from the published conditions: memory, sampling, all else unsaid."""
    said = {axis: value for axis, value in c.axes.items() if family(axis) != "timing"}
    return said == published_protocol().axes(c.interface)


def plain(c: Cell) -> bool:
    """Whether the published main table speaks of the same conditions: paused, nothing varied."""
    return c.timing == "paused" and matches_published_settings(c)


def matches_published_ablation(c: Cell, axis: str) -> bool:
    """Whether the published ablation of an axis speaks of the same conditions: nothing but the axis may differ from the
    main table's, and what a round of memory repeats of its prompt is as published."""
    protocol = published_protocol()
    prompt = protocol.memory_prompt.get(c.interface)  # type: ignore[call-overload]
    wanted = {**protocol.axes(c.interface), axis: None}
    if c.setting("memory_rounds") and prompt != c.setting("agent.memory_prompt"):
        return False
    said = {**c.axes, axis: None, "agent.memory_prompt": None}
    return {k: v for k, v in said.items() if v is not None} == {k: v for k, v in wanted.items() if v is not None}
