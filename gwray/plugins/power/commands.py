"""`gwray power`: the size of a study, planned from a pilot run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gwray.cli.options import console
from gwray.errors import UsageError
from gwray.pages import counted

if TYPE_CHECKING:
    from gwray.plugins.power.components import PowerPlan


def power(
    run: Annotated[str, typer.Argument(help="Pilot run: a path or an fsspec URL.")],
    games: Annotated[str, typer.Option(help="Numbers of games to plan for.")] = "8,16,34,68",
    repeats: Annotated[str, typer.Option(help="Numbers of repeats to plan for.")] = "1,3,10",
    models: Annotated[int, typer.Option(min=2, help="Number of models, all pairs of which are tested.")] = 2,
) -> None:
    """Print how small a difference a larger study would find, planned from this run as a pilot.

    A row for each number of games and repeats: standard error and smallest difference of two models in progress that is
    found with 80 % power, in percentage points, with the cost and the time of both models one episode after the other.

    Example: gwray power runs/demo --games 16,34 --repeats 1,3
    """
    from gwray.analysis import TESTED_GAMES
    from gwray.cli.terminal import print_table

    found = _pilot(run)
    try:
        wanted = [[int(n) for n in text.split(",")] for text in (games, repeats)]
    except ValueError:
        raise UsageError(f"--games '{games}' --repeats '{repeats}': give whole numbers, such as 16,34") from None
    if min(wanted[0]) < 2 or min(wanted[1]) < 1:
        raise UsageError("--games needs numbers from 2, --repeats from 1")
    once = found.repeats == 1  # noise of repeats cannot be distinguished from that of tasks
    wanted[1] = [1] if once else wanted[1]
    rows = []
    for g in wanted[0]:
        for r in wanted[1]:
            se = found.components.se(g, found.tasks, r)
            rows.append((g, r, f"{100 * se:.0f}", found.detectable_text(g, r, models), *_price(found, g, r)))
    heads = ("games", "repeats", "SE, points", "detectable, points", "USD", "time")
    of = "one pair of models" if models == 2 else f"each pair of {models} models, after Holm's correction"
    per_game = f"{found.tasks:g} {'task' if found.tasks == 1 else 'tasks'} a game"
    print_table(heads, rows, console)
    least = f"–: fewer than {TESTED_GAMES} games show nothing"
    console.print(f"{per_game}; detectable: {of}; {least}", highlight=False, soft_wrap=True)
    variances = (found.components.game, found.components.task, found.components.repeat)
    parts = [f"{100 * v**0.5:.0f}" for v in variances]
    if found.tasks == 1:
        parts[1] = "not known from one task a game"
    if once:
        parts[2] = "not known from one repeat"
    spread = "Standard deviations of the difference, points: games {}, tasks {}, repeats {}.".format(*parts)
    console.print(spread, highlight=False, soft_wrap=True)
    pilot = f"Ranges: with 80 % confidence, because a pilot of {counted(found.games, 'game')} knows no better."
    console.print(pilot, highlight=False)
    if not found.paired:
        console.print("From single cells, as if models were independent: an upper bound.", highlight=False)


def _price(found: PowerPlan, games: int, repeats: int) -> tuple[str, str]:
    """Returns the cost in USD and the time of a study of two models; "?" without a pilot that knows it."""
    from gwray.cli.terminal import hours_text

    n = 2 * games * found.tasks * repeats
    usd = "?" if found.usd is None else f"{n * found.usd:,.0f}"
    hours = 0 if found.seconds is None else n * found.seconds / 3600
    return usd, hours_text(hours, hours) if hours else "?"


def _pilot(run: str) -> PowerPlan:
    from gwray.analysis import episode_frame, plan_of
    from gwray.plugins.power.components import power_plan
    from gwray.store import RunDir, results_frame

    opened = RunDir.open(run)
    found = power_plan(episode_frame(results_frame(opened)), plan_of(results_frame(opened), [opened.manifest()]))
    if found is None:
        raise UsageError(f"{opened.url} has no finished episode to plan from")
    return found
