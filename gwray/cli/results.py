"""The table of a run: success and progress by player and game, with intervals and counts; for terminals and papers."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gwray.analysis import (
    LEAST_GAMES,
    TABLED,
    Interval,
    MainRow,
    Score,
    UsageTable,
    episode_frame,
    loaded,
    main_table,
    plan_of,
    scores_by,
    usage,
)
from gwray.store import PlannedEpisodes, RunDir, read_verified, results_frame, without_forks

NO_INTERVAL = f"No interval with fewer than {LEAST_GAMES} games: they say too little about others."
MOST_COLUMNS = 6
"""With more players, each is a row, and single games are left to the report."""


@dataclass(frozen=True)
class Sheet:
    """A table of plain texts; the first column names the rows. Below the rows are sums and facts about each column."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    below: tuple[tuple[str, ...], ...]

    def turned(self) -> Sheet:
        """Its columns as rows: what stands below the rows becomes the columns, and the rows themselves are left out."""
        names, *columns = zip(*self.below, strict=True)
        rows = tuple((name, *column) for name, column in zip(self.head[1:], columns, strict=True))
        return Sheet(self.title, ("player", *names), rows, ())


@dataclass(frozen=True)
class Results:
    """What the table of a run says, and what has to be said beside it."""

    sheet: Sheet
    notes: tuple[str, ...]
    few_games: bool
    """Some intervals are missing, because too few games were played."""
    held_back: bool
    """Headlines of incomplete players are left out."""


def read_results(run: RunDir, *, allow_incomplete: bool = False, forks: bool = False) -> Results | None:
    """SR and PG of a run; None if nothing is planned in it but forks, which count only if asked for.

    The headline of an incomplete player is left out, since what is missing may be what is hard; `allow_incomplete`
    shows it, and marks the player.
    """
    whole = {"name": "", "cells": [], "episodes": [], **run.manifest()}
    manifest = whole if forks else without_forks(whole)
    if not manifest["episodes"]:
        return None
    cells = manifest["cells"]
    frame = episode_frame(results_frame(run, forks=forks, only=TABLED))
    plan = plan_of(frame, [manifest])
    main = {row.cell.id: row for row in main_table(frame, plan, allow_incomplete=allow_incomplete, iqm=False)}
    by_game = {(s.cell, s.group): s for s in scores_by(frame, plan, "game")}
    used = {id: usage(frame, plan, id) for id in main}
    ids = [c["id"] for c in cells]
    games = PlannedEpisodes.in_manifest(manifest).games()
    sheet = Sheet(
        title=f"{manifest['name']}: SR % / PG %",
        head=("game", *(_player(c, main) for c in cells)),
        rows=tuple((game, *(_score(by_game.get((id, game))) for id in ids)) for game in games),
        below=(
            ("all tasks", *(_score(main.get(id)) for id in ids)),
            ("success rate, 95 %", *(_interval(main[id].sr) if id in main else "–" for id in ids)),
            ("progress, 95 %", *(_interval(main[id].pg) if id in main else "–" for id in ids)),
            *_facts(used, ids),
            ("planned / finished / failed", *(_counts(main.get(id)) for id in ids)),
        ),
    )
    names = {c["id"]: c["name"] for c in cells}
    notes = tuple(f"{names[id]}: {load}" for id, row in main.items() if (load := loaded(row.cell, used[id])))
    few = any(e is not None and e.low is None for row in main.values() for e in (row.sr, row.pg))
    return Results(sheet, notes, few, any(row.refused and row.counts.finished for row in main.values()))


def show_results(
    run: RunDir, console: Console, *, by_game: bool = False, allow_incomplete: bool = False, forks: bool = False
) -> None:
    """The table of a run in a terminal, and what has to be said beside it; `by_game`: single games however many players
    there are."""
    planned = PlannedEpisodes.in_manifest(run.manifest())
    if not forks and (left_out := len(planned) - len(planned.without_forks())):
        line = f"Forks are in no table ({left_out} here); to see them: gwray results {shlex.quote(run.url)} --forks"
        console.print(line, highlight=False, soft_wrap=True)
    found = read_results(run, allow_incomplete=allow_incomplete, forks=forks)
    if found is None:
        return
    many = len(found.sheet.head) > MOST_COLUMNS + 1 and not by_game
    console.print(_rich(found.sheet.turned() if many else found.sheet))
    if many:
        console.print(
            f"Single games: gwray results {shlex.quote(run.url)} --by game, or gwray report {shlex.quote(run.url)}",
            style="dim",
        )
    if found.few_games:
        console.print(NO_INTERVAL, highlight=False, style="dim")
    for note in found.notes:
        console.print(f"[yellow]note:[/] {escape(note)}", highlight=False, soft_wrap=True)
    if seal := run.manifest().get("seal"):
        console.print(f"sealed {escape(seal)}", style="dim", highlight=False, soft_wrap=True)
    if verified := read_verified(run):
        console.print(
            escape(f"{verified.sentence}, as the run's folder says"), style="dim", highlight=False, soft_wrap=True
        )
    if found.held_back:
        command = f"gwray results {shlex.quote(run.url)} --allow-incomplete"
        line = f"No headline over incomplete cells; to see it, marked: {command}"
        console.print(line, highlight=False, soft_wrap=True)


def as_markdown(sheet: Sheet) -> str:
    """A table in GitHub's Markdown."""
    lines = [sheet.head, ("---", *["---:"] * (len(sheet.head) - 1)), *sheet.rows, *sheet.below]
    return "\n".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |" for line in lines) + "\n"


LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "·": r"$\cdot$", "×": r"$\times$",
}  # fmt: skip
"""What a character is in LaTeX, where it is not itself."""


def as_latex(sheet: Sheet) -> str:
    """A `tabular` with the rules of booktabs; the title is its caption."""
    parts = [[sheet.head], sheet.rows, sheet.below]
    body = [[" & ".join(map(_latex, line)) + r" \\" for line in part] for part in parts if part]
    return "\n".join(
        [
            r"% \usepackage{booktabs}",
            r"\begin{table}",
            rf"  \caption{{{_latex(sheet.title)}}}",
            rf"  \begin{{tabular}}{{l{'r' * (len(sheet.head) - 1)}}}",
            r"    \toprule",
            *"\n    \\midrule\n".join("\n".join(f"    {line}" for line in part) for part in body).splitlines(),
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _latex(text: str) -> str:
    return re.sub("|".join(map(re.escape, LATEX)), lambda found: LATEX[found[0]], text)


def _rich(sheet: Sheet) -> Table:
    table = Table(title=escape(sheet.title), title_justify="left")
    table.add_column(escape(sheet.head[0]), overflow="fold")
    for name in sheet.head[1:]:
        table.add_column(escape(name), justify="right", overflow="fold")
    for row in sheet.rows:
        table.add_row(*map(escape, row))
    table.add_section()
    for n, row in enumerate(sheet.below):
        table.add_row(*map(escape, row), style="dim" if n > 2 else None)
    return table


def _player(cell: dict[str, Any], main: dict[str, MainRow]) -> str:
    row = main.get(cell["id"])
    return f"{cell['name']}{' (incomplete)' if row and not row.counts.complete else ''}"


def _facts(used: dict[str, UsageTable], ids: Sequence[str]) -> list[tuple[str, ...]]:
    out: list[tuple[str, ...]] = []
    if any(u.served_model for u in used.values()):
        out.append(("served model", *((used[i].served_model or "–") if i in used else "–" for i in ids)))
    if any(u.in_flight for u in used.values()):
        out.append(("requests in flight, at most", *(str(used[i].in_flight or "–") if i in used else "–" for i in ids)))
    return out


def _counts(row: MainRow | None) -> str:
    return "–" if row is None else f"{row.counts.planned} / {row.counts.finished} / {row.counts.failed}"


def _interval(estimate: Interval | None) -> str:
    if estimate is None or estimate.low is None or estimate.high is None:
        return "–"
    return f"{100 * estimate.low:.0f} – {100 * estimate.high:.0f}"


def _score(of: Score | MainRow | None) -> str:
    """SR and PG, which weigh all tasks equally."""
    if of is None or of.sr is None or of.pg is None:
        return "–"
    return f"{100 * of.sr.value:.0f} / {100 * of.pg.value:.0f}"
