"""Pictures of games in the middle of play: one of each, and the contact sheet of all, labelled, as one small PNG.

Each picture is taken half-way through a committed solution, so it shows a game as a good player meets it.
"""

from __future__ import annotations

import asyncio
import io
import math
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from gwray.authoring.lab import Labs, moves, open_labs, timeline
from gwray.authoring.library_docs import DOCS
from gwray.catalog import Game, Solution, Task, read_solutions

SHEET = DOCS / "games.png"
COLUMNS = 6
TILE = (320, 180)
LABEL = 40
GAP = 8
MOST_BYTES = 1_000_000
PAPER, INK, SOFT = (18, 20, 28), (240, 240, 245), (150, 155, 170)


async def contact_sheet(games: Sequence[Game], file: Path | None = SHEET) -> list[Path]:
    """Play every game to the middle of a solution; its picture is `pictures/GAME.webp` in its library's folder. `file`:
    the sheet of all of them; None: none."""
    async with open_labs() as labs:
        tiles = [(g, Image.open(io.BytesIO(await in_play(labs, g))).convert("RGB")) for g in games]
    written = [await asyncio.to_thread(_write_picture, game, picture) for game, picture in tiles]
    if file is not None:
        written.append(await asyncio.to_thread(_write, file, arrange(tiles)))
    return written


def _write_picture(game: Game, picture: Image.Image) -> Path:
    file = game.folder.parent / "pictures" / f"{game.id}.webp"
    file.parent.mkdir(exist_ok=True)
    picture.resize((2 * TILE[0], 2 * TILE[1]), Image.Resampling.LANCZOS).save(file, "WEBP", quality=60, method=6)
    return file


def _write(file: Path, sheet: Image.Image) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(_small(sheet))
    return file


async def in_play(labs: Labs, game: Game) -> bytes:
    """A PNG of the game half-way through the solution of its middle task; after some moves if it has none."""
    solved = read_solutions(game)
    tasks = [t for t in game.tasks if t.id in solved] or list(game.tasks)
    task = tasks[len(tasks) // 2]
    lab = await labs.open(game, task.options)
    try:
        for names in _half(game, task, solved.get(task.id)):
            # An end in the middle would show its panel; the picture before it is the better one.
            before = await lab.call("() => gameAPI.lab.snapshot()")
            if (await lab.run(timeline(game, names)))["terminal"]["isTerminal"]:
                await lab.call("s => gameAPI.lab.restore(s)", before)
                break
        return (await lab.lane.observe()).data
    finally:
        await lab.close()


def _half(game: Game, task: Task, solution: Solution | None) -> list[tuple[str, ...]]:
    if solution is None:
        typed = any(c.type_text for r in game.roles for c in r.controls)
        return [] if typed else [m.names for m in moves(game)[:12]]
    half = math.ceil(solution.steps / 2)
    return list(zip(*(solution.roles[r.name][:half] for r in game.roles), strict=True))


def arrange(tiles: Sequence[tuple[Game, Image.Image]]) -> Image.Image:
    """Pictures in rows, each with its title and id below."""
    rows = math.ceil(len(tiles) / COLUMNS)
    width, height = TILE[0] + GAP, TILE[1] + LABEL + GAP
    sheet = Image.new("RGB", (COLUMNS * width + GAP, rows * height + GAP), PAPER)
    pen = ImageDraw.Draw(sheet)
    title, small = ImageFont.load_default(17), ImageFont.load_default(12)
    for n, (game, picture) in enumerate(tiles):
        x, y = GAP + n % COLUMNS * width, GAP + n // COLUMNS * height
        sheet.paste(picture.resize(TILE, Image.Resampling.LANCZOS), (x, y))
        pen.text((x + 2, y + TILE[1] + 2), game.title, INK, title)
        pen.text((x + 2, y + TILE[1] + 23), f"{game.id}  ·  {game.genre}, level {game.level}", SOFT, small)
    return sheet


def _small(sheet: Image.Image) -> bytes:
    """A palette PNG below the limit; a large sheet is scaled down until it fits."""
    while True:
        out = io.BytesIO()
        # Games share one palette; without dithering the rarer colours of each would turn into those of another.
        palette = sheet.quantize(256, method=Image.Quantize.MEDIANCUT, kmeans=3)
        flat = sheet.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG)
        flat.save(out, "PNG", optimize=True)
        if out.tell() < MOST_BYTES:
            return out.getvalue()
        sheet = sheet.resize((sheet.width * 9 // 10, sheet.height * 9 // 10), Image.Resampling.LANCZOS)
