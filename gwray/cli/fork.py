"""`gwray fork`: plans and plays a fork with the new player's settings."""

import re
from collections.abc import Sequence

from gwray.cli.compose import job_specs
from gwray.cli.launch import run_command
from gwray.cli.options import open_run
from gwray.cli.people import play_plan_by_person
from gwray.errors import UsageError
from gwray.verification import plan_fork

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
