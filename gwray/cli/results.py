"""The results table of a run: success and progress by player and game, for terminals and papers."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.console import Console
from rich.markup import escape

from gwray.analysis import (
    KINDS,
    KINDS_EXPLAINED,
    TABLED,
    MainRow,
    Score,
    arenas,
    cell_table,
    compare_all,
    counts,
    episode_frame,
    load_caveat,
    load_notes,
    main_table,
    model_table,
    plan_of,
    rating_table,
    score_notes,
    scores_by,
    setting_columns,
    spent_cell,
    training_notes,
    verdict,
    win_table,
)
from gwray.cli.console import print_seal, shown_work, spent_time
from gwray.pages import DASH, NO_VALUE, Column, Table, TableCell, counted, ends, percent_cell, points, text_cell
from gwray.records import EpisodeRecord, unknown_notes
from gwray.store import RunDir, RunStatus, read_seal, results_frame, status_of

INTERVALS = f"95 % intervals: {KINDS['tasks']}, {KINDS_EXPLAINED['tasks']}."
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
    """Games as rows and cells as columns, success and progress together, for few cells in a terminal."""
    cells: Table
    """A row for each cell, with a column for each swept setting."""
    details: Table
    """The same with all columns, for further computation."""
    games: Table
    """Games as rows, with success and progress of each cell."""
    notes: tuple[str, ...]
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


def read_results(run: RunDir, *, allow_incomplete: bool = False) -> ResultsTable | None:
    """Reads success and progress of a run. Returns None if it has only forks, which do not count.

    Incomplete players have no headline, since the missing episodes may be the hard ones; `allow_incomplete` shows and
    marks it.
    """
    manifest = run.manifest().without_forks()
    if not manifest.episodes:
        return None
    against = any(c.spec.get("roles") for c in manifest.cells)
    frame = episode_frame(results_frame(run, only=TABLED | {"metrics"} if against else TABLED))
    plan = plan_of(frame, [manifest])
    shown = [c.id for c in plan.cells.values() if c.ranked and (allow_incomplete or counts(frame, plan, c.id).complete)]
    comparisons = compare_all(frame, plan, cells=shown)
    rows = main_table(frame, plan, allow_incomplete=allow_incomplete, comparisons=comparisons)
    main = {row.cell.id: row for row in rows}
    by_game = {(s.cell, s.group): s for s in scores_by(frame, plan, "game")}
    names = {id: cell.name for id, cell in plan.cells.items()}

    def heading(id: str) -> str:
        incomplete = id in main and not main[id].counts.complete
        return f"{names[id]} (incomplete)" if incomplete else names[id]

    def total(row: _Total, id: str) -> TableCell:
        return TableCell(row.text(id) if id in main else DASH, mark="dim" if row.dim else "")

    columns = (
        Column.text("game", _game_cell, footer=lambda row: TableCell(row.label, mark="dim" if row.dim else "")),
        *(Column(heading(id), lambda game, id=id: TableCell(_score(by_game.get((id, game)))),
                 footer=lambda row, id=id: total(row, id)) for id in names),
    )  # fmt: skip
    games = manifest.episodes.games()
    run_name = manifest.name or "run"
    title = f"{run_name}: success % / progress %"
    settings = Table.build("", "", setting_columns(rows), rows).factored()
    table = Table.build("results", title, columns, games, footer=_totals(main), note=settings.note)
    notes = tuple(load_notes({names[id]: load_caveat(row.cell, row.used) for id, row in main.items()}))
    used = [row.used for row in rows]
    if tokens := sum(u.tokens for u in used):
        n = sum(u.retries for u in used)
        repeated = f", {counted(n, 'request')} repeated after an error or a rate limit" if n else ""
        waited = f", {s:,.0f} s of waiting for the model's limits" if (s := sum(u.waited_s for u in used)) >= 1 else ""
        notes += (f"{tokens:,} tokens, {spent_cell(*used).text}{repeated}{waited}",)
    notes += (*score_notes(rows), *training_notes(rows, plan), *unknown_notes(frame["caveats"].drop_nulls().to_list()))
    refused = any(row.refused and row.counts.finished for row in main.values())
    models = model_table(frame, plan, manifest.prices)
    planned = [main[id] for id in names if id in main]
    title = f"{run_name}: success rate and progress"
    cells, details = (
        cell_table(planned, f"{run_name}-cells", title, detailed=d, note=INTERVALS) for d in (False, True)
    )
    of_games = _game_table(run_name, games, by_game, main)
    met = arenas(frame, plan)
    of_arenas = tuple(make(*one) for one in met.items() for make in (rating_table, win_table))
    sentence = verdict(rows, comparisons, met)
    return ResultsTable(sentence, table, cells, details, of_games, notes, models, of_arenas, refused)


def _game_cell(game: str) -> TableCell:
    """Returns the title of a game, its id in a CSV."""
    from gwray.catalog import load_catalog

    known = load_catalog().games
    return text_cell(known[game].title if game in known else game, raw=game)


def _game_table(
    run_name: str, games: Sequence[str], found: Mapping[tuple[str, str], Score], main: Mapping[str, MainRow]
) -> Table:
    """Returns a row for each game and one for all, with success and progress of each cell; with many cells, a row for
    each game and cell."""

    def cell(score: Score | MainRow | None, metric: str) -> TableCell:
        if score is None:
            return NO_VALUE
        return percent_cell(getattr(score, metric))

    title, note = f"{run_name}: success rate and progress by game", INTERVALS
    if len(main) > MOST_WIDE:
        long = (
            Column.text("game", lambda r: _game_cell(r[0])), *setting_columns(main.values(), lambda r: r[1]),
            *(Column(f"{name} %", lambda r, m=m: cell(found.get((r[1], r[0])), m))
              for name, m in (("success", "sr"), ("progress", "pg"))),
        )  # fmt: skip
        pairs = [(game, id) for game in games for id in main]
        return Table.build(f"{run_name}-games", title, long, pairs, note=note).factored()
    columns = [Column.text("game", _game_cell, footer=lambda row: TableCell("all tasks"))]
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
    yield _Total("all tasks", lambda id: _headline(main[id]))
    yield _Total("success rate, 95 %", lambda id: ends(main[id].sr) or DASH)
    yield _Total("progress, 95 %", lambda id: ends(main[id].pg) or DASH)
    if any(row.iar or row.repaired for row in main.values()):
        iar = {id: DASH if row.iar is None else f"{100 * row.iar:.1f} / {row.repaired:,}" for id, row in main.items()}
        yield _Total("invalid % / repaired", iar.__getitem__)
    if any(row.used.tokens for row in main.values()):
        yield _Total("USD", lambda id: spent_cell(main[id].used).text)
    n = {id: row.counts for id, row in main.items()}
    yield _Total("planned / finished / failed", lambda id: f"{n[id].planned} / {n[id].finished} / {n[id].failed}", True)


def fork_outcomes(records: Iterable[EpisodeRecord]) -> Iterator[str]:
    """Yields a sentence for each fork: its first steps are another episode's, so it has no score of its own."""
    for r in (r for r in records if r.forked_at is not None and r.status == "finished"):
        outcome = "solved" if r.success else f"not solved, progress {100 * (r.progress or 0):.0f} %,"
        start = f"{r.game} {r.task}, forked after step {r.forked_at} and continued by {r.model}"
        yield f"{start}: {outcome} after {counted(r.steps - (r.forked_at or 0), 'further step')}."


def show_results(run: RunDir, console: Console, *, by: str = "", allow_incomplete: bool = False) -> None:
    """Shows the table of a run in a terminal, with its notes, and a sentence for each fork. `by`: `cell` or `game`, the
    rows; empty: games for few cells."""
    for line in fork_outcomes(run.results()):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    with shown_work("reading the results"):
        found = read_results(run, allow_incomplete=allow_incomplete)
    if found is None:
        return
    many = len(found.cells.rows) > MOST_COLUMNS
    by = by or ("cell" if many else "game")
    table = found.cells.factored() if by == "cell" else found.games.factored() if many else found.table
    console.print(escape(found.verdict), highlight=False, soft_wrap=True)
    for part in found.arenas:
        console.print(part.to_rich())
        if part.note:
            console.print(escape(part.note), style="dim", highlight=False)
    console.print(table.to_rich())
    if table.note:
        console.print(escape(table.note), style="dim", highlight=False, soft_wrap=True)
    if by == "cell":
        console.print(f"Single games: gwray results {shlex.quote(run.url)} --by game", style="dim", soft_wrap=True)
    if found.models:
        models, several = found.models.factored(), len(found.models.rows) > 1
        if several:
            console.print(models.to_rich())
        alone = "" if several else f"model: {found.models.rows[0][0]} · "
        console.print(escape(f"{alone}{models.note}"), style="dim", highlight=False, soft_wrap=True)
    if table is found.table:
        console.print(INTERVALS, style="dim", highlight=False, soft_wrap=True)
    for note in found.notes:
        console.print(f"[yellow]note:[/] {escape(note)}", soft_wrap=True)
    if (seal := read_seal(run)).recorded:
        print_seal(seal, console)
    if found.refused:
        command = f"gwray results {shlex.quote(run.url)} --allow-incomplete"
        line = f"No headline over incomplete cells; to see it, marked: {command}"
        console.print(line, soft_wrap=True)


def show_progress(run: RunDir, console: Console) -> None:
    """Shows the progress of a run that is not complete."""
    if (status := status_of(run)).left:
        for line in _progress_lines(status):
            console.print(line, soft_wrap=True)


def _progress_lines(status: RunStatus) -> list[str]:
    """Returns the progress of an incomplete run, as markup."""
    failed = f", {status.failed} of them failed" if status.failed else ""
    lines = [f"[bold]progress[/]  {escape(str(status.holder or 'not running'))}: {status.finished} of "
             f"{status.planned} episodes finished, {status.left} left{failed}"]  # fmt: skip
    if status.without_file:
        lines.append(f"{'':<10}{status.without_file} of them without their file: `gwray unpack` of the pack that the "
                     "run came in, or the command that played it, makes it again")  # fmt: skip
    if status.driven:
        left = f", {spent_time(status.eta_s)} left" if status.eta_s is not None else ""
        cost = f", {status.cost_usd:.2f} USD so far" if status.cost_usd else ""
        rate = f"{status.episodes_per_minute:.1f} episodes a minute, {status.steps_per_second:.1f} steps a second"
        lines += [f"{'':<10}{rate}{left}{cost}", *(f"{'':<10}{escape(one.words())}" for one in status.engines)]
    return lines + [f"{'':<10}[red]{n} failed[/] by {escape(error)}" for error, n in status.failures.items()]


def _headline(row: MainRow) -> str:
    """Success and progress, with the decimals of their intervals."""
    return " / ".join(points(e.value, e) for e in (row.sr, row.pg) if e is not None) or DASH


def _score(row: Score | None) -> str:
    """Success and progress of a game, without an interval and decimals."""
    if row is None or row.sr is None or row.pg is None:
        return DASH
    return f"{100 * row.sr.value:.0f} / {100 * row.pg.value:.0f}"
