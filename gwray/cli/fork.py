"""`gwray fork`: composes the new player's settings as `launch.py` does, and carries the plan out like any run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from rich.markup import escape

from gwray.cli.composing import composing
from gwray.cli.console import terminal
from gwray.cli.launch import run_jobs
from gwray.cli.overrides import understood
from gwray.cli.signals import run_to_end
from gwray.errors import UsageError
from gwray.pipelines import Plan, plan_fork
from gwray.store import RunDir

DEFAULTS = ("executor=inline", "tracking.mode=disabled")
"""A fork is one episode and no sweep, unless somebody says otherwise."""
OF_THE_EPISODE = ("game", "task", "seed", "seed_policy")


def fork_episode(run: str, key: str, at: str, words: Sequence[str], *, port: int, open_page: bool) -> int:
    """Plan and play a fork. Returns the exit code, as `run_jobs`; raises `UsageError` for wrong words."""
    if at != "end" and not re.fullmatch(r"\d+", at):
        raise UsageError(f"--at '{at}': give a number of environment steps, or end")
    words = understood(words)
    said = {w.lstrip("+~").partition("=")[0] for w in words}
    for name in OF_THE_EPISODE:
        if name in said:
            raise UsageError(f"setting {name} is the recorded episode's. Leave {name}=… out; launch.py plays others.")
    opened = RunDir.open(run)
    usual = [d for d in DEFAULTS if not said & {d.partition("=")[0], d.partition(".")[0]}]

    def plan(jobs: Sequence) -> Plan:
        return plan_fork(jobs, opened, key, None if at == "end" else int(at))

    def by_person(made: Plan) -> int:
        return _by_person(made, port, open_page)

    with composing("fork") as compose:
        return run_jobs(compose, [[*understood(usual), *words]], plan, by_person)


def _by_person(plan: Plan, port: int, open_page: bool) -> int:
    from gwray.person import play_planned

    console = terminal()
    ended = run_to_end(
        play_planned(plan, port=port, open_page=open_page, say=lambda t: console.print(t, highlight=False))
    )
    r = ended.record
    if r.status == "failed":
        console.print(f"[red]failed:[/] {r.error_class}: {escape(r.error_message)}", highlight=False)
        return 1
    outcome = "solved" if r.success else "not solved"
    console.print(f"{r.task} {outcome}: progress {100 * (r.progress or 0):.0f} %, {r.steps} steps", highlight=False)
    console.print(f"verify it: gwray verify {shlex.quote(ended.run_dir)}", highlight=False, soft_wrap=True)
    return 0
