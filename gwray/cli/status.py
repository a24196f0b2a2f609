"""`gwray status`: prints the progress of a run, once or repeatedly."""

import time
from dataclasses import asdict

from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.text import Text

from gwray.cli.console import spent_time
from gwray.cli.terminal import print_json
from gwray.store import RunDir, RunStatus, status_of

EVERY_S = 2.0
PATIENCE = 5
"""Minimum ratio of waiting to reading time."""
NAMED = 12
"""Maximum number of running episodes with a line each."""


def follow(run: RunDir, console: Console, *, watch: bool, as_json: bool) -> None:
    """Prints the status; with `watch`, until the run ends or stops. As JSON, one object per update."""
    with Live(console=console, auto_refresh=False, transient=False) if watch and not as_json else console as shown:
        while True:
            began = time.monotonic()
            status = status_of(run)
            if as_json:
                print_json(asdict(status))
            elif isinstance(shown, Live):
                shown.update(Text("\n").join(map(Text.from_markup, lines_of(status))), refresh=True)
            else:
                for line in lines_of(status):
                    console.print(line, soft_wrap=True)
            if not watch or not status.left or not status.driven:
                return
            time.sleep(max(EVERY_S, PATIENCE * (time.monotonic() - began)))


def lines_of(status: RunStatus) -> list[str]:
    """Returns the lines of the status."""
    doing = str(status.holder or ("complete" if not status.left else "not running"))
    unseen = "; this machine cannot tell whether it still runs" if status.holder and not status.holder.here else ""
    lines = [f"[bold]{escape(status.url)}[/]: {escape(doing)}{unseen}"]
    failed = f", {status.failed} of them failed" if status.failed else ""
    lines.append(f"episodes      {status.finished} of {status.planned} finished, {status.left} left{failed}")
    if status.without_file:
        lines.append(f"{'':<14}{status.without_file} of them without their file: `gwray unpack` of the pack that the "
                     "run came in, or the command that played it, makes it again")  # fmt: skip
    for model, (done, planned) in status.models.items():
        lines.append(f"  {escape(model)}: {done} of {planned}")
    if status.driven:
        left = f", {spent_time(status.eta_s)} left" if status.eta_s is not None else ""
        rate = f"{status.episodes_per_minute:.1f} episodes a minute, {status.steps_per_second:.1f} steps a second"
        lines.append(f"rate          {rate}{left}")
    if status.input_tokens + status.output_tokens:  # players without a model cost nothing
        usd = "price not known" if status.cost_usd is None else f"{status.cost_usd:.2f} USD"
        lines.append(f"cost so far   {status.input_tokens:,} tokens in, {status.output_tokens:,} out, {usd}")
    if machines := {name: n for name, n in status.machines.items() if name}:
        lines.append("machines      " + ", ".join(f"{escape(name)} {n}" for name, n in machines.items()))
    for one in status.engines if status.driven else ():
        lines.append(f"{'engines':<14}{escape(one.words())}")
    for what, n in status.failures.items():
        lines.append(f"[red]failed[/]        {n} by {escape(what)}")
    word = "playing" if status.driven else "begun"
    for one in status.now[:NAMED]:
        lines.append(
            f"{word:<14}{escape(one.model)} · {escape(one.task)} {escape(one.game)} · decision {one.decisions} · "
            f"last reply {one.silent_s:.0f} s ago"
        )
    if len(status.now) > NAMED:
        lines.append(f"{'':<14}and {len(status.now) - NAMED} more")
    return lines
