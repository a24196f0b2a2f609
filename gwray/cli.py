"""gwray …: everything that is not a run. Each command is a thin layer over one function of a room.

Exit codes: 0 all right, 1 a problem was found, 2 wrong use.
"""

from __future__ import annotations

import asyncio
import csv
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from gwray.errors import GwrayError, UsageError
from gwray.pipelines.progress import terminal

app = typer.Typer(
    name="gwray",
    help="Play browser games with multimodal agents, at scale, with scores that anyone can verify.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
console = terminal()
Run = Annotated[str, typer.Argument(help="Run directory: a path or an fsspec URL.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Libraries = Annotated[list[str] | None, typer.Option("--library", help="A further folder of game folders.")]


@app.command()
def doctor(as_json: Json = False) -> None:
    """What this machine has, and the exact fix for what is missing.

    Example: gwray doctor
    """
    from gwray.doctor import examine, show

    findings = asyncio.run(examine())
    show(findings, console, as_json)
    if any(f.needed and not f.good for f in findings):
        raise typer.Exit(1)


@app.command()
def games(as_json: Json = False, library: Libraries = None) -> None:
    """The games of the library.

    Example: gwray games --json
    """
    from gwray.catalog import load_library
    from gwray.terminal import print_json, print_table

    rows = [
        {"game": g.id, "title": g.title, "genre": g.genre, "level": g.level, "roles": [r.name for r in g.roles]}
        for g in load_library(library or ()).games.values()
    ]
    if as_json:
        return print_json(rows)
    cells = ((r["game"], r["title"], r["genre"], r["level"], ", ".join(r["roles"])) for r in rows)
    print_table(("game", "title", "genre", "level", "roles"), cells, console, f"{len(rows)} games")


@app.command()
def tasks(
    game: Annotated[list[str] | None, typer.Argument(help="Game ids, genre:puzzle, level:2; all if left out.")] = None,
    as_json: Json = False,
    library: Libraries = None,
) -> None:
    """The tasks of the library, or of some games.

    Example: gwray tasks 01_2048
    """
    from gwray.catalog import load_library
    from gwray.terminal import print_json, print_table

    chosen = load_library(library or ()).select(game or ["all"], ["all"])
    rows = [
        {"task": t.id, "game": g.id, "instruction": t.instruction.strip(), "target": t.target, "max_steps": t.max_steps}
        for g, t in chosen
    ]
    if as_json:
        return print_json(rows)
    cells = ((r["task"], r["game"], f"{r['target']:g}", r["max_steps"], r["instruction"]) for r in rows)
    print_table(("task", "game", "target", "steps", "instruction"), cells, console, f"{len(rows)} tasks")


@app.command()
def models(as_json: Json = False) -> None:
    """The model profiles of conf/model/.

    Example: gwray models --json
    """
    from gwray.catalog import read_models
    from gwray.terminal import print_json, print_table

    rows = [
        {"model": m.name, "interfaces": list(m.interfaces), "provider": m.provider, "self_hosted": m.self_hosted}
        for m in read_models()
    ]
    if as_json:
        return print_json(rows)
    cells = ((r["model"], ", ".join(r["interfaces"]), r["provider"], "yes" if r["self_hosted"] else "") for r in rows)
    print_table(("model", "interfaces", "provider", "self-hosted"), cells, console, f"{len(rows)} models")


@app.command()
def results(
    run: Run,
    format: Annotated[str, typer.Option("--format", help="table, json or csv.")] = "table",
) -> None:
    """How a run went: a table by game and cell, or one row per episode as JSON or CSV.

    Example: gwray results runs/demo --format json
    """
    from gwray.records import EpisodeRecord
    from gwray.store import RunDir
    from gwray.terminal import print_json, show_results

    opened = RunDir.open(run)
    if format == "table":
        return show_results(opened, console)
    finished = opened.results()
    done = {r.key for r in finished}
    records = [*finished, *(r for r in opened.failures() if r.key not in done)]
    rows = [r.model_dump(mode="json") for r in records]
    if format == "json":
        return print_json(rows)
    if format == "csv":
        writer = csv.DictWriter(sys.stdout, fieldnames=list(EpisodeRecord.model_fields))
        writer.writeheader()
        writer.writerows(rows)
        return None
    raise UsageError(f"--format '{format}' does not exist. Allowed: table, json, csv.")


@app.command()
def verify(
    run: Run,
    sample: Annotated[int | None, typer.Option(help="Only so many episodes, chosen by a fixed seed.")] = None,
    lanes: Annotated[int, typer.Option(help="Episodes at a time.")] = 2,
    as_json: Json = False,
) -> None:
    """Play a run again from its reply logs, without a model, and compare every step.

    Exit code 0 only if every state hash and score is equal; otherwise the first step that differs is printed.

    Example: gwray verify runs/demo --sample 10
    """
    from gwray.pipelines.verdicts import show_findings
    from gwray.pipelines.verify import verify_run
    from gwray.store import RunDir

    if sample is not None and sample < 1:
        raise UsageError(f"--sample {sample}: give at least 1")
    opened = RunDir.open(run)
    findings = show_findings(opened, verify_run, console, sample=sample, lanes=lanes, as_json=as_json)
    if not findings or any(f.verdict in ("different", "error") for f in findings):
        raise typer.Exit(1)


@app.command()
def rescore(
    run: Run,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False,
) -> None:
    """Apply the current evaluator and tasks to the recorded states of a run.

    Example: gwray rescore runs/demo --dry-run
    """
    from gwray.pipelines.rescore import rescore_run
    from gwray.store import RunDir

    opened = RunDir.open(run)
    with opened.lock():
        done = rescore_run(opened, write=not dry_run)
    changed = [d for d in done if d.changed]
    for d in changed:
        assert d.after is not None
        was, now = d.before, d.after
        line = f"{was.task} {was.key}: success {was.success} → {now.success}, progress {was.progress} → {now.progress}"
        console.print(escape(line), highlight=False)
    for d in done:
        if d.note:
            console.print(f"[yellow]{d.before.task} {d.before.key}:[/] {escape(d.note)}", highlight=False)
    verb = "would change" if dry_run else "changed"
    console.print(f"{len(done)} episodes rescored, {len(changed)} {verb}.", highlight=False)
    if any(d.after is None for d in done):
        raise typer.Exit(1)


@app.command()
def report(
    runs: Annotated[list[str], typer.Argument(help="One run directory or several.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder of the site.")] = Path("report"),
    episodes: Annotated[str, typer.Option(help="Which get a replay: chosen, all or none.")] = "chosen",
    images: Annotated[bool, typer.Option(help="Also draw every figure as SVG and PNG.")] = True,
    allow_incomplete: Annotated[
        bool, typer.Option("--allow-incomplete", help="Show headline figures over incomplete cells, marked.")
    ] = False,
) -> None:
    """Write a static site about runs: tables with intervals, figures, replays. Opens without a network.

    Example: gwray report runs/demo -o site
    """
    from gwray.report import build_report
    from gwray.store import RunDir

    if episodes not in ("chosen", "all", "none"):
        raise UsageError(f"--episodes '{episodes}' does not exist. Allowed: chosen, all, none.")
    opened = [RunDir.open(r) for r in runs]
    with terminal(stderr=True).status("reading") as status:
        index = build_report(
            opened, out, episodes=episodes, images=images, allow_incomplete=allow_incomplete,  # type: ignore[arg-type]
            progress=lambda text: status.update(escape(text)),
        )  # fmt: skip
    console.print(str(index), highlight=False, soft_wrap=True)


@app.command()
def view(
    run: Run,
    live: Annotated[bool, typer.Option("--live", help="A wall of what the lanes show now.")] = False,
    port: Annotated[int, typer.Option(help="Port; 0: a free one.")] = 0,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
) -> None:
    """Look at every episode of a run, step by step, also while it runs.

    Example: gwray view runs/demo
    """
    import webbrowser

    from gwray.report import serve_view
    from gwray.store import RunDir

    def ready(url: str) -> None:
        console.print(f"{url}   Ctrl-C ends it", highlight=False, soft_wrap=True)
        if open_page:
            webbrowser.open(url)

    serve_view(RunDir.open(run), port=port, live=live, on_ready=ready)


@app.command()
def export(
    run: Run,
    episode: Annotated[str, typer.Argument(help="Episode key, or the beginning of one.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="File to write: .html or .webp.")],
) -> None:
    """One episode as a self-contained HTML file, or as an animated WebP.

    Example: gwray export runs/demo 17f53c74 -o episode.webp
    """
    from gwray.report import export_html, export_webp
    from gwray.store import RunDir

    opened = RunDir.open(run)
    keys = [k for k in opened.episode_keys() if k.startswith(episode)]
    if len(keys) != 1:
        raise UsageError(
            f"'{episode}' names {len(keys)} episodes of {run}; `gwray results {run} --format csv` has keys"
        )
    writers = {".html": export_html, ".webp": export_webp}
    if out.suffix not in writers:
        raise UsageError(f"'{out}': only {' and '.join(writers)} can be written")
    console.print(str(writers[out.suffix](opened, keys[0], out)), highlight=False, soft_wrap=True)


@app.command()
def sync(run: Run) -> None:
    """(Re)build the Weights & Biases runs of a run directory.

    Example: gwray sync runs/demo
    """
    from gwray.pipelines.run import summaries
    from gwray.spec import RunSpec, TrackingSpec
    from gwray.store import RunDir
    from gwray.tracking import sync as rebuild

    opened = RunDir.open(run)
    jobs = opened.manifest().get("jobs") or []
    spec = RunSpec.model_validate(jobs[0]).tracking if jobs else TrackingSpec()
    for place in rebuild(opened, spec, summaries=summaries(opened)):
        console.print(str(place), highlight=False)


@app.command()
def serve(
    model: Annotated[str, typer.Argument(help="A self-hosted model profile.")],
    address: Annotated[str | None, typer.Option(help="Ray cluster to host it on; this machine if left out.")] = None,
    port: Annotated[int | None, typer.Option(help="Port of the endpoint.")] = None,
) -> None:
    """Host one model and print its address; Ctrl-C takes it down.

    Example: gwray serve qwen2.5-vl-7b
    """
    from gwray.catalog import read_model
    from gwray.serving import serve_model

    def say(text: str) -> None:
        console.print(escape(text), highlight=False, soft_wrap=True)

    asyncio.run(serve_model(read_model(model), address=address, port=port, say=say))


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="Game id.")],
    task: Annotated[str, typer.Argument(help="Task id, or its number 1–5.")],
    interface: Annotated[str, typer.Option(help="computer_use or semantic.")] = "computer_use",
    timing: Annotated[str, typer.Option(help="paused or realtime (your thinking time is charged).")] = "paused",
    seed: Annotated[int, typer.Option(help="Seed of the game.")] = 42,
    run_dir: Annotated[str, typer.Option(help="Where the episode is stored.")] = "runs/human",
    port: Annotated[int, typer.Option(help="Port of the page; 0: a free one.")] = 0,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    library: Libraries = None,
) -> None:
    """A person plays under the same budget as a model, and is scored like one.

    Example: gwray play 13_flappy-bird 1
    """
    from gwray.person import play_as_person

    def say(text: str) -> None:
        console.print(text, highlight=False, soft_wrap=True)

    ended = asyncio.run(
        play_as_person(
            game, task, interface=interface, timing=timing, seed=seed, run_dir=run_dir, port=port,
            open_page=open_page, libraries=tuple(library or ()), say=say,
        )
    )  # fmt: skip
    r = ended.record
    if r.status == "failed":
        console.print(f"[red]failed:[/] {r.error_class}: {escape(r.error_message)}", highlight=False)
        raise typer.Exit(1)
    outcome = "solved" if r.success else "not solved"
    console.print(f"{r.task} {outcome}: progress {100 * (r.progress or 0):.0f} %, {r.steps} steps", highlight=False)
    console.print(f"verify it: gwray verify {ended.run_dir}", highlight=False, soft_wrap=True)


solutions = typer.Typer(help="The committed solutions: replay them, or find new ones.", rich_markup_mode=None)
app.add_typer(solutions, name="solutions")


@solutions.command("check")
def solutions_check(
    game: Annotated[list[str] | None, typer.Option("--game", help="Game ids, genre:puzzle, level:2.")] = None,
    lanes: Annotated[int, typer.Option(help="Solutions at a time.")] = 2,
    as_json: Json = False,
    library: Libraries = None,
) -> None:
    """Replay the committed solution of every task through the real sandbox.

    Example: gwray solutions check --game 13_flappy-bird
    """
    from dataclasses import asdict

    from rich.progress import Progress

    from gwray.catalog import load_library
    from gwray.pipelines.check import check_solutions
    from gwray.terminal import print_json

    chosen = list({g.id: g for g, _ in load_library(library or ()).select(game or ["all"], ["all"])}.values())
    with Progress(console=terminal(stderr=True), transient=True) as bar:
        task = bar.add_task("replaying", total=sum(len(g.tasks) for g in chosen))
        done = asyncio.run(check_solutions(chosen, lanes=lanes, on_checked=lambda _: bar.advance(task)))
    if as_json:
        print_json([asdict(c) for c in done])
    else:
        for c in done:
            if not c.ok:
                console.print(f"[red]{c.verdict}[/] {c.task} {c.game}: {escape(c.detail)}", highlight=False)
        solved = [c for c in done if c.ok]
        longest = max((c.steps for c in solved), default=0)
        console.print(f"{len(solved)} of {len(done)} tasks solved, the longest in {longest} steps", highlight=False)
    if not all(c.ok for c in done):
        raise typer.Exit(1)


PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


@solutions.command("search", context_settings=PASSED_ON)
def solutions_search(context: typer.Context) -> None:
    """Find solutions by search over semantic actions; the best found is the task's planning ceiling.

    Example: gwray solutions search 04_boxel-rebound 1 2 --expansions 50000 --write
    """
    from gwray.pipelines.search import main as search

    raise typer.Exit(search(context.args))


about = typer.Typer(help="Pages and pictures about the library, made from the games.", rich_markup_mode=None)
app.add_typer(about, name="library")


@about.command("measure", context_settings=PASSED_ON)
def library_measure(context: typer.Context) -> None:
    """Measure how hard the tasks are for a random player and one that waits; writes docs/library.json.

    Example: gwray library measure genre:puzzle
    """
    from gwray.pipelines.difficulty import main as measure

    raise typer.Exit(measure(context.args))


@about.command("docs")
def library_docs() -> None:
    """Write docs/library.md and a page for each game.

    Example: gwray library docs
    """
    from gwray.catalog.docs import write_docs

    for file in write_docs():
        console.print(str(file), highlight=False, soft_wrap=True)


@about.command("sheet")
def library_sheet() -> None:
    """Write docs/games.png: every game in play.

    Example: gwray library sheet
    """
    from gwray.catalog import load_library
    from gwray.pipelines.contact_sheet import contact_sheet

    file = asyncio.run(contact_sheet(list(load_library().games.values())))
    console.print(str(file), highlight=False, soft_wrap=True)


def main() -> None:
    """Entry point: typer, with our errors as messages and exit codes."""
    errors = terminal(stderr=True)
    try:
        code: Any = app(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except typer.Exit as e:
        sys.exit(e.exit_code)
    except (UsageError, typer.BadParameter) as e:
        errors.print(f"[bold red]gwray:[/] {escape(str(e))}", highlight=False, soft_wrap=True)
        sys.exit(2)
    except GwrayError as e:
        errors.print(f"[bold red]{type(e).__name__}:[/] {escape(str(e))}", highlight=False, soft_wrap=True)
        sys.exit(1)
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)
    except Exception as e:
        import click

        if isinstance(e, click.ClickException):
            e.show()
            sys.exit(2)
        raise


def repository() -> Path:
    """Root of the checkout."""
    return Path(__file__).resolve().parents[1]
