"""How cells were run and how they act: real time, memory, latency, invalid actions, cost, failures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from gwray.analysis import (
    LABEL,
    LABELS,
    Cell,
    PublishedTable,
    Usage,
    count_labels,
    frame_budget_curves,
    latency_curves,
    memory_ablation,
    published,
    scored,
)
from gwray.report import figures
from gwray.report.content import COUNTS, Column, Section, Table, Td, count, money, name, number, p_value, pairs, percent
from gwray.report.study import Study, plain, printed_number, unvaried


@dataclass(frozen=True)
class Beside:
    """Published figures of the same players under the same conditions."""

    table: PublishedTable
    columns: Mapping[str, str]
    """Its fields, and what their columns are headed."""
    same: Callable[[Cell], bool] = plain


def _by_cell(
    s: Study,
    id: str,
    title: str,
    cells: Sequence[str],
    columns: Sequence[Column],
    figures_of: Callable[[Usage], Sequence[Td]],
    beside: Beside,
    note: str = "",
) -> Table:
    """A row for each cell: its name, its figures, its counts, and what is published of it, if anything is."""
    known = {(r["model"], r["interface"]): r for r in published(beside.table).to_dicts()}
    found: dict[str, dict[str, Any]] = {}
    for c in cells:
        cell = s.plan.cells[c]
        if beside.same(cell) and (cell.model, cell.interface) in known:
            found[c] = known[cell.model, cell.interface]
    fields = [*beside.columns] if found else []
    heads = [Column("cell", numeric=False), *columns, COUNTS]
    heads += [Column(f"{beside.columns[f]} ({LABEL})") for f in fields]
    rows = [
        (
            name(s.name(c)), *figures_of(s.usages[c]), count(s.usages[c].counts),
            *(printed_number(found.get(c, {}).get(f)) for f in fields),
        )
        for c in cells
    ]  # fmt: skip
    return Table(id, title, tuple(heads), tuple(rows), note)


def realtime_section(s: Study) -> Section | None:
    rows = {r.cell.id: r for r in s.main if r.cell.timing != "paused" and r.counts.finished}
    if not rows:
        return None
    columns = (
        Column("charge", numeric=False, hint="what is charged to game time"),
        Column("s / step", hint="game seconds from one step to the next"), Column("of which thinking"),
        Column("SR %"), Column("PG %"),
    )  # fmt: skip

    def figures_of(u: Usage) -> Sequence[Td]:
        r = rows[u.cell]
        charge = name(r.cell.latency or r.cell.timing)
        return charge, number(u.seconds_per_step, 2), number(u.charged_s, 2), percent(r.sr), percent(r.pg)

    def same(c: Cell) -> bool:
        return c.timing == "realtime" and c.latency == "measured" and unvaried(c)

    beside = Beside("table8_realtime", {"sec_per_step": "s / step", "pg": "PG %"}, same)
    table = _by_cell(s, "realtime-table", "Real-time play", [*rows], columns, figures_of, beside)
    return Section("realtime", "Real time", "", (table,))


def memory_section(s: Study) -> Section | None:
    found = memory_ablation(s.frame, s.shown)
    if not found:
        return None
    columns = (
        Column("player", numeric=False), Column("rounds"), Column("input tokens / step"),
        Column("thinking s / step"), Column("PG %"), Column("against fewest", hint="paired, percentage points"),
        Column("p, Holm", hint="corrected over all differences in this table"),
        Column("pairs", hint="episodes with a partner of the same task, seed and repeat"), COUNTS,
    )  # fmt: skip
    rows = tuple(
        (
            name(r.player), number(float(r.rounds), 0), number(r.usage.input_tokens, 0), number(r.usage.latency_s, 2),
            percent(r.pg), percent(r.against_base.difference if r.against_base else None),
            p_value(r.against_base.p_holm if r.against_base else None), pairs(r.against_base), count(r.usage.counts),
        )
        for r in found
    )  # fmt: skip
    printed = published("table9_memory").to_dicts()
    beside = Table(
        "memory-published", f"Table 9 ({LABEL})",
        (Column("model", numeric=False), Column("interface", numeric=False), Column("rounds"), Column("input tokens"),
         Column("s / step"), Column("PG %")),
        tuple(
            (name(r["model"]), name(r["interface"].replace("_", "-")), number(r["memory_rounds"], 0),
             number(r["input_tokens"], 0), printed_number(r["sec_per_step"]), printed_number(r["pg"]))
            for r in printed
        ),
        f"{LABEL.capitalize()}.",
    )  # fmt: skip
    return Section("memory", "Memory", "", (Table("memory-table", "Memory rounds", columns, rows), beside))


def latency_section(s: Study) -> Section | None:
    latency, budget = latency_curves(s.frame, s.shown), frame_budget_curves(s.frame, s.shown)
    parts = (
        figures.curve("latency", "Progress against latency", "seconds charged for each reply", latency),
        figures.curve("budget", "Progress against the frame budget", "factor on every hold", budget),
    )
    intro = "One player, everything else equal: only the time it takes to think, or to act, differs."
    return Section("latency", "How much speed matters", intro, tuple(p for p in parts if p))


def validity_section(s: Study) -> Section | None:
    have = [c for c in s.order if s.usages[c].proposals]
    if not have:
        return None
    columns = (
        Column("IAR %", hint="both kinds over all replies"), Column("no tool call %"), Column("out of space %"),
        Column("replies"),
    )  # fmt: skip

    def figures_of(u: Usage) -> Sequence[Td]:
        kinds = (u.iar, u.no_tool_call, u.out_of_space)
        return *(number(x, 2, scale=100) for x in kinds), number(float(u.proposals), 0)

    beside = Beside("table11_invalid_actions", {"iar_pct": "IAR %"})
    note = "Of finished episodes."
    table = _by_cell(s, "validity-table", "Invalid actions", have, columns, figures_of, beside, note)
    return Section("validity", "Action validity", "", (table,))


def cost_section(s: Study) -> Section | None:
    have = [c for c in s.order if s.usages[c].steps and (s.usages[c].input_tokens or s.usages[c].cost_170)]
    if not have:
        return None
    columns = (
        Column("input / step", hint="tokens"), Column("cached / step"), Column("output / step"),
        Column("reasoning / step"), Column("thinking s / step"), Column("tokens, 170 tasks"),
        Column("USD, 170 tasks"), Column("spent", hint="failed episodes included"),
    )  # fmt: skip

    def figures_of(u: Usage) -> Sequence[Td]:
        tokens = (u.input_tokens, u.cached_tokens, u.output_tokens, u.reasoning_tokens)
        unpriced = f"{u.unpriced:,} episodes without a price" if u.unpriced else ""
        return (
            *(number(x, 0) for x in tokens), number(u.latency_s, 2), number(u.tokens_170, 0),
            money(u.cost_170, unpriced), money(u.spent_usd),
        )  # fmt: skip

    beside = Beside("table13_cost", {"total_cost_usd_170_tasks": "USD, 170 tasks"})
    table = _by_cell(s, "cost-table", "Tokens and money", have, columns, figures_of, beside)
    figure = figures.cost_against_progress(s.main, {c: s.usages[c].cost_170 for c in have})
    return Section("cost", "Cost", "", (*((figure,) if figure else ()), table))


UNLABELLED = "none_of_these"


def failure_section(s: Study) -> Section | None:
    if not s.diagnoses:
        return None
    rows, shares = [], []
    for c in s.order:
        episodes = scored(s.frame.filter(pl.col("cell") == c))
        keys, missed = episodes["key"].to_list(), episodes.filter(~pl.col("success")).height
        lost = {k: s.diagnoses[k] for k in keys if k in s.diagnoses and not s.diagnoses[k].success}
        if not lost:
            continue
        labels = {k: d.labels or (UNLABELLED,) for k, d in lost.items()}
        n = count_labels(lost.values()) | {UNLABELLED: sum(x == (UNLABELLED,) for x in labels.values())}
        shares.append((s.name(c), n, len(lost)))
        partly = f"{len(lost):,} of them read" if len(lost) < missed else f"of {len(keys):,} episodes"
        row = [name(s.name(c)), number(float(missed), 0, sub=partly)]
        for label, n_label in n.items():
            key = next((k for k, x in labels.items() if label in x and k in s.replays), None)
            href = f"{s.replays[key]}#step={lost[key].at.get(label, 0) + 1}" if key else ""
            share = f"{100 * n_label / len(lost):.0f} %" if n_label else ""
            row.append(Td(f"{n_label:,}", float(n_label), share, href=href))
        rows.append(tuple(row))
    if not rows:
        return None
    columns = (
        Column("cell", numeric=False), Column("missed their target"),
        *(Column(label.replace("_", " "), hint=text) for label, text in LABELS.items()),
        Column(UNLABELLED.replace("_", " "), hint="ran out of steps, or ended, without any of these"),
    )  # fmt: skip
    note = "Numbers with a link lead to a replay, at the step where it first shows. Labels are not exclusive."
    figure = figures.failure_map(shares)
    table = Table("failures-table", "Unsuccessful episodes by what was recorded", columns, tuple(rows), note)
    return Section("failures", "What went wrong", "", (table, *((figure,) if figure else ())))
