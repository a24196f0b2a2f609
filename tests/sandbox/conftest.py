"""A browser for all tests that do not break it, and one-line ways to open a page."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import psutil
import pytest

from gwray.sandbox import Browser, GamePage, PageSource

PAGES = Path(__file__).parent / "pages"


def page(path: str, *, query: str = "", seed: int = 42, canvas: bool = False) -> PageSource:
    """A test page as a source."""
    return PageSource(site=(("", PAGES),), page=path, query=query, seed=seed, viewport=(1280, 720), canvas=canvas)


def alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Those that still run."""
    left = []
    for p in processes:
        try:
            if p.is_running() and p.status() != psutil.STATUS_ZOMBIE:
                left.append(p)
        except psutil.Error:
            pass
    return left


def ended(processes: list[psutil.Process], within_s: float = 120) -> bool:
    """Waits until none of the processes runs. Returns whether all have ended."""
    end = time.monotonic() + within_s
    while (left := alive(processes)) and time.monotonic() < end:
        time.sleep(0.05)
    return not left


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    browser = await Browser.launch()
    yield browser
    await browser.close()


OpenPage = Callable[..., Awaitable[GamePage]]


@pytest.fixture
async def opened(browser: Browser) -> AsyncIterator[OpenPage]:
    """Open a test page in the shared browser; it is closed after the test."""
    lanes: list[GamePage] = []

    async def open_page(
        path: str, *, query: str = "", seed: int = 42, canvas: bool = False, **options: object
    ) -> GamePage:
        lane = await browser.open(page(path, query=query, seed=seed, canvas=canvas), **options)  # type: ignore
        lanes.append(lane)
        return lane

    yield open_page
    for lane in lanes:
        await lane.close()
