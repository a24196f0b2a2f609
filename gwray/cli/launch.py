"""Runs a sweep: composes the jobs of a command, makes the plan, plays it and prints the results.

This module connects the parts: config composition, executor, progress bar and terminal output.
"""

import argparse
import asyncio
import gc
import shlex
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn

from rich.console import Console
from rich.markup import escape

from gwray.cli.compose import config_text, job_specs, print_info
from gwray.cli.console import shown_work, terminal
from gwray.cli.signals import exit_despite_threads, run_to_end, stop_like_ctrl_c
from gwray.errors import GwrayError, UsageError, exit_code
from gwray.pages import counted
from gwray.pipelines import Plan, RunOutcome, make_plan, require_models, require_prices, run_plan
from gwray.places import add_conf
from gwray.records import BLANK, UNMOVED
from gwray.store import RunDir
from gwray.verification import repair_run

HELP = """\
gwray run [-m] setting=value …   plays a sweep; running the same command again resumes it.

gwray run model=random game=13_flappy-bird
gwray run model=scripted game=genre:puzzle task=1 timing=realtime timing.latency=fixed:250
gwray run -m model=random,scripted interface=semantic,computer_use memory_rounds=0,1 repeats=3
gwray run model=gpt-5.2 game=13_flappy-bird limit.steps=8 dry_run=true
gwray run experiment=memory smoke=true

-m sweeps every comma-separated list. Without it one job plays all of game=01_2048,13_flappy-bird.
smoke=true plays an experiment with players that need no model. skip_unsupported=true leaves out what does not fit.
--cfg job|hydra|all prints the composed config (-p PACKAGE: a part of it), --info searchpath|defaults-tree|… how it was
found; --config-dir DIR adds a folder with the layout of conf/. Options stand anywhere between the settings.
In a checkout, python launch.py is the same command.

Settings and their values (docs/configuration.md describes them):
"""


def run_command(plan_of: Callable[[], Plan], play_by_person: Callable[[Plan], int] | None = None) -> int:
    """Makes a plan and plays it, with all output of `gwray run`.

    Args:
        plan_of: makes the plan.
        play_by_person: plays a plan whose players are people; None: on a page that opens in a browser.

    Returns the exit code: 0 all episodes finished, 1 some failed or are missing or nothing moved, 2 wrong usage, 75
    another command plays the run.
    """
    console, errors = terminal(), terminal(stderr=True)
    try:
        with shown_work("planning"):
            plan = plan_of()
        require_prices(plan)
        people = {m.provider == "human" for m in plan.models()}
        if len(people) > 1:
            raise UsageError(
                "people and models cannot play in one command: people play one episode each time the command is given. "
                "Give two commands, with the same name=… or run_dir=… if their results belong together."
            )
        if plan.settings.dry_run:
            _show_dry_run(plan, console)
            return 0
        if people == {True}:
            from gwray.cli.people import play_plan_by_person

            return (play_by_person or play_plan_by_person)(plan)
        return run_to_end(_play(plan, console))
    except UsageError as e:
        errors.print(f"[bold red]Cannot start:[/] {escape(str(e))}", soft_wrap=True)
        return exit_code(e)
    except GwrayError as e:
        errors.print(f"[bold red]{type(e).__name__}:[/] {escape(str(e))}", soft_wrap=True)
        return exit_code(e)
    except KeyboardInterrupt:  # before the first episode, or the second one during the shutdown
        errors.print("Aborted; every reply that arrived is kept. Run the same command again to resume.")
        return 130


def play_sweep(settings: Sequence[str]) -> RunOutcome:
    """Plays the sweep of these settings, as with `-m`. Raises errors instead of printing them."""
    from gwray.cli.executors import make_executor

    plan = make_plan(job_specs(settings, sweep=True))
    require_prices(plan)
    require = partial(require_models, check_endpoints=plan.settings.check_endpoints)
    return asyncio.run(run_plan(plan, terminal(stderr=True), make_executor, None, require, repair_run))


@exit_despite_threads()
def main(arguments: Sequence[str] | None = None) -> None:
    """Runs `launch.py` and `gwray run`. `arguments`: words of the command line; None uses those of the process.

    Exits with 0 if all episodes finished, 1 if some failed or are missing, 2 for wrong usage, 75 if another command
    plays the run, 130 after Ctrl-C or SIGTERM.
    """
    gc.disable()  # objects made before the first episode live as long as the process
    stop_like_ctrl_c()
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        given, settings = _Options(add_help=False, allow_abbrev=False).parse_known_args(arguments)
        for folder in given.config_dir:
            add_conf(folder)
        if given.info:
            print_info(settings, given.info)
        elif given.cfg or given.help:
            text = config_text(
                settings, sweep=given.multirun, part=given.cfg or "job", package=given.package, resolve=given.resolve
            )
            print(*([HELP] if given.help else []), text, sep="\n", end="")
        else:
            sys.exit(run_command(lambda: make_plan(job_specs(settings, sweep=given.multirun))))
        sys.exit(0)
    except UsageError as e:
        terminal(stderr=True).print(f"[bold red]Cannot start:[/] {escape(str(e))}", soft_wrap=True)
        sys.exit(2)
    except KeyboardInterrupt:  # before anything was started
        sys.exit(130)
    finally:
        gc.freeze()  # the process ends now; a last collection would take 0.2 s
        gc.enable()


class _Options(argparse.ArgumentParser):
    """The options that Hydra's users know, in any place between the settings."""

    def __init__(self, **kwargs: Any):
        super().__init__(**kwargs)
        for names in (["-m", "--multirun"], ["-h", "--help"], ["--resolve"]):
            self.add_argument(*names, action="store_true")
        self.add_argument("-c", "--cfg", choices=["job", "hydra", "all"])
        self.add_argument("-p", "--package", default="")
        infos = ["all", "config", "defaults", "defaults-tree", "plugins", "searchpath"]
        self.add_argument("-i", "--info", nargs="?", const="all", choices=infos)
        self.add_argument("-cd", "--config-dir", action="append", default=[])

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def _show_dry_run(plan: Plan, console: Console) -> None:
    from gwray.cli.terminal import show_plan

    show_plan(plan, console)
    try:
        run_to_end(require_models(plan.models(), check_endpoints=plan.settings.check_endpoints))
    except UsageError as e:
        console.print(f"[yellow]Required before it can be played:[/] {escape(str(e))}", soft_wrap=True)


async def _play(plan: Plan, console: Console) -> int:
    from gwray.cli.executors import make_executor
    from gwray.cli.progress import Bar
    from gwray.cli.terminal import show_ended

    gc.freeze()
    gc.enable()
    asyncio.get_running_loop().set_exception_handler(_report_loop_error)
    # Printed at once: a cluster may take a while to start, and only terminals show the progress at once.
    what = f"{counted(len(plan.episodes), 'episode')} in {counted(len(plan.cells), 'cell')}"
    console.print(f"{plan.name}: {what}, into {plan.run_dir}", markup=False, soft_wrap=True)
    ended = await run_plan(
        plan, console, make_executor, lambda tally, progress: Bar(tally, progress, console),
        partial(require_models, check_endpoints=plan.settings.check_endpoints), repair_run,
    )  # fmt: skip
    show_ended(ended, console)
    if plan.settings.report and ended.tally.finished and not ended.interrupted:
        await asyncio.to_thread(_write_report, ended.run, console)
    if ended.complete and all({BLANK, UNMOVED} & {*record.health} for record in ended.run.results()):
        console.print("[red]no game of this run did anything:[/] see the health of each above")
        return 1
    return 0 if ended.complete else 130 if ended.interrupted else 1


def _report_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Ignores cancellation: a second Ctrl-C cancels tasks that are no longer awaited."""
    if not isinstance(context.get("exception"), asyncio.CancelledError):
        loop.default_exception_handler(context)


def _write_report(run: RunDir, console: Console) -> None:
    if run.local_path is None:
        console.print(f"no report: {run.url} is not a local folder; gwray report {shlex.quote(run.url)} -o site")
        return
    with shown_work("writing the report") as say:
        from gwray.report import build_report

        index = build_report([run], run.local_path / "report", progress=say)
    console.print(f"report        {index}", soft_wrap=True)
