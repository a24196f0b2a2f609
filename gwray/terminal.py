"""What people see in a terminal: plans, results, catalogs, findings. Prints; decides nothing."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gwray.analysis import Estimate, main_table
from gwray.errors import UsageError
from gwray.pipelines import estimate as costs
from gwray.pipelines.estimate import estimate_cell
from gwray.pipelines.plan import Plan
from gwray.pipelines.run import Ended
from gwray.records import EpisodeRecord
from gwray.store import RunDir, results_frame


def show_plan(plan: Plan, console: Console) -> None:
    """`dry_run=true`: cells, episodes, models to host, estimated calls, tokens and cost."""
    table = Table(title=f"{plan.name}: {len(plan.episodes)} episodes in {len(plan.cells)} cells", title_justify="left")
    for name, justify in (("cell", "left"), ("games", "right"), ("episodes", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    for name in ("calls ≤", "tokens ≤", "USD ≤"):
        table.add_column(name, justify="right")
    total = costs.Estimate()
    for cell in plan.cells:
        mine = [e for e in plan.episodes if e.cell_id == cell.id]
        cost = estimate_cell(cell, plan)
        total = total + cost
        games = str(len({e.game for e in mine}))
        table.add_row(escape(cell.name), games, str(len(mine)), *_cost_columns(cost))
    if len(plan.cells) > 1:
        table.add_section()
        table.add_row("all", "", str(len(plan.episodes)), *_cost_columns(total))
    console.print(table)
    for notice in plan.notices:
        console.print(f"note: {notice}", highlight=False)
    hosted = [m.name for m in plan.models() if m.self_hosted]
    if hosted:
        _show_waves(plan, console)
    spec = plan.settings.executor
    console.print(f"executor {spec.name}, {spec.lanes} lanes an actor · run directory {plan.run_dir}", highlight=False)
    console.print("Upper bounds: every episode is assumed to use all of its steps. Nothing was started.", style="dim")


def _show_waves(plan: Plan, console: Console) -> None:
    from gwray.pipelines.hosting import make_hosting
    from gwray.pipelines.waves import plan_waves

    try:
        waves = plan_waves(plan, plan.episodes, make_hosting(plan, console).waves)
    except UsageError as e:
        console.print(f"[yellow]not here:[/] {escape(str(e))}", highlight=False)
        return
    for n, wave in enumerate(waves, 1):
        models = ", ".join(m.name for m in wave.models) or "no hosted model"
        console.print(f"wave {n}: {models}: {len(wave.episodes)} episodes", highlight=False)


def _cost_columns(cost: costs.Estimate) -> tuple[str, str, str]:
    usd = "?" if cost.usd is None else f"{cost.usd:,.2f}"
    return f"{cost.calls:,}", f"{cost.tokens:,}", usd


def show_ended(ended: Ended, plan: Plan, console: Console) -> None:
    """The table of a run and what to do next."""
    t = ended.tally
    show_results(ended.run, console)
    for reason, count in t.skipped.items():
        console.print(f"[yellow]{count} episodes not started:[/] {escape(reason)}", highlight=False)
    if t.failed:
        failures = {r.key: r for r in ended.run.failures()}
        kinds: dict[tuple[str, str], int] = defaultdict(int)
        for r in failures.values():
            kinds[r.error_class, r.error_message.splitlines()[0][:160] if r.error_message else ""] += 1
        for (kind, message), count in sorted(kinds.items(), key=lambda i: -i[1])[:5]:
            console.print(f"[red]{count} failed:[/] {kind}: {escape(message)}", highlight=False)
    url = ended.run.url
    if ended.interrupted:
        console.print("Interrupted; nothing is lost. The same command goes on where it stopped.", style="bold")
    elif not ended.complete:
        console.print("Not complete. The same command plays what is missing.", style="bold")
    console.print(f"run directory {url}", highlight=False)
    console.print(f"verify it     gwray verify {url}", highlight=False)


def show_results(run: RunDir, console: Console, *, allow_incomplete: bool = False) -> None:
    """SR and PG per game and cell, with planned / finished / failed.

    The headline of an incomplete cell is left out, since what is missing may be what is hard; `allow_incomplete` shows
    it, and marks the cell.
    """
    manifest = run.manifest()
    results = run.results()
    finished = {r.key for r in results}
    failed = {r.key: r for r in run.failures() if r.key not in finished}
    cells = manifest["cells"]
    by = defaultdict(list)
    for r in results:
        by[r.game, r.cell].append(r)
        by["", r.cell].append(r)
    main = {row.cell.id: row for row in main_table(results_frame(run), [manifest], allow_incomplete=allow_incomplete)}
    partial = {row.cell.id for row in main.values() if not row.counts.complete}
    refused = {row.cell.id for row in main.values() if row.refused}
    table = Table(title=f"{manifest['name']}: SR % / PG %", title_justify="left")
    table.add_column("game")
    for cell in cells:
        mark = " (incomplete)" if cell["id"] in partial else ""
        table.add_column(escape(cell["name"]) + mark, justify="right", overflow="fold")
    for game in sorted({e["game"] for e in manifest["episodes"]}):
        table.add_row(game, *(_score(by[game, c["id"]]) for c in cells))
    table.add_section()
    table.add_row("all tasks", *("–" if c["id"] in refused else _score(by["", c["id"]]) for c in cells))
    for name, of in (("success rate, 95 %", lambda m: m.sr), ("progress, 95 %", lambda m: m.pg)):
        table.add_row(name, *(_interval(of(main[c["id"]])) if c["id"] in main else "–" for c in cells))
    counts = defaultdict(int)
    for r in failed.values():
        counts[r.cell] += 1
    row = [f"{c['planned']} / {len(by['', c['id']])} / {counts[c['id']]}" for c in cells]
    table.add_row("planned / finished / failed", *row, style="dim")
    console.print(table)
    if any(by["", c] for c in refused):
        line = f"No headline over incomplete cells; to see it, marked: gwray results {run.url} --allow-incomplete"
        console.print(line, highlight=False, soft_wrap=True)


def _interval(estimate: Estimate | None) -> str:
    if estimate is None or estimate.low is None or estimate.high is None:
        return "–"
    return f"{100 * estimate.low:.0f} – {100 * estimate.high:.0f}"


def _score(records: Sequence[EpisodeRecord]) -> str:
    """Mean over tasks of the mean over their repeats, so that 170 tasks weigh equally."""
    tasks = defaultdict(list)
    for r in records:
        if r.progress is not None:
            tasks[r.game, r.task].append((float(r.success), r.progress))
    if not tasks:
        return "–"
    means = [tuple(sum(v) / len(v) for v in zip(*rows, strict=True)) for rows in tasks.values()]
    sr, pg = (100 * sum(v) / len(means) for v in zip(*means, strict=True))
    return f"{sr:.0f} / {pg:.0f}"


def print_json(value: Any) -> None:
    """JSON on standard output, and nothing else."""
    print(json.dumps(value, indent=2, ensure_ascii=False, default=str))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], console: Console, title: str = "") -> None:
    """A plain table; cells are text, never markup."""
    table = Table(title=title or None, title_justify="left")
    for name in columns:
        table.add_column(name)
    for row in rows:
        table.add_row(*(escape(str(v)) for v in row))
    console.print(table)
