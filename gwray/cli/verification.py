"""Shows the progress of a verification and its result: failed and skipped episodes with reasons, and the seal."""

import shlex
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape

from gwray.cli.console import print_seal
from gwray.cli.replaying import ReplayBar, replaying
from gwray.cli.signals import run_to_end
from gwray.cli.terminal import print_json
from gwray.judges import verify_judgements
from gwray.pages import counted
from gwray.store import UNPROVABLE, RunDir, read_seal
from gwray.verification import (
    ReplayExecutor,
    ResumeCache,
    Verification,
    cache_path,
    changed_games,
    verify_run,
    verify_stored,
)

NAMED = 5
"""So many episodes with one reason have a line each, and so many are named that were not verified; the JSON has all."""


def find(
    run: RunDir, *, stored: bool, sample: int | None, executor: ReplayExecutor, trusted: Collection[str], restart: bool
) -> list[Verification]:
    """Verifies a run and its judgements, with a progress bar on standard error. `sample` counts episodes only.

    `restart`: replay the episodes that an interrupted verification has proven, too.
    """
    total = len(run.results())
    total = total if sample is None else min(sample, total)
    with replaying("verifying", total) as bar:
        if stored:
            found = verify_stored(run, on_finding=bar.advance)
        else:
            how = {"sample": sample, "executor": executor, "trusted": trusted}
            found = _replay(run, bar, restart, **how)
    if sample is None and run.judges():
        with replaying("verifying judgements", None) as bar:
            how = {"stored": stored, "executor": executor, "trusted": trusted}
            found += run_to_end(verify_judgements(run, **how, on_start=bar.begin, on_finding=bar.advance))
    return found


def _replay(run: RunDir, bar: ReplayBar, restart: bool, **how: Any) -> list[Verification]:
    resume = ResumeCache(cache_path("verifying", run.url, str(how["sample"])))
    if restart:
        resume.clear()

    def show_cached(cached: Sequence[Verification]) -> None:
        bar.advance(count=len(cached))
        if cached:
            line = f"resumed: {counted(len(cached), 'episode')} already verified; --restart verifies them again"
            bar.progress.console.print(line, style="dim")

    try:
        return run_to_end(verify_run(run, **how, on_finding=bar.advance, resume=resume, on_cached=show_cached))
    except KeyboardInterrupt:
        line = "Interrupted. Run the same command again to resume."
        if resume.error:
            line = f"Interrupted. Verified episodes could not be saved ({resume.error}); they will be verified again."
        bar.progress.console.print(escape(line), soft_wrap=True)
        raise


def show_findings(
    run: RunDir, findings: Sequence[Verification], console: Console, *, replayed: str, stored: bool, as_json: bool
) -> bool:
    """Prints the findings. Returns whether the run passes: nothing contradicts it, something was verified, and it is
    still the run that was `replayed`."""
    seal, changed = read_seal(run), run.digest() != replayed
    episodes, judged = _separated(findings)
    holds = not (seal.broken or changed) and all(f.holds for f in findings) and any(f.proven for f in episodes)
    out = Console(stderr=True) if as_json else console
    if changed:
        line = "[red]The run was changed while it was verified:[/] its plan or results are not those that were replayed"
        out.print(line, highlight=False, soft_wrap=True)
    if as_json:
        print_json([asdict(f) for f in findings])
        if seal.broken:
            print_seal(seal, out)
        return holds
    wrong = [f for f in findings if f.verdict in ("different", "error")]
    alike = Counter(f.detail for f in wrong if f.step is None)
    _show_alike([f for f in wrong if alike[f.detail] > NAMED], "red", "different", console)
    for f in wrong:
        if alike[f.detail] <= NAMED:
            at = f" at step {f.step}" if f.step is not None else ""
            who = escape(f"{f.task} {f.key}{at}: {f.detail}")
            console.print(f"[red]{f.verdict}[/] {who}")
    _show_alike([f for f in findings if f.verdict == "missing"], "red", "missing", console)
    _show_alike([f for f in findings if f.verdict == "skipped"], "yellow", "not verified", console)
    _show_alike([f for f in findings if f.proven and f.detail], "yellow", "not all of it", console)
    for game, why in changed_games(run).items():
        console.print(f"[yellow]{escape(game)}:[/] {why}")
    how = "checked as stored" if stored else "replayed"
    console.print(f"{counted(len(episodes), 'episode')} {how}: {_counts(episodes)}", style="bold")
    if identical := [f for f in episodes if f.verdict == "identical"]:
        pictures = sum(f.pictures for f in identical)
        console.print(f"screenshots compared in {pictures} of {len(identical)}", style="dim")
    if judged:
        console.print(f"{counted(len(judged), 'judgement')} {how}: {_counts(judged)}", style="bold")
    print_seal(seal, console)
    if any(f.proven for f in episodes):
        console.print(UNPROVABLE, style="dim", highlight=False, soft_wrap=True)
    if nothing := _nothing(run, episodes):
        console.print(nothing, style="bold red", soft_wrap=True)
    return holds


def _separated(findings: Iterable[Verification]) -> tuple[list[Verification], list[Verification]]:
    """Returns the findings of episodes, and those of judgements."""
    apart: tuple[list[Verification], list[Verification]] = [], []
    for f in findings:
        apart[f.of_judgement].append(f)
    return apart


def _counts(findings: Iterable[Verification]) -> str:
    count = Counter(f.verdict for f in findings)
    verdicts = ("identical", "intact", "different", "error", "missing", "skipped")
    return ", ".join(f"{count[v]} {v}" for v in verdicts if count[v]) or "none"


def _show_alike(findings: Sequence[Verification], colour: str, word: str, console: Console) -> None:
    """Prints one line per finding, with the episodes that share it."""
    alike: dict[str, list[str]] = defaultdict(list)
    for f in findings:
        alike[f.detail].append(f.key)
    for detail, keys in alike.items():
        most = len(keys) if colour == "red" else NAMED
        named = ", ".join(keys[:most]) + (f" and {len(keys) - most} more" if len(keys) > most else "")
        line = f"[{colour}]{word}, {counted(len(keys), 'episode')}:[/] {escape(f'{detail} ({named})')}"
        console.print(line, soft_wrap=True)


def _nothing(run: RunDir, findings: Sequence[Verification]) -> str:
    """Returns why a run without errors had no episode to verify, and what to do; empty if one was checked."""
    verdicts = {f.verdict for f in findings}
    if not verdicts:
        return f"Nothing was verified: {run.url} plans no episode. `command` in its run.json says what made it."
    if verdicts == {"skipped"}:
        return (
            "Nothing was verified: no episode can be played again. What failed is played by the command that began the "
            "run; every timing but wallclock can be played again, and "
            f"gwray verify --stored {shlex.quote(run.url)} checks what is stored."
        )
    if verdicts <= {"missing", "skipped"}:
        return "Nothing was verified: no planned episode has a result. Resume the run with its own command."
    return ""
