"""The main table and the tables by group, as rows of frozen values that terminal, report and CSV print. A cell that
lacks planned episodes has no headline values unless incomplete cells are allowed; then its row says so."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import polars as pl

from gwray.analysis.arena import arenas
from gwray.analysis.cells import Cell, Counts, PlannedTasks, counts, episode_frame, plan_of
from gwray.analysis.intervals import Interval
from gwray.analysis.pairs import Comparison, compare_all, rank_intervals, ranks
from gwray.analysis.reruns import Metric, reruns
from gwray.analysis.scores import Group, missing_bounds, robust_progress, score, scores_by, shown_interval
from gwray.analysis.usage import load_caveat, usage
from gwray.store import RunManifest


@dataclass(frozen=True)
class MainRow:
    """One cell of the main table."""

    cell: Cell
    counts: Counts
    sr: Interval | None
    pg: Interval | None
    iqm: Interval | None
    """None also where it was not requested."""
    iar: float | None
    rank: int | None
    """Rank by progress in its group (`Cell.rank_group`); ties share it. None: not ranked with models, or no
    headline."""
    rank_interval: tuple[int, int] | None
    """Best and worst rank in the group that the tests allow (`pairs.rank_intervals`)."""
    refused: bool
    """Whether the headline is refused because the cell is incomplete."""
    note: str
    """Caveats; empty for a complete, ranked cell."""
    sr_again: Interval | None = None
    """Success rate with its interval for these tasks again."""
    pg_again: Interval | None = None
    bounds: tuple[tuple[float, float], tuple[float, float]] | None = None
    """Lowest and highest success rate and progress that the missing episodes of an incomplete cell allow."""

    @property
    def rank_text(self) -> str:
        """The rank interval as shown, "2" or "2–7"; empty without a rank."""
        if self.rank_interval is None:
            return ""
        low, high = self.rank_interval
        return str(low) if low == high else f"{low}–{high}"

    @property
    def shared_rank(self) -> int | None:
        """1 + number of cells in the group that are significantly better."""
        return self.rank_interval[0] if self.rank_interval else None


def main_table(
    frame: pl.DataFrame,
    plan: PlannedTasks | Sequence[RunManifest] | None = None,
    *,
    allow_incomplete: bool = False,
    comparisons: Sequence[Comparison] | None = None,
    iqm: bool = True,
) -> list[MainRow]:
    """Returns one row for each cell: SR, PG and IQM with intervals, IAR, ranks and counts. Ranked cells come first, by
    group and progress.

    Args:
        frame: Episodes.
        plan: The result of `plan_of`, the runs' manifests, or nothing.
        allow_incomplete: Whether cells that lack planned episodes have headline values.
        comparisons: Paired tests that were already computed.
        iqm: Whether to compute the IQM, whose bootstrap is most of the work.
    """
    frame = episode_frame(frame)
    if not isinstance(plan, PlannedTasks):
        plan = plan_of(frame, plan or ())
    rows = [_row(frame, plan, c, allow_incomplete, iqm) for c in plan.cells.values()]
    ranked = [r for r in rows if r.pg is not None and r.cell.ranked]
    if comparisons is None:
        comparisons = compare_all(frame, plan, cells=[r.cell.id for r in ranked])
    plain: dict[str, int | None] = {}
    allowed: dict[str, tuple[int, int]] = {}
    for group in dict.fromkeys(r.cell.rank_group for r in ranked):
        members = [r for r in ranked if r.cell.rank_group == group]
        ids = [r.cell.id for r in members]
        plain |= dict(zip(ids, ranks([r.pg.value if r.pg else None for r in members]), strict=True))
        allowed |= rank_intervals(ids, comparisons)
    rows = [replace(r, rank=plain.get(r.cell.id), rank_interval=allowed.get(r.cell.id)) for r in rows]
    return sorted(
        rows,
        key=lambda r: (r.rank is None, r.cell.rank_group if r.rank else (), r.rank or 0, -(r.pg.value if r.pg else -1)),
    )


def _row(frame: pl.DataFrame, plan: PlannedTasks, cell: Cell, allow_incomplete: bool, iqm: bool) -> MainRow:
    """Returns the row of one cell, without ranks."""
    n = counts(frame, plan, cell.id)
    refused = not n.complete and not allow_incomplete
    s = None if refused else score(frame, plan, cell.id)
    notes = []
    if not n.complete:
        notes.append(f"incomplete: {n}")
    if cell.sees_state:
        notes.append("sees the game's state: not ranked with models")
    elif cell.person:
        person = "a person, who was not shown the score" if cell.setting("observation.blind") else "a person"
        notes.append(f"{person}: not ranked with models")
    elif cell.sees_text:
        notes.append("sees text: ranked among such cells")
    used = usage(frame, plan, cell.id)
    if load := load_caveat(cell, used):
        notes.append(load)
    has = s is not None and s.pg is not None
    return MainRow(
        cell=cell,
        counts=n,
        sr=s.sr if s else None,
        pg=s.pg if s else None,
        iqm=robust_progress(frame, cell.id) if has and iqm else None,
        iar=None if refused else used.iar,
        rank=None,
        rank_interval=None,
        refused=refused,
        note="; ".join(notes),
        sr_again=s.sr_again if s else None,
        pg_again=s.pg_again if s else None,
        bounds=None if n.complete or not s else missing_bounds(frame, plan, cell.id),
    )


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
        out = []
        for c in cells:
            row = []
            for g in groups:
                s = found.get((c, g))
                shown = s is not None and (s.counts.complete or allow_incomplete)
                row.append(shown_interval(getattr(s, metric), getattr(s, f"{metric}_again")) if shown else None)
            out.append(tuple(row))
        return tuple(out)

    n = tuple(tuple(s.counts if (s := found.get((c, g))) else none for g in groups) for c in cells)
    return GroupTable(cells, groups, at("sr"), at("pg"), n)


def cell_summaries(frame: pl.DataFrame, manifest: RunManifest) -> dict[str, dict[str, Any]]:
    """Returns values for trackers by cell id, when the run has ended: the 95 % intervals of each complete cell for
    games like these (`sr/overall/low`, …, from 4 games on) and for these tasks again (`sr/again/low`, …), its numbers
    of games and tasks, the averages of its complete repeats (`rerun/sr/0`, …) with mean, SD and SE from two repeats on,
    the Elo of both players of a match (`arena/<game>/elo`), and the engine's values where the run hosted the cell's
    model (`engine/…`)."""
    out: dict[str, dict[str, Any]] = {c.id: {} for c in manifest.cells}
    plan = plan_of(frame, [manifest])
    for row in main_table(frame, plan, iqm=False):
        values = out.setdefault(row.cell.id, {})
        for name, estimate in (
            ("sr/overall", row.sr), ("pg/overall", row.pg), ("sr/again", row.sr_again), ("pg/again", row.pg_again)
        ):  # fmt: skip
            if estimate is not None and estimate.low is not None:
                values |= {f"{name}/low": estimate.low, f"{name}/high": estimate.high}
        if row.sr is not None:
            values |= {"n_games": row.sr.clusters, "n_tasks": row.sr.n}
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
