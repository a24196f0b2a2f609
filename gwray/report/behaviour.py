"""Sections about run conditions and behavior: real time, ablations, latency, invalid actions, cost, module usage."""

from statistics import fmean

from gwray.analysis import (
    OF_AXIS,
    Ablation,
    Cell,
    Comparison,
    UsageTable,
    ablations,
    load_caveat,
    load_notes,
    module_table,
    published,
    spent_cell,
)
from gwray.pages import NO_VALUE, Column, Table, TableCell, money_cell, number_cell, percent_cell, text_cell
from gwray.report import figures
from gwray.report.cases import example_table
from gwray.report.content import PAIRS_HINT, Section, counts_column, join, pairs_cell
from gwray.report.published_columns import PublishedColumns
from gwray.report.results import Results, matches_published_ablation, matches_published_settings
from gwray.settings import axis_title, axis_value

PAPER_TABLES = {"table9_memory": "Table 9"}
"""The paper's tables, by the file of published values."""
CHARGED = "seconds charged for each reply"
BENCHMARK_TASKS = 170
"""Tasks of the GameWorld paper, whose table 13 has the cost of one repeat of all."""


def realtime_section(results: Results) -> Section | None:
    """Returns results and reply times of the cells that are not paused; None if no such cell has a finished episode."""
    main = {r.cell.id: r for r in results.main if r.cell.timing != "paused" and r.counts.finished}
    if not main:
        return None

    def comparable(c: Cell) -> bool:
        measured = c.latency.partition(":")[0] in ("measured", "table")
        return c.timing == "realtime" and measured and matches_published_settings(c)

    printed = {"sec_per_step": "s / step", "sr": "SR %", "pg": "PG %"}
    printed_columns = PublishedColumns(
        "table8_realtime", printed, comparable, {"sr": lambda c: main[c].sr, "pg": lambda c: main[c].pg}
    )
    columns = join(
        Column.text("cell", lambda u: results.name(u.cell)),
        Column.text("charge", lambda u: axis_value("timing.latency", main[u.cell].cell.latency) or "wallclock",
                    hint="what is charged to game time for a reply"),
        Column.number("s / step", "seconds_per_step", 2, hint="game seconds from one step to the next"),
        Column.number("of which thinking", "charged_s", 2),
        Column.number("in flight", lambda u: float(u.in_flight) or None, 0,
                      hint="most requests to one model at once when a reply was requested"),
        Column.percent("success %", lambda u: main[u.cell].sr), Column.percent("progress %", lambda u: main[u.cell].pg),
        counts_column(), printed_columns.build(printed_columns.rows(results, [*main])),
    )  # fmt: skip
    usages = [results.usages[c] for c in main]
    loads = load_notes({results.name(u.cell): load_caveat(results.cell(u.cell), u) for u in usages})
    table = Table.build(
        "realtime-table", "Real-time play", columns, usages, note=" ".join(f"{x}." for x in loads), paper="Table 8"
    )  # fmt: skip
    return Section.build("realtime", "Real time", table)


def ablation_section(results: Results) -> Section | None:
    """Returns a table for each axis whose cells differ in nothing else, and a curve if its values are numbers.
    Empty if there is no such axis."""
    parts = []
    for a in ablations(results.frame, results.headline_plan):
        slug = a.axis.replace(".", "-")
        over = CHARGED if a.axis in ("timing", "timing.latency") else axis_title(a.axis)
        parts.append(figures.curve(f"curve-{slug}", f"Progress against {over}", over, a.points))
        parts.append(_ablation_table(results, f"ablation-{slug}", a))
    intro = "One player, everything else equal: only one setting, or one group of settings, differs."
    return Section.build("ablations", "One setting at a time", *parts, intro=intro)


def _ablation_table(results: Results, id: str, a: Ablation) -> Table:
    found, printed_columns, table = {}, [], OF_AXIS.get(a.axis)
    if table:
        printed = {(r["model"], r["interface"], r[a.axis]): r for r in published(table).to_dicts()}
        for r in a.rows:
            c = results.cell(r.cell)
            row = printed.get((c.model, c.interface, r.value))
            if row and matches_published_ablation(c, a.axis):
                found[r.cell] = row
        headings = {"input_tokens": "input tokens / step", "sec_per_step": "s / step", "pg": "PG %"}
        ours = {"pg": {r.cell: r.pg for r in a.rows}.get}
        printed_columns = PublishedColumns(table, headings, ours=ours, digits={"input_tokens": 0}).build(found)

    def change(c: Comparison | None) -> TableCell:
        return percent_cell(c.difference, mark="" if c.significant else "dim") if c else NO_VALUE

    columns = join(
        Column.text("player", "player"),
        Column(axis_title(a.axis),
               lambda r: text_cell("default" if r.value is None else axis_value(a.axis, r.value), raw=r.value)),
        Column.number("input tokens / step", "usage.input_tokens", 0),
        Column.number("s / step", "usage.turn_s", 2, hint="thinking plus the action's hold"),
        Column.number("of which thinking", "usage.thinking_s", 2), Column.percent("progress %", "pg"),
        Column("against first, points", lambda r: change(r.against_base),
               hint="paired with the player's first row, grey: not significant"),
        Column.p_value("p, Holm", lambda r: r.against_base.p_holm if r.against_base else None,
                       hint="corrected over all differences in this table"),
        Column.make("pairs", pairs_cell, "against_base", PAIRS_HINT), counts_column("usage.counts"), printed_columns,
    )  # fmt: skip
    return Table.build(id, axis_title(a.axis), columns, a.rows, paper=PAPER_TABLES.get(table or "", ""))


def validity_section(results: Results) -> Section | None:
    """Returns the shares of invalid actions by cell, with examples; None if no cell has a reply."""
    usages = [results.usages[c] for c in results.order if results.usages[c].proposals]
    if not usages:
        return None
    models = [u for u in usages if results.ranked(u.cell)] or usages

    def ratio(name: str, field: str, hint: str = "") -> Column:
        mean = fmean(getattr(u, field) or 0 for u in models)
        return Column.number(
            name, field, 1, scale=100, hint=hint, footer=lambda row: number_cell(mean, 1, scale=100)
        )  # fmt: skip

    printed = {"iar_pct": "IAR %", "no_tool_call_pct": "no tool call %", "out_of_space_pct": "out of space %"}
    printed_columns = PublishedColumns("table11_invalid_actions", printed)
    over = f"over {len(models)} {'cell' if len(models) == 1 else 'cells'}, which weigh the same"
    columns = join(
        Column.text("cell", lambda u: results.name(u.cell), footer=lambda row: text_cell("mean", sub=over)),
        ratio("IAR %", "iar", "both kinds over all replies"), ratio("no tool call %", "no_tool_call"),
        ratio("out of space %", "out_of_space"),
        Column.number("repaired", lambda u: float(u.repaired), 0, hint="invalid replies that were repaired and played"),
        Column.number("replies", lambda u: float(u.proposals), 0,
                      footer=lambda row: number_cell(float(sum(u.proposals for u in models)), 0)),
        counts_column(), printed_columns.build(printed_columns.rows(results, [u.cell for u in usages])),
    )  # fmt: skip
    mean = next(r for r in published(printed_columns.table).to_dicts() if r["model"] == "overall-mean")
    table = Table.build(
        "validity-table", "Invalid actions", columns, usages, footer=[mean], note="Of finished episodes.",
        paper="Table 11",
    )  # fmt: skip
    return Section.build("validity", "Action validity", table, example_table(results) if results.examples else None)


def cost_section(results: Results) -> Section | None:
    """Returns tokens and cost in USD by cell, measured, and for one repeat of each task; None if no model was called.

    The tasks are those of the report, or all 170 of the GameWorld paper if a cell was played under its conditions."""
    usages = [u for c in results.order if (u := results.usages[c]).tokens or u.unpriced]
    if not usages:
        return None
    as_published = any(matches_published_settings(results.cell(u.cell)) for u in usages)
    n = BENCHMARK_TASKS if as_published else len(results.tasks()[""])
    each = f"{n} tasks" if n > 1 else "the task"
    costs = {u.cell: None if u.task_usd is None else n * u.task_usd for u in usages}
    tokens = {u.cell: None if u.task_tokens is None else n * u.task_tokens for u in usages}
    priced = [usd for usd in costs.values() if usd is not None]

    def usd(u: UsageTable) -> TableCell:
        if u.task_usd is None and (results.cell(u.cell).spec.get("model") or {}).get("self_hosted"):
            return TableCell("not priced", None, "open weights, hosted here", mark="dim", raw="")
        return money_cell(costs[u.cell], f"{u.unpriced:,} episodes without a price" if u.unpriced else "")

    printed = {"input_tokens_per_step": "input / step", "output_tokens_per_step": "output / step",
               "total_cost_usd_170_tasks": "USD, 170 tasks"}  # fmt: skip
    printed_columns = PublishedColumns("table13_cost", printed, digits={"total_cost_usd_170_tasks": 2})
    found = printed_columns.rows(results, [u.cell for u in usages])
    columns = join(
        Column.text("cell", lambda u: results.name(u.cell),
                    footer=lambda row: text_cell("total", sub=f"{len(priced)} of {len(usages)} cells priced")),
        Column.number("input / step", "input_tokens", 0, hint="tokens"),
        Column.number("cached / step", "cached_tokens", 0), Column.number("output / step", "output_tokens", 0),
        Column.number("reasoning / step", "reasoning_tokens", 0), Column.number("thinking s / step", "latency_s", 2),
        Column.number(f"tokens, {each}", lambda u: tokens[u.cell], 0, hint="one repeat of each",
                      footer=lambda row: number_cell(sum(x or 0 for x in tokens.values()), 0)),
        Column(f"USD, {each}", usd, hint="one repeat of each",
               footer=lambda row: money_cell(sum(priced), least=len(priced) < len(costs))),
        Column("USD spent", spent_cell, hint="failed episodes included", footer=lambda row: spent_cell(*usages)),
        Column.number("retries", "retries", 0, hint="requests repeated after an error or a rate limit"),
        Column.number("waited s", lambda u: u.waited_s or None, 0, hint="seconds of waiting for the model's limits"),
        counts_column(), printed_columns.build(found),
    )  # fmt: skip
    total = {"total_cost_usd_170_tasks": sum(row["total_cost_usd_170_tasks"] for row in found.values())}
    note = f"{each[:1].upper()}{each[1:]}: one repeat of each."
    table = Table.build(
        "cost-table", "Tokens and money", columns, usages, footer=[total], note=note, paper="Table 13"
    )  # fmt: skip
    return Section.build("cost", "Cost", table)


def module_section(results: Results) -> Section | None:
    """Returns the model calls of each module of an agent; None if only acting models were called."""
    if not results.module_usage:
        return None
    return Section.build("asked", "Model calls by module", module_table(results.module_usage, results.name))
