"""The results that report sections are written from: read and computed once, then frozen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from gwray.analysis import (
    Arena,
    Cell,
    Comparison,
    JudgeAgreement,
    LabelSet,
    MainRow,
    ModuleUsage,
    PlannedTasks,
    UsageTable,
    arenas,
    compare_all,
    counts,
    episode_frame,
    main_table,
    plan_of,
)
from gwray.catalog import published_protocol
from gwray.report.ceilings import NONE, Ceilings
from gwray.report.saved_episodes import SavedEpisodes
from gwray.settings import axis_value, family
from gwray.store import RunManifest


@dataclass(frozen=True)
class InvalidReply:
    """A reply that was not a legal action."""

    key: str
    cell: str
    task: str
    kind: str
    """`no_tool_call` or `out_of_space`."""
    step: int
    reply: str
    reason: str


@dataclass(frozen=True)
class JudgeResults:
    """Results of the judges of a run, as a report shows them."""

    judged: Sequence[JudgeAgreement] = ()
    """Agreement of judges with annotations, recorded states or rules (`gwray.judges.compare_judges`)."""
    labels: Sequence[LabelSet] = ()
    """Labels given to episodes by judges, or by people in their place (`gwray.judges.judge_labels`)."""


@dataclass(frozen=True)
class Results:
    """Results of one or several runs. A report section is a function `section(results: Results) -> Section | None`; it
    must not modify them."""

    frame: pl.DataFrame
    """One row an episode, as `gwray.analysis.episode_frame` makes them."""
    plan: PlannedTasks
    main: list[MainRow]
    """The main table, one row a cell, in display order."""
    comparisons: list[Comparison]
    """Paired comparisons of all ranked, complete cells."""
    usages: dict[str, UsageTable]
    """Tokens, cost and timing by cell."""
    arenas: Mapping[str, Arena] = field(default_factory=dict)
    """Matches between models and what they say, by title."""
    allow_incomplete: bool = False
    """Whether cells that lack planned episodes have headline values."""
    replays: Mapping[str, str] = field(default_factory=dict)
    """Page of each replayed episode, by key."""
    labels: Sequence[LabelSet] = ()
    """Why episodes failed: recorded facts, and the causes and codes that people gave."""
    ceilings: Ceilings = NONE
    floors: Ceilings = NONE
    """Results of the best blind player: random, waiting, or a pattern of actions."""
    examples: Sequence[InvalidReply] = ()
    module_usage: Sequence[ModuleUsage] = ()
    """Usage by module, of the cells in `multi_call_cells`."""
    judges: JudgeResults = field(default_factory=JudgeResults)
    titles: Mapping[str, str] = field(default_factory=dict)
    """Titles of games, by id."""
    saved: SavedEpisodes | None = None
    """Recorded steps and replies; None if only the rows of the episodes are known."""
    prices: Mapping[str, str] = field(default_factory=dict)
    """Source and date of each model's price, by the name of its profile."""

    @property
    def order(self) -> list[str]:
        """Cell ids in display order."""
        return [r.cell.id for r in self.main]

    def cell(self, id: str) -> Cell:
        return self.plan.cells[id]

    def name(self, cell: str) -> str:
        return self.plan.cells[cell].name

    def ranked(self, cell: str) -> bool:
        return self.plan.cells[cell].ranked

    def block(self, cell: str) -> str:
        """Returns the name of the group of cells that a cell is ranked in."""
        c = self.plan.cells[cell]
        timing = [axis_value("timing", c.timing)] if c.timing != "paused" else []
        return ", ".join([axis_value("interface", c.interface), *timing, *(["with text"] if c.sees_text else [])])

    def tasks(self, by: str = "") -> dict[str, list[str]]:
        """Ids of the planned tasks, by the value of the column `by`; without it, all under the key ""."""
        planned = self.plan.episodes.unique(["game", "task"]).sort("game", "task")
        if not by:
            return {"": planned["task"].to_list()}
        return dict(planned.drop_nulls(by).group_by(pl.col(by).cast(pl.String)).agg("task").iter_rows())

    def has_headline(self, cell: str) -> bool:
        return any(r.cell.id == cell and not r.refused for r in self.main)

    @property
    def headline_plan(self) -> PlannedTasks:
        """The plan without the cells whose headline is refused: no figure may rest on those either."""
        return replace(self.plan, cells={c: cell for c, cell in self.plan.cells.items() if self.has_headline(c)})


def make_results(
    frame: pl.DataFrame, manifests: Sequence[RunManifest] = (), *, allow_incomplete: bool = False, **more: Any
) -> Results:
    """Computes the tables that sections share. `more`: further fields of `Results`."""
    frame = episode_frame(frame)
    plan = plan_of(frame, manifests)
    partial = {c for c in plan.cells if not counts(frame, plan, c).complete}
    if allow_incomplete:
        # Marked in the name, so that every table, figure and file shows it.
        marked = {
            c: replace(cell, name=f"{cell.name} (incomplete)") if c in partial else cell
            for c, cell in plan.cells.items()
        }
        plan, partial = replace(plan, cells=marked), set()
    comparisons = compare_all(frame, plan, cells=[c for c, x in plan.cells.items() if x.ranked and c not in partial])
    main = main_table(frame, plan, allow_incomplete=allow_incomplete, comparisons=comparisons)
    usages = {r.cell.id: r.used for r in main}
    prices = {name: source for m in manifests for name, source in m.prices.items()}
    met = arenas(frame, plan)
    return Results(frame, plan, main, comparisons, usages, met, allow_incomplete, prices=prices, **more)


def matches_published_settings(c: Cell) -> bool:
    """Whether all settings but the timing are the published ones."""
    changed = {axis: value for axis, value in c.axes.items() if family(axis) != "timing"}
    return changed == published_protocol().axes(c.interface)


def matches_published_main(c: Cell) -> bool:
    """Whether a cell was run under the conditions of the published main table: paused, nothing varied."""
    return c.timing == "paused" and matches_published_settings(c)


def matches_published_ablation(c: Cell, axis: str) -> bool:
    """Whether only `axis` differs from the published main table's settings, and a memory round repeats the published
    parts of its prompt."""
    protocol = published_protocol()
    prompt = protocol.memory_prompt.get(c.interface)  # type: ignore[call-overload]
    if c.setting("memory_rounds") and prompt != c.setting("agent.memory_prompt"):
        return False
    wanted = {**protocol.axes(c.interface), axis: None}
    changed = {**c.axes, axis: None, "agent.memory_prompt": None}
    return {k: v for k, v in changed.items() if v is not None} == {k: v for k, v in wanted.items() if v is not None}
