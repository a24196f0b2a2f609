"""`gwray dev`: commands for authors of games: check solutions, measure the library, find memory signatures."""

from typing import Annotated

import typer
from rich.markup import escape

from gwray.cli.console import terminal
from gwray.cli.options import Address, ExecutorName, Games, Json, Lanes, Libraries, ReplayLanes, console, split_words
from gwray.cli.replaying import replaying
from gwray.cli.signals import run_to_end

solutions = typer.Typer(help="The committed solutions: replay them, or find new ones.", rich_markup_mode=None)


@solutions.command("check")
def solutions_check(
    game: Annotated[list[str] | None, typer.Option("--game", help="Game ids, genre:puzzle, level:2; or a,b.")] = None,
    lanes: ReplayLanes = None,
    executor: ExecutorName = "auto",
    address: Address = None,
    as_json: Json = False,
    library: Libraries = None,
) -> None:
    """Replay the committed solution of every task through the real sandbox.

    Example: gwray dev solutions check --game 13_flappy-bird
    """
    from dataclasses import asdict

    from gwray.catalog import load_catalog
    from gwray.cli.executors import make_replays
    from gwray.cli.terminal import print_json
    from gwray.plugins.authoring.check import check_solutions

    replays = make_replays(executor, address, lanes)
    chosen = list({g.id: g for g, _ in load_catalog(library or ()).select(split_words(game), ["all"])}.values())
    with replaying("replaying", sum(len(g.tasks) for g in chosen)) as bar:
        done = run_to_end(check_solutions(chosen, executor=replays, on_checked=bar.advance))
    if as_json:
        print_json([asdict(c) for c in done])
    else:
        for c in done:
            if not c.ok:
                console.print(f"[red]{c.verdict}[/] {c.task} {c.game}: {escape(c.detail)}")
        solved = [c for c in done if c.ok]
        longest = max((c.steps for c in solved), default=0)
        console.print(f"{len(solved)} of {len(done)} tasks solved, the longest in {longest} steps")
    if not all(c.ok for c in done):
        raise typer.Exit(1)


@solutions.command("search")
def solutions_search(
    game: Annotated[str, typer.Argument(help="Game id, or the path of a game folder.")],
    tasks: Annotated[list[str], typer.Argument(help="Task ids or numbers (1–5), or all.")],
    expansions: Annotated[int, typer.Option(help="Budget of each task, in played steps.")] = 20_000,
    seed: Annotated[int, typer.Option(help="Seed of the search.")] = 42,
    write: Annotated[bool, typer.Option("--write", help="Write solutions into the game's solutions.json.")] = False,
) -> None:
    """Find solutions by search over semantic actions; the best found is the task's planning ceiling.

    The search runs inside the game's page, on the kit's snapshots. Effort is counted in played steps: the same game,
    task and seed give the same solution on every machine. Exit code 1 if a task was not solved.

    Example: gwray dev solutions search 04_boxel-rebound 1 2 --expansions 50000 --write
    """
    from gwray.plugins.authoring.search import search_tasks

    solved = run_to_end(search_tasks(game, tasks, expansions=expansions, seed=seed, write=write, report=_say))
    raise typer.Exit(0 if solved else 1)


def _say(text: str) -> None:
    console.print(text, markup=False, soft_wrap=True)


about = typer.Typer(help="Check and measure games.", rich_markup_mode=None)


@about.command("measure")
def library_measure(
    game: Games = None,
    search: Annotated[int, typer.Option(help="Also search each task, with this budget of played steps.")] = 0,
    lanes: Lanes = 2,
    again: Annotated[bool, typer.Option("--again", help="Also measure unchanged tasks again.")] = False,
) -> None:
    """Measure how hard the tasks are for a random player and one that waits; writes docs/library.json.

    Both are played in the lab, by the same updates as in an episode; the tasks of a game meet the same random players.
    Only what has changed is measured again.

    Example: gwray dev library measure genre:puzzle
    """
    from gwray.catalog import DIFFICULTY_FILE, load_catalog
    from gwray.plugins.authoring.measure import measure_library

    run_to_end(
        measure_library(
            load_catalog().selected(*split_words(game)), expansions=search, lanes=lanes, again=again,
            on_measured=lambda d: _say(d.line()),
        )
    )  # fmt: skip
    _say(f"written: {DIFFICULTY_FILE}")


@about.command("check")
def library_check(
    game: Games = None,
    steps: Annotated[int, typer.Option(min=1, help="Environment steps per play.")] = 20,
    lanes: Lanes = 2,
    library: Libraries = None,
) -> None:
    """Play the first steps of each game twice, once under load, and compare the states.

    A page that uses real time, real chance or the machine's state plays differently the second time. Exit code 1 if a
    game differs and is not marked as not reproducible. Each result is printed as it comes.

    Example: gwray dev library check 13_flappy-bird --steps 50
    """
    from gwray.catalog import load_catalog
    from gwray.plugins.authoring.repeatability import Repeatability, check_repeatability

    games = load_catalog(library or ()).selected(*split_words(game))
    found: list[Repeatability] = []

    def show(one: Repeatability) -> None:
        found.append(one)
        why = f": {escape(one.detail)}" if one.detail else ""
        line = f"{len(found)} of {len(games)}  {one.verdict} {escape(one.game)}{why}"
        console.print(line, highlight=False, soft_wrap=True)

    with replaying("playing", 2 * len(games)) as bar:
        run_to_end(check_repeatability(games, steps=steps, lanes=lanes, on_played=bar.advance, on_checked=show))
    repeatable = sum(one.verdict == "repeatable" for one in found)
    console.print(f"{repeatable} of {len(found)} checked games repeatable", highlight=False)
    if not all(one.ok for one in found):
        raise typer.Exit(1)


signatures = typer.Typer(help="Find memory signatures of a game's values.", rich_markup_mode=None)
signatures.callback()(lambda: None)


@signatures.command("find")
def signatures_find(
    game: Annotated[str, typer.Argument(help="The game's id.")],
    task: Annotated[str, typer.Argument(help="Task id or number; the value must be movable at its start.")],
    field: Annotated[str, typer.Option(help="State field of the value.")],
    up: Annotated[str, typer.Option(help="Control that increases the value.")],
    down: Annotated[str, typer.Option(help="Control that decreases the value.")],
    kind: Annotated[
        str, typer.Option("--type", help="f64, f32, i32, u16, i16 or u8. Half of an f64 looks like an f32.")
    ] = "f64",
    starts: Annotated[int, typer.Option(help="Number of starts, each with a different seed.")] = 4,
    around: Annotated[int, typer.Option(min=8, help="Bytes to use on each side of the value.")] = 64,
    seed: Annotated[int, typer.Option(help="Seed of the first start.")] = 42,
    library: Libraries = None,
) -> None:
    """Find the memory signature of a value that controls can change, for `state: memory` in game.yaml.

    Scans the page's WebAssembly memories for numbers and filters them by how they change after each control. Then locks
    halves of the remaining candidates: if the game no longer reacts, the value is among the locked ones. The signature
    is made of the bytes around the value that stay the same over all starts and committed solutions.

    Example: gwray dev signatures find town m2_goal --field game_state.player.z --up move_left --down move_right
    """
    from gwray.catalog import load_catalog
    from gwray.errors import UsageError
    from gwray.plugins.authoring.signatures import FoundSignature, ProbeControls, find_signature
    from gwray.sandbox import BrowserOnDemand

    found_tasks = load_catalog(library or ()).select([game], [task])
    if len(found_tasks) != 1:
        raise UsageError(f"game '{game}' and task '{task}' match {len(found_tasks)} tasks; choose one")
    ((chosen, start),) = found_tasks
    errors = terminal(stderr=True)

    async def work() -> FoundSignature:
        async with BrowserOnDemand() as browser:
            return await find_signature(
                chosen, start, ProbeControls(up, down), browser, field=field, kind=kind, starts=starts, around=around,
                seed=seed, report=lambda text: errors.print(text, markup=False, soft_wrap=True),
            )  # fmt: skip

    console.print(run_to_end(work()).yaml, markup=False, soft_wrap=True)


dev = typer.Typer(
    help="Work on games: check solutions, measure, find signatures.\n\n"
    "Example: gwray dev solutions check --game 13_flappy-bird",
    rich_markup_mode=None,
)
dev.add_typer(solutions, name="solutions")
dev.add_typer(about, name="library")
dev.add_typer(signatures, name="signatures")
