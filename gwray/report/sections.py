"""What a report says, section by section; here: who plays better, and by how much.

A section without data is left out, never filled. How the cells were run and how they act is in `behaviour`.
"""

from __future__ import annotations

import polars as pl

from gwray.analysis import LEAST_GAMES, GroupTable, detectable_between_reruns, game_reruns, grid, reruns
from gwray.report import figures
from gwray.report.behaviour import (
    ablation_section,
    asked_section,
    cost_section,
    latency_section,
    realtime_section,
    validity_section,
)
from gwray.report.content import (
    Column,
    Section,
    Table,
    TableCell,
    number_cell,
    p_value_cell,
    pairs_cell,
    percent_cell,
    text_cell,
)
from gwray.report.failures import failure_section
from gwray.report.flashadventure import adventure_section
from gwray.report.judged import judge_section
from gwray.report.main_results import main_section, reached
from gwray.report.pokegym import town_section
from gwray.report.published_columns import PublishedColumns, genres_with_published
from gwray.report.results import Results


def sections(s: Results) -> list[Section]:
    made = (
        main_section(s),
        genre_section(s),
        level_section(s),
        game_section(s),
        rerun_section(s),
        pair_section(s),
        realtime_section(s),
        ablation_section(s),
        latency_section(s),
        validity_section(s),
        cost_section(s),
        asked_section(s),
        failure_section(s),
        town_section(s),
        adventure_section(s),
        judge_section(s),
    )
    return [x for x in made if x is not None and (x.parts or x.links)]


NO_INTERVAL = f"Fewer than {LEAST_GAMES} games have no interval: they say too little about others."


def _grid_table(
    s: Results, id: str, title: str, g: GroupTable, by: str, label, note: str, *, overall: bool = False, paper: str = ""
) -> Table:
    columns = [Column("cell", numeric=False)]
    for x in [*map(label, g.groups), *(["overall"] if overall else [])]:
        columns += [Column(f"{x} SR %"), Column(f"{x} PG %")]
    at = {c: i for i, c in enumerate(g.cells)}
    whole = {r.cell.id: r for r in s.main}
    rows = {}
    for c in (c for c in s.order if c in at):
        i = at[c]
        row = [text_cell(s.name(c))]
        for j in range(len(g.groups)):
            n = g.counts[i][j]
            for e in (g.sr[i][j], g.pg[i][j]):
                td = percent_cell(e)
                if not n.complete and n.planned:
                    td = TableCell(td.text, td.sort, f"{n.finished} / {n.planned}", mark="warn", raw=td.raw)
                row.append(td)
        rows[c] = (*row, *([percent_cell(whole[c].sr), percent_cell(whole[c].pg)] if overall else []))
    tasks = s.tasks(by)
    reaches = [s.ceilings.over(tasks.get(x, ())) for x in g.groups]
    apart = [row for c, row in rows.items() if not s.plan.cells[c].ranked]
    if any(reaches):
        reaches += [s.ceilings.over(s.tasks()[""])] if overall else []
        apart.append((text_cell(s.ceilings.label), *(td for reach in reaches for td in reached(reach))))
    ranked = [c for c in rows if s.plan.cells[c].ranked]
    return Table(
        id,
        title,
        tuple(columns),
        tuple(rows[c] for c in ranked),
        note,
        tuple(apart),
        tuple(map(s.block, ranked)),
        paper,
    )


def genre_section(s: Results) -> Section | None:
    g = grid(s.frame, s.plan, "genre", allow_incomplete=s.allow_incomplete)
    if not g.groups:
        return None
    note = f"Percent; intervals over the games of a genre, which are wide because they are few. {NO_INTERVAL}"
    table = _grid_table(s, "genres", "By genre", g, "genre", str, note, overall=True, paper="Table 6")
    beside = genres_with_published(s, g)
    return Section("genres", "Genres", "", (table, *((beside,) if beside else ())))


def level_section(s: Results) -> Section | None:
    g = grid(s.frame, s.plan, "level", allow_incomplete=s.allow_incomplete)
    if not g.groups:
        return None
    note = f"Percent. {NO_INTERVAL}"
    table = _grid_table(s, "levels-table", "By capability level", g, "level", lambda x: f"level {x}", note)
    blocks: dict[str, list[str]] = {}
    for c in s.order:
        blocks.setdefault(s.block(c), []).append(c)
    radars = [figures.radar(g, s.plan, cells, block) for block, cells in blocks.items()]
    return Section("levels", "Capability levels", "", (*(r for r in radars if r), table))


def game_section(s: Results) -> Section | None:
    g = grid(s.frame, s.plan, "game", allow_incomplete=s.allow_incomplete)
    figure = figures.heatmap(g, s.plan, s.order)
    if not g.groups:
        return None
    columns = [Column("game", numeric=False), *(Column(s.name(c)) for c in g.cells)]
    rows = tuple(
        (text_cell(x), *(percent_cell(g.pg[i][j]) for i in range(len(g.cells)))) for j, x in enumerate(g.groups)
    )
    table = Table("games-table", "Progress by game", tuple(columns), rows, "Percent; mean over a game's tasks.")
    return Section("games", "Games", "", (*((figure,) if figure else ()), table))


def rerun_section(s: Results) -> Section | None:
    rows, bars = [], []
    whole = {r.cell.id: r for r in s.main}
    beside = PublishedColumns(
        "table7_reruns",
        {"overall_sr_mean": "SR %", "overall_pg_mean": "PG %"},
        ours={"overall_sr_mean": lambda c: whole[c].sr, "overall_pg_mean": lambda c: whole[c].pg},
        spread={"overall_sr_mean": "overall_sr_std", "overall_pg_mean": "overall_pg_std"},
    )
    found = {}
    for c in s.order:
        pg, sr = (reruns(s.frame, s.plan, c, metric) for metric in ("pg", "sr"))
        if pg.repeats < 2 or not s.shows(c):
            continue
        tasks = s.plan.episodes.filter(pl.col("cell") == c).select("game", "task").n_unique()
        within = pg.within_task_sd
        mdd = detectable_between_reruns(within, tasks, pg.repeats) if within else None
        found |= beside.rows(s, [c])
        rows.append(
            (
                text_cell(s.name(c)),
                number_cell(pg.repeats, 0, sub=f"{pg.incomplete} incomplete" if pg.incomplete else ""),
                number_cell(sr.mean, 1, scale=100, sub=_pm(sr.sd)),
                number_cell(pg.mean, 1, scale=100, sub=_pm(pg.sd)),
                number_cell(sr.within_task_sd, 1, scale=100),
                number_cell(within, 1, scale=100),
                number_cell(mdd, 1, scale=100),
                *beside.values(found.get(c), c),
            )
        )
        bars.append((s.name(c), game_reruns(s.frame, s.plan, c, "pg")))
    if not rows:
        return None
    columns = (
        Column("cell", numeric=False),
        Column("repeats"),
        Column("SR %", hint="mean ± sample SD of full averages"),
        Column("PG %", hint="mean ± sample SD of full averages"),
        Column("SR within-task SD, points"),
        Column("PG within-task SD, points"),
        Column("detectable, points", hint="smallest PG difference these repeats tell from rerun noise, 80 % power"),
        *beside.heads(),
    )
    keep = len(columns) - (0 if found else len(beside.heads()))
    note = "± is the sample standard deviation over repeats of the full average, in percentage points."
    table = Table(
        "reruns-table",
        "The whole benchmark again",
        columns[:keep],
        tuple(r[:keep] for r in rows),
        note,
        paper="Table 7",
    )
    figure = figures.rerun_bars(bars)
    return Section("reruns", "Reruns", "", (table, *((figure,) if figure else ())))


def _pm(sd: float | None) -> str:
    return "" if sd is None else f"± {100 * sd:.2f}"


def pair_section(s: Results) -> Section | None:
    if not s.pairs:
        return None
    columns = (
        Column("A", numeric=False),
        Column("B", numeric=False),
        Column("A − B, PG points", hint="paired over tasks, clustered by game"),
        Column("p", hint="sign-flip test over games"),
        Column("p, Holm", hint="corrected over all pairs shown"),
        Column("A better / worse", hint="tasks on which A's success rate is higher / lower"),
        Column("p success, Holm", hint="the same test of the success rates, corrected over all pairs shown"),
        Column("P(A beats B) %", hint="probability of improvement"),
        Column("detectable, points", hint="smallest true difference found with 80 % power"),
        Column("pairs", hint="episodes with a partner of the same task, seed and repeat"),
    )
    rows = tuple(
        (
            text_cell(s.name(c.a)),
            text_cell(s.name(c.b)),
            percent_cell(c.difference, mark="" if c.significant else "dim"),
            p_value_cell(c.p),
            p_value_cell(c.p_holm),
            TableCell(f"{c.better} / {c.worse}", float(c.better - c.worse)),
            p_value_cell(c.p_success_holm),
            percent_cell(c.improvement),
            number_cell(c.detectable, scale=100),
            pairs_cell(c),
        )
        for c in s.pairs
    )
    ranked = [c for c in s.order if s.plan.cells[c].ranked]
    figure = figures.pair_matrix(s.pairs, s.plan, ranked)
    intro = "Two cells on the same tasks and seeds. What makes a task hard cancels out of the difference."
    note = (
        f"Percentage points with 95 % intervals; grey: not significant after Holm's correction. {NO_INTERVAL} "
        "With fewer than 6, no p can be below 0.05."
    )
    table = Table("pairs-table", "All pairs", columns, rows, note)
    return Section("pairs", "Paired comparisons", intro, (*((figure,) if figure else ()), table))
