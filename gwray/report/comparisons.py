"""Sections that compare cells: by genre, capability level and game, over reruns, and pair by pair."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from gwray.analysis import KINDS, TESTED_GAMES, Comparison, GroupTable, Rerun, game_reruns, grid
from gwray.analysis import reruns as rerun_statistics
from gwray.pages import Column, Table, TableCell, number_cell, percent_cell, text_cell
from gwray.report import figures
from gwray.report.content import PAIRS_HINT, Section, join, pairs_cell
from gwray.report.main_results import ceiling_pg, ceiling_sr
from gwray.report.published_columns import PublishedColumns, genres_with_published
from gwray.report.results import Results


def _grid_table(
    results: Results, id: str, title: str, g: GroupTable, by: str, label: Callable[[str], str], note: str, *,
    overall: bool = False, paper: str = "",
) -> Table:  # fmt: skip
    """Returns a table with success and progress of each cell in each group.

    Args:
        g: results by cell and group.
        by: column that the groups come from: `genre` or `level`.
        label: returns the name of a group.
        overall: whether to add columns over all tasks.
        paper: the paper's counterpart, such as `Table 6`.
    """
    at = {c: i for i, c in enumerate(g.cells)}
    main = {r.cell.id: r for r in results.main}

    def score(c: str, j: int, metric: str) -> TableCell:
        td, n = percent_cell(getattr(g, metric)[at[c]][j]), g.counts[at[c]][j]
        return td if n.complete or not n.planned else replace(td, sub=f"{n.finished} / {n.planned}", mark="warn")

    tasks = results.tasks(by)
    reaches = {x: results.ceilings.average_over(tasks.get(x, ())) for x in g.groups}
    footer = [reaches | {"": results.ceilings.average_over(results.tasks()[""])}] if any(reaches.values()) else []
    columns = [Column.text("cell", results.name, footer=lambda row: text_cell(results.ceilings.label))]
    for j, x in enumerate(g.groups):
        for metric, name, ceiling in (("sr", "success", ceiling_sr), ("pg", "progress", ceiling_pg)):
            columns.append(
                Column(
                    f"{label(x)} {name} %", lambda c, j=j, metric=metric: score(c, j, metric),
                    footer=lambda row, x=x, ceiling=ceiling: ceiling(row[x]),
                )
            )  # fmt: skip
    if overall:
        columns += [
            Column.percent("overall success %", lambda c: main[c].sr, footer=lambda row: ceiling_sr(row[""])),
            Column.percent("overall progress %", lambda c: main[c].pg, footer=lambda row: ceiling_pg(row[""])),
        ]
    cells = [c for c in results.order if c in at]
    return Table.build(
        id, title, columns, [c for c in cells if results.ranked(c)], note=note,
        unranked=[c for c in cells if not results.ranked(c)], footer=footer, group=results.block, paper=paper,
    )  # fmt: skip


def genre_section(results: Results) -> Section | None:
    """Returns the results by genre, next to the published ones; None with fewer than two."""
    g = grid(results.frame, results.plan, "genre", allow_incomplete=results.allow_incomplete)
    if len(g.groups) < 2:
        return None
    note = f"Percent, with intervals {KINDS['tasks']}."
    table = _grid_table(results, "genres", "By genre", g, "genre", str, note, overall=True, paper="Table 6")
    return Section.build("genres", "Genres", table, genres_with_published(results, g))


def level_section(results: Results) -> Section | None:
    """Returns the results by capability level: a table, and a radar figure for each group of cells that are ranked
    together. None with fewer than two, and if they are the genres by another name."""
    g = grid(results.frame, results.plan, "level", allow_incomplete=results.allow_incomplete)
    by_level, by_genre = (sorted(map(sorted, results.tasks(by).values())) for by in ("level", "genre"))
    if len(g.groups) < 2 or by_level == by_genre:
        return None
    title, note = "By capability level", f"Percent, with intervals {KINDS['tasks']}."
    table = _grid_table(results, "levels-table", title, g, "level", lambda x: f"level {x}", note)
    blocks: dict[str, list[str]] = {}
    for c in results.order:
        blocks.setdefault(results.block(c), []).append(c)
    radars = [figures.radar(g, results.plan, cells, block) for block, cells in blocks.items()]
    return Section.build("levels", "Capability levels", *radars, table)


def game_section(results: Results) -> Section | None:
    """Returns the progress by game: a table, and a heat map of several cells, which has all that is known if
    no game has an interval; None with fewer than two games."""
    g = grid(results.frame, results.plan, "game", allow_incomplete=results.allow_incomplete)
    if len(g.groups) < 2:
        return None
    by_cell = {c: g.pg[g.cells.index(c)] for c in results.order if c in g.cells}
    columns = (
        Column.text("game", lambda j: results.titles.get(g.groups[j], g.groups[j])),
        *(Column.percent(results.name(c), lambda j, c=c: by_cell[c][j]) for c in by_cell),
    )
    note = f"Percent; mean over a game's tasks, with intervals {KINDS['tasks']}."
    table = Table.build("games-table", "Progress by game, with intervals", columns, range(len(g.groups)), note=note)
    if len(by_cell) == 1:
        return Section.build("games", "Games", table)
    known = any(e is not None and e.low is not None for row in by_cell.values() for e in row)
    heatmap = figures.heatmap(g, results.plan, results.order, results.titles)
    return Section.build("games", "Games", heatmap, table if known else None)


@dataclass(frozen=True)
class _RerunRow:
    cell: str
    sr: Rerun
    pg: Rerun


def rerun_section(results: Results) -> Section | None:
    """Returns how results vary over repeats of all tasks; None if no cell with headline values has several repeats."""
    rows = []
    for c in results.order:
        sr, pg = (rerun_statistics(results.frame, results.plan, c, metric) for metric in ("sr", "pg"))
        if pg.repeats < 2 or not results.has_headline(c):
            continue
        rows.append(_RerunRow(c, sr, pg))
    if not rows:
        return None
    main = {r.cell.id: r for r in results.main}
    printed_columns = PublishedColumns(
        "table7_reruns", {"overall_sr_mean": "SR %", "overall_pg_mean": "PG %"},
        ours={"overall_sr_mean": lambda c: main[c].sr, "overall_pg_mean": lambda c: main[c].pg},
        spread={"overall_sr_mean": "overall_sr_std", "overall_pg_mean": "overall_pg_std"},
    )  # fmt: skip

    def repeats(r: _RerunRow) -> TableCell:
        return number_cell(r.pg.repeats, 0, sub=f"{r.pg.incomplete} incomplete" if r.pg.incomplete else "")

    def mean(r: Rerun) -> TableCell:
        return number_cell(r.mean, scale=100, sub="" if r.sd is None else f"± {100 * r.sd:.1f}")

    columns = join(
        Column.text("cell", lambda r: results.name(r.cell)),
        Column("repeats", repeats),
        Column("success %", lambda r: mean(r.sr), hint="mean ± sample SD of full averages"),
        Column("progress %", lambda r: mean(r.pg), hint="mean ± sample SD of full averages"),
        printed_columns.build(printed_columns.rows(results, [r.cell for r in rows])),
    )  # fmt: skip
    note = "± is the sample standard deviation over repeats of the full average, in percentage points."
    table = Table.build("reruns-table", "All tasks repeated", columns, rows, note=note, paper="Table 7")
    bars = [(results.name(r.cell), game_reruns(results.frame, results.plan, r.cell, "pg")) for r in rows]
    return Section.build("reruns", "Reruns", table, figures.rerun_bars(bars, results.titles))


def pair_section(results: Results) -> Section | None:
    """Returns all paired comparisons of cells as matrix and table; None if there are none."""
    if not results.comparisons:
        return None

    def difference(c: Comparison) -> TableCell:
        return percent_cell(c.difference, mark="" if c.significant else "dim")

    columns = (
        Column.text("A", lambda c: results.name(c.a)), Column.text("B", lambda c: results.name(c.b)),
        Column("A − B, progress points", difference, hint="paired over these tasks"),
        Column.p_value("p", "p_holm", hint="t-test, Holm's correction over the pairs ranked together"),
        Column(KINDS["games"], lambda c: percent_cell(c.games), hint="the difference, clustered by game"),
        Column.text("holds on other games?", "elsewhere", hint="sign-flip test over games, corrected likewise"),
        Column("success rate higher / lower", lambda c: TableCell(f"{c.better} / {c.worse}", float(c.better - c.worse)),
               hint="number of tasks on which A's success rate is higher / lower"),
        Column("pairs", pairs_cell, hint=PAIRS_HINT),
    )  # fmt: skip
    note = (
        f"Percentage points with 95 % intervals {KINDS['tasks']}; grey: not significant (p above 0.05; p: how often "
        "chance alone would separate two equally good cells this far). "
        f"With fewer than {TESTED_GAMES} games, nothing is known of other games."
    )
    table = Table.build("pairs-table", "Differences between two cells", columns, results.comparisons, note=note)
    intro = "Two cells on the same tasks and seeds. What makes a task hard cancels out of the difference."
    return Section.build("pairs", "Paired comparisons", table, intro=intro)
