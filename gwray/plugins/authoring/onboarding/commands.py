"""`gwray onboard`: from a page to a game with a report card."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from gwray.cli.options import console
from gwray.cli.signals import run_to_end


def onboard(
    source: Annotated[str, typer.Argument(help="Folder, HTML file, ZIP file or web address of a page.")],
    name: Annotated[str, typer.Option("--id", help="Id of the game; default: from the source.")] = "",
    library: Annotated[Path, typer.Option("--library", help="Library that gets the game.")] = Path("games/onboarded"),
    vendor: Annotated[bool, typer.Option("--vendor", help="Fetch files of other sites into the game.")] = False,
    steps: Annotated[int, typer.Option(min=5, help="Environment steps per play of the report card.")] = 20,
    size: Annotated[str, typer.Option("--viewport", help="Width and height in pixels.")] = "1280x720",
) -> None:
    """Make a game of a page, and print its report card.

    The page is opened in the sandbox. Its keys and buttons are found by trying them, its state by looking for values
    that change. Nothing is fetched but what SOURCE names, and with --vendor what its page loads from other sites. Exit
    code 1 if the game is not repeatable, or no input has an effect.

    Example: gwray onboard downloads/astray --vendor
    """
    from gwray.errors import UsageError
    from gwray.plugins.authoring.onboarding.onboard import bring_in
    from gwray.plugins.authoring.repeatability import check_repeatability

    width, _, height = size.partition("x")
    if not (width.isdigit() and height.isdigit() and 0 < int(width) <= 4096 and 0 < int(height) <= 4096):
        raise UsageError(f"--viewport is '{size}'; it must be WIDTHxHEIGHT in pixels, up to 4096x4096")
    show = partial(console.print, markup=False, highlight=False, soft_wrap=True)
    say = partial(show, style="dim")
    game = run_to_end(bring_in(source, library, name, viewport=(int(width), int(height)), vendor=vendor, report=say))
    say(f"playing {steps} steps twice, once under load")
    (card,) = run_to_end(check_repeatability([game], steps=steps))
    show(f"\n{game.folder / 'game.yaml'}")
    for what, value in card.rows(game):
        show(f"  {what:<10} {value}")
    show(f"\nTry it:\n  gwray play {game.id} --library {library}")
    show(f"  gwray run model=random game={game.id} libraries=[{library}] executor=inline")
    if not card.ok:
        raise typer.Exit(1)
