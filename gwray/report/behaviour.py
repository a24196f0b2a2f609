"""How cells were run and how they act: real time, single settings, latency, invalid actions, cost, failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from gwray.analysis import (
    LABEL,
    OF_AXIS,
    Ablation,
    Cell,
    Comparison,
    UsageTable,
    ablations,
    latency_curves,
    loaded,
    published,
)
from gwray.axes import Value
from gwray.report import figures
from gwray.report.content import (
    COUNTS,
    NO_VALUE,
    Column,
    Figure,
    Section,
    Table,
    TableCell,
    counts_cell,
    money_cell,
    number_cell,
    p_value_cell,
    pairs_cell,
    percent_cell,
    text_cell,
)
from gwray.report.examples import example_table
from gwray.report.published_columns import PublishedColumns, published_cell, table_by_cell
from gwray.report.results import Results, matches_published_ablation, matches_published_settings
from gwray.report.sanitize import SHORT, safe_text

PAPER_TABLES = {"table9_memory": "Table 9"}
"""Which table of the paper a published file is."""


def realtime_section(s: Results) -> Section | None:
    rows = {r.cell.id: r for r in s.main if r.cell.timing != "paused" and r.counts.finished}
    if not rows:
        return None
    columns = (
        Column("charge", numeric=False, hint="what is charged to game time"),
        Column("s / step", hint="game seconds from one step to the next"),
        Column("of which thinking"),
        Column("in flight", hint="requests to one model at once when a reply was asked for, at most"),
        Column("SR %"),
        Column("PG %"),
    )

    def figures_of(u: UsageTable) -> Sequence[TableCell]:
        r = rows[u.cell]
        charge = text_cell(r.cell.latency or r.cell.timing)
        seconds = (number_cell(x, 2) for x in (u.seconds_per_step, u.charged_s))
        return charge, *seconds, number_cell(float(u.in_flight) or None, 0), percent_cell(r.sr), percent_cell(r.pg)

    def same(c: Cell) -> bool:
        return (
            c.timing == "realtime"
            and c.latency.partition(":")[0] in ("measured", "table")
            and matches_published_settings(c)
        )

    loads = [f"{s.name(c)}: {load}." for c in rows if (load := loaded(s.plan.cells[c], s.usages[c]))]
    printed = {"sec_per_step": "s / step", "sr": "SR %", "pg": "PG %"}
    beside = PublishedColumns(
        "table8_realtime", printed, same, {"sr": lambda c: rows[c].sr, "pg": lambda c: rows[c].pg}
    )
    table = table_by_cell(
        s,
        "realtime-table",
        "Real-time play",
        [*rows],
        columns,
        figures_of,
        beside,
        " ".join(loads),
        paper="Table 8",
    )
    return Section("realtime", "Real time", "", (table,))


def ablation_section(s: Results) -> Section | None:
    """What each axis of the sweep does while all others stay: a table each, and a curve where it has numbers."""
    parts: list[Table | Figure] = []
    for a in ablations(s.frame, s.shown):
        slug = a.axis.replace(".", "-")
        if curve := figures.curve(f"curve-{slug}", f"Progress against {a.axis}", a.axis, a.points):
            parts.append(curve)
        parts.append(_ablation_table(s, f"ablation-{slug}", a))
        if a.axis in OF_AXIS:
            parts.append(_published_ablation(f"ablation-{slug}-published", a.axis))
    intro = "One player, everything else equal: only one setting, or one group of settings, differs."
    return Section("ablations", "One setting at a time", intro, tuple(parts))


def _ablation_table(s: Results, id: str, a: Ablation) -> Table:
    table = OF_AXIS.get(a.axis)
    beside, found = None, {}
    if table:
        pg = {r.cell: r.pg for r in a.rows}
        heads = {"input_tokens": "input tokens / step", "sec_per_step": "s / step", "pg": "PG %"}
        beside = PublishedColumns(table, heads, ours={"pg": pg.get}, digits={"input_tokens": 0})
        printed = {(r["model"], r["interface"], r[a.axis]): r for r in published(table).to_dicts()}
        for r in a.rows:
            c = s.plan.cells[r.cell]
            if matches_published_ablation(c, a.axis) and (row := printed.get((c.model, c.interface, r.value))):
                found[r.cell] = row
    columns = (
        Column("player", numeric=False),
        Column(a.axis),
        Column("input tokens / step"),
        Column("s / step", hint="thinking plus the action's hold"),
        Column("of which thinking"),
        Column("PG %"),
        Column("against first, points", hint="paired with the player's first row, grey: not significant"),
        Column("p, Holm", hint="corrected over all differences in this table"),
        Column("pairs", hint="episodes with a partner of the same task, seed and repeat"),
        COUNTS,
        *(beside.heads() if beside and found else ()),
    )
    rows = tuple(
        (
            text_cell(r.player),
            _setting(r.value),
            number_cell(r.usage.input_tokens, 0),
            number_cell(r.usage.turn_s, 2),
            number_cell(r.usage.latency_s, 2),
            percent_cell(r.pg),
            _change(r.against_base),
            p_value_cell(r.against_base.p_holm if r.against_base else None),
            pairs_cell(r.against_base),
            counts_cell(r.usage.counts),
            *(beside.values(found.get(r.cell), r.cell) if beside and found else ()),
        )
        for r in a.rows
    )
    return Table(id, a.axis, columns, rows, paper=PAPER_TABLES.get(table or "", ""))


def _change(c: Comparison | None) -> TableCell:
    return percent_cell(c.difference, mark="" if c.significant else "dim") if c else NO_VALUE


def _setting(value: Value | None) -> TableCell:
    return text_cell("default" if value is None else value, raw=value)


def _published_ablation(id: str, axis: str) -> Table:
    columns = (
        Column("model", numeric=False),
        Column("interface", numeric=False),
        Column(axis),
        Column("input tokens"),
        Column("s / step"),
        Column("PG %"),
    )
    rows = tuple(
        (
            text_cell(r["model"]),
            text_cell(r["interface"].replace("_", "-")),
            number_cell(r[axis], 0),
            number_cell(r["input_tokens"], 0),
            published_cell(r["sec_per_step"]),
            published_cell(r["pg"]),
        )
        for r in published(OF_AXIS[axis]).to_dicts()
    )
    return Table(id, f"{axis} ({LABEL})", columns, rows, f"{LABEL.capitalize()}.")


def latency_section(s: Results) -> Section | None:
    curve = figures.curve(
        "latency", "Progress against latency", "seconds charged for each reply", latency_curves(s.frame, s.shown)
    )
    intro = "One player, everything else equal: only the time that thinking takes differs."
    return Section("latency", "How much speed matters", intro, (curve,) if curve else ())


def validity_section(s: Results) -> Section | None:
    have = [c for c in s.order if s.usages[c].proposals]
    if not have:
        return None
    columns = (
        Column("IAR %", hint="both kinds over all replies"),
        Column("no tool call %"),
        Column("out of space %"),
        Column("replies"),
    )

    def kinds(u: UsageTable) -> tuple[float | None, ...]:
        return u.iar, u.no_tool_call, u.out_of_space

    def figures_of(u: UsageTable) -> Sequence[TableCell]:
        return *(number_cell(x, 2, scale=100) for x in kinds(u)), number_cell(float(u.proposals), 0)

    printed = {"iar_pct": "IAR %", "no_tool_call_pct": "no tool call %", "out_of_space_pct": "out of space %"}
    beside = PublishedColumns("table11_invalid_actions", printed)
    models = [c for c in have if s.plan.cells[c].ranked] or have

    def closing(found: Mapping[str, Mapping[str, Any]]) -> Sequence[TableCell]:
        each = zip(*(kinds(s.usages[c]) for c in models), strict=True)
        means = [number_cell(fmean(x or 0 for x in xs), 2, scale=100) for xs in each]
        published_mean = next(r for r in published(beside.table).to_dicts() if r["model"] == "overall-mean")
        return (
            text_cell(
                "mean", sub=f"over {len(models)} {'cell' if len(models) == 1 else 'cells'}, which weigh the same"
            ),
            *means,
            number_cell(float(sum(s.usages[c].proposals for c in models)), 0),
            NO_VALUE,
            *(beside.values(published_mean) if found else ()),
        )

    table = table_by_cell(
        s,
        "validity-table",
        "Invalid actions",
        have,
        columns,
        figures_of,
        beside,
        "Of finished episodes.",
        closing,
        "Table 11",
    )
    return Section("validity", "Action validity", "", (table, *([example_table(s)] if s.examples else ())))


def cost_section(s: Results) -> Section | None:
    have = [c for c in s.order if s.usages[c].steps]
    if not have:
        return None
    columns = (
        Column("input / step", hint="tokens"),
        Column("cached / step"),
        Column("output / step"),
        Column("reasoning / step"),
        Column("thinking s / step"),
        Column("tokens, 170 tasks"),
        Column("USD, 170 tasks"),
        Column("spent", hint="failed episodes included"),
    )

    def figures_of(u: UsageTable) -> Sequence[TableCell]:
        tokens = (u.input_tokens, u.cached_tokens, u.output_tokens, u.reasoning_tokens)
        unpriced = f"{u.unpriced:,} episodes without a price" if u.unpriced else ""
        own = (s.plan.cells[u.cell].spec.get("model") or {}).get("self_hosted")
        usd = TableCell("not priced", None, "open weights, hosted here", mark="dim", raw="")
        return (
            *(number_cell(x, 0) for x in tokens),
            number_cell(u.latency_s, 2),
            number_cell(u.tokens_170, 0),
            usd if own and u.cost_170 is None else money_cell(u.cost_170, unpriced),
            money_cell(u.spent_usd),
        )

    printed = {
        "input_tokens_per_step": "input / step",
        "output_tokens_per_step": "output / step",
        "total_cost_usd_170_tasks": "USD, 170 tasks",
    }
    beside = PublishedColumns("table13_cost", printed, digits={"total_cost_usd_170_tasks": 2})

    def closing(found: Mapping[str, Mapping[str, Any]]) -> Sequence[TableCell]:
        used = [s.usages[c] for c in have]
        priced = [u.cost_170 for u in used if u.cost_170 is not None]
        total = "total_cost_usd_170_tasks"
        printed_total = {total: sum(row[total] for row in found.values())}
        return (
            text_cell("total", sub=f"{len(priced)} of {len(used)} cells priced"),
            *(NO_VALUE,) * 5,
            number_cell(sum(u.tokens_170 or 0 for u in used), 0),
            money_cell(sum(priced)) if priced else NO_VALUE,
            money_cell(sum(u.spent_usd for u in used)),
            NO_VALUE,
            *(beside.values(printed_total) if found else ()),
        )

    note = "" if any(s.usages[c].input_tokens for c in have) else "No model was asked: there is nothing to pay."
    table = table_by_cell(
        s, "cost-table", "Tokens and money", have, columns, figures_of, beside, note, closing, "Table 13"
    )
    figure = figures.cost_against_progress(s.main, {c: s.usages[c].cost_170 for c in have})
    return Section("cost", "Cost", "", (*((figure,) if figure else ()), table))


def asked_section(s: Results) -> Section | None:
    if not s.asked:
        return None
    columns = (
        Column("cell", numeric=False),
        Column("model", numeric=False),
        Column("module", numeric=False, hint="the part of the agent that asks; empty: the one that acts"),
        Column("calls"),
        Column("input tokens"),
        Column("output tokens"),
        Column("USD"),
        Column("s / call", hint="mean time to a reply"),
    )
    rows = tuple(
        (
            text_cell(s.name(u.cell)),
            text_cell(u.model, sub=f"as {safe_text(u.by, SHORT)}" if u.by else ""),
            text_cell(u.module),
            *(number_cell(float(x), 0) for x in (u.calls, u.input_tokens, u.output_tokens)),
            money_cell(u.cost_usd),
            number_cell(u.latency_s, 2),
        )
        for u in s.asked
    )
    note = "Every reply in the logs of episodes that finished or failed, of cells that ask more than the acting model."
    return Section("asked", "Who was asked", "", (Table("asked-table", "Questions by module", columns, rows, note),))
