"""`gwray signatures find`: where a game keeps a value, told by the bytes around it."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from gwray.cli.options import Json, Libraries, console
from gwray.cli.signals import run_to_end

signatures = typer.Typer(help="Values in a game's memory: find the bytes that lead to them.", rich_markup_mode=None)
signatures.callback()(lambda: None)


@signatures.command("find")
def signatures_find(
    game: Annotated[str, typer.Argument(help="The game's id.")],
    task: Annotated[str, typer.Argument(help="Task id or number: where the value can be moved at once.")],
    field: Annotated[str, typer.Option(help="The state field, as the page tells or a task names it.")],
    up: Annotated[str, typer.Option(help="A control that makes the value larger.")],
    down: Annotated[str, typer.Option(help="A control that makes it smaller again.")],
    kind: Annotated[
        str, typer.Option("--type", help="f64, f32, i32, u16, i16 or u8; half of an f64 looks like an f32.")
    ] = "f64",
    boots: Annotated[int, typer.Option(help="Starts, each with another seed.")] = 4,
    around: Annotated[int, typer.Option(min=8, help="Bytes on each side of the value that are looked at.")] = 64,
    seed: Annotated[int, typer.Option(help="Of the first start.")] = 42,
    as_json: Json = False,
    library: Libraries = None,
) -> None:
    """Find the memory signature of a value that a player moves, for `state: memory` in a game.yaml.

    Every number in the page's WebAssembly memories is scanned, then filtered by what was done (up, down, nothing).
    Halves of what is left are locked: if the game stands still, the value is among the locked. After several starts,
    the bytes around it that were always the same, also while the committed solutions were played, are its signature.

    Example: gwray signatures find quay quay_m2 --field game_state.player.z --up move_left --down move_right
    """
    from dataclasses import asdict

    from gwray.authoring import FoundSignature, ProbeControls, find_signature
    from gwray.catalog import load_catalog
    from gwray.cli.terminal import print_json
    from gwray.errors import UsageError
    from gwray.sandbox import BrowserOnDemand

    found_tasks = load_catalog(library or ()).select([game], [task])
    if len(found_tasks) != 1:
        raise UsageError(
            f"game '{game}' and task '{task}' are {len(found_tasks)} tasks; a signature is looked for in one"
        )
    ((chosen, start),) = found_tasks
    beside = Console(stderr=True)

    async def work() -> FoundSignature:
        async with BrowserOnDemand() as browser:
            return await find_signature(
                chosen, start, ProbeControls(up, down), browser, field=field, kind=kind, boots=boots, around=around,
                seed=seed, say=lambda text: beside.print(text, highlight=False, markup=False, soft_wrap=True),
            )  # fmt: skip

    found = run_to_end(work())
    if as_json:
        return print_json({**asdict(found), "boots": [{**asdict(b), "place": b.place._asdict()} for b in found.boots]})
    console.print(found.yaml, highlight=False, markup=False, soft_wrap=True)
