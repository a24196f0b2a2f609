"""`gwray power`: the size of a larger study, planned from a pilot run."""

from typing import Annotated

import typer

from gwray.cli.options import Run, console
from gwray.errors import UsageError


def power(
    run: Run,
    games: Annotated[str, typer.Option(help="Numbers of games to plan for.")] = "8,16,34,68",
    repeats: Annotated[str, typer.Option(help="Numbers of repeats to plan for.")] = "1,3,10",
) -> None:
    """Print how small a difference a larger study would find, planned from this run as a pilot.

    A row for each number of games and repeats: standard error and smallest difference of two models in progress that is
    found with 80 % power, in percentage points, with the cost and the hours of both models one episode after the other.

    Example: gwray power runs/demo --games 16,34 --repeats 1,3
    """
    from gwray.analysis import episode_frame, plan_of, power_plan
    from gwray.cli.terminal import print_table
    from gwray.store import RunDir, results_frame

    opened = RunDir.open(run)
    found = power_plan(episode_frame(results_frame(opened)), plan_of(results_frame(opened), [opened.manifest()]))
    if found is None:
        raise UsageError(f"{opened.url} has no finished episode to plan from")
    try:
        wanted = [[int(n) for n in text.split(",")] for text in (games, repeats)]
    except ValueError:
        raise UsageError(f"--games '{games}' --repeats '{repeats}': give whole numbers, such as 16,34") from None
    if min(wanted[0]) < 2 or min(wanted[1]) < 1:
        raise UsageError("--games needs numbers from 2, --repeats from 1")
    rows = []
    for g in wanted[0]:
        for r in wanted[1]:
            n = 2 * g * found.tasks * r
            usd = "?" if found.usd is None else f"{n * found.usd:,.0f}"
            hours = "?" if found.seconds is None else f"{n * found.seconds / 3600:,.1f}"
            least = found.components.detectable(g, found.tasks, r)
            se = found.components.se(g, found.tasks, r)
            rows.append((g, r, f"{100 * se:.1f}", "–" if least is None else f"{100 * least:.1f}", usd, hours))
    heads = ("games", "repeats", "SE, points", "detectable, points", "USD", "hours")
    print_table(heads, rows, console, f"{found.tasks:g} tasks a game")
    console.print(found.sentence(), highlight=False, soft_wrap=True)
    if not found.paired:
        console.print("From single cells, as if models were independent: an upper bound.", highlight=False)
