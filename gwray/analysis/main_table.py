"""The main table: a row of frozen values for each cell, and the columns that show it everywhere.

Terminal, report, notebook, W&B and leaderboards take their numbers from `main_table` and their columns from
`MAIN_COLUMNS`, so that all print the same values. A cell that lacks planned episodes has no headline values unless
incomplete cells are allowed; then its row says so.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import polars as pl

from gwray.analysis.cells import Cell, Counts, PlannedTasks, counts, episode_frame, plan_of
from gwray.analysis.intervals import Interval
from gwray.analysis.pairs import Comparison, compare_all, rank_intervals, ranks
from gwray.analysis.scores import score
from gwray.analysis.usage import UsageTable, load_caveat, spent_cell, usage
from gwray.pages import NO_VALUE, Column, Table, TableCell, percent_cell, setting_cell
from gwray.settings import axis_title, axis_value, factors
from gwray.store import RunManifest


@dataclass(frozen=True)
class MainRow:
    """One cell of the main table."""

    cell: Cell
    counts: Counts
    sr: Interval | None
    pg: Interval | None
    iar: float | None
    """Invalid action rate; repaired replies count as invalid."""
    repaired: int
    """Number of decisions that were read leniently and played."""
    efficiency: float | None
    """Action efficiency (`UsageTable.efficiency`)."""
    rank: int | None
    """Rank by progress in its group (`Cell.rank_group`); ties share it. None: not ranked with models, or no
    headline."""
    rank_interval: tuple[int, int] | None
    """Best and worst rank in the group that the tests allow (`pairs.rank_intervals`)."""
    refused: bool
    """Whether the headline is refused because the cell is incomplete."""
    used: UsageTable
    note: str
    """Caveats; empty for a complete, ranked cell."""
    sr_games: Interval | None = None
    """Success rate with its interval on games like these."""
    pg_games: Interval | None = None
    best: bool = False
    """Whether no cell of the group is significantly better, and at least one is significantly worse."""

    @property
    def rank_text(self) -> str:
        """The rank interval as shown, "2" or "2–7"; empty without a rank."""
        if self.rank_interval is None:
            return ""
        low, high = self.rank_interval
        return str(low) if low == high else f"{low}–{high}"


def main_table(
    frame: pl.DataFrame,
    plan: PlannedTasks | Sequence[RunManifest] | None = None,
    *,
    allow_incomplete: bool = False,
    comparisons: Sequence[Comparison] | None = None,
    ranked: Collection[str] | None = None,
) -> list[MainRow]:
    """Returns one row for each cell: SR and PG with intervals, IAR, ranks and counts. Ranked cells come first, by
    group and progress.

    Args:
        frame: Episodes.
        plan: The result of `plan_of`, the runs' manifests, or nothing.
        allow_incomplete: Whether cells that lack planned episodes have headline values.
        comparisons: Paired tests that were already computed.
        ranked: Ids of the only cells that may have a rank; default: all that are ranked with models.
    """
    frame = episode_frame(frame)
    if not isinstance(plan, PlannedTasks):
        plan = plan_of(frame, plan or ())
    rows = [_row(frame, plan, c, allow_incomplete) for c in plan.cells.values()]
    compared = [r for r in rows if r.pg is not None and r.cell.ranked and (ranked is None or r.cell.id in ranked)]
    if comparisons is None:
        comparisons = compare_all(frame, plan, cells=[r.cell.id for r in compared])
    placed: dict[str, dict[str, Any]] = {}
    for group in dict.fromkeys(r.cell.rank_group for r in compared):
        members = [r for r in compared if r.cell.rank_group == group]
        if len(members) < 2:  # one cell has no rank
            continue
        allowed = rank_intervals([r.cell.id for r in members], comparisons)
        beaten = any(low > 1 for low, _ in allowed.values())
        for r, plain in zip(members, ranks([r.pg.value if r.pg else None for r in members]), strict=True):
            span = allowed[r.cell.id]
            placed[r.cell.id] = {"rank": plain, "rank_interval": span, "best": beaten and span[0] == 1}
    rows = [replace(r, **placed.get(r.cell.id, {})) for r in rows]
    return sorted(
        rows,
        key=lambda r: (r.rank is None, r.cell.rank_group if r.rank else (), r.rank or 0, -(r.pg.value if r.pg else -1)),
    )


def _row(frame: pl.DataFrame, plan: PlannedTasks, cell: Cell, allow_incomplete: bool) -> MainRow:
    """Returns the row of one cell, without ranks."""
    n = counts(frame, plan, cell.id)
    refused = not n.complete and not allow_incomplete
    s = None if refused else score(frame, plan, cell.id)
    notes = []
    if not n.complete:
        notes.append(f"incomplete: {n}")
    if cell.sees_state:
        notes.append("reads the game's state instead of the screen: no rank")
    elif cell.person:
        notes.append("a person: no rank")
    elif cell.sees_text:
        notes.append("sees text: ranked among such cells")
    used = usage(frame, plan, cell.id)
    if load := load_caveat(cell, used):
        notes.append(load)
    return MainRow(
        cell, n, s and s.sr, s and s.pg, iar=None if refused else used.iar, repaired=used.repaired,
        efficiency=None if refused else used.efficiency, rank=None, rank_interval=None, refused=refused, used=used,
        note="; ".join(notes), sr_games=s and s.sr_games, pg_games=s and s.pg_games,
    )  # fmt: skip


def _rank_cell(row: MainRow) -> TableCell:
    return TableCell(row.rank_text, float(row.rank)) if row.rank else NO_VALUE


def _score_cell(row: MainRow, metric: Literal["sr", "pg"]) -> TableCell:
    best = row.best and metric == "pg"
    return percent_cell(getattr(row, metric), mark="refused" if row.refused else "", best=best)


MAIN_COLUMNS = {
    column.name: column
    for column in (
        Column("success %", lambda r: _score_cell(r, "sr"), hint="SR with its 95 % interval on these tasks"),
        Column("progress %", lambda r: _score_cell(r, "pg"), hint="PG with its 95 % interval on these tasks"),
        Column.number("efficiency", "efficiency", 2, hint="best known steps / steps used, mean over successes"),
        Column("rank", _rank_cell, hint="best and worst rank in the block that the paired tests allow"),
        Column.number("planned", "counts.planned", 0),
        Column.number("finished", "counts.finished", 0),
        Column.number("failed", "counts.failed", 0),
        Column.number("invalid %", "iar", 1, scale=100, hint="IAR: invalid actions among all replies"),
        Column.number("repaired", "repaired", 0, hint="decisions that were read leniently and played"),
        Column("USD", lambda r: spent_cell(r.used), hint="spent, failed episodes included; ≥: a price is missing"),
        Column.number("GPU-hours", lambda r: r.used.gpu_hours or None, 2, hint="of models that the run hosted"),
        Column.number("tokens", "used.tokens", 0, hint="input and output"),
        Column.number("retries", "used.retries", 0, hint="requests repeated after an error or a rate limit"),
        Column.number("waited s", "used.waited_s", 0, hint="seconds of waiting for the model's limits"),
        Column.percent("success % on games like these", "sr_games"),
        Column.percent("progress % on games like these", "pg_games"),
        Column.text("note", "note"),
    )
}
"""The columns of the main table, by name. Their cells are made from a `MainRow`."""
SHORT_COLUMNS = (
    "success %",
    "progress %",
    "efficiency",
    "rank",
    "invalid %",
    "repaired",
    "USD",
    "planned",
    "finished",
    "failed",
)
"""Those of a terminal or an article."""


def setting_columns(rows: Iterable[MainRow], cell_id: Callable[[Any], str] = lambda r: r.cell.id) -> list[Column]:
    """Returns a column for model, interface and each setting that varies over cells. `cell_id`: cell of a table row."""
    return [
        Column.text(axis_title(n), lambda r, n=n, v=v: setting_cell(v[cell_id(r)], partial(axis_value, n)))
        for n, v in factors(r.cell for r in rows).items()
    ]


def cell_table(rows: Sequence[MainRow], id: str, title: str, *, detailed: bool = False, note: str = "") -> Table:
    """Returns the main table with a row for each cell: settings and `SHORT_COLUMNS`. `detailed`: with ids, names and
    all of `MAIN_COLUMNS`, for further computation."""
    named = (Column.text("cell", "cell.id"), Column.text("name", "cell.name")) if detailed else ()
    shown = MAIN_COLUMNS if detailed else SHORT_COLUMNS
    columns = (*named, *setting_columns(rows), *(MAIN_COLUMNS[name] for name in shown))
    table = Table.build(id, title, columns, rows, note=note)
    return table if detailed else table.without_empty_columns()
