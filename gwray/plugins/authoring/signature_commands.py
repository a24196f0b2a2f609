"""`gwray dev signatures find`: finds the memory signature of a game's value."""

from typing import Annotated

import typer

from gwray.cli.console import terminal
from gwray.cli.options import Json, Libraries, console
from gwray.cli.signals import run_to_end

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
    as_json: Json = False,
    library: Libraries = None,
) -> None:
    """Find the memory signature of a value that controls can change, for `state: memory` in game.yaml.

    Scans the page's WebAssembly memories for numbers and filters them by how they change after each control. Then locks
    halves of the remaining candidates: if the game no longer reacts, the value is among the locked ones. The signature
    is made of the bytes around the value that stay the same over all starts and committed solutions.

    Example: gwray dev signatures find town m2_goal --field game_state.player.z --up move_left --down move_right
    """
    from dataclasses import asdict

    from gwray.catalog import load_catalog
    from gwray.cli.terminal import print_json
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

    found = run_to_end(work())
    if as_json:
        return print_json(
            {**asdict(found), "starts": [{**asdict(s), "place": s.place._asdict()} for s in found.starts]}
        )
    console.print(found.yaml, markup=False, soft_wrap=True)
