"""From Hydra's config to a run: composes the jobs of a command, makes the plan, chooses who plays it and who shows how
far it is, and says how it went. Every part is put together here and nowhere below."""

from __future__ import annotations

import asyncio
import gc
import shlex
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from hydra.types import RunMode
from omegaconf import DictConfig
from omegaconf.errors import OmegaConfBaseException
from rich.console import Console
from rich.markup import escape

from gwray.cli.configs import Compose, Configs
from gwray.cli.console import counted, terminal
from gwray.cli.overrides import read_files_by_our_rules, understood
from gwray.cli.signals import end_like_ctrl_c, run_to_end
from gwray.errors import GwrayError, UsageError
from gwray.pipelines import Plan, make_plan, require_models, require_prices, run_plan, run_spec
from gwray.places import CONF, find_own_modules
from gwray.spec import RunSpec
from gwray.store import RunDir

SWEEP = ("-m", "--multirun")
_typed: list[str] = []
"""The command line, before it was put as Hydra must read it."""
_started: list[bool] = []
"""Filled once a plan was asked for: then exit codes are ours."""


def run_jobs(
    compose: Compose,
    jobs: Sequence[Sequence[str]],
    plan_of: Callable[[Sequence[RunSpec]], Plan] = make_plan,
    by_person: Callable[[Plan], int] | None = None,
) -> int:
    """All jobs as one plan. Returns the exit code: 0 all finished, 1 something failed or is left, 2 wrong use.

    `plan_of` makes the plan, `by_person` plays it if a person takes part.
    """
    _started.append(True)
    if _typed:
        sys.argv[:] = _typed  # Hydra has read it; whoever writes the command down does so as it was typed
        _typed.clear()
    console = terminal()
    errors = terminal(stderr=True)
    try:
        configs = Configs(compose)
        plan = plan_of([spec for job in jobs for spec in _specs(configs, job)])
        require_prices(plan)
        person = any(m.provider == "human" for m in plan.models())
        if person and by_person is None:
            raise UsageError("model 'human' is a person, who plays with: gwray play GAME TASK")
        if plan.settings.dry_run:
            from gwray.cli.terminal import show_plan

            show_plan(plan, console)
            try:
                run_to_end(require_models(plan.models(), check_endpoints=False))
            except UsageError as e:
                console.print(f"[yellow]Before it can be played:[/] {_escape(e)}", highlight=False, soft_wrap=True)
            return 0
        return by_person(plan) if person and by_person else run_to_end(_carry_out(plan, console))
    except UsageError as e:
        errors.print(f"[bold red]Cannot start:[/] {_escape(e)}", highlight=False, soft_wrap=True)
        return 2
    except GwrayError as e:
        errors.print(f"[bold red]{type(e).__name__}:[/] {_escape(e)}", highlight=False, soft_wrap=True)
        return 1
    except KeyboardInterrupt:
        # The second Ctrl-C, while the first was still taking things down.
        errors.print("Left at once; every reply that arrived is kept. The same command goes on where it stopped.")
        return 1
    except (HydraException, OmegaConfBaseException) as e:
        errors.print(f"[bold red]Cannot start:[/] {_escape(e)}", highlight=False, soft_wrap=True)
        return 2


def _escape(e: Exception) -> str:
    return escape(str(e))


def specs_of(compose: Compose, overrides: Sequence[str]) -> list[RunSpec]:
    """What a job is to play. Raises `UsageError`, and Hydra's errors for what cannot be composed."""
    return _specs(Configs(compose), overrides)


def _specs(configs: Configs, overrides: Sequence[str]) -> list[RunSpec]:
    return [run_spec(c) for c in _cells(configs, overrides)]


def _cells(configs: Configs, overrides: Sequence[str]) -> list[dict[str, Any]]:
    """The configs of one job: itself, or one per entry of its `cells` list."""
    config = configs.of(overrides)
    lines = config.pop("cells", None) or []
    if not lines:
        return [config]
    fixed = [o for o in overrides if not o.lstrip("+~").startswith("cells=")]
    # What the user typed is stronger than what a preset's line says, so it comes last.
    return [configs.of([*_without(understood(shlex.split(line)), fixed), *fixed, "cells=[]"]) for line in lines]


def _without(line: list[str], typed: list[str]) -> list[str]:
    names = {t.lstrip("+~").partition("=")[0] for t in typed}
    return [o for o in line if o.lstrip("+~").partition("=")[0] not in names]


async def _carry_out(plan: Plan, console: Console) -> int:
    from gwray.cli.executors import make_executor
    from gwray.cli.progress import Bar
    from gwray.cli.terminal import show_ended

    gc.freeze()
    gc.enable()
    asyncio.get_running_loop().set_exception_handler(_report_fault)
    # Said at once: a cluster may take a while to start, and only a terminal has a bar.
    what = f"{counted(len(plan.episodes), 'episode')} in {counted(len(plan.cells), 'cell')}"
    console.print(f"{plan.name}: {what}, into {plan.run_dir}", highlight=False, markup=False, soft_wrap=True)
    ended = await run_plan(
        plan, console, make_executor, lambda tally, progress: Bar(tally, progress, console),
        partial(require_models, check_endpoints=plan.settings.check_endpoints),
    )  # fmt: skip
    show_ended(ended, console, forks=bool(plan.prefix))
    if plan.settings.report and ended.tally.finished and not ended.interrupted:
        await asyncio.to_thread(_report, ended.run, console)
    return 0 if ended.complete else 1


def _report_fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Being cancelled is no fault: a second Ctrl-C cancels what nobody waits for any more."""
    if not isinstance(context.get("exception"), asyncio.CancelledError):
        loop.default_exception_handler(context)


def _report(run: RunDir, console: Console) -> None:
    """The site of the run, beside its results."""
    from gwray.report import build_report

    if run.local_path is None:
        console.print(
            f"no report: {run.url} is not a local folder; gwray report {shlex.quote(run.url)} -o site", highlight=False
        )
        return
    with console.status("writing the report") as status:
        index = build_report([run], run.local_path / "report", progress=lambda text: status.update(escape(text)))
    console.print(f"report        {index}", highlight=False, soft_wrap=True)


@hydra.main(version_base=None, config_path=str(CONF), config_name="config")
def _single(config: DictConfig) -> int:
    from hydra.core.global_hydra import GlobalHydra

    state = GlobalHydra.instance().hydra
    assert state is not None
    mine = list(HydraConfig.get().overrides.task)

    def compose(overrides: Sequence[str]) -> DictConfig:
        return state.config_loader.load_configuration(
            config_name="config", overrides=list(overrides), run_mode=RunMode.RUN
        )

    code = run_jobs(compose, [mine])
    if code:
        sys.exit(code)
    return code


def main(given: Sequence[str] | None = None) -> None:
    """Entry point of `launch.py` and `gwray run`. `given`: the settings; what was typed without them.

    Exit codes: 0 all finished, 1 something is left or failed, 2 wrong use. Ctrl-C and SIGTERM leave the rest to the
    next start of the same command: 1.
    """
    gc.disable()  # what is made until something is played stays; looking for what does not takes a quarter of the time
    end_like_ctrl_c()
    read_files_by_our_rules()
    try:
        find_own_modules()
        _typed[:] = sys.argv
        given = sys.argv[1:] if given is None else given
        words = [a for a in given if a not in SWEEP]
        sweep = len(words) < len(given)
        # Hydra understands -m before or after all overrides, not between them.
        sys.argv[1:] = [*(["-m"] if sweep else []), *understood(words, sweep=sweep)]
    except UsageError as wrong:
        terminal(stderr=True).print(f"[bold red]Cannot start:[/] {_escape(wrong)}", highlight=False, soft_wrap=True)
        sys.exit(2)
    try:
        _single()
    except SystemExit as e:
        # Hydra ends with 1 when it cannot compose the config: wrong use, by our rules.
        sys.exit(2 if e.code == 1 and not _started else e.code)
    except KeyboardInterrupt:  # before there was anything to let go of
        sys.exit(1)
    finally:
        gc.freeze()  # what is there now is let go of by the end of the process; a last look at all of it takes 0.2 s
        gc.enable()
