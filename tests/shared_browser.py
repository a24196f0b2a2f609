"""One browser per test process for tests that play and replay short episodes.

Starting a browser takes longer than an episode of 16 steps. Tests marked `own_browser`, and tests that count processes,
launch their own, so that starting, replacing and closing browsers stays tested.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any

import pytest
from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import Playwright, async_playwright

from gwray.sandbox import Browser, find_browser

_launch, _close = Browser.launch, Browser.close

_loop: asyncio.AbstractEventLoop | None = None
_browsers: dict[tuple, Browser] = {}
"""The browser for each set of launch options."""
_viewer: tuple[Playwright, PlaywrightBrowser] | None = None


@pytest.fixture(scope="session")
async def session_loop() -> AsyncIterator[asyncio.AbstractEventLoop]:
    global _loop, _viewer
    _loop = asyncio.get_running_loop()
    yield _loop
    for browser in _browsers.values():
        await _close(browser)
    _browsers.clear()
    if _viewer is not None:
        playwright, browser = _viewer
        await browser.close()
        await playwright.stop()
        _viewer = None


async def viewer() -> PlaywrightBrowser:
    """An ordinary browser, for people's pages and reports. Each caller opens and closes its own page."""
    global _viewer
    if _viewer is None:
        playwright = await async_playwright().start()
        _viewer = (
            playwright,
            await playwright.chromium.launch(executable_path=str(find_browser().path), args=["--no-sandbox"]),
        )
    return _viewer[1]


async def _launch_shared(**options: Any) -> Browser:
    if asyncio.get_running_loop() is not _loop:
        return await _launch(**options)
    options_key = tuple(sorted(options.items()))
    browser = _browsers.get(options_key)
    if browser is None or browser.needs_replacing():
        if browser is not None:
            await _close(browser)
        browser = _browsers[options_key] = await _launch(**options)
    return browser


async def _close_unless_shared(browser: Browser) -> None:
    if browser not in _browsers.values():
        await _close(browser)


@pytest.fixture(scope="module", autouse=True)
def shared_browser(session_loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Shares browsers in all tests of the folder whose `conftest.py` imports it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Browser, "launch", _launch_shared)
        patch.setattr(Browser, "close", _close_unless_shared)
        yield


@pytest.fixture(autouse=True)
def own_browser(request: pytest.FixtureRequest, shared_browser: None) -> Iterator[None]:
    """Tests marked `own_browser`, and tests that count processes, launch and close their own browsers."""
    with pytest.MonkeyPatch.context() as patch:
        if request.node.get_closest_marker("own_browser") or "marked" in request.fixturenames:
            patch.setattr(Browser, "launch", _launch)
            patch.setattr(Browser, "close", _close)
        yield


def run_async(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Runs a coroutine on the event loop of the shared browsers, from a test that is not async."""
    return (_loop or asyncio.new_event_loop()).run_until_complete(coroutine)
