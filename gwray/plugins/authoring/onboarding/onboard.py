"""Makes a game of a page: brings its files in, explores it, writes `game.yaml` and reads it back."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from gwray.catalog import Game, read_game
from gwray.errors import UsageError
from gwray.places import folder_path
from gwray.plugins.authoring.onboarding.sources import Fetcher, bring, is_url, name_of
from gwray.plugins.authoring.onboarding.trying import Explorer
from gwray.plugins.authoring.onboarding.writing import write_game
from gwray.sandbox import Browser


async def bring_in(
    source: str,
    library: Path,
    name: str = "",
    *,
    viewport: tuple[int, int] = (1280, 720),
    vendor: bool = False,
    report: Callable[[str], None] = lambda _: None,
) -> Game:
    """Writes a game of a page into a library folder.

    Args:
        source: a folder, an HTML file, a ZIP file or a web address.
        library: the library's folder; created if it does not exist.
        name: id of the game; default: from the source.
        viewport: width and height in pixels.
        vendor: whether files of other sites are fetched.
        report: called with what is being done.

    Raises:
        UsageError: the source cannot be read, or the game exists.
        GameError: the page does not open. Its files are removed.
    """
    name = name or name_of(source)
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", name):
        raise UsageError(f"--id is '{name}'; use lower-case letters, digits, - and _, such as my-game")
    folder = folder_path(library) / name
    page = bring(source, folder)
    try:
        browser = await Browser.launch()
        try:
            fetcher = Fetcher(folder.resolve(), page, source if is_url(source) else "", vendor)
            explored = await Explorer(browser, folder, page, viewport, report).explore(fetcher)
        finally:
            await browser.close()
        write_game(folder, explored, viewport)
    except BaseException:
        shutil.rmtree(folder)
        raise
    return read_game(folder / "game.yaml")
