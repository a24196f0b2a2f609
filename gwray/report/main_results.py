"""The main table: who plays how well, ranked among equals; people and ceilings apart, published values beside."""

from __future__ import annotations

from collections import Counter

import polars as pl

from gwray.analysis import LABEL, MainRow, published
from gwray.report import figures
from gwray.report.ceilings import CeilingAverage
from gwray.report.content import (
    COUNTS,
    NO_VALUE,
    Column,
    Section,
    Table,
    TableCell,
    counts_cell,
    number_cell,
    padded_row,
    percent_cell,
    text_cell,
)
from gwray.report.published_columns import PEOPLE, PublishedColumns, published_main
from gwray.report.results import Results

MAIN_NOTE = (
    "Rank: 1 + the number of cells of the same block that are significantly better; cells that share one are tied, and "
    "stand in the order of their values. "
    "Bold: nobody in the block is significantly better, and somebody is significantly worse."
)
NO_HEADLINE = " Cells that lack planned episodes have no headline figures."


def main_section(s: Results) -> Section | None:
    if not s.main:
        return None
    rows_of = {r.cell.id: r for r in s.main}
    beside = PublishedColumns(
        "table6_main",
        {"overall_sr": "SR %", "overall_pg": "PG %"},
        ours={"overall_sr": lambda c: rows_of[c].sr, "overall_pg": lambda c: rows_of[c].pg},
    )
    found = beside.rows(s, s.order)
    columns = [
        Column(
            "rank",
            hint="1 + number of cells of the same block that are significantly better; cells that nothing "
            "separates share it",
        ),
        Column("cell", numeric=False),
        Column("success %", hint="SR with its 95 % interval, which respects games; tasks weigh equally"),
        Column("progress %", hint="PG with its 95 % interval, which respects games"),
        Column("IQM %", hint="interquartile mean of progress, cluster bootstrap over games"),
        Column("invalid %", hint="IAR: invalid actions among all replies"),
        COUNTS,
        *(beside.heads() if found else ()),
    ]
    sharing = Counter((r.cell.equals, r.shared_rank) for r in s.main if r.rank)
    beaten = {r.cell.equals for r in s.main if (r.shared_rank or 0) > 1}

    def row(r: MainRow) -> tuple[TableCell, ...]:
        tied = r.rank is not None and sharing[r.cell.equals, r.shared_rank] > 1
        rank = TableCell(str(r.shared_rank), float(r.rank or 0), "tied" if tied else "") if r.rank else NO_VALUE
        refused = "refused" if r.refused else ""
        best = r.shared_rank == 1 and r.cell.equals in beaten
        return (
            rank,
            text_cell(r.cell.name, sub=_note(s, r)),
            percent_cell(r.sr, mark=refused),
            percent_cell(r.pg, mark=refused, best=best),
            percent_cell(r.iqm),
            number_cell(r.iar, 1, scale=100),
            counts_cell(r.counts),
            *(beside.values(found.get(r.cell.id), r.cell.id) if found else ()),
        )

    ranked = [r for r in s.main if r.cell.ranked]
    apart = [row(r) for r in s.main if not r.cell.ranked]
    if found:
        apart += _people_rows(s, beside, len(columns))
    if reach := s.ceilings.over(s.tasks()[""]):
        ceiling = (NO_VALUE, text_cell(s.ceilings.label, sub=f"not ranked; {reach}"), *reached(reach))
        apart.append(padded_row(ceiling, len(columns)))
    table = Table(
        "main",
        "All cells",
        tuple(columns),
        tuple(map(row, ranked)),
        MAIN_NOTE + ("" if s.allow_incomplete else NO_HEADLINE),
        tuple(apart),
        tuple(s.block(r.cell.id) for r in ranked),
        "Table 6",
    )
    figure = figures.overview(s.main)
    return Section("main", "Main results", "", (table, *((figure,) if figure else ()), published_main()))


def _note(s: Results, r: MainRow) -> str:
    notes = []
    if r.refused:
        notes.append("incomplete: headline refused")
    elif not r.counts.complete:
        notes.append("incomplete, shown on request")
    else:
        notes += [r.note] if r.note else []
    planned = s.plan.episodes
    own = planned.filter(pl.col("cell") == r.cell.id).select("game", "task").n_unique()
    every = planned.select("game", "task").n_unique()
    if own < every:
        notes.append(f"{own:,} of {every:,} tasks")
    return "; ".join(notes)


def _people_rows(s: Results, beside: PublishedColumns, columns: int) -> list[tuple[TableCell, ...]]:
    """The published people, under ours; but not those who stand beside a person of ours already."""
    ours = {PEOPLE.get(r.cell.model) for r in s.main if r.cell.person}
    people = [r for r in published("table6_main").to_dicts() if r["interface"] == "human" and r["model"] not in ours]
    n = columns - len(beside.heads())
    return [(*padded_row((NO_VALUE, text_cell(p["model"], sub=LABEL)), n), *beside.values(p)) for p in people]


def reached(reach: CeilingAverage | None) -> tuple[TableCell, TableCell]:
    """A ceiling's SR and PG; what does not cover all tasks says how many it covers."""
    if reach is None:
        return NO_VALUE, NO_VALUE
    sub, mark = ("", "") if reach.whole else (str(reach), "warn")
    sr, pg = (TableCell(f"{100 * x:.1f}", x, sub, mark=mark, raw=100 * x) for x in (reach.sr, reach.pg))
    return sr, pg
