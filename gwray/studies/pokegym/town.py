"""Success of players in the harbor town, over all or some of their episodes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from gwray.analysis import Counts, Interval, PlannedTasks, bounded_mean, counts
from gwray.pages import NO_VALUE, TableCell, number_cell
from gwray.report import Results
from gwray.studies.pokegym.deadlocks import Averages, CategoryRate, averages, category_rates
from gwray.studies.pokegym.quests import CATEGORIES, quests


@dataclass(frozen=True)
class Town:
    """The episodes of a report that were played in the town."""

    results: Results
    frame: pl.DataFrame
    plan: PlannedTasks
    cells: tuple[str, ...]

    def episodes(self, cell: str, **where: str) -> pl.DataFrame:
        rows = self.frame.filter(pl.col("cell") == cell)
        return rows.filter(*(pl.col(k) == v for k, v in where.items()))

    def counts(self, cell: str, **where: str) -> Counts:
        return counts(self.frame, self.plan, cell, **where)

    def has_headline(self, n: Counts) -> bool:
        """Whether a value over these episodes may be shown."""
        return n.finished > 0 and (n.complete or self.results.allow_incomplete)

    @property
    def complete(self) -> list[str]:
        return [c for c in self.cells if self.has_headline(self.counts(c))]

    def mean(self, cell: str, **where: str) -> Interval | None:
        """Success of all episodes, of any category. None if it is refused."""
        if not self.has_headline(self.counts(cell, **where)):
            return None
        done = self.episodes(cell, **where).filter(pl.col("status") == "finished")
        return bounded_mean(done["success"].cast(pl.Float64).to_list(), done["quest"].to_list())

    def score(self, cell: str, printed: Mapping[str, Any] | None = None, label: str = "", **where: str) -> "TownScore":
        planned = {x: self.counts(cell, category=x, **where) for x in CATEGORIES.values()}
        found = category_rates(self.episodes(cell, **where), "category").get(cell, {})
        rates = {x: r for x, r in found.items() if self.has_headline(planned[x])}
        both = averages(rates) if len(rates) == len(CATEGORIES) else None  # a mean of fewer is another thing
        mean, n = self.mean(cell, **where), self.counts(cell, **where)
        return TownScore(cell, rates, planned, both, mean, n, printed or {}, label)

    def shared(self, cells: Iterable[str]) -> "Town":
        """Returns only the episodes that all of these cells planned."""
        plan, same = self.plan.episodes, ["task", "seed", "repeat"]
        found = plan.select(same).unique()
        for cell in cells:
            found = found.join(plan.filter(pl.col("cell") == cell), on=same, how="semi", nulls_equal=True)
        frame, planned = (x.join(found, on=same, how="semi", nulls_equal=True) for x in (self.frame, plan))
        return replace(self, frame=frame, plan=replace(self.plan, episodes=planned))


@dataclass(frozen=True)
class TownScore:
    """Success of one cell over some of its episodes."""

    cell: str
    rates: Mapping[str, CategoryRate]
    """By category; without those that lack planned episodes."""
    planned: Mapping[str, Counts]
    averages: Averages | None
    mean: Interval | None
    counts: Counts
    published: Mapping[str, Any]
    label: str
    """The text or the arm."""
    player: str = ""
    change: float | None = None
    """Points of all episodes against the player's first arm."""
    movement: Mapping[tuple[str, str], float | None] = field(default_factory=dict)
    """Mean over episodes of a share of `metrics.movement`, by category (empty: all) and name of the share."""

    def rate(self, category: str) -> TableCell:
        if category in self.rates:
            return number_cell(self.rates[category].rate, scale=100)
        n = self.planned[category]
        return replace(NO_VALUE, mark="refused", sub=f"{n.finished} / {n.planned}") if n.planned else NO_VALUE

    def steps(self, category: str) -> float | None:
        return self.rates[category].steps if category in self.rates else None


def read_town(results: Results) -> Town | None:
    """Returns the episodes played in the town; None if there are none."""
    frame = quests(results.frame)
    if not frame.height:
        return None
    episodes = quests(results.plan.episodes)
    played = set(episodes["cell"])
    cells = {c: replace(cell, planned=None) for c, cell in results.plan.cells.items() if c in played}
    return Town(results, frame, PlannedTasks(cells, episodes), tuple(c for c in results.order if c in played))
