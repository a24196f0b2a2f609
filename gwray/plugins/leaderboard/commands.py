"""`gwray leaderboard`: ranks the players of packs after replaying every episode."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from gwray.cli.options import Address, ExecutorName, Libraries, ReplayLanes, console


def leaderboard(
    packs: Annotated[list[Path], typer.Argument(help="Files written by `gwray pack`.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder of the page.")] = Path("leaderboard"),
    title: Annotated[str, typer.Option(help="Heading of the page.")] = "Leaderboard",
    restart: Annotated[bool, typer.Option("--restart", help="Also replay packs that were verified before.")] = False,
    lanes: ReplayLanes = None,
    executor: ExecutorName = "auto",
    address: Address = None,
    trust: Annotated[
        list[str] | None, typer.Option("--trust", help="package.Class that a pack names and that may be imported.")
    ] = None,
    library: Libraries = None,
) -> None:
    """Write a static page that ranks the players of packs, after playing every episode of them again.

    Only models whose results are verified by that have a rank, among those that had the same test: tasks and seeds,
    timing, interface, observation, actions, nudges. Packs with one play share a rank. Your ~/.cache/gwray, not the
    folder, remembers what was proven of which file, so the same command with one pack more plays that one only. Exit
    code 0 only if every pack can be read and every line is verified.

    Example: gwray leaderboard packs/*.gwray -o site
    """
    from gwray.cli.executors import make_replays
    from gwray.plugins.leaderboard.packs import make_leaderboard

    good = make_leaderboard(
        packs, out, console, title=title, libraries=tuple(library or ()), trusted=tuple(trust or ()),
        executor=partial(make_replays, executor, address, lanes), restart=restart,
    )  # fmt: skip
    if not good:
        raise typer.Exit(1)
