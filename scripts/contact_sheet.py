"""Takes a screenshot of each game half-way through a committed solution, for the docs and the page of `gwray play`.

    python scripts/contact_sheet.py                            all games, and the contact sheet docs/games.png
    python scripts/contact_sheet.py 00_example --library PATH  the screenshots of some games only

The screenshot of a game is `pictures/GAME.webp` in its library's folder.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import math
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from gwray.catalog import Game, Solution, Task, load_catalog, read_solutions
from gwray.places import BUNDLED
from gwray.plugins.authoring.lab import Labs, moves, open_labs, timeline

SHEET = BUNDLED / "docs" / "games.png"
COLUMNS = 6
TILE = (320, 180)
LABEL = 40
GAP = 8
MAX_BYTES = 1_000_000
PAPER, INK, SOFT = (18, 20, 28), (240, 240, 245), (150, 155, 170)


async def contact_sheet(games: Sequence[Game], file: Path | None = SHEET) -> list[Path]:
    """Writes the screenshot of each game, and the contact sheet to `file` unless it is None. Returns the files."""
    async with open_labs() as labs:
        tiles = [(g, Image.open(io.BytesIO(await screenshot_in_play(labs, g))).convert("RGB")) for g in games]
    written = [await asyncio.to_thread(_write_screenshot, game, image) for game, image in tiles]
    if file is not None:
        written.append(await asyncio.to_thread(_write, file, draw_sheet(tiles)))
    return written


def _write_screenshot(game: Game, image: Image.Image) -> Path:
    file = game.folder.parent / "pictures" / f"{game.id}.webp"
    file.parent.mkdir(exist_ok=True)
    image.resize((2 * TILE[0], 2 * TILE[1]), Image.Resampling.LANCZOS).save(file, "WEBP", quality=60, method=6)
    return file


def _write(file: Path, sheet: Image.Image) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(_small(sheet))
    return file


async def screenshot_in_play(labs: Labs, game: Game) -> bytes:
    """A PNG of the game half-way through the solution of its middle task, or after some moves if it has no solution."""
    solved = read_solutions(game)
    tasks = [t for t in game.tasks if t.id in solved] or list(game.tasks)
    task = tasks[len(tasks) // 2]
    lab = await labs.open(game, task.options)
    try:
        for names in _first_half(game, task, solved.get(task.id)):
            # The end of a game shows a panel over it: take the state before.
            snapshot = await lab.call("() => gameAPI.lab.snapshot()")
            if (await lab.run(timeline(game, names)))["terminal"]["isTerminal"]:
                await lab.call("s => gameAPI.lab.restore(s)", snapshot)
                break
        return (await lab.game_page.observe()).data
    finally:
        await lab.close()


def _first_half(game: Game, task: Task, solution: Solution | None) -> list[tuple[str, ...]]:
    if solution is None:
        typed = any(c.type_text for r in game.roles for c in r.controls)
        return [] if typed else [m.names for m in moves(game)[:12]]
    half = math.ceil(solution.steps / 2)
    return list(zip(*(solution.roles[r.name][:half] for r in game.roles), strict=True))


def draw_sheet(tiles: Sequence[tuple[Game, Image.Image]]) -> Image.Image:
    """All screenshots in rows, with title and id below each."""
    rows = math.ceil(len(tiles) / COLUMNS)
    width, height = TILE[0] + GAP, TILE[1] + LABEL + GAP
    sheet = Image.new("RGB", (COLUMNS * width + GAP, rows * height + GAP), PAPER)
    pen = ImageDraw.Draw(sheet)
    title, small = ImageFont.load_default(17), ImageFont.load_default(12)
    for n, (game, image) in enumerate(tiles):
        x, y = GAP + n % COLUMNS * width, GAP + n // COLUMNS * height
        sheet.paste(image.resize(TILE, Image.Resampling.LANCZOS), (x, y))
        pen.text((x + 2, y + TILE[1] + 2), game.title, INK, title)
        pen.text((x + 2, y + TILE[1] + 23), f"{game.id}  ·  {game.genre}, level {game.level}", SOFT, small)
    return sheet


def _small(sheet: Image.Image) -> bytes:
    """A palette PNG of at most `MAX_BYTES`; a larger sheet is scaled down until it fits."""
    while True:
        out = io.BytesIO()
        # All games share one palette; without dithering, rare colours would change.
        palette = sheet.quantize(256, method=Image.Quantize.MEDIANCUT, kmeans=3)
        flat = sheet.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG)
        flat.save(out, "PNG", optimize=True)
        if out.tell() < MAX_BYTES:
            return out.getvalue()
        sheet = sheet.resize((sheet.width * 9 // 10, sheet.height * 9 // 10), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Screenshots of games in play, and the contact sheet of all.")
    parser.add_argument(
        "games", nargs="*", help="game ids, library:ID, genre:puzzle, level:2; none: all, and the sheet"
    )
    parser.add_argument("--library", action="append", default=[], help="a further folder of games")
    options = parser.parse_args()
    games = load_catalog(options.library).selected(*options.games or ["all"])
    for written in asyncio.run(contact_sheet(games, None if options.games else SHEET)):
        print(written)
