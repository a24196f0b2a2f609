"""Prints plans, results, catalogs and findings in a terminal."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gwray.errors import UsageError
from gwray.pages import Column, TableCell, counted, money_cell, setting_cell
from gwray.pages import Table as PageTable
from gwray.settings import LOCAL_PLAYERS, CellSpec, axis_title, axis_value, cell_labels, factors

if TYPE_CHECKING:  # most commands that print do without these, which take a while to import
    from gwray.analysis import ModuleUsage
    from gwray.pipelines import CostEstimate, Plan, RunOutcome
    from gwray.records import EpisodeRecord
    from gwray.store import RunDir

TESTED_GAMES = 6
"""As in `gwray.analysis`, whose import a dry run does not need."""
ASSUMED = (
    "Estimates, not bounds: every episode uses all of its steps and every reply has {tokens} tokens. Thinking, "
    "provider tools and retries cost more; budget.usd and budget.tokens set limits. Nothing was started."
)


def show_plan(plan: Plan, console: Console) -> None:
    """Prints what `dry_run=true` reports: the sum, a row for each cell, models to host, and what is assumed."""
    from gwray.cli.console import shown_work
    from gwray.pipelines import REPLY_TOKENS, estimate_cell

    with shown_work("estimating"):
        costs = {cell.id: estimate_cell(cell, plan) for cell in plan.cells}
        needs = _needs(plan, costs)
        table = _plan_table(plan, costs)
    console.print(
        f"[bold]{escape(plan.name)}: {counted(len(plan.episodes), 'episode')} in {counted(len(plan.cells), 'cell')}[/]",
        highlight=False, soft_wrap=True,
    )  # fmt: skip
    for line in needs:
        console.print(line, highlight=False, soft_wrap=True)
    if len(plan.cells) > 1:
        console.print(table.to_rich())
    alone = f"{table.columns[0].name}: {table.rows[0][0]} · " if len(plan.cells) == 1 else ""
    for line in filter(None, (f"{alone}{table.note}", *_request_notes(plan))):
        console.print(escape(line), style="dim", highlight=False, soft_wrap=True)
    for notice in plan.notices:
        console.print(f"note: {notice}", soft_wrap=True)
    players = [m for c in plan.cells for m in (c.spec.model, *c.spec.roles.values())]
    if any(m.sampling.temperature == 0 for m in players if m.provider not in LOCAL_PLAYERS) and any(
        job.repeats > 1 and job.seed_policy == "fixed" for job in plan.jobs
    ):
        console.print(
            "note: repeats may be identical: temperature 0 and one game seed. seed_policy=per_repeat draws another "
            "game for each.", highlight=False, soft_wrap=True,
        )  # fmt: skip
    hosted = [m.name for m in plan.models() if m.self_hosted]
    if hosted:
        _show_waves(plan, console)
    few = f"; whether a difference holds on games like these needs {TESTED_GAMES} games"
    few = few if len(plan.episodes.games()) < TESTED_GAMES else ""
    console.print(f"intervals: on these tasks{few}", highlight=False, soft_wrap=True)
    spec = plan.settings.executor
    console.print(f"executor {spec.name}, {spec.lanes} lanes per actor · run directory {plan.run_dir}", soft_wrap=True)
    console.print(ASSUMED.format(tokens=REPLY_TOKENS), style="dim", soft_wrap=True)


def _plan_table(plan: Plan, costs: Mapping[str, CostEstimate]) -> PageTable:
    """Returns a row for each cell, with a column for each swept setting, as the table of `gwray results`."""
    from gwray.pipelines import deployments, describe, estimate_hours
    from gwray.store import ManifestCell

    planned = {c.id: len(plan.episodes.of_cell(c.id)) for c in plan.cells}
    swept = factors(ManifestCell(**describe(c)) for c in plan.cells)
    gpus = {name: spec.resources.gpus * spec.replicas_min for name, spec in deployments(plan).items()}
    hosted = {c.id: sum(gpus.get(m.name, 0) for m in c.spec.models()) for c in plan.cells}

    def cost(id: str) -> TableCell:
        if costs[id].usd or not hosted[id]:
            return money_cell(costs[id].usd)
        ends = (hosted[id] * hours for hours in estimate_hours({id: costs[id]}, plan))
        return TableCell(" – ".join(f"{x:,.{0 if x >= 10 else 1}f}" for x in ends) + " GPU-hours")

    columns = (
        *(Column.text(axis_title(n), lambda id, n=n, v=v: setting_cell(v[id], partial(axis_value, n)))
          for n, v in swept.items()),
        Column.number("episodes", planned.get, 0), Column.number("calls", lambda id: costs[id].calls, 0),
        Column.number("M tokens", lambda id: costs[id].tokens, 1, scale=1e-6), Column("cost", cost),
    )  # fmt: skip
    return PageTable.build("plan", "", columns, costs).factored()


def _request_notes(plan: Plan) -> list[str]:
    """Returns the sampling of each model's requests, whichever setting it comes from."""
    asked = (m for c in plan.cells for m in c.spec.models() if m.provider not in LOCAL_PLAYERS)
    return list(dict.fromkeys(f"requests of {m.name}: {m.sampling}" for m in asked))


def _needs(plan: Plan, costs: Mapping[str, CostEstimate]) -> list[str]:
    """Returns hours, disk and USD: as measured in the run directory, if it has results, or from published values."""
    from gwray.analysis import episode_frame
    from gwray.errors import GwrayError
    from gwray.pipelines import REPLY_RANGE, REPLY_S, STEP_BYTES, CostEstimate, estimate_hours, lanes_of
    from gwray.store import RunDir, results_frame

    priced = [c for c in costs.values() if c.usd is not None]
    total, known, lanes = sum(costs.values(), CostEstimate()), sum(priced, CostEstimate()), lanes_of(plan)
    (short, long), found = estimate_hours(costs, plan), []
    by = f"for replies of {REPLY_S[0]:g} to {REPLY_S[1]:g} s (published)" if total.calls else "without replies"
    size, usd = STEP_BYTES * total.steps, (known.usd_low, known.usd_high)
    basis = f"for replies of {REPLY_RANGE[0]} to {REPLY_RANGE[1]:,} tokens (published)"
    with suppress(GwrayError):
        run = RunDir.open(plan.run_dir)
        frame = episode_frame(results_frame(run))
        done = frame.filter(frame["status"] == "finished")
        if steps := int(done["steps"].sum()):
            short = long = float(done["wall_s"].sum()) / steps * total.steps / lanes / 3600
            by = basis = f"as in the {counted(done.height, 'finished episode')}"
            if run.local_path is not None:
                size = sum(f.stat().st_size for f in run.local_path.rglob("*") if f.is_file()) / steps * total.steps
            if done["cost_usd"].null_count() == 0:
                usd = (done["cost_usd"].sum() / steps * total.steps,) * 2
    found.append(f"time ≈ {hours_text(short, long)} with {counted(lanes, 'episode')} at once, {by}")
    found.append(
        f"disk ≈ {size / 1e9:,.{0 if size > 1e11 else 1}f} GB" if size > 1e8 else f"disk ≈ {size / 1e6:,.0f} MB"
    )
    if known.usd:
        ends = dict.fromkeys(f"{x:,.2f}" if x < 100 else f"{x:,.0f}" for x in usd)
        least = "at least" if len(priced) < len(costs) else "≈"
        found.append(f"USD {least} {' – '.join(ends)} {basis}")
    elif len(priced) < len(costs):
        found.append("USD: price unknown")
    return found


def hours_text(low: float, high: float) -> str:
    """Formats a range of hours as `2.1 – 6.3 h`, in minutes if it ends below one hour."""
    if high < 1 / 60:
        return "under 1 min"
    unit, scale = ("h", 1.0) if high >= 1 else ("min", 60.0)
    ends = dict.fromkeys(f"{scale * x:,.1f}" if scale * x < 10 else f"{scale * x:,.0f}" for x in (low, high))
    return f"{' – '.join(ends)} {unit}"


def _show_waves(plan: Plan, console: Console) -> None:
    from gwray.pipelines import make_hosting, plan_waves

    try:
        hosting = make_hosting(plan, console)
        waves = plan_waves(plan, plan.episodes, hosting.waves)
    except UsageError as e:
        console.print(f"[yellow]not here:[/] {escape(str(e))}", soft_wrap=True)
        return
    hosted = [w for w in waves if w.models]
    for n, wave in enumerate(hosted, 1):
        specs = {m.name: spec for m in wave.models if (spec := hosting.spec(m.name))}
        gpus = {name: spec.resources.gpus * spec.replicas_min for name, spec in specs.items()}
        models = ", ".join(
            f"{m.name} ({counted(k, 'GPU')})" if (k := gpus.get(m.name)) else m.name for m in wave.models
        )
        console.print(f"wave {n}: {models}: {counted(len(wave.episodes), 'episode')}", highlight=False)
    if others := sum(len(w.episodes) for w in waves if not w.models):
        console.print(f"beside the waves: {counted(others, 'episode')} without a hosted model")
    if hosted:
        console.print("a wave's models load when they fit beside earlier ones", style="dim", highlight=False)


def show_ended(ended: RunOutcome, console: Console) -> None:
    """Prints the results of a run that ended and the commands to use next.

    An interrupted run gets counts instead of a table: importing what the table needs takes seconds on a busy machine.
    """
    t, records = ended.tally, ended.run.results()
    if ended.interrupted:
        line = f"{t.finished:,} of {counted(t.planned, 'episode')} finished, {t.failed:,} failed"
        console.print(f"{line}; the table: gwray results {shlex.quote(ended.run.url)}", soft_wrap=True)
    else:
        from gwray.cli.results import show_results

        show_results(ended.run, console)
    for reason, count in t.skipped.items():
        console.print(f"[yellow]{counted(count, 'episode')} not started:[/] {escape(reason)}")
    if t.failed:
        failures = {r.key: r for r in ended.run.failures()}
        kinds: dict[tuple[str, str], int] = defaultdict(int)
        for r in failures.values():
            kinds[r.error_class, r.error_message.splitlines()[0][:160] if r.error_message else ""] += 1
        for (kind, message), count in sorted(kinds.items(), key=lambda i: -i[1])[:5]:
            console.print(f"[red]{count} failed:[/] {kind}: {escape(message)}")
    unmeasured = Counter(c for r in records for c in r.caveats if c.startswith("metric "))
    for caveat, count in unmeasured.most_common(5):
        console.print(f"[yellow]{count} without a metric:[/] {escape(caveat)}")
    if not ended.interrupted:
        facts_by_game = game_health(records)
        for game, same in equal_starts(ended.run, records).items():
            facts_by_game.setdefault(game, []).append(same)
        for game, facts in facts_by_game.items():
            console.print(f"[yellow]health of {game}:[/] {escape('; '.join(facts))}", soft_wrap=True)
    url = ended.run.url
    if ended.interrupted:
        console.print("Interrupted; nothing is lost. Run the same command again to resume.", style="bold")
    elif t.finished < t.planned:
        console.print("Not complete. The same command plays what is missing.", style="bold")
    console.print(f"run directory {url}", soft_wrap=True)
    if t.finished:
        for what, command in (("watch it", "view"), ("read it", "report"), ("verify it", "verify")):
            console.out(f"{what:<13} gwray {command} {shlex.quote(url)}", highlight=False)


def game_health(records: Iterable[EpisodeRecord]) -> dict[str, list[str]]:
    """Returns the signs that a game did not work, by game: what the health of its episodes lists, and page errors."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for record in records:
        errors = [f"page error: {e.splitlines()[0][:120]}" for e in record.page_errors[:1] if e]
        found[record.game].update([*record.health, *errors])
    return {
        game: [f"{fact} ({n}×)" if n > 1 else fact for fact, n in facts.most_common(5)]
        for game, facts in found.items()
        if facts
    }


def equal_starts(run: RunDir, records: Iterable[EpisodeRecord]) -> dict[str, str]:
    """Returns the games of which two seeds began in the same state, compared in one task of each."""
    first: dict[str, EpisodeRecord] = {}
    found: dict[str, str] = {}
    for record in records:
        one = first.setdefault(record.game, record)
        if record.game not in found and record.task == one.task and record.seed != one.seed:
            starts = {row.before for r in (one, record) for row in run.read_steps(r.key, images=False)[:1]}
            same = f"seeds {one.seed} and {record.seed} begin in the same state"
            found[record.game] = same if len(starts) == 1 else ""
    return {game: fact for game, fact in found.items() if fact}


def module_usages(run: RunDir) -> list[ModuleUsage]:
    """Returns the model calls of a run by module, from the logs of all planned episodes but forks."""
    from gwray.analysis import usage_by_module

    manifest = run.manifest().without_forks()
    specs = {c.id: CellSpec.model_validate(c.spec) for c in manifest.cells}
    cells = {e.key: e.cell for e in manifest.episodes}
    return usage_by_module(((cells[key], line) for key, lines in run.logs([*cells]) for line in lines), specs)


def show_modules(run: RunDir, console: Console) -> None:
    """Prints calls, tokens, USD and seconds by cell, model and module."""
    from gwray.analysis import module_table

    names = cell_labels(run.manifest().named_cells())
    console.print(module_table(module_usages(run), names.__getitem__).to_rich())


def print_json(value: Any) -> None:
    """Prints JSON, and nothing else, on standard output. Escapes control characters; infinities and NaN become null."""
    text = json.dumps(_finite(value), indent=2, ensure_ascii=False, allow_nan=False, default=str)
    print(re.sub("[\x7f-\x9f\ud800-\udfff]", lambda m: f"\\u{ord(m.group()):04x}", text))


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _finite(v) for name, v in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], console: Console, title: str = "", numbers: int = 0
) -> None:
    """Prints a table whose cells are text, never markup. `numbers`: how many of the last columns are right-aligned."""
    table = Table(title=title or None, title_justify="left")
    for i, name in enumerate(columns):
        right = i >= len(columns) - numbers
        table.add_column(name, justify="right" if right else "left", overflow="ellipsis" if right else "fold")
    for row in rows:
        table.add_row(*(escape(str(v)) for v in row))
    console.print(table)
