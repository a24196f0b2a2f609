"""`gwray power`: the size of a study, planned from a pilot run or from published standard deviations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gwray.cli.options import console
from gwray.errors import UsageError
from gwray.visible_text import counted

if TYPE_CHECKING:
    from gwray.analysis import PowerPlan


def power(
    run: Annotated[str | None, typer.Argument(help="Pilot run: a path or an fsspec URL.")] = None,
    games: Annotated[str, typer.Option(help="Numbers of games to plan for.")] = "8,16,34,68",
    repeats: Annotated[str, typer.Option(help="Numbers of repeats to plan for.")] = "1,3,10",
    sd: Annotated[
        str | None,
        typer.Option(
            help="Instead of a pilot: standard deviations of one model's progress between games, tasks of a game and "
            "repeats of a task, in percentage points, such as 15,20,10."
        ),
    ] = None,
    tasks: Annotated[float, typer.Option(min=1, help="Tasks a game, with --sd.")] = 5,
    find: Annotated[
        float | None, typer.Option(min=0.1, max=100, help="Print the games needed to find this difference, in points.")
    ] = None,
) -> None:
    """Print how small a difference a larger study would find, planned from this run as a pilot.

    A row for each number of games and repeats: standard error and smallest difference of two models in progress that is
    found with 80 % power, in percentage points, with the cost and the time of both models one episode after the other.
    Without a pilot, --sd takes published standard deviations; independent models are assumed, which is an upper bound.

    Example: gwray power runs/demo --games 16,34 --repeats 1,3
    """
    from gwray.cli.terminal import print_table

    if (run is None) == (sd is None):
        raise UsageError("give a pilot run, such as gwray power runs/demo, or --sd, such as --sd 15,20,10")
    found = _published(sd, tasks) if sd is not None else _pilot(run or "")
    try:
        wanted = [[int(n) for n in text.split(",")] for text in (games, repeats)]
    except ValueError:
        raise UsageError(f"--games '{games}' --repeats '{repeats}': give whole numbers, such as 16,34") from None
    if min(wanted[0]) < 2 or min(wanted[1]) < 1:
        raise UsageError("--games needs numbers from 2, --repeats from 1")
    rows = []
    for g in wanted[0]:
        for r in wanted[1]:
            least, se = found.components.detectable(g, found.tasks, r), found.components.se(g, found.tasks, r)
            shown = "–" if least is None else f"{100 * least:.1f}"
            rows.append((g, r, f"{100 * se:.1f}", shown, *_price(found, g, r)))
    heads = ("games", "repeats", "SE, points", "detectable, points", "USD", "time")
    print_table(heads, rows, console, f"{found.tasks:g} tasks a game")
    spread = (100 * v**0.5 for v in (found.components.game, found.components.task, found.components.repeat))
    console.print(
        "Standard deviations of the difference, points: games {:.1f}, tasks {:.1f}, repeats {:.1f}.".format(*spread),
        highlight=False,
    )
    if sd is None:
        console.print(found.sentence(), highlight=False, soft_wrap=True)
    for r in wanted[1]:
        if find is None:
            break
        g = found.components.games_needed(find / 100, found.tasks, r)
        usd, time = _price(found, g, r)
        line = f"To find {find:g} points: {counted(g, 'game')} × {counted(r, 'repeat')}, {usd} USD, {time}"
        console.print(line.replace(", ? USD", "").replace(", ?", ""), highlight=False)
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
    from gwray.analysis import episode_frame, plan_of, power_plan
    from gwray.store import RunDir, results_frame

    opened = RunDir.open(run)
    found = power_plan(episode_frame(results_frame(opened)), plan_of(results_frame(opened), [opened.manifest()]))
    if found is None:
        raise UsageError(f"{opened.url} has no finished episode to plan from")
    return found


def _published(sd: str, tasks: float) -> PowerPlan:
    from gwray.analysis import PowerPlan, VarianceComponents

    try:
        points = [float(x) for x in sd.split(",")]
    except ValueError:
        points = []
    if len(points) != 3 or not all(0 <= x <= 100 for x in points):
        raise UsageError(
            f"--sd '{sd}': give three numbers of 0 to 100, between games, tasks of a game and repeats of a task, such "
            "as 15,20,10"
        )
    # Variances of the difference of two independent models are the sums of theirs.
    components = VarianceComponents(*(2 * (x / 100) ** 2 for x in points))
    return PowerPlan(components, games=0, tasks=tasks, repeats=0, paired=False, usd=None, seconds=None)
