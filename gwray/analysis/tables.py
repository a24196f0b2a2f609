"""Tables by genre, level and game, and the summary values of a tracker."""

import math
from dataclasses import dataclass
from typing import Any, get_args

import polars as pl

from gwray.analysis.arena import arenas
from gwray.analysis.cells import Counts, PlannedTasks, plan_of
from gwray.analysis.intervals import Interval
from gwray.analysis.main_table import main_table
from gwray.analysis.reruns import Metric, reruns
from gwray.analysis.scores import Group, scores_by
from gwray.store import RunManifest

NO_GROUP = ("", "0")
"""The genre and the level of games that have none."""


@dataclass(frozen=True)
class GroupTable:
    """Cells × groups of one metric: heatmap, radar, genre and level tables."""

    cells: tuple[str, ...]
    groups: tuple[str, ...]
    sr: tuple[tuple[Interval | None, ...], ...]
    """Row by cell, column by group; None where nothing was scored, or an incomplete part was refused."""
    pg: tuple[tuple[Interval | None, ...], ...]
    counts: tuple[tuple[Counts, ...], ...]


def grid(frame: pl.DataFrame, plan: PlannedTasks, by: Group, *, allow_incomplete: bool = False) -> GroupTable:
    """Returns the scores of all cells on all groups; an incomplete part is None unless allowed."""
    found = {(s.cell, s.group): s for s in scores_by(frame, plan, by)}
    cells = tuple(c for c in plan.cells if any(k[0] == c for k in found))
    groups = tuple(sorted({k[1] for k in found if k[1] not in NO_GROUP}))
    none = Counts(0, 0, 0)

    def at(metric: str) -> tuple[tuple[Interval | None, ...], ...]:
        shown = {k: getattr(s, metric) for k, s in found.items() if s.counts.complete or allow_incomplete}
        return tuple(tuple(shown.get((c, g)) for g in groups) for c in cells)

    n = tuple(tuple(s.counts if (s := found.get((c, g))) else none for g in groups) for c in cells)
    return GroupTable(cells, groups, at("sr"), at("pg"), n)


def cell_summaries(frame: pl.DataFrame, manifest: RunManifest) -> dict[str, dict[str, Any]]:
    """Returns values for trackers by cell id, when the run has ended: the 95 % intervals of each complete cell on these
    tasks (`sr/overall/low`, …) and on games like these (`sr/games/low`, …, from 4 games on), its numbers of games and
    tasks, the averages of its complete repeats (`rerun/sr/0`, …) with mean, SD and SE from two repeats on,
    the Elo of both players of a match (`arena/<game>/elo`), and the engine's values where the run hosted the cell's
    model (`engine/…`)."""
    out: dict[str, dict[str, Any]] = {c.id: {} for c in manifest.cells}
    plan = plan_of(frame, [manifest])
    for row in main_table(frame, plan):
        values = out.setdefault(row.cell.id, {})
        for name, estimate in (
            ("sr/overall", row.sr), ("pg/overall", row.pg), ("sr/games", row.sr_games), ("pg/games", row.pg_games)
        ):  # fmt: skip
            if estimate is not None and estimate.low is not None:
                values |= {f"{name}/low": estimate.low, f"{name}/high": estimate.high}
        if row.sr is not None and row.sr_games is not None:
            values |= {"n_games": row.sr_games.clusters, "n_tasks": row.sr.n}
        for metric in get_args(Metric):
            again = reruns(frame, plan, row.cell.id, metric)
            values["n_repeats"] = again.repeats
            if again.mean is not None and again.sd is not None:
                values |= {f"rerun/{metric}/{i}": average for i, average in enumerate(again.averages)}
                spread = {"mean": again.mean, "sd": again.sd, "se": again.sd / math.sqrt(again.repeats)}
                values |= {f"rerun/{metric}/{name}": value for name, value in spread.items()}
    for title, arena in arenas(frame, plan).items():
        elo = {r.player: r.elo for r in arena.ratings}
        for cell, (first, second) in arena.cells.items():
            out[cell] |= {f"arena/{title}/elo": elo[first], f"arena/{title}/elo_second": elo[second]}
    engines = {str(e.get("model")): {k: v for k, v in e.items() if k != "wave"} for e in manifest.engines}
    for cell in manifest.cells:
        figures = engines.get(cell.model, {})
        out[cell.id] |= {f"engine/{k}": v for k, v in figures.items() if isinstance(v, (int, float))}
    return out
