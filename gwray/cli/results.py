"""The results table of a run: success and progress by player and game, for terminals and papers."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.console import Console
from rich.markup import escape

from gwray.accounting import unknown_finish_notes
from gwray.analysis import (
    KINDS,
    KINDS_EXPLAINED,
    LEAST_GAMES,
    TABLED,
    Interval,
    MainRow,
    Score,
    arena_verdict,
    arenas,
    compare_all,
    counts,
    episode_frame,
    load_caveat,
    load_notes,
    main_table,
    model_table,
    plan_of,
    rating_table,
    scores_by,
    shown_interval,
    usage,
    verdict,
    win_table,
)
from gwray.axes import factors
from gwray.store import UNPROVABLE, RunDir, read_verified, results_frame, seal_text
from gwray.tables import DASH, NO_VALUE, Column, Table, TableCell, percent_cell, setting_cell

NO_INTERVAL = (
    f"Intervals are for {KINDS['tasks']}: {KINDS_EXPLAINED['tasks']}. Confidence intervals need at least {LEAST_GAMES} "
    f"games to hold for {KINDS['games']}: {KINDS_EXPLAINED['games']}."
)
INTERVALS = " ".join(f"{name.capitalize()}: {KINDS_EXPLAINED[kind]}." for kind, name in KINDS.items())
MOST_COLUMNS = 4
"""With more cells, each is a row, and single games are shown on request."""
MOST_WIDE = 3
"""With more cells, success and progress of each in columns are wider than the lines of an article."""


@dataclass(frozen=True)
class ResultsTable:
    """The results table of a run and its remarks."""

    verdict: str
    """The result in a sentence."""
    table: Table
    """Games as rows and cells as columns, success and progress together, for a terminal."""
    cells: Table
    """A row for each cell, with a column for each swept setting."""
    games: Table
    """Games as rows, with success and progress of each cell."""
    notes: tuple[str, ...]
    few_games: bool
    """Whether intervals are missing because too few games were played."""
    models: Table | None
    """The Models table; None if no model answered."""
    arenas: tuple[Table, ...]
    """Ratings and wins of models that played against each other."""
    refused: bool
    """Whether headlines of incomplete players are missing."""


class _Total(NamedTuple):
    """A row below the games: a label, and its text for a cell id."""

    label: str
    text: Callable[[str], str]
    dim: bool = False


def read_results(run: RunDir, *, allow_incomplete: bool = False, forks: bool = False) -> ResultsTable | None:
    """Reads success and progress of a run. Returns None if it has only forks, which count on request only.

    Incomplete players have no headline, since the missing episodes may be the hard ones; `allow_incomplete` shows and
    marks it.
    """
    manifest = run.manifest() if forks else run.manifest().without_forks()
    if not manifest.episodes:
        return None
    against = any(c.spec.get("roles") for c in manifest.cells)
    frame = episode_frame(results_frame(run, forks=forks, only=TABLED | {"metrics"} if against else TABLED))
    plan = plan_of(frame, [manifest])
    shown = [c.id for c in plan.cells.values() if c.ranked and (allow_incomplete or counts(frame, plan, c.id).complete)]
    comparisons = compare_all(frame, plan, cells=shown)
    rows = main_table(frame, plan, allow_incomplete=allow_incomplete, comparisons=comparisons, iqm=False)
    main = {row.cell.id: row for row in rows}
    by_game = {(s.cell, s.group): s for s in scores_by(frame, plan, "game")}
    used = {id: usage(frame, plan, id) for id in main}
    names = {id: cell.name for id, cell in plan.cells.items()}

    def heading(id: str) -> str:
        incomplete = id in main and not main[id].counts.complete
        return f"{names[id]} (incomplete)" if incomplete else names[id]

    def label(row: _Total) -> TableCell:
        return TableCell(row.label, mark="dim" if row.dim else "")

    def total(row: _Total, id: str) -> TableCell:
        return TableCell(row.text(id) if id in main else DASH, mark="dim" if row.dim else "")

    columns = (
        Column.text("game", str, footer=label),
        *(Column(heading(id), lambda game, id=id: TableCell(_score(by_game.get((id, game)))),
                 footer=lambda row, id=id: total(row, id)) for id in names),
    )  # fmt: skip
    games = manifest.episodes.games()
    run_name = manifest.name or "run"
    title = f"{run_name}: SR % / PG %"
    settings = Table.build("", "", _setting_columns(rows, lambda r: r.cell.id), rows).factored()
    table = Table.build("results", title, columns, games, footer=_totals(main), note=settings.note)
    notes = tuple(load_notes({names[id]: load_caveat(row.cell, used[id]) for id, row in main.items()}))
    notes += (*unknown_finish_notes(frame["caveats"].drop_nulls().to_list()),)
    few = any(e is not None and e.low is None for row in main.values() for e in (row.sr, row.pg))
    refused = any(row.refused and row.counts.finished for row in main.values())
    models = model_table(frame, plan, manifest.prices)
    cells = _cell_table(run_name, [main[id] for id in names if id in main])
    of_games = _game_table(run_name, games, by_game, main)
    met = arenas(frame, plan)
    sentence = " ".join(arena_verdict(title, arena) for title, arena in met.items()) or verdict(rows, comparisons)
    of_arenas = tuple(make(*one) for one in met.items() for make in (rating_table, win_table))
    return ResultsTable(sentence, table, cells, of_games, notes, few, models, of_arenas, refused)


def _cell_table(run_name: str, rows: Sequence[MainRow]) -> Table:
    """Returns a row for each cell, in the order of the plan."""

    settings = _setting_columns(rows, lambda r: r.cell.id)
    shown = [shown_interval(r.sr, r.sr_again) for r in rows]
    kinds = dict.fromkeys(KINDS[e.kind] for e in shown if e and e.low is not None)
    columns = (
        *settings,
        Column.percent("SR %", lambda r: shown_interval(r.sr, r.sr_again)),
        Column.percent("PG %", lambda r: shown_interval(r.pg, r.pg_again)),
        Column("rank", lambda r: TableCell(r.rank_text or DASH)),
        Column("finished", lambda r: TableCell(f"{r.counts.finished:,} / {r.counts.planned:,}")),
        Column("failed", lambda r: TableCell(f"{r.counts.failed:,}")),
    )
    note = f"95 % intervals: {', '.join(kinds)}." if kinds else ""
    return Table.build(f"{run_name}-cells", f"{run_name}: success rate and progress", columns, rows, note=note)


def _setting_columns(rows: Iterable[MainRow], cell_id: Callable[[Any], str]) -> list[Column]:
    """Returns a column for model, interface and each setting that varies over cells. `cell_id`: cell of a table row."""
    return [
        Column.text(name.replace("_", " "), lambda r, values=values: setting_cell(values[cell_id(r)]))
        for name, values in factors(r.cell for r in rows).items()
    ]


def _game_table(
    run_name: str, games: Sequence[str], found: Mapping[tuple[str, str], Score], main: Mapping[str, MainRow]
) -> Table:
    """Returns a row for each game and one for all, with success and progress of each cell; with many cells, a row for
    each game and cell."""

    def cell(score: Score | MainRow | None, metric: str) -> TableCell:
        if score is None:
            return NO_VALUE
        return percent_cell(shown_interval(getattr(score, metric), getattr(score, f"{metric}_again")))

    title, note = f"{run_name}: success rate and progress by game", f"95 % intervals of a game: {KINDS['tasks']}."
    if len(main) > MOST_WIDE:
        long = (
            Column.text("game", lambda r: r[0]), *_setting_columns(main.values(), lambda r: r[1]),
            *(Column(f"{m.upper()} %", lambda r, m=m: cell(found.get((r[1], r[0])), m)) for m in ("sr", "pg")),
        )  # fmt: skip
        pairs = [(game, id) for game in games for id in main]
        return Table.build(f"{run_name}-games", title, long, pairs, note=note).factored()
    columns = [Column.text("game", str, footer=lambda row: TableCell("all tasks"))]
    for id, row in main.items():
        head = f"{row.cell.name} " if len(main) > 1 else ""
        for metric in ("sr", "pg"):
            columns.append(
                Column(
                    f"{head}{metric.upper()} %", lambda game, id=id, m=metric: cell(found.get((id, game)), m),
                    footer=lambda row, id=id, m=metric: cell(main[id], m), over=head.strip(),
                )
            )  # fmt: skip
    return Table.build(f"{run_name}-games", title, columns, games, footer=[None], note=note)


def _totals(main: Mapping[str, MainRow]) -> Iterator[_Total]:
    yield _Total("all tasks", lambda id: _score(main[id]))
    if any(row.sr and row.sr.low is not None for row in main.values()):
        yield _Total(f"success rate, 95 %, {KINDS['games']}", lambda id: _interval(main[id].sr))
        yield _Total(f"progress, 95 %, {KINDS['games']}", lambda id: _interval(main[id].pg))
    yield _Total(f"success rate, 95 %, {KINDS['tasks']}", lambda id: _interval(main[id].sr_again))
    yield _Total(f"progress, 95 %, {KINDS['tasks']}", lambda id: _interval(main[id].pg_again))
    if any(row.bounds for row in main.values()):
        yield _Total("success rate, missing all 0 – all 1", lambda id: _bounds(main[id], 0))
        yield _Total("progress, missing all 0 – all 1", lambda id: _bounds(main[id], 1))
    yield _Total("planned / finished / failed", lambda id: _counts(main[id]), dim=True)


def show_results(
    run: RunDir, console: Console, *, by: str = "", allow_incomplete: bool = False, forks: bool = False
) -> None:
    """Shows the table of a run in a terminal, with its notes. `by`: `cell` or `game`, the rows; empty: games for few
    cells."""
    planned = run.manifest().episodes
    if not forks and (left_out := len(planned) - len(planned.without_forks())):
        line = f"Forks are in no table ({left_out} here); to see them: gwray results {shlex.quote(run.url)} --forks"
        console.print(line, soft_wrap=True)
    found = read_results(run, allow_incomplete=allow_incomplete, forks=forks)
    if found is None:
        return
    many = len(found.cells.rows) > MOST_COLUMNS if not by else by == "cell"
    console.print(escape(found.verdict), highlight=False, soft_wrap=True)
    cells = found.cells.factored()
    for part in found.arenas:
        console.print(part.to_rich(slim=True))
        if part.note:
            console.print(escape(part.note), style="dim", highlight=False)
    console.print(cells.to_rich(slim=True) if many else found.table.to_rich())
    if note := cells.note if many else found.table.note:
        console.print(escape(note), style="dim", highlight=False)
    if many:
        console.print(f"Single games: gwray results {shlex.quote(run.url)} --by game", style="dim", soft_wrap=True)
    if found.models:
        models, several = found.models.factored(), len(found.models.rows) > 1
        if several:
            console.print(models.to_rich(slim=True))
        alone = "" if several else f"model: {found.models.rows[0][0]} · "
        console.print(escape(f"{alone}{models.note}"), style="dim", highlight=False, soft_wrap=True)
    line = NO_INTERVAL if found.few_games else INTERVALS
    console.print(line, style="dim", highlight=False, soft_wrap=True)
    for note in found.notes:
        console.print(f"[yellow]note:[/] {escape(note)}", soft_wrap=True)
    if seal := run.manifest().seal:
        console.print(f"sealed {escape(seal_text(seal))}", style="dim", soft_wrap=True)
    if verified := read_verified(run):
        line = f"{verified.sentence}, as the run's folder says. {UNPROVABLE}"
        console.print(escape(line), style="dim", highlight=False, soft_wrap=True)
    if found.refused:
        command = f"gwray results {shlex.quote(run.url)} --allow-incomplete"
        line = f"No headline over incomplete cells; to see it, marked: {command}"
        console.print(line, soft_wrap=True)


def _counts(row: MainRow) -> str:
    return f"{row.counts.planned} / {row.counts.finished} / {row.counts.failed}"


def _bounds(row: MainRow, metric: int) -> str:
    if row.bounds is None:
        return DASH
    low, high = row.bounds[metric]
    return f"{100 * low:.0f} – {100 * high:.0f}"


def _interval(estimate: Interval | None) -> str:
    if estimate is None or estimate.low is None or estimate.high is None:
        return DASH
    return f"{100 * estimate.low:z.0f} – {100 * estimate.high:z.0f}"


def _score(row: Score | MainRow | None) -> str:
    """Success and progress, which weigh all tasks equally."""
    if row is None or row.sr is None or row.pg is None:
        return DASH
    return f"{100 * row.sr.value:.0f} / {100 * row.pg.value:.0f}"
