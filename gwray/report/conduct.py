"""How cells were run and how they act: real time, memory, latency, invalid actions, cost, failures."""

from __future__ import annotations

import polars as pl

from gwray.analysis import (
    LABEL,
    LABELS,
    count_labels,
    frame_budget_curves,
    latency_curves,
    memory_ablation,
    published,
    scored,
)
from gwray.report import figures
from gwray.report.content import COUNTS, Column, Section, Table, Td, count, money, name, number, p_value, percent
from gwray.report.study import Study, plain, printed_number


def realtime_section(s: Study) -> Section | None:
    cells = [r for r in s.main if r.cell.timing != "paused" and r.counts.finished]
    if not cells:
        return None
    printed = {(r["model"], r["interface"]): r for r in published("table8_realtime").to_dicts()}
    beside = any((r.cell.model, r.cell.interface) in printed for r in cells)
    columns = [
        Column("cell", numeric=False), Column("charge", numeric=False, hint="what is charged to game time"),
        Column("s / step", hint="game seconds from one step to the next"), Column("of which thinking"),
        Column("SR %"), Column("PG %"), COUNTS,
    ]  # fmt: skip
    if beside:
        columns += [Column(f"s / step ({LABEL})"), Column(f"PG % ({LABEL})")]
    rows = []
    for r in cells:
        u = s.usages[r.cell.id]
        row = [
            name(r.cell.name), name(r.cell.latency or r.cell.timing), number(u.seconds_per_step, 2),
            number(u.charged_s, 2), percent(r.sr), percent(r.pg), count(r.counts),
        ]  # fmt: skip
        if beside:
            p = printed.get((r.cell.model, r.cell.interface), {})
            row += [printed_number(p.get("sec_per_step")), printed_number(p.get("pg"))]
        rows.append(tuple(row))
    return Section(
        "realtime", "Real time", "", (Table("realtime-table", "Real-time play", tuple(columns), tuple(rows)),)
    )


def memory_section(s: Study) -> Section | None:
    found = [r for r in memory_ablation(s.frame, s.plan) if s.shows(r.cell)]
    if not found:
        return None
    columns = (
        Column("player", numeric=False), Column("rounds"), Column("input tokens / step"),
        Column("thinking s / step"), Column("PG %"), Column("against fewest", hint="paired, percentage points"),
        Column("p"), COUNTS,
    )  # fmt: skip
    rows = tuple(
        (
            name(r.player), number(float(r.rounds), 0), number(r.usage.input_tokens, 0), number(r.usage.latency_s, 2),
            percent(r.pg), percent(r.against_base.difference if r.against_base else None),
            p_value(r.against_base.p if r.against_base else None), count(r.usage.counts),
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
        f"{LABEL}.",
    )  # fmt: skip
    return Section("memory", "Memory", "", (Table("memory-table", "Memory rounds", columns, rows), beside))


def latency_section(s: Study) -> Section | None:
    latency = [p for p in latency_curves(s.frame, s.plan) if s.shows(p.cell)]
    budget = [p for p in frame_budget_curves(s.frame, s.plan) if s.shows(p.cell)]
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
    printed = {(r["model"], r["interface"]): r for r in published("table11_invalid_actions").to_dicts()}
    beside = any((s.plan.cells[c].model, s.plan.cells[c].interface) in printed for c in have)
    columns = [
        Column("cell", numeric=False), Column("IAR %", hint="both kinds over all replies"), Column("no tool call %"),
        Column("out of space %"), Column("replies"), COUNTS,
    ]  # fmt: skip
    if beside:
        columns.append(Column(f"IAR % ({LABEL})"))
    rows = []
    for c in have:
        u, cell = s.usages[c], s.plan.cells[c]
        row = [
            name(cell.name), number(u.iar, 2, scale=100), number(u.no_tool_call, 2, scale=100),
            number(u.out_of_space, 2, scale=100), number(float(u.proposals), 0), count(u.counts),
        ]  # fmt: skip
        if beside:
            known = printed.get((cell.model, cell.interface), {}) if plain(cell) else {}
            text = str(known.get("iar_pct", "–"))
            row.append(Td(text, float(text.lstrip("<")) if text != "–" else None, mark="published"))
        rows.append(tuple(row))
    table = Table("validity-table", "Invalid actions", tuple(columns), tuple(rows), "Of finished episodes.")
    return Section("validity", "Action validity", "", (table,))


def cost_section(s: Study) -> Section | None:
    have = [c for c in s.order if s.usages[c].steps and (s.usages[c].input_tokens or s.usages[c].cost_170)]
    if not have:
        return None
    printed = {(r["model"], r["interface"]): r for r in published("table13_cost").to_dicts()}
    beside = any((s.plan.cells[c].model, s.plan.cells[c].interface) in printed for c in have)
    columns = [
        Column("cell", numeric=False), Column("input / step", hint="tokens"), Column("cached / step"),
        Column("output / step"), Column("reasoning / step"), Column("thinking s / step"),
        Column("tokens, 170 tasks"), Column("USD, 170 tasks"), Column("spent", hint="failed episodes included"), COUNTS,
    ]  # fmt: skip
    if beside:
        columns.append(Column(f"USD, 170 tasks ({LABEL})"))
    rows = []
    for c in have:
        u, cell = s.usages[c], s.plan.cells[c]
        row = [
            name(cell.name), number(u.input_tokens, 0), number(u.cached_tokens, 0), number(u.output_tokens, 0),
            number(u.reasoning_tokens, 0), number(u.latency_s, 2), number(u.tokens_170, 0),
            money(u.cost_170, f"{u.unpriced:,} episodes without a price" if u.unpriced else ""),
            money(u.spent_usd), count(u.counts),
        ]  # fmt: skip
        if beside:
            known = printed.get((cell.model, cell.interface), {}) if plain(cell) else {}
            row.append(printed_number(known.get("total_cost_usd_170_tasks")))
        rows.append(tuple(row))
    figure = figures.cost_against_progress(s.main, {c: s.usages[c].cost_170 for c in have})
    table = Table("cost-table", "Tokens and money", tuple(columns), tuple(rows))
    return Section("cost", "Cost", "", (*((figure,) if figure else ()), table))


UNLABELLED = "none_of_these"


def failure_section(s: Study) -> Section | None:
    if not s.diagnoses:
        return None
    rows, shares = [], []
    for c in s.order:
        keys = scored(s.frame.filter(pl.col("cell") == c))["key"].to_list()
        read = {k: s.diagnoses[k] for k in keys if k in s.diagnoses}
        lost = {k: d for k, d in read.items() if not d.success}
        if not lost:
            continue
        labels = {k: d.labels or (UNLABELLED,) for k, d in lost.items()}
        n = count_labels(lost.values()) | {UNLABELLED: sum(x == (UNLABELLED,) for x in labels.values())}
        shares.append((s.name(c), n, len(lost)))
        row = [name(s.name(c)), number(float(len(lost)), 0, sub=f"of {len(read):,} read")]
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
