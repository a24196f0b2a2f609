"""A browser for the tests of one file, pages of the bundled games and of the kit's own test game."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from shared_browser import own_browser, session_loop, shared_browser

from gwray.plugins.authoring.lab import Labs
from gwray.records import Event
from gwray.sandbox import Browser, GamePage, PageSource

__all__ = ["own_browser", "session_loop", "shared_browser"]

GAMES = Path(__file__).resolve().parents[2] / "games"
PAGES = Path(__file__).parent / "pages"


class Lab:
    """One page, played by real input through the stepped clock or by `gameAPI.lab`."""

    def __init__(self, lane: GamePage):
        self.lane = lane

    async def ask(self, function: str, argument: Any = None) -> Any:
        """Evaluate a JavaScript function in the page."""
        return await self.lane.page.evaluate(function, argument)

    async def play(self, events: list[Event]) -> dict[str, Any]:
        """Real input; the state afterwards."""
        reading, _ = await self.lane.step(events, observe=False)
        return reading.state

    async def run(self, events: list[Event]) -> dict[str, Any]:
        """The same in the lab."""
        return await self.ask("e => gameAPI.lab.run(e)", [e.model_dump() for e in events])

    async def state(self) -> dict[str, Any]:
        return (await self.lane.read()).state


OpenGame = Callable[..., Awaitable[Lab]]


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    browser = await Browser.launch()
    yield browser
    await browser.close()


@pytest.fixture(scope="session")
def labs(browser: Browser) -> Labs:
    return Labs(browser)


@pytest.fixture
async def open_game(browser: Browser, tmp_path: Path) -> AsyncIterator[OpenGame]:
    """Opens a bundled game or, by the name `recorder`, the kit's test game."""
    lanes: list[GamePage] = []

    async def open_(
        game: str,
        query: str = "",
        seed: int = 42,
        viewport: tuple[int, int] = (1280, 720),
        clock: Literal["stepped", "native"] = "stepped",
    ) -> Lab:
        root, folder = GAMES, f"gameworld/{game}"
        if (PAGES / game).is_dir():
            root, folder = tmp_path / "library", game
            shutil.copytree(GAMES / "kit", root / "kit", dirs_exist_ok=True)
            shutil.copytree(PAGES / game, root / game, dirs_exist_ok=True)
        source = PageSource((("", root),), f"{folder}/index.html", query, seed, viewport, True)
        lanes.append(await browser.open(source, clock=clock, image="png"))
        return Lab(lanes[-1])

    yield open_
    for lane in lanes:
        await lane.close()
