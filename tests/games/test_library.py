"""A person finds every bundled game in `games/index.html`, and can play it with the keyboard in real time."""

from __future__ import annotations

import functools
import http.server
import re
import threading
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Page, async_playwright

from gwray.catalog import load_catalog
from gwray.places import GAMES
from gwray.sandbox import find_browser


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The games folder as any web server shows it."""
    handler = functools.partial(_Quiet, directory=str(GAMES))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


@pytest_asyncio.fixture(loop_scope="module")
async def page() -> AsyncIterator[Page]:
    """An ordinary browser page: no stepped clock."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=str(find_browser().path), args=["--no-sandbox"])
        yield await browser.new_page(viewport={"width": 1280, "height": 720})
        await browser.close()


def test_the_list_names_every_game_folder_in_order() -> None:
    listed = re.findall(r"^ +'(.+)',$", (GAMES / "library.js").read_text(), re.MULTILINE)
    here = sorted(f"{p.parent.parent.name}/{p.parent.name}" for p in GAMES.glob("*/*/game.yaml"))
    assert [g for g in listed if g in here] == here


@pytest.mark.asyncio(loop_scope="module")
async def test_the_page_shows_each_game_with_its_title_and_a_link_for_each_start(page: Page, site: str) -> None:
    await page.goto(f"{site}/index.html")
    await page.wait_for_selector(".game")
    for game in load_catalog().games.values():
        starts = {t.options for t in game.tasks}
        links = page.locator(f'.starts a[href^="{game.folder.parent.name}/{game.id}/"]')
        assert await links.count() == len(starts)
        assert (await links.first.get_attribute("aria-label") or "").startswith(f"{game.title}: ")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_person_plays_in_real_time_and_starts_again_with_enter(page: Page, site: str) -> None:
    await page.goto(f"{site}/gameworld/13_flappy-bird/")
    await page.wait_for_function("gameAPI.getState().gameTimeMs > 100")
    await page.keyboard.press("Space")
    await page.wait_for_function("gameAPI.getState().metrics.flaps > 0")
    await page.wait_for_function("gameAPI.getState().status === 'terminal'")
    await page.keyboard.press("Enter")
    await page.wait_for_function("gameAPI.getState().status === 'playing'")
    await page.keyboard.press("Escape")
    await page.wait_for_selector(".game")
