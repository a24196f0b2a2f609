"""Frames of a page that draws on request only: when a screenshot is taken, when the page waits for what the browser
reports with its rendering, and when input is delivered with it.

Chromium's headless shell does this for targets that were created for it (begin-frame control). Other browsers draw 60
frames per second, most of which nothing looks at. The pictures are the same.
"""

import asyncio
from collections.abc import Awaitable
from typing import Any

from gwray.errors import BrowserError, GwrayError
from gwray.sandbox.cdp import CdpSession

BINDING = "__gwray_frame"
"""Function with which the page's script requests a frame. The script removes it before any script of the page runs."""
RETRY_S = 0.004
"""Seconds that input may take after a frame. A frame that began before the input had arrived did not deliver it."""
ATTEMPTS = 5
"""Frames without a screenshot in a row that are an error. The first ones of a page can lack it."""


class Frames:
    """Draws the frames of a page."""

    def __init__(self, cdp: CdpSession):
        self._cdp = cdp
        self._requested = False
        self._serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Draws the frames that the page requests from now on."""
        self._cdp.on("Runtime.bindingCalled", self._request)
        await self._cdp.send("Runtime.enable")  # without it, later documents lack the binding
        await self._cdp.send("Runtime.addBinding", {"name": BINDING})

    async def draw(self) -> None:
        """Draws a frame: layout, events and observers."""
        # The parameter `noDisplayUpdates` would save the painting, but each such frame repeats the last scroll.
        await self._cdp.draw({})

    async def screenshot(self, encoding: dict[str, Any]) -> str:
        """Draws a frame and returns its picture in base64."""
        for _ in range(ATTEMPTS):
            if data := (await self._cdp.draw({"screenshot": encoding})).get("screenshotData"):
                return data
        raise BrowserError(f"the browser returned no screenshot of {ATTEMPTS} frames")

    async def until(self, work: Awaitable[Any]) -> None:
        """Draws frames until `work` is done."""
        future = asyncio.ensure_future(work)
        try:
            while not future.done():
                await self.draw()
                await asyncio.wait({future}, timeout=RETRY_S)
            await future
        finally:
            future.cancel()
            await asyncio.gather(future, return_exceptions=True)

    def _request(self, event: dict[str, Any]) -> None:
        if event["name"] == BINDING:
            self._requested = True
            if self._serving is None:
                self._serving = asyncio.ensure_future(self._serve())

    async def _serve(self) -> None:
        try:
            while self._requested:
                self._requested = False
                await self.draw()
        except GwrayError:
            pass  # the call that waits for this frame fails, too
        finally:
            self._serving = None
