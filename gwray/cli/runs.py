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

from gwray.cli.console import terminal
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
)
from gwray.cli.replaying import replaying
from gwray.cli.signals import run_to_end
from gwray.errors import UsageError, choose
from gwray.visible_text import visible

if TYPE_CHECKING:
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
    forks: Annotated[bool, typer.Option("--forks", help="Include forked episodes.")] = False,
    notes: Annotated[
        str, typer.Option("--notes", help="Episode key: print the notes of its agents at its end; see agent.library.")
    ] = "",
    trust: Annotated[
        list[str] | None, typer.Option("--trust", help="package.Class of a custom agent whose --notes may be computed.")
    ] = None,
) -> None:
    """Print the results of a run: a table, also for papers, or one row per episode as JSON or CSV.

    `--notes` prints the rules (agent=self_reflection), skills (agent=cradle), clues (agent=coast) or other notes of an
    episode. Notes that are no rules are comments, so its output is a file for agent.library=FILE.

    Example: gwray results runs/demo --by module --format json
    """
    from gwray.analysis import ModuleUsage
    from gwray.cli.results import read_results, show_results
    from gwray.cli.terminal import module_usages, print_json, show_modules
    from gwray.records import EpisodeRecord
    from gwray.store import RunDir
    from gwray.tables import Table

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
    if notes:
        return _print_notes(opened, notes, trust or ())
    if by == "module" and format == "table":
        return show_modules(opened, console, forks=forks)
    if format == "table" and by != "model":
        return show_results(opened, console, by=by, allow_incomplete=allow_incomplete, forks=forks)
    if by in ("cell", "game", "model") or format in ("md", "latex"):
        found = read_results(opened, allow_incomplete=allow_incomplete, forks=forks)
        if found is None:
            raise UsageError(f"{opened.url} has forks only, which are in no table; --forks shows them")
        table = {"game": found.games, "model": found.models}.get(by, found.cells)
        if table is None:
            raise UsageError(f"{opened.url} was played without a model: there is no table of models")
        if format == "table":
            return console.print(table.to_rich(slim=True))
        print(papers[format](table if format == "csv" or by == "game" else table.factored()), end="")
        for note in found.notes:
            terminal(stderr=True).print(f"note: {note}", markup=False, soft_wrap=True)
        return None
    if by:
        names, rows = [f.name for f in fields(ModuleUsage)], [asdict(u) for u in module_usages(opened, forks=forks)]
    else:
        records = [r for records in opened.outcomes() for r in records if forks or not r.prefix]
        names, rows = list(EpisodeRecord.model_fields), [r.model_dump(mode="json") for r in records]
    if format == "json":
        return print_json(rows)
    writer = csv.DictWriter(sys.stdout, fieldnames=names)
    writer.writeheader()
    writer.writerows(rows)
    return None


def _print_notes(run: RunDir, episode: str, trusted: Sequence[str]) -> None:
    """Prints what an agent had learned at the end of an episode, computed from its reply log: rules as they are, other
    notes as comments."""
    from gwray.agents import final_notes
    from gwray.pipelines import episode_specs

    specs = episode_specs(run)
    key = run.find(episode, specs)
    found = final_notes(specs[key].cell.agent, run.log(key).read(), trusted=trusted)
    if not found:
        raise UsageError(f"episode {key} has no rules, no skills and no clues")
    for kind, lines in found.items():
        for line in lines:
            print(visible(line if kind == "rule" else f"# {kind}: {line}"))


def verify(
    run: Run,
    sample: Annotated[int | None, typer.Option(help="Only so many episodes, spread over cells and games.")] = None,
    screenshots: Annotated[
        float, typer.Option(min=0, max=1, help="Compare this share of an episode's screenshots, chosen at random.")
    ] = 1,
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
    `--address` names the cluster. What was found is noted in verified.json of a run that is yours, for its report.
    The same command resumes an interrupted verification.

    `--screenshots 0.1` takes half the time: all states, texts and scores are compared, but only a tenth of the
    screenshots, which do not count as compared then.

    Example: gwray verify runs/demo --sample 10
    """
    from gwray.cli.executors import make_replays
    from gwray.cli.verification import find, note_findings, show_findings
    from gwray.store import Verifiable

    if sample is not None and sample < 1:
        raise UsageError(f"--sample {sample}: give at least 1")
    if stored and (sample is not None or trust or screenshots < 1):
        raise UsageError(
            "--stored checks every episode, takes no screenshots and imports nothing: leave out --sample, "
            "--screenshots and --trust"
        )
    opened = open_run(run, library)
    replays = make_replays(executor, address, lanes)
    replayed = Verifiable.read(opened)
    how = {"sample": sample, "screenshots": screenshots, "executor": replays, "trusted": tuple(trust or ())}
    findings = find(opened, stored=stored, restart=restart, **how)
    holds = show_findings(opened, findings, console, replayed=replayed, stored=stored, as_json=as_json)
    if not stored:
        out = terminal(stderr=True) if as_json else console
        part = sample is not None or screenshots < 1
        note_findings(opened, findings, out, replayed=replayed, sample=part, holds=holds)
    if not holds:
        raise typer.Exit(1)


def status(
    run: Run,
    watch: Annotated[bool, typer.Option("--watch", help="Again and again, until the run or Ctrl-C ends it.")] = False,
    as_json: Json = False,
) -> None:
    """Print the progress of a run: current episodes, finished and remaining ones, speed, cost and failures.

    Reads only the run directory, so it works during the run and on every machine that can read it.

    Example: gwray status runs/demo --watch
    """
    from gwray.cli.status import follow
    from gwray.store import RunDir

    follow(RunDir.open(run), console, watch=watch, as_json=as_json)


def seal(
    run: Run,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace a seal that does not match any more, or an older one.")
    ] = False,
) -> None:
    """Print the seal of a run: one hash over its plan, replies and results. A run without one is sealed.

    A run is sealed when its last planned episode ends. Publish the seal beside the scores: `gwray verify` and
    `gwray verify --stored` find whatever was changed since. An older seal covers less; it is checked as what it is.

    Example: gwray seal runs/demo
    """
    from gwray.store import RunDir, read_seal, seal_gap, seal_run

    opened = RunDir.open(run)
    found = read_seal(opened)
    made = found.recorded != found.found or (replace and seal_gap(found.recorded) != "")
    # A seal that fits is only read, so that a run on a read-only disk shows it, too.
    with opened.lock("sealed") if made else nullcontext():
        found = read_seal(opened) if made else found
        if found.broken and not replace:
            raise UsageError(
                f"{opened.url} is sealed {found.recorded}, and what is there now makes {found.found}: results or logs "
                "were changed since. `gwray verify` names what; --replace seals the run as it is."
            )
        sealed = seal_run(opened) if made else found.found
        planned = {*opened.manifest().episodes.episode_keys()}
        left = len(planned - {r.key for r in opened.results()})
    if left:
        console.print(f"{left} of {len(planned)} planned episodes have no result.")
    console.print(f"sealed {sealed}", soft_wrap=True)
    if gap := seal_gap(sealed):
        console.print(f"{gap}; --replace seals these, too", style="dim", soft_wrap=True)


def judge(
    run: Run,
    words: Annotated[list[str] | None, typer.Argument(help="Settings, such as judge.model=gpt-5.2.")] = None,
    name: Annotated[
        str, typer.Option("--judge", help="A file in conf/judge/: failure, cause, milestones, score, picture, probe.")
    ] = "",
    lanes: Annotated[int, typer.Option(help="Episodes at a time.")] = 4,
    sample: Annotated[
        int | None, typer.Option("--sample", help="Episodes per model for people to label, in annotations.csv.")
    ] = None,
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
    code = judge_episodes(
        opened, name, words or (), console, lanes=lanes, trusted=tuple(trust or ()), as_json=as_json, sample=sample
    )  # fmt: skip
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
    from gwray.pipelines import rescore_run

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
    images: Annotated[bool, typer.Option(help="Also export every figure as SVG, PDF and PNG.")] = True,
    full: Annotated[
        bool, typer.Option("--full", help="Keep the recorded screenshots in replays: many times larger.")
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
    from gwray.cli.judging import judged_by
    from gwray.report import JudgeResults, build_report

    if episodes not in ("chosen", "all", "none"):
        raise UsageError(f"--episodes '{episodes}' does not exist. Allowed: chosen, all, none.")
    opened = [open_run(r, library) for r in runs]
    with terminal(stderr=True).status("reading") as status:
        judges = JudgeResults(*judged_by(opened, terminal(stderr=True)))
        index = build_report(
            opened, out, episodes=episodes, images=images, full=full, pack=pack,  # type: ignore[arg-type]
            allow_incomplete=allow_incomplete, judges=judges, sections=section or (),
            progress=lambda text: status.update(escape(text)),
        )  # fmt: skip
    console.print(str(index), soft_wrap=True)


def view(
    where: Annotated[str, typer.Argument(help="Run directory, or a folder of them.")] = "runs",
    port: Port = 0,
    open_page: OpenPage = True,
) -> None:
    """Browse runs: list, results, every episode step by step, and a live page of running ones.

    Notes and tags are stored in the run's annotations.csv; nothing else is written.

    Example: gwray view runs/demo
    """
    import webbrowser

    from gwray.cli.judging import judged_by
    from gwray.report import JudgeResults, RunFolder, serve_view

    def read_judges(run: RunDir) -> JudgeResults:
        return JudgeResults(*judged_by([run], terminal(stderr=True)))

    def ready(url: str) -> None:
        console.print(f"{url}   Ctrl-C ends it", soft_wrap=True)
        if open_page:
            webbrowser.open(url)

    serve_view(RunFolder.open(where, read_judges), port=port, on_ready=ready)


def export(
    run: Run,
    episodes: Annotated[list[str], typer.Argument(help="Episode key, or the beginning of one; two for a video.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="File to write: .html, .webp, .mp4, .webm or .gif.")],
    thinking: Annotated[
        bool, typer.Option("--thinking", help="Film the game time that passes while a player thinks, too (realtime).")
    ] = False,
    trust: Trust = None,
    library: Libraries = None,
) -> None:
    """Export an episode as a self-contained HTML file, an animated WebP or a video.

    A video is made by replaying the episode from its replies: it is verified on the way, and drawn 60 times a second of
    game time (a GIF: 20) above the current action. Two episodes are shown side by side. An episode that does not verify
    gets no video.

    Example: gwray export runs/demo 17f53c74 -o episode.mp4
    """
    from gwray.cli.films import write_episodes
    from gwray.report import export_html, export_webp

    if not out.parent.is_dir():
        raise UsageError(f"'{out}': there is no folder {out.parent}; create it, or name a file elsewhere")
    opened = open_run(run, library)
    keys = [opened.find(one, opened.episode_keys()) for one in episodes]
    writers, films = {".html": export_html, ".webp": export_webp}, (".mp4", ".webm", ".gif")
    if out.suffix not in (*writers, *films):
        raise UsageError(f"'{out}': only {', '.join([*writers, *films])} can be written")
    if len(keys) > (2 if out.suffix in films else 1):
        raise UsageError(
            f"'{out}': {len(keys)} episodes given. A video ({', '.join(films)}) shows one or two, side by side; "
            f"{' and '.join(writers)} show one. Name fewer episodes, or another file type."
        )
    if out.suffix in films:
        if out.exists():
            raise UsageError(f"'{out}' exists, and a video takes minutes to write: remove it, or name another file")
        write_episodes(opened, keys, out, thinking=thinking, trusted=tuple(trust or ()))
    else:
        writers[out.suffix](opened, keys[0], out)
    console.print(str(out), soft_wrap=True)


def sync(
    run: Run,
    workspace: Annotated[
        bool,
        typer.Option("--workspace", help="Make a W&B workspace that compares the cells, too. Needs a key."),
    ] = False,
) -> None:
    """Build or rebuild the Weights & Biases runs of a run directory.

    Example: gwray sync runs/demo --workspace
    """
    from gwray.analysis import cell_summaries
    from gwray.spec import RunSpec, TrackingSpec
    from gwray.store import RunDir, results_frame
    from gwray.tracking import sync as rebuild
    from gwray.tracking import sync_workspace

    opened = RunDir.open(run)
    jobs = opened.manifest().jobs
    spec = RunSpec.from_record(jobs[0]).tracking if jobs else TrackingSpec()
    summaries = cell_summaries(results_frame(opened), opened.manifest().without_forks())
    if workspace:
        made, places = sync_workspace(opened, spec, summaries)
        console.print(f"workspace: {made}", soft_wrap=True)
    else:
        places = rebuild(opened, spec, summaries=summaries)
    for place in places:
        console.print(str(place), soft_wrap=True)
    if not places and spec.mode == "disabled":
        console.print(
            f"nothing synced: {opened.url} was played with tracking.mode=disabled; --workspace syncs it all the same",
            soft_wrap=True,
        )  # fmt: skip
