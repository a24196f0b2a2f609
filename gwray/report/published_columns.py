"""Published numbers beside ours: the printed value, and how far ours is from it.

The printed ones were measured on other games and are taken as they are printed; the interval is ours alone. A
difference that the interval does not separate from nothing stays grey.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gwray.analysis import LABEL, SOURCE, Cell, GroupTable, Interval, PublishedTable, UsageTable, published
from gwray.report.content import (
    COUNTS,
    NO_VALUE,
    Column,
    Table,
    TableCell,
    counts_cell,
    padded_row,
    percent_cell,
    text_cell,
)
from gwray.report.results import Results, plain

PEOPLE = {"novice": "human-novice", "expert": "human-expert"}
"""Players of `gwray play --player`, and the published people they stand beside."""
HINT = "ours − published, percentage points, with our interval; grey: it does not tell the two apart"


def published_cell(x: float | str | None, digits: int = 1) -> TableCell:
    """A number of the paper; some are printed as `<0.1`."""
    if x is None:
        return NO_VALUE
    if isinstance(x, str):
        return TableCell(x, float(x.lstrip("<")), mark="published", raw=x)
    return TableCell(f"{x:,.{digits}f}", x, mark="published", raw=x)


def against(ours: Interval | None, printed: float | None) -> TableCell:
    """Our estimate minus a printed percentage."""
    if ours is None or printed is None:
        return NO_VALUE
    by = printed / 100
    moved = replace(
        ours,
        value=ours.value - by,
        low=None if ours.low is None else ours.low - by,
        high=None if ours.high is None else ours.high - by,
    )
    unsure = moved.low is None or moved.high is None or moved.low <= 0 <= moved.high
    return replace(percent_cell(moved, mark="dim" if unsure else ""), text=f"{100 * moved.value:+.1f}")


@dataclass(frozen=True)
class PublishedColumns:
    """Published figures of the same players under the same conditions."""

    table: PublishedTable
    columns: Mapping[str, str]
    """Its fields, and what their columns are headed."""
    same: Callable[[Cell], bool] = plain
    ours: Mapping[str, Callable[[str], Interval | None]] = field(default_factory=dict)
    """Fields with a column of differences beside them: our estimate by cell."""
    spread: Mapping[str, str] = field(default_factory=dict)
    """Fields and that of their printed standard deviation, which stands under them."""
    digits: Mapping[str, int] = field(default_factory=dict)

    def rows(self, s: Results, cells: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The published row of each cell that has one."""
        known = {(r["model"], r["interface"]): r for r in published(self.table).to_dicts()}
        out = {}
        for c in cells:
            cell = s.plan.cells[c]
            if (row := known.get(printed_as(cell))) and (self.same(cell) or (cell.person and cell.timing == "paused")):
                out[c] = row
        return out

    def heads(self) -> list[Column]:
        out = []
        for f, heading in self.columns.items():
            out.append(Column(f"{heading} ({LABEL})"))
            if f in self.ours:
                out.append(Column(f"{heading.removesuffix(' %')} difference, points", hint=HINT))
        return out

    def values(self, row: Mapping[str, Any] | None, cell: str = "") -> list[TableCell]:
        """The cells of one row under `heads`; dashes where nothing is published."""
        out = []
        for f in self.columns:
            value = row.get(f) if row else None
            td = published_cell(value, self.digits.get(f, 1))
            out.append(replace(td, sub=f"± {row[self.spread[f]]:.1f}") if row and f in self.spread else td)
            if f in self.ours:
                out.append(against(self.ours[f](cell) if cell else None, value))
        return out


def printed_as(c: Cell) -> tuple[str, str]:
    """Model and interface under which the paper prints a cell's numbers."""
    return (PEOPLE.get(c.model, ""), "human") if c.person else (c.model, c.interface)


def table_by_cell(
    s: Results,
    id: str,
    title: str,
    cells: Sequence[str],
    columns: Sequence[Column],
    figures_of: Callable[[UsageTable], Sequence[TableCell]],
    beside: PublishedColumns,
    note: str = "",
    closing: Callable[[Mapping[str, Mapping[str, Any]]], Sequence[TableCell] | None] | None = None,
    paper: str = "",
) -> Table:
    """A row for each cell: its name, its figures, its counts, and what is published of it, if anything is.

    `closing` makes the last row's figures and published values, from the published rows that were found.
    """
    found = beside.rows(s, cells)
    heads = [Column("cell", numeric=False), *columns, COUNTS, *(beside.heads() if found else ())]
    rows = [
        (
            text_cell(s.name(c)), *figures_of(s.usages[c]), counts_cell(s.usages[c].counts),
            *(beside.values(found.get(c), c) if found else ()),
        )
        for c in cells
    ]  # fmt: skip
    last = closing(found) if closing else None
    return Table(
        id, title, tuple(heads), tuple(rows), note, (padded_row(last, len(heads)),) if last else (), paper=paper
    )


def published_main() -> Table:
    """The paper's main table as printed."""
    rows = published("table6_main").to_dicts()
    columns = [Column("model", numeric=False), Column("interface", numeric=False)]
    keys = [k for k in rows[0] if k not in ("model", "interface")]
    columns += [Column(f"{k.rpartition('_')[0]} {k.rpartition('_')[2].upper()}") for k in keys]

    def row(r: dict[str, Any]) -> tuple[TableCell, ...]:
        return (
            text_cell(r["model"]),
            text_cell(r["interface"].replace("_", "-")),
            *(published_cell(r[k]) for k in keys),
        )

    people = tuple(row(r) for r in rows if r["interface"] == "human")
    models = tuple(row(r) for r in rows if r["interface"] != "human")
    note = f"{LABEL.capitalize()}: measured on the games of {SOURCE}, which are not the games played here. Percent."
    return Table("published", f"Table 6 ({LABEL})", tuple(columns), models, note, people)


def genres_with_published(s: Results, g: GroupTable) -> Table | None:
    """Every genre of every cell that the paper prints, beside what it prints."""
    found = PublishedColumns("table6_main", {}).rows(s, g.cells)
    columns = (
        Column("cell", numeric=False), Column("genre", numeric=False),
        Column("SR %"), Column(f"SR % ({LABEL})"), Column("SR difference, points", hint=HINT),
        Column("PG %"), Column(f"PG % ({LABEL})"), Column("PG difference, points", hint=HINT),
    )  # fmt: skip
    whole = {r.cell.id: r for r in s.main}
    rows = []
    for c in (c for c in s.order if c in found):
        i = g.cells.index(c)
        both = [(x, g.sr[i][j], g.pg[i][j]) for j, x in enumerate(g.groups)]
        for genre, sr, pg in [*both, ("overall", whole[c].sr, whole[c].pg)]:
            tds = [text_cell(s.name(c)), text_cell(genre)]
            for metric, ours in (("sr", sr), ("pg", pg)):
                value = found[c].get(f"{genre}_{metric}")
                tds += [percent_cell(ours), published_cell(value), against(ours, value)]
            rows.append(tuple(tds))
    note = f"Percent and percentage points. {LABEL.capitalize()}: {SOURCE}; the games played here are others."
    return Table("genres-beside", "Genres beside the published ones", columns, tuple(rows), note) if rows else None
