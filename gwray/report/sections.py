"""What a report says, section by section. A section without data is left out, never filled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from gwray.analysis import (
    GENRE_TASKS,
    LABEL,
    LABELS,
    SOURCE,
    Cell,
    Comparison,
    Diagnosis,
    Grid,
    MainRow,
    Plan,
    Usage,
    compare_all,
    count_labels,
    counts,
    detectable_between_reruns,
    episode_frame,
    frame_budget_curves,
    game_reruns,
    grid,
    latency_curves,
    main_table,
    memory_ablation,
    plan_of,
    published,
    reruns,
    scored,
    usage,
)
from gwray.report import figures
from gwray.report.content import (
    COUNTS,
    Column,
    Section,
    Table,
    Td,
    count,
    money,
    name,
    number,
    p_value,
    percent,
)


@dataclass(frozen=True)
class Study:
    """Everything that sections are written from."""

    frame: pl.DataFrame
    plan: Plan
    main: list[MainRow]
    pairs: list[Comparison]
    usages: dict[str, Usage]
    allow_incomplete: bool
    diagnoses: Mapping[str, Diagnosis] = field(default_factory=dict)
    ceilings: Mapping[str, Any] = field(default_factory=dict)
    replays: Mapping[str, str] = field(default_factory=dict)
    """Key of each replayed episode → its page."""

    @property
    def order(self) -> list[str]:
        return [r.cell.id for r in self.main]

    def name(self, cell: str) -> str:
        return self.plan.cells[cell].name

    def shows(self, cell: str) -> bool:
        return any(r.cell.id == cell and not r.refused for r in self.main)


def study(
    frame: pl.DataFrame, manifests: Sequence[Mapping[str, Any]] = (), *, allow_incomplete: bool = False, **more: Any
) -> Study:
    frame = episode_frame(frame)
    plan = plan_of(frame, manifests)
    pairs = compare_all(
        frame,
        plan,
        cells=[
            c for c, cell in plan.cells.items() if cell.ranked and (allow_incomplete or counts(frame, plan, c).complete)
        ],
    )
    main = main_table(frame, plan, allow_incomplete=allow_incomplete, comparisons=pairs)
    usages = {c: usage(frame, plan, c) for c in plan.cells}
    return Study(frame, plan, main, pairs, usages, allow_incomplete, **more)


def sections(s: Study) -> list[Section]:
    made = (
        main_section(s), genre_section(s), level_section(s), game_section(s), rerun_section(s), pair_section(s),
        realtime_section(s), memory_section(s), latency_section(s), validity_section(s), cost_section(s),
        failure_section(s),
    )  # fmt: skip
    return [x for x in made if x is not None and (x.parts or x.links)]


MAIN_NOTE = "Rank: 1 + the number of cells that are significantly better; under it the rank by plain value."


NO_HEADLINE = " Cells that lack planned episodes have no headline figures."


def main_section(s: Study) -> Section | None:
    if not s.main:
        return None
    printed = {(r["model"], r["interface"]): r for r in published("table6_main").to_dicts()}
    beside = any(_plain(r.cell) and (r.cell.model, r.cell.interface) in printed for r in s.main)
    columns = [
        Column("rank", hint="1 + number of cells that are significantly better; cells that nothing separates share it"),
        Column("cell", numeric=False),
        Column("success %", hint="SR with Wilson's 95 % interval; tasks weigh equally"),
        Column("progress %", hint="PG with the 95 % interval clustered by game"),
        Column("IQM %", hint="interquartile mean of progress, cluster bootstrap over games"),
        Column("invalid %", hint="IAR: invalid actions among all replies"),
        COUNTS,
    ]
    if beside:
        columns += [Column(f"SR % ({LABEL})"), Column(f"PG % ({LABEL})")]
    best_pg = max((r.pg.value for r in s.main if r.pg and r.rank), default=None)
    best_sr = max((r.sr.value for r in s.main if r.sr and r.rank), default=None)

    def row(r: MainRow) -> tuple[Td, ...]:
        rank = Td(str(r.shared_rank), float(r.rank or 0), f"by value {r.rank}") if r.rank else Td("–", None, mark="dim")
        refused = "refused" if r.refused else ""
        sr = percent(r.sr, mark=refused, best=r.rank is not None and r.sr is not None and r.sr.value == best_sr)
        pg = percent(r.pg, mark=refused, best=r.rank is not None and r.pg is not None and r.pg.value == best_pg)
        cells = [
            rank,
            name(r.cell.name, sub=_note(r)),
            sr,
            pg,
            percent(r.iqm),
            number(r.iar, 1, scale=100),
            count(r.counts),
        ]
        if beside:
            p = printed.get((r.cell.model, r.cell.interface), {}) if _plain(r.cell) else {}
            cells += [_printed(p.get("overall_sr")), _printed(p.get("overall_pg"))]
        return tuple(cells)

    ceiling = _ceiling_row(s, beside)
    parts: list[Any] = [
        Table(
            "main", "All cells", tuple(columns),
            tuple(row(r) for r in s.main if r.cell.ranked),
            note=MAIN_NOTE + ("" if s.allow_incomplete else NO_HEADLINE),
            unranked=tuple(row(r) for r in s.main if not r.cell.ranked) + ((ceiling,) if ceiling else ()),
        )
    ]  # fmt: skip
    if figure := figures.overview(s.main):
        parts.append(figure)
    parts.append(_published_main())
    return Section("main", "Main results", "", tuple(parts))


def _plain(c: Cell) -> bool:
    """Whether the published main table speaks of the same conditions: paused, nothing varied."""
    return c.timing == "paused" and not c.memory_rounds and c.facts.get("hold_scale", 1) in (None, 1)


def _note(r: MainRow) -> str:
    if r.refused:
        return "incomplete: headline refused"
    return "incomplete, shown on request" if not r.counts.complete else r.note


def _printed(x: float | None) -> Td:
    return Td("–", None, mark="dim", raw="") if x is None else Td(f"{x:.1f}", x, mark="published", raw=x)


def _ceiling_row(s: Study, beside: bool) -> tuple[Td, ...] | None:
    """`ceilings`: {"label": …, "tasks": {task id: {"success": bool, "progress": 0–1}}}."""
    known = s.ceilings.get("tasks") or {}
    tasks = [t for t in s.frame["task"].unique().to_list() if t in known]
    if not tasks:
        return None
    sr = sum(bool(known[t].get("success")) for t in tasks) / len(tasks)
    pg = sum(float(known[t].get("progress") or 0) for t in tasks) / len(tasks)
    label = str(s.ceilings.get("label") or "planning ceiling")
    row = [
        Td("–", None, mark="dim"), name(label, sub=f"what search can reach, {len(tasks)} tasks"),
        number(sr, scale=100), number(pg, scale=100), Td("–", None, mark="dim"), Td("–", None, mark="dim"),
        Td("–", None, mark="dim"),
    ]  # fmt: skip
    return tuple(row + [Td("–", None, mark="dim")] * (2 if beside else 0))


def _published_main() -> Table:
    rows = published("table6_main").to_dicts()
    columns = [Column("model", numeric=False), Column("interface", numeric=False)]
    keys = []
    for genre in (*GENRE_TASKS, "overall"):
        for metric in ("sr", "pg"):
            columns.append(Column(f"{genre} {metric.upper()}"))
            keys.append(f"{genre}_{metric}")

    def row(r: dict[str, Any]) -> tuple[Td, ...]:
        return (name(r["model"]), name(r["interface"].replace("_", "-")), *(_printed(r[k]) for k in keys))

    people = tuple(row(r) for r in rows if r["interface"] == "human")
    models = tuple(row(r) for r in rows if r["interface"] != "human")
    note = f"{LABEL}: measured on the games of {SOURCE}, which are not the games played here. Percent."
    return Table("published", f"Table 6 ({LABEL})", tuple(columns), models, note, people)


def _grid_table(s: Study, id: str, title: str, g: Grid, label, note: str) -> Table:
    columns = [Column("cell", numeric=False)]
    for x in g.groups:
        columns += [Column(f"{label(x)} SR"), Column(f"{label(x)} PG")]
    at = {c: i for i, c in enumerate(g.cells)}
    rows = []
    for c in (c for c in s.order if c in at):
        i = at[c]
        row = [name(s.name(c))]
        for j in range(len(g.groups)):
            n = g.counts[i][j]
            for e in (g.sr[i][j], g.pg[i][j]):
                td = percent(e)
                if not n.complete and n.planned:
                    td = Td(td.text, td.sort, f"{n.finished} / {n.planned}", mark="warn", raw=td.raw)
                row.append(td)
        rows.append(tuple(row))
    return Table(id, title, tuple(columns), tuple(rows), note)


def genre_section(s: Study) -> Section | None:
    g = grid(s.frame, s.plan, "genre", allow_incomplete=s.allow_incomplete)
    if not g.groups:
        return None
    note = "Percent; intervals over the games of a genre, of which there are few."
    return Section("genres", "Genres", "", (_grid_table(s, "genres", "By genre", g, str, note),))


def level_section(s: Study) -> Section | None:
    g = grid(s.frame.filter(pl.col("level") > 0), s.plan, "level", allow_incomplete=s.allow_incomplete)
    if not g.groups:
        return None
    table = _grid_table(s, "levels-table", "By capability level", g, lambda x: f"level {x}", "Percent.")
    radar = figures.radar(g, s.plan, s.order)
    return Section("levels", "Capability levels", "", (*((radar,) if radar else ()), table))


def game_section(s: Study) -> Section | None:
    g = grid(s.frame, s.plan, "game", allow_incomplete=s.allow_incomplete)
    figure = figures.heatmap(g, s.plan, s.order)
    if not g.groups:
        return None
    columns = [Column("game", numeric=False), *(Column(s.name(c)) for c in g.cells)]
    rows = tuple((name(x), *(percent(g.pg[i][j]) for i in range(len(g.cells)))) for j, x in enumerate(g.groups))
    table = Table("games-table", "Progress by game", tuple(columns), rows, "Percent; mean over a game's tasks.")
    return Section("games", "Games", "", (*((figure,) if figure else ()), table))


def rerun_section(s: Study) -> Section | None:
    rows, bars = [], []
    printed = {(r["model"], r["interface"]): r for r in published("table7_reruns").to_dicts()}
    beside = False
    for c in s.order:
        pg, sr = reruns(s.frame, c, "pg"), reruns(s.frame, c, "sr")
        if pg.repeats < 2 or not s.shows(c):
            continue
        cell = s.plan.cells[c]
        tasks = s.frame.filter(pl.col("cell") == c).select("game", "task").unique().height
        within = pg.within_task_sd
        mdd = detectable_between_reruns(within, tasks, pg.repeats) if within else None
        p = printed.get((cell.model, cell.interface)) if _plain(cell) else None
        beside = beside or p is not None
        spread = "–" if p is None else f"{p['overall_pg_mean']:.1f} ± {p['overall_pg_std']:.1f}"
        rows.append(
            (
                name(cell.name), number(pg.repeats, 0, sub=f"{pg.incomplete} incomplete" if pg.incomplete else ""),
                number(sr.mean, 1, scale=100, sub=_pm(sr.sd)), number(pg.mean, 1, scale=100, sub=_pm(pg.sd)),
                number(sr.within_task_sd, 1, scale=100), number(within, 1, scale=100), number(mdd, 1, scale=100),
                Td(spread, None if p is None else p["overall_pg_mean"], mark="published"),
            )
        )  # fmt: skip
        bars.append((cell.name, game_reruns(s.frame, c, "pg")))
    if not rows:
        return None
    columns = (
        Column("cell", numeric=False), Column("repeats"), Column("SR %", hint="mean ± sample SD of full averages"),
        Column("PG %", hint="mean ± sample SD of full averages"), Column("SR within-task SD"),
        Column("PG within-task SD"),
        Column("detectable", hint="smallest PG difference these repeats tell from rerun noise, 80 % power"),
        Column(f"PG % ({LABEL})"),
    )  # fmt: skip
    keep = len(columns) if beside else len(columns) - 1
    note = "± is the sample standard deviation over repeats of the full average, in percentage points."
    table = Table("reruns-table", "The whole benchmark again", columns[:keep], tuple(r[:keep] for r in rows), note)
    figure = figures.rerun_bars(bars)
    return Section("reruns", "Reruns", "", (table, *((figure,) if figure else ())))


def _pm(sd: float | None) -> str:
    return "" if sd is None else f"± {100 * sd:.2f}"


def pair_section(s: Study) -> Section | None:
    if not s.pairs:
        return None
    columns = (
        Column("A", numeric=False), Column("B", numeric=False),
        Column("A − B, PG points", hint="paired over tasks, clustered by game"), Column("p"),
        Column("p, Holm", hint="corrected over all pairs shown"),
        Column("A better / worse", hint="tasks on which A's success rate is higher / lower"), Column("p, McNemar"),
        Column("P(A beats B) %", hint="probability of improvement"),
        Column("detectable", hint="smallest true difference found with 80 % power"), Column("pairs"),
    )  # fmt: skip
    rows = tuple(
        (
            name(s.name(c.a)), name(s.name(c.b)),
            percent(c.difference, best=c.significant), p_value(c.p), p_value(c.p_holm),
            Td(f"{c.better} / {c.worse}", float(c.better - c.worse)), p_value(c.p_mcnemar), percent(c.improvement),
            number(c.detectable, scale=100),
            number(float(c.matched), 0, sub=f"{c.unmatched} without partner" if c.unmatched else ""),
        )
        for c in s.pairs
    )  # fmt: skip
    ranked = [c for c in s.order if s.plan.cells[c].ranked]
    figure = figures.pair_matrix(s.pairs, s.plan, ranked)
    intro = "Two cells on the same tasks and seeds. What makes a task hard cancels out of the difference."
    table = Table("pairs-table", "All pairs", columns, rows, "Percentage points with 95 % intervals.")
    return Section("pairs", "Paired comparisons", intro, (*((figure,) if figure else ()), table))


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
            row += [_printed(p.get("sec_per_step")), _printed(p.get("pg"))]
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
             number(r["input_tokens"], 0), _printed(r["sec_per_step"]), _printed(r["pg"]))
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
            known = printed.get((cell.model, cell.interface), {}) if _plain(cell) else {}
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
            known = printed.get((cell.model, cell.interface), {}) if _plain(cell) else {}
            row.append(_printed(known.get("total_cost_usd_170_tasks")))
        rows.append(tuple(row))
    figure = figures.cost_against_progress(s.main, {c: s.usages[c].cost_170 for c in have})
    table = Table("cost-table", "Tokens and money", tuple(columns), tuple(rows))
    return Section("cost", "Cost", "", (*((figure,) if figure else ()), table))


def failure_section(s: Study) -> Section | None:
    if not s.diagnoses:
        return None
    rows, shares = [], []
    for c in s.order:
        keys = scored(s.frame.filter(pl.col("cell") == c))["key"].to_list()
        read = {k: s.diagnoses[k] for k in keys if k in s.diagnoses}
        lost = {k: d for k, d in read.items() if not d.success}
        n = count_labels(lost.values())
        if not lost:
            continue
        shares.append((s.name(c), n, len(lost)))
        row = [name(s.name(c)), number(float(len(lost)), 0, sub=f"of {len(read):,} read")]
        for label in LABELS:
            n_label = n[label]
            key = next((k for k, d in lost.items() if label in d.labels and k in s.replays), None)
            href = f"{s.replays[key]}#step={lost[key].at[label] + 1}" if key else ""
            share = f"{100 * n_label / len(lost):.0f} %" if n_label else ""
            row.append(Td(f"{n_label:,}", float(n_label), share, href=href))
        rows.append(tuple(row))
    if not rows:
        return None
    columns = (
        Column("cell", numeric=False), Column("missed their target"),
        *(Column(label.replace("_", " "), hint=text) for label, text in LABELS.items()),
    )  # fmt: skip
    note = "Numbers with a link lead to a replay, at the step where it first shows. Labels are not exclusive."
    figure = figures.failure_map(shares)
    table = Table("failures-table", "Unsuccessful episodes by what was recorded", columns, tuple(rows), note)
    return Section("failures", "What went wrong", "", (table, *((figure,) if figure else ())))
