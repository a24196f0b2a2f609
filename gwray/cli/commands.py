"""Commands that play and host: run, play, fork, serve."""

from typing import Annotated

import typer
from rich.markup import escape

from gwray import __version__
from gwray.cli.console import shown_work
from gwray.cli.options import Libraries, OpenPage, Port, Run, console
from gwray.cli.signals import run_to_end


def run(
    settings: Annotated[list[str] | None, typer.Argument(help="[-m] setting=value …", show_default=False)] = None,
) -> None:
    """Play a sweep: models, games and settings in, a run directory out. The same command again resumes it.

    `gwray run --help` shows every setting; docs/configuration.md describes them.

    Example: gwray run model=random game=13_flappy-bird
    """
    with shown_work("reading the settings"):
        from gwray.cli.launch import main
    main(settings or ())


def _print_version(requested: bool) -> None:
    if requested:
        console.print(f"gwray {__version__}")
        raise typer.Exit()


def version(
    requested: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Play browser games with multimodal agents, at scale, with scores that anyone can verify."""


def serve(
    model: Annotated[str, typer.Argument(help="A self-hosted model profile.")],
    address: Annotated[str | None, typer.Option(help="Ray cluster that hosts it; default: this machine.")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Port; default: a free one.")] = None,
) -> None:
    """Host one model and print its address; Ctrl-C stops it.

    Example: gwray serve qwen2.5-vl-7b
    """
    from gwray.catalog import read_model
    from gwray.serving import serve_model

    def say(text: str) -> None:
        console.print(escape(text), soft_wrap=True)

    run_to_end(serve_model(read_model(model), address=address, port=port, say=say))


def play(
    game: Annotated[str, typer.Argument(help="Game id, all, genre:puzzle, …: see gwray games.")],
    task: Annotated[str, typer.Argument(help="Task id, its number 1–5, or all.")] = "all",
    player: Annotated[str, typer.Option(help="Your name in tables (novice, expert, …).")] = "",
    interface: Annotated[str, typer.Option(help="computer_use or semantic.")] = "computer_use",
    timing: Annotated[str, typer.Option(help="paused or realtime (your thinking time is charged).")] = "paused",
    seed: Annotated[int, typer.Option(help="Seed of the game.")] = 42,
    run_dir: Annotated[str, typer.Option(help="Run directory; default: runs/PLAYER.")] = "",
    port: Port = 0,
    open_page: OpenPage = True,
    library: Libraries = None,
) -> None:
    """Play tasks yourself, with the budget and scoring of a model.

    A single task starts a new attempt each time, unless one was interrupted. Several tasks are played once each: Ctrl-C
    stops, and the same command resumes. `gwray report` shows each player as a row.

    Example: gwray play all --player novice
    """
    from gwray.cli.people import show_played
    from gwray.person import play_as_person

    def say(text: str) -> None:
        console.print(text, soft_wrap=True)

    ended = run_to_end(
        play_as_person(
            game, task, player=player, interface=interface, timing=timing, seed=seed,
            run_dir=run_dir, port=port, open_page=open_page, libraries=tuple(library or ()), say=say,
        )
    )  # fmt: skip
    if code := show_played(ended):
        raise typer.Exit(code)


def fork(
    run: Run,
    key: Annotated[
        str, typer.Argument(help="Episode key, or the beginning of one; gwray results --format json has them.")
    ],
    at: Annotated[str, typer.Option("--at", help="After so many environment steps, or end: all there are.")],
    words: Annotated[
        list[str] | None, typer.Argument(help="Settings of the new player, as for gwray run; also model=human.")
    ] = None,
    port: Port = 0,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open a person's page in a browser.")] = True,
) -> None:
    """Continue a recorded state with another model or player, and the rest of the budget.

    The recorded actions are replayed first and are not in the new player's memory. Best progress carries over. The new
    run directory verifies on its own, and the same command again resumes it.

    Example: gwray fork runs/demo 17f53c74 --at 12 model=gpt-5.2 run_dir=runs/rescued
    """
    from gwray.cli.fork import fork_episode

    raise typer.Exit(fork_episode(run, key, at, words or (), port=port, open_page=open_page))
