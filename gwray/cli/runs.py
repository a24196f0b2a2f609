"""Commands about runs: results, verification, forks, judges, reports, exports."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from gwray.cli.console import shown_work, terminal
from gwray.cli.options import (
    Address,
    ExecutorName,
    Json,
    Libraries,
    OpenPage,
    Port,
    ReplayLanes,
    Restart,
    Run,
    Trust,
    console,
    open_run,
    tracked_run,
)
from gwray.cli.replaying import replaying
from gwray.cli.signals import run_to_end
from gwray.errors import UsageError, choose

if TYPE_CHECKING:
    from gwray.report import JudgeResults
    from gwray.store import RunDir

AllowIncomplete = Annotated[
    bool, typer.Option("--allow-incomplete", help="Show headline figures over incomplete cells, marked.")
]


def results(
    run: Run,
    format: Annotated[
        str, typer.Option("--format", help="table, md, latex, csv, json. Without --by, csv and json list episodes.")
    ] = "table",
    by: Annotated[
        str, typer.Option("--by", help="Rows: cell, game, model, or module (calls, tokens, USD and time).")
    ] = "",
    allow_incomplete: AllowIncomplete = False,
) -> None:
    """Print the results of a run: a table, also for papers, or one row per episode as JSON or CSV.

    Of a run that is not complete, its progress comes first: remaining episodes, speed, time left, cost, failures.

    Example: gwray results runs/demo --by module --format json
    """
    from gwray.analysis import ModuleUsage
    from gwray.cli.results import read_results, show_progress, show_results
    from gwray.cli.terminal import module_usages, print_json, show_modules
    from gwray.pages import Table
    from gwray.records import EpisodeRecord
    from gwray.store import RunDir

    papers = {"md": Table.to_markdown, "latex": Table.to_latex, "csv": Table.to_csv}
    allowed = ["table", "md", "latex", "json", "csv"]
    if format not in allowed:
        raise choose("--format", format, allowed)
    if by not in ("", "cell", "game", "model", "module"):
        raise choose("--by", by, ["cell", "game", "model", "module"])
    if format in {"": (), "module": ("md", "latex")}.get(by, ("json",)):
        raise UsageError(
            f"--by {by} --format {format}: by cell, game and model there are table, md, latex, csv, by module table, "
            "json, csv"
        )
    opened = RunDir.open(run)
    if by == "module" and format == "table":
        return show_modules(opened, console)
    if format == "table" and by != "model":
        show_progress(opened, console)
        return show_results(opened, console, by=by, allow_incomplete=allow_incomplete)
    if by in ("cell", "game", "model") or format in ("md", "latex"):
        found = read_results(opened, allow_incomplete=allow_incomplete)
        if found is None:
            raise UsageError(f"{opened.url} has forks only, which are in no table")
        table = {"game": found.games, "model": found.models}.get(by, found.cells)
        if table is None:
            raise UsageError(f"{opened.url} was played without a model: there is no table of models")
        if format == "table":
            return console.print(table.to_rich())
        if format == "csv":
            table = found.details if table is found.cells else table
        print(papers[format](table if format == "csv" or by == "game" else table.factored()), end="")
        for note in found.notes:
            terminal(stderr=True).print(f"note: {note}", markup=False, soft_wrap=True)
        return None
    if by:
        names, rows = [f.name for f in fields(ModuleUsage)], [asdict(u) for u in module_usages(opened)]
    else:
        records = [r for records in opened.outcomes() for r in records if not r.prefix]
        names, rows = list(EpisodeRecord.model_fields), [r.model_dump(mode="json") for r in records]
    if format == "json":
        return print_json(rows)
    writer = csv.DictWriter(sys.stdout, fieldnames=names)
    writer.writeheader()
    writer.writerows(rows)
    return None


def verify(
    run: Run,
    sample: Annotated[int | None, typer.Option(help="Only so many episodes, spread over cells and games.")] = None,
    lanes: ReplayLanes = None,
    executor: ExecutorName = "auto",
    address: Address = None,
    trust: Trust = None,
    stored: Annotated[
        bool, typer.Option("--stored", help="Open no browser: check what is stored against its hashes, in seconds.")
    ] = False,
    restart: Restart = False,
    library: Libraries = None,
    as_json: Json = False,
) -> None:
    """Play a run again from its reply logs, without a model, and compare everything that it shows.

    Exit code 0 only if everything is equal and something was verified; otherwise episode, step and field are named. An
    agent that is not part of gwray is imported with --trust only; without, its recorded actions are played: that
    verifies the game and the score, and says that the agent is not verified. An episode that cannot be played again
    (timing=wallclock, a page with workers) is named with the reason. `--stored` proves that files, hashes, logs and
    results fit each other, but not that the game comes to them. Any machine of a cluster can verify any run:
    `--address` names the cluster. The same command resumes an interrupted verification.

    Example: gwray verify runs/demo --sample 10
    """
    from gwray.cli.executors import make_replays
    from gwray.cli.verification import find, show_findings

    if sample is not None and sample < 1:
        raise UsageError(f"--sample {sample}: give at least 1")
    if stored and (sample is not None or trust):
        raise UsageError("--stored checks every episode and imports nothing: leave out --sample and --trust")
    opened = open_run(run, library)
    replays = make_replays(executor, address, lanes)
    replayed = opened.digest()
    how = {"sample": sample, "executor": replays, "trusted": tuple(trust or ())}
    findings = find(opened, stored=stored, restart=restart, **how)
    holds = show_findings(opened, findings, console, replayed=replayed, stored=stored, as_json=as_json)
    if not holds:
        raise typer.Exit(1)


def judge(
    run: Run,
    words: Annotated[list[str] | None, typer.Argument(help="Settings, such as judge.model=gpt-5.2.")] = None,
    name: Annotated[
        str, typer.Option("--judge", help="A file in conf/judge/: failure, cause, milestones, score, picture, probe.")
    ] = "",
    lanes: Annotated[int, typer.Option(help="Episodes at a time.")] = 4,
    trust: Trust = None,
    library: Libraries = None,
    as_json: Json = False,
) -> None:
    """Let a model judge recorded episodes, and print how it agrees with annotations.csv or with the recorded states.

    Judgements are written to judgements/ and change no result. After an interruption the same command resumes.
    judge.model=scripted needs no model: it returns the labels that follow from the record.

    Example: gwray judge runs/demo --judge failure judge.model=scripted
    """
    from gwray.cli.judging import judge_episodes

    opened = open_run(run, library)
    code = judge_episodes(opened, name, words or (), console, lanes=lanes, trusted=tuple(trust or ()), as_json=as_json)
    raise typer.Exit(code)


def rescore(
    run: Run,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False,
    lanes: ReplayLanes = None,
    executor: ExecutorName = "auto",
    address: Address = None,
    library: Libraries = None,
) -> None:
    """Apply the current evaluator and tasks to the recorded states of a run.

    Example: gwray rescore runs/demo --dry-run
    """
    from gwray.cli.executors import make_replays
    from gwray.verification import rescore_run

    opened = open_run(run, library)
    replays = make_replays(executor, address, lanes)
    with nullcontext() if dry_run else opened.lock("rescored"), replaying("rescoring", len(opened.results())) as bar:
        done = run_to_end(rescore_run(opened, write=not dry_run, executor=replays, on_rescored=bar.advance))
    changed = [d for d in done if d.changed]
    for d in changed:
        assert d.after is not None
        was, now = d.before, d.after
        line = f"{was.task} {was.key}: success {was.success} → {now.success}, progress {was.progress} → {now.progress}"
        console.print(escape(line))
    for d in done:
        if d.note:
            console.print(f"[yellow]{escape(f'{d.before.task} {d.before.key}')}:[/] {escape(d.note)}")
    verb = "would change" if dry_run else "changed"
    console.print(f"{len(done)} episodes rescored, {len(changed)} {verb}.")
    if any(d.after is None for d in done):
        raise typer.Exit(1)


def report(
    runs: Annotated[list[str], typer.Argument(help="One run directory or several.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder of the site.")] = Path("report"),
    episodes: Annotated[str, typer.Option(help="Which episodes get a replay: chosen, all or none.")] = "chosen",
    images: Annotated[
        bool,
        typer.Option("--images", help="Also export every figure as SVG, PDF and PNG; takes a browser and seconds."),
    ] = False,
    small: Annotated[
        bool, typer.Option("--small", help="Scale screenshots down: a third of the size, in twice the time.")
    ] = False,
    pack: Annotated[bool, typer.Option(help="Add a pack of each sealed run, with which readers can verify it.")] = True,
    allow_incomplete: AllowIncomplete = False,
    section: Annotated[
        list[str] | None, typer.Option("--section", help="Add a section: package.function (see docs/report.md).")
    ] = None,
    library: Libraries = None,
) -> None:
    """Write a static report of runs: tables with intervals, figures, replays. Opens without a network.

    Example: gwray report runs/demo -o site
    """
    if episodes not in ("chosen", "all", "none"):
        raise UsageError(f"--episodes '{episodes}' does not exist. Allowed: chosen, all, none.")
    opened = [open_run(r, library) for r in runs]
    with shown_work("reading") as say:
        from gwray.report import build_report

        judges = _judge_results(opened)
        index = build_report(
            opened, out, episodes=episodes, images=images, small=small, pack=pack,  # type: ignore[arg-type]
            allow_incomplete=allow_incomplete, judges=judges, sections=section or (), progress=say,
        )  # fmt: skip
    console.print(str(index), soft_wrap=True)


def _judge_results(runs: Sequence[RunDir]) -> JudgeResults:
    """Returns the results of the judges of some runs. Judges take a while to import, and most runs have none."""
    from gwray.report import JudgeResults

    if not any(run.judges() or run.read_annotations() for run in runs):
        return JudgeResults()
    from gwray.cli.judging import judged_by

    return JudgeResults(*judged_by(runs, terminal(stderr=True)))


def view(
    where: Annotated[str, typer.Argument(help="Run directory, or a folder of them.")] = "runs",
    port: Port = 0,
    open_page: OpenPage = True,
) -> None:
    """Browse runs: list, results, every episode step by step, and a live page of running ones.

    Example: gwray view runs/demo
    """
    import webbrowser

    with shown_work("starting the server"):
        from gwray.report import RunFolder, serve_view

    def read_judges(run: RunDir) -> JudgeResults:
        return _judge_results([run])

    def ready(url: str) -> None:
        console.print(f"{url}   Ctrl-C ends it", soft_wrap=True)
        if open_page:
            webbrowser.open(url)

    serve_view(RunFolder.open(where, read_judges), port=port, on_ready=ready)


def sync(run: Run) -> None:
    """Build or rebuild the Weights & Biases runs of a run directory.

    Example: gwray sync runs/demo
    """
    from gwray.tracking import sync as rebuild

    opened, spec, summaries = tracked_run(run)
    places = rebuild(opened, spec, summaries=summaries)
    for place in places:
        console.print(str(place), soft_wrap=True)
    if not places and spec.mode == "disabled":
        line = f"nothing synced: {opened.url} was played with tracking.mode=disabled"
        console.print(line, soft_wrap=True)
