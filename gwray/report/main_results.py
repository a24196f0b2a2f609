"""The main table: success and progress of every cell, ranked within its group; people and ceilings below."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import polars as pl

from gwray.analysis import KINDS, KINDS_EXPLAINED, LABEL, MAIN_COLUMNS, MainRow, model_table, published, setting_columns
from gwray.pages import NO_VALUE, Column, Table, TableCell, points, text_cell
from gwray.report import figures
from gwray.report.ceilings import CeilingAverage
from gwray.report.content import Section, counts_column, join
from gwray.report.published_columns import PEOPLE, PublishedColumns
from gwray.report.results import Results
from gwray.settings import factors

RANKS = "Ranks are within a block. Bold: no cell of it is significantly better, at least one is significantly worse. "
INTERVALS = f"Intervals are {KINDS['tasks']}: {KINDS_EXPLAINED['tasks']}."
ABOVE = "less that of the blind floor in the same tasks, in points"
FLOOR = " Above floor: points above the last row, the best play without a look at the game; below 0: worse than that."
EFFICIENCY = " Efficiency: steps of the best known solution / steps used, in plays that reached their target."
SHORTENED = (
    " limit.steps gives tasks a smaller budget; they have no search result and no blind floor, which were measured "
    "for whole budgets."
)
NO_HEADLINE = " Cells that lack planned episodes have no headline values."


def main_section(results: Results) -> Section | None:
    """Returns the main table, with ranks among ranked cells, and its figures; None without cells."""
    if not results.main:
        return None
    main = {r.cell.id: r for r in results.main}
    printed_columns = PublishedColumns(
        "table6_main", {"overall_sr": "SR %", "overall_pg": "PG %"},
        ours={"overall_sr": lambda c: main[c].sr, "overall_pg": lambda c: main[c].pg},
    )  # fmt: skip
    found = printed_columns.rows(results, results.order)
    tasks, ranked = results.tasks()[""], any(r.rank for r in results.main)
    reach, floor = results.ceilings.average_over(tasks), results.floors.average_over(tasks)

    def footer_name(row: object) -> TableCell:
        if isinstance(row, Mapping):
            return text_cell(row["model"], sub=LABEL)
        return text_cell(row.label, sub=str(row)) if isinstance(row, CeilingAverage) else NO_VALUE

    def above(part: str) -> Callable[[MainRow], TableCell]:
        """Points by which a cell's success or progress is above that of the best blind player in its tasks."""

        def difference(r: MainRow) -> TableCell:
            estimate = getattr(r, part)
            base = results.floors.average_over(_own_tasks(results, r.cell.id))
            if estimate is None or base is None or not base.complete:
                return NO_VALUE
            lead = estimate.value - getattr(base, part)
            return TableCell(points(lead, estimate, signed=True), lead, raw=100 * lead)

        return difference

    models = factors(r.cell for r in results.main).get("model", {})

    def model(r: MainRow) -> TableCell:
        return text_cell(models[r.cell.id] if r.cell.ranked else results.name(r.cell.id), sub=_note(results, r))

    columns = join(
        [MAIN_COLUMNS["rank"]] if ranked else [],
        Column("model", model, False, footer=footer_name),
        (c for c in setting_columns(results.main) if c.name not in IN_BLOCK and len({*map(c.cell, results.main)}) > 1),
        (Column(f"{name} above floor", above(part), hint=f"{name} {ABOVE}")
         for name, part in (("progress", "pg"), ("success", "sr")) if floor),
        *(replace(c, footer=ceiling)
          for c, ceiling in ((MAIN_COLUMNS["success %"], ceiling_sr), (MAIN_COLUMNS["progress %"], ceiling_pg))),
        MAIN_COLUMNS["efficiency"], MAIN_COLUMNS["invalid %"], MAIN_COLUMNS["repaired"], counts_column(),
        printed_columns.build(found, "cell.id"),
    )  # fmt: skip
    people = published("table6_main").to_dicts() if found else []
    ours = {PEOPLE.get(r.cell.model) for r in results.main if r.cell.person}
    table = Table.build(
        "main", "All cells", columns, [r for r in results.main if r.cell.ranked],
        unranked=[r for r in results.main if not r.cell.ranked],
        footer=[
            *(p for p in people if p["interface"] == "human" and p["model"] not in ours),
            *(row for row in (reach, floor) if row),
        ],
        group=lambda r: results.block(r.cell.id),
        note=f"{RANKS if ranked else ''}{INTERVALS}" + (NO_HEADLINE if any(r.refused for r in results.main) else "")
        + (EFFICIENCY if any(r.efficiency is not None for r in results.main) else "") + (FLOOR if floor else "")
        + (SHORTENED if any("limit.steps" in r.cell.axes for r in results.main) else ""), paper="Table 6",
    )  # fmt: skip
    return Section.build("main", "Main results", table, figures.overview(results.main))


IN_BLOCK = ("model", "interface", "timing")
"""Settings without a column of their own: the first one is the row's name, and the others are its block's."""


def model_section(results: Results) -> Section | None:
    """Returns the models with the settings of their requests; None if no model answered."""
    table = model_table(results.frame, results.plan, results.prices)
    return Section.build("models", "Models", table) if table else None


def _note(results: Results, r: MainRow) -> str:
    if r.refused:
        notes = ["incomplete: headline refused"]
    elif not r.counts.complete:
        notes = ["incomplete, shown on request"]
    else:
        notes = [r.note] if r.note else []
    own, every = len(_own_tasks(results, r.cell.id)), results.plan.episodes.select("game", "task").n_unique()
    return "; ".join([*notes, *([f"{own:,} of {every:,} tasks"] if own < every else [])])


def _own_tasks(results: Results, cell: str) -> list[str]:
    """Returns the tasks that are planned for a cell."""
    planned = results.plan.episodes.filter(pl.col("cell") == cell)
    return planned.unique(["game", "task"]).sort("game", "task")["task"].to_list()


def ceiling_sr(reach: object) -> TableCell:
    """Success of a ceiling. One that does not cover all tasks says how many it covers; others have no value."""
    return _ceiling(reach.sr, reach) if isinstance(reach, CeilingAverage) else NO_VALUE


def ceiling_pg(reach: object) -> TableCell:
    return _ceiling(reach.pg, reach) if isinstance(reach, CeilingAverage) else NO_VALUE


def _ceiling(x: float, reach: CeilingAverage) -> TableCell:
    sub, mark = ("", "") if reach.complete else (str(reach), "warn")
    return TableCell(f"{100 * x:.0f}", x, sub, mark=mark, raw=100 * x)
