"""Commands that list games, tasks and models, check solutions and measure the library."""

import shlex
from typing import Annotated

import typer
from rich.markup import escape

from gwray.cli.options import Address, ExecutorName, Games, Json, Lanes, Libraries, ReplayLanes, console, split_words
from gwray.cli.replaying import replaying
from gwray.cli.signals import run_to_end
from gwray.visible_text import counted


def games(game: Games = None, as_json: Json = False, library: Libraries = None) -> None:
    """List the games of all libraries, or the given ones.

    Example: gwray games genre:puzzle
    """
    from gwray.catalog import load_catalog
    from gwray.cli.terminal import print_json, print_table

    catalog = load_catalog(library or ())
    chosen = catalog.games if not game else {g.id: g for g, _ in catalog.select(split_words(game), ["all"])}
    rows = [
        {
            "game": g.id,
            "library": catalog.library_of(g.id).id,
            "title": g.title,
            "genre": g.genre,
            "level": g.level,
            "roles": [r.name for r in g.roles],
        }
        for g in chosen.values()
    ]
    if as_json:
        return print_json(rows)
    cells = ((r["game"], r["library"], r["title"], r["genre"], r["level"] or "", ", ".join(r["roles"])) for r in rows)
    print_table(("game", "library", "title", "genre", "level", "roles"), cells, console, counted(len(rows), "game"))


def tasks(
    game: Annotated[
        list[str] | None, typer.Argument(help="Game ids, library:ID, category:puzzle, level:2; or a,b; or none: all.")
    ] = None,
    as_json: Json = False,
    library: Libraries = None,
) -> None:
    """List the tasks of the first library, or of the given games.

    Example: gwray tasks 01_2048
    """
    from gwray.catalog import load_catalog
    from gwray.cli.terminal import print_json, print_table

    catalog = load_catalog(library or ())
    rows = [
        {
            "task": t.id,
            "game": g.id,
            "library": catalog.library_of(g.id).id,
            "instruction": t.instruction.strip(),
            "target": t.target_text if t.target is None else t.target,
            "max_steps": t.max_steps,
            "max_decisions": t.max_decisions,
        }
        for g, t in catalog.select(split_words(game), ["all"])
    ]
    if as_json:
        return print_json(rows)
    cells = ((r["task"], r["game"], r["target"], r["max_decisions"] or r["max_steps"], r["instruction"]) for r in rows)
    print_table(("task", "game", "target", "steps", "instruction"), cells, console, counted(len(rows), "task"))


def models(as_json: Json = False) -> None:
    """List the model profiles of conf/model/.

    Example: gwray models --json
    """
    from gwray.catalog import describe_model, read_models
    from gwray.cli.terminal import print_json, print_table

    rows = [
        {"model": m.name, "interfaces": list(m.interfaces), "provider": m.provider, "self_hosted": m.self_hosted}
        | describe_model(m).model_dump()
        for m in read_models()
    ]
    if as_json:
        return print_json(rows)
    columns = ("model", "interfaces", "provider", "self-hosted", "weights", "description")
    cells = (
        (r["model"], ", ".join(r["interfaces"]), r["provider"], "yes" if r["self_hosted"] else "", r["weights"],
         r["description"])
        for r in rows
    )  # fmt: skip
    print_table(columns, cells, console, counted(len(rows), "model"))


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

    Example: gwray solutions check --game 13_flappy-bird
    """
    from dataclasses import asdict

    from gwray.authoring import check_solutions
    from gwray.catalog import load_catalog
    from gwray.cli.executors import make_replays
    from gwray.cli.terminal import print_json

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
    beam: Annotated[bool, typer.Option("--beam", help="Beam search, for games in turns.")] = False,
    width: Annotated[int | None, typer.Option(help="States kept a step by --beam.")] = None,
    only: Annotated[str, typer.Option(help="Controls to use: a,b.")] = "",
    hint: Annotated[str, typer.Option(help="JavaScript s => number: bigger is nearer.")] = "",
    cell: Annotated[str, typer.Option(help="JavaScript s => anything: states of equal value are one cell.")] = "",
    start: Annotated[str, typer.Option(help="Actions to begin with: a,b.")] = "",
    warm: Annotated[bool, typer.Option("--warm", help="Begin with the game's committed solutions.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Write solutions into the game's solutions.json.")] = False,
) -> None:
    """Find solutions by search over semantic actions; the best found is the task's planning ceiling.

    The search runs inside the game's page, on the kit's snapshots. Effort is counted in played steps: the same game,
    task and seed give the same solution on every machine. Exit code 1 if a task was not solved.

    Example: gwray solutions search 04_boxel-rebound 1 2 --expansions 50000 --write
    """
    from gwray.authoring import search_tasks

    words = {"only": only, "start": start}
    lists = {name: [w.strip() for w in text.split(",") if w.strip()] for name, text in words.items()}
    solved = run_to_end(
        search_tasks(
            game, tasks, expansions=expansions, seed=seed, beam=beam, width=width, hint=hint, cell=cell, warm=warm,
            write=write, report=_say, **lists,
        )
    )  # fmt: skip
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

    Example: gwray library measure genre:puzzle
    """
    from gwray.authoring import measure_library
    from gwray.catalog import DIFFICULTY_FILE, load_catalog

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
    game differs and is not marked as not reproducible. Each result is printed as it comes; after an interruption, the
    last line is the command for the others.

    Example: gwray library check 13_flappy-bird --steps 50
    """
    from gwray.authoring import Repeatability, check_repeatability
    from gwray.catalog import load_catalog

    games = load_catalog(library or ()).selected(*split_words(game))
    found: list[Repeatability] = []

    def show(one: Repeatability) -> None:
        found.append(one)
        why = f": {escape(one.detail)}" if one.detail else ""
        line = f"{len(found)} of {len(games)}  {one.verdict} {escape(one.game)}{why}"
        console.print(line, highlight=False, soft_wrap=True)

    try:
        with replaying("playing", 2 * len(games)) as bar:
            run_to_end(check_repeatability(games, steps=steps, lanes=lanes, on_played=bar.advance, on_checked=show))
    except KeyboardInterrupt:
        left = " ".join(g.id for g in games[len(found) :])
        options = shlex.join(["--steps", str(steps), *(w for folder in library or () for w in ("--library", folder))])
        line = f"Interrupted. To check the others: gwray library check {left} {options}"
        console.print(escape(line), highlight=False, soft_wrap=True)
        raise
    finally:
        repeatable = sum(one.verdict == "repeatable" for one in found)
        console.print(f"{repeatable} of {len(found)} checked games repeatable", highlight=False)
    if not all(one.ok for one in found):
        raise typer.Exit(1)
