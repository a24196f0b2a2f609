"""What a report says, section by section; here: who plays better, and by how much.

A section without data is left out, never filled. How the cells were run and how they act is in `behaviour`.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from gwray.analysis import (
    GENRE_TASKS,
    LABEL,
    LEAST_GAMES,
    SOURCE,
    Grid,
    MainRow,
    detectable_between_reruns,
    game_reruns,
    grid,
    published,
    reruns,
)
from gwray.report import figures
from gwray.report.behaviour import (
    ablation_section,
    asked_section,
    cost_section,
    failure_section,
    latency_section,
    realtime_section,
    validity_section,
)
from gwray.report.ceilings import Reach
from gwray.report.content import COUNTS, Column, Section, Table, Td, count, name, number, p_value, pairs, percent
from gwray.report.study import Study, plain, printed_number


def sections(s: Study) -> list[Section]:
    made = (
        main_section(s), genre_section(s), level_section(s), game_section(s), rerun_section(s), pair_section(s),
        realtime_section(s), ablation_section(s), latency_section(s), validity_section(s), cost_section(s),
        asked_section(s), failure_section(s),
    )  # fmt: skip
    return [x for x in made if x is not None and (x.parts or x.links)]


MAIN_NOTE = "Rank: 1 + the number of cells that are significantly better; under it the rank by plain value."


NO_INTERVAL = f"Fewer than {LEAST_GAMES} games have no interval: they say too little about others."
NO_HEADLINE = " Cells that lack planned episodes have no headline figures."


def main_section(s: Study) -> Section | None:
    if not s.main:
        return None
    printed = {(r["model"], r["interface"]): r for r in published("table6_main").to_dicts()}
    beside = any(plain(r.cell) and (r.cell.model, r.cell.interface) in printed for r in s.main)
    columns = [
        Column("rank", hint="1 + number of cells that are significantly better; cells that nothing separates share it"),
        Column("cell", numeric=False),
        Column("success %", hint="SR with its 95 % interval, which respects games; tasks weigh equally"),
        Column("progress %", hint="PG with its 95 % interval, which respects games"),
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
            name(r.cell.name, sub=_note(s, r)),
            sr,
            pg,
            percent(r.iqm),
            number(r.iar, 1, scale=100),
            count(r.counts),
        ]
        if beside:
            p = printed.get((r.cell.model, r.cell.interface), {}) if plain(r.cell) else {}
            cells += [printed_number(p.get("overall_sr")), printed_number(p.get("overall_pg"))]
        return tuple(cells)

    apart = [row(r) for r in s.main if not r.cell.ranked]
    apart += _people_rows(len(columns)) if beside else []
    ceiling = _ceiling_row(s, len(columns))
    parts: list[Any] = [
        Table(
            "main", "All cells", tuple(columns),
            tuple(row(r) for r in s.main if r.cell.ranked),
            note=MAIN_NOTE + ("" if s.allow_incomplete else NO_HEADLINE),
            unranked=(*apart, *((ceiling,) if ceiling else ())),
        )
    ]  # fmt: skip
    if figure := figures.overview(s.main):
        parts.append(figure)
    parts.append(_published_main())
    return Section("main", "Main results", "", tuple(parts))


def _note(s: Study, r: MainRow) -> str:
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


NOTHING = Td("–", None, mark="dim", raw="")


def _ceiling_row(s: Study, columns: int) -> tuple[Td, ...] | None:
    reach = s.ceilings.over(s.tasks()[""])
    if reach is None:
        return None
    row = (NOTHING, name(s.ceilings.label, sub=f"not ranked; {reach}"), *_reached(reach))
    return row + (NOTHING,) * (columns - len(row))


def _reached(reach: Reach | None) -> tuple[Td, Td]:
    """A ceiling's SR and PG; what does not cover all tasks says how many it covers."""
    if reach is None:
        return NOTHING, NOTHING
    sub, mark = ("", "") if reach.whole else (str(reach), "warn")
    sr, pg = (Td(f"{100 * x:.1f}", x, sub, mark=mark, raw=x) for x in (reach.sr, reach.pg))
    return sr, pg


def _people_rows(columns: int) -> list[tuple[Td, ...]]:
    """The published people, under ours; only where the published columns are."""
    people = (r for r in published("table6_main").to_dicts() if r["interface"] == "human")
    return [
        (NOTHING, name(p["model"], sub=LABEL), *(NOTHING,) * (columns - 4),
         printed_number(p["overall_sr"]), printed_number(p["overall_pg"]))
        for p in people
    ]  # fmt: skip


def _published_main() -> Table:
    rows = published("table6_main").to_dicts()
    columns = [Column("model", numeric=False), Column("interface", numeric=False)]
    keys = []
    for genre in (*GENRE_TASKS, "overall"):
        for metric in ("sr", "pg"):
            columns.append(Column(f"{genre} {metric.upper()}"))
            keys.append(f"{genre}_{metric}")

    def row(r: dict[str, Any]) -> tuple[Td, ...]:
        return (name(r["model"]), name(r["interface"].replace("_", "-")), *(printed_number(r[k]) for k in keys))

    people = tuple(row(r) for r in rows if r["interface"] == "human")
    models = tuple(row(r) for r in rows if r["interface"] != "human")
    note = f"{LABEL.capitalize()}: measured on the games of {SOURCE}, which are not the games played here. Percent."
    return Table("published", f"Table 6 ({LABEL})", tuple(columns), models, note, people)


def _grid_table(s: Study, id: str, title: str, g: Grid, by: str, label, note: str) -> Table:
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
        rows.append((c, tuple(row)))
    tasks = s.tasks(by)
    reached = [s.ceilings.over(tasks.get(x, ())) for x in g.groups]
    apart = [row for c, row in rows if not s.plan.cells[c].ranked]
    if any(reached):
        apart.append((name(s.ceilings.label), *(td for reach in reached for td in _reached(reach))))
    ranked = tuple(row for c, row in rows if s.plan.cells[c].ranked)
    return Table(id, title, tuple(columns), ranked, note, tuple(apart))


def genre_section(s: Study) -> Section | None:
    g = grid(s.frame, s.plan, "genre", allow_incomplete=s.allow_incomplete)
    if not g.groups:
        return None
    note = f"Percent; intervals over the games of a genre, which are wide because they are few. {NO_INTERVAL}"
    return Section("genres", "Genres", "", (_grid_table(s, "genres", "By genre", g, "genre", str, note),))


def level_section(s: Study) -> Section | None:
    g = grid(s.frame, s.plan, "level", allow_incomplete=s.allow_incomplete)
    if not g.groups:
        return None
    note = f"Percent. {NO_INTERVAL}"
    table = _grid_table(s, "levels-table", "By capability level", g, "level", lambda x: f"level {x}", note)
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
        pg, sr = (reruns(s.frame, s.plan, c, metric) for metric in ("pg", "sr"))
        if pg.repeats < 2 or not s.shows(c):
            continue
        cell = s.plan.cells[c]
        tasks = s.plan.episodes.filter(pl.col("cell") == c).select("game", "task").n_unique()
        within = pg.within_task_sd
        mdd = detectable_between_reruns(within, tasks, pg.repeats) if within else None
        p = printed.get((cell.model, cell.interface)) if plain(cell) else None
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
        bars.append((cell.name, game_reruns(s.frame, s.plan, c, "pg")))
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
        Column("A − B, PG points", hint="paired over tasks, clustered by game"),
        Column("p", hint="sign-flip test over games"),
        Column("p, Holm", hint="corrected over all pairs shown"),
        Column("A better / worse", hint="tasks on which A's success rate is higher / lower"),
        Column("p success, Holm", hint="the same test of the success rates, corrected over all pairs shown"),
        Column("P(A beats B) %", hint="probability of improvement"),
        Column("detectable", hint="smallest true difference found with 80 % power"),
        Column("pairs", hint="episodes with a partner of the same task, seed and repeat"),
    )  # fmt: skip
    rows = tuple(
        (
            name(s.name(c.a)), name(s.name(c.b)),
            percent(c.difference, best=c.significant), p_value(c.p), p_value(c.p_holm),
            Td(f"{c.better} / {c.worse}", float(c.better - c.worse)), p_value(c.p_success_holm), percent(c.improvement),
            number(c.detectable, scale=100),
            pairs(c),
        )
        for c in s.pairs
    )  # fmt: skip
    ranked = [c for c in s.order if s.plan.cells[c].ranked]
    figure = figures.pair_matrix(s.pairs, s.plan, ranked)
    intro = "Two cells on the same tasks and seeds. What makes a task hard cancels out of the difference."
    note = f"Percentage points with 95 % intervals. {NO_INTERVAL} With fewer than 6, no p can be below 0.05."
    table = Table("pairs-table", "All pairs", columns, rows, note)
    return Section("pairs", "Paired comparisons", intro, (*((figure,) if figure else ()), table))
