"""`gwray fork`: plans and plays a fork with the new player's settings."""

import re
import shlex
from collections.abc import Sequence

from rich.markup import escape

from gwray.cli.compose import job_specs
from gwray.cli.console import terminal
from gwray.cli.launch import run_command
from gwray.cli.options import open_run
from gwray.cli.signals import run_to_end
from gwray.errors import UsageError
from gwray.pipelines import Plan, plan_fork

DEFAULTS = ("executor=inline", "tracking.mode=disabled")
"""A fork is a single episode, so it needs neither a cluster nor tracking unless the settings ask for them."""
FIXED = ("game", "task", "seed", "seed_policy")
"""Settings that a fork inherits from the recorded episode."""


def fork_episode(run: str, key: str, at: str, settings: Sequence[str], *, port: int, open_page: bool) -> int:
    """Plans and plays a fork. Returns the exit code of `run_command`. Raises `UsageError` for invalid arguments."""
    if at != "end" and not re.fullmatch(r"\d+", at):
        raise UsageError(f"--at '{at}': must be a number of environment steps, or end")
    names = {word.lstrip("+~").partition("=")[0] for word in settings}
    for name in FIXED:
        if name in names:
            raise UsageError(f"setting {name} is fixed by the recorded episode. Omit {name}=…; gwray run plays others.")
    defaults = [d for d in DEFAULTS if not names & {d.partition("=")[0], d.partition(".")[0]}]
    jobs = job_specs([*defaults, *settings])
    opened = open_run(run, [folder for job in jobs for folder in job.libraries])
    return run_command(
        lambda: plan_fork(jobs, opened, key, None if at == "end" else int(at)),
        lambda plan: play_plan_by_person(plan, port, open_page),
    )


def play_plan_by_person(plan: Plan, port: int = 0, open_page: bool = True) -> int:
    from gwray.person import play_planned

    console = terminal()
    ended = run_to_end(play_planned(plan, port=port, open_page=open_page, say=lambda t: console.print(t)))
    r = ended.record
    if r.status == "failed":
        console.print(f"[red]failed:[/] {r.error_class}: {escape(r.error_message)}")
        return 1
    outcome = "solved" if r.success else "not solved"
    console.print(f"{r.task} {outcome}: progress {100 * (r.progress or 0):.0f} %, {r.steps} steps")
    console.print(f"verify it: gwray verify {shlex.quote(ended.run_dir)}", soft_wrap=True)
    return 0
