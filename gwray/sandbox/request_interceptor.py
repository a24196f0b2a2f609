"""What a page can reach: its files, and nothing else.

Requests are answered one after the other from the page's folder, all others are refused; dialogs are dismissed, new
windows closed, and leaving the page is noticed. Nothing here moves game time.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import Dialog, Error, Page, Request, Route

from gwray.sandbox.diagnostics import DiagnosticsCollector
from gwray.sandbox.files import find_file, is_ours, mime_type
from gwray.sandbox.types import PageSource

_HEADERS = {"last-modified": "Wed, 01 Jan 2025 00:00:00 GMT", "cache-control": "no-cache"}


class RequestInterceptor:
    """Answers the requests of one page."""

    def __init__(self, source: PageSource, diagnostics: DiagnosticsCollector):
        self._source = source
        self._diagnostics = diagnostics
        self.in_turn: Callable[[str, str], Awaitable[None]] | None = None
        """`in_turn(what, url)` waits until the page is `calm` or the file was `delivered`; None: nothing waits."""
        self._serving = asyncio.Lock()
        self._page: Page | None = None
        self.loaded = False
        """Whether the page is there; from now on it may not leave."""
        self.left_for: str | None = None
        """Where it went when it left nevertheless."""
        self.closed = False
        """Whether it has been closed from our side."""
        self.open: set[Request] = set()
        """Files that were asked for and have not arrived."""
        self.announced: dict[str, str] = {}
        """Requests by DevTools id of which only the page itself has told so far, and their addresses."""
        self.imports: list[str] = []
        """Scripts that code of the page has asked for; some by `import()`, which the page's clock cannot see."""
        self.asked = 0
        """Requests so far."""

    @property
    def waiting(self) -> bool:
        """Whether a file is under way."""
        return bool(self.open or self.announced)

    def attach(self, page: Page) -> None:
        """Watch this page."""
        self._page = page
        page.on("console", lambda m: self._diagnostics.line(f"{m.type}: {m.text}"))
        page.on("pageerror", lambda e: self._diagnostics.error(str(e)))
        page.on("dialog", self._dismiss)
        page.on("popup", self._close_popup)
        page.on("websocket", lambda _: self._block())
        page.on("request", self._began)
        page.on("requestfinished", lambda r: self.open.discard(r))
        page.on("requestfailed", lambda r: self.open.discard(r))

    async def serve(self, route: Route) -> None:
        """Answer in the order in which files were asked for, each when the page has taken up the one before."""
        request = route.request
        try:
            if not is_ours(request.url) or request.method not in ("GET", "HEAD"):
                self._block()
                self._diagnostics.unserved(f"blocked: {request.method} {request.url}")
                if self._page and request.is_navigation_request() and request.frame == self._page.main_frame:
                    self._leave(request.url)
                await route.abort("blockedbyclient")
                return
            async with self._serving:
                if self.in_turn is None or request.is_navigation_request():
                    await self._answer(route, request)
                else:
                    await self.in_turn("calm", request.url)
                    await self._answer(route, request)
                    await self.in_turn("delivered", request.url)
        except Error:
            # The page or the browser is closing; whoever waits for it has been told.
            pass

    async def _answer(self, route: Route, request: Request) -> None:
        path = find_file(self._source, request.url)
        if path is None:
            if not request.url.endswith("/favicon.ico"):
                self._diagnostics.line(f"missing file: {request.url}")
                self._diagnostics.unserved(f"missing file: {request.url}")
            await route.fulfill(status=404, content_type="text/plain", body="not found")
            return
        data = await asyncio.to_thread(path.read_bytes)
        await route.fulfill(status=200, content_type=mime_type(path), headers=_HEADERS, body=data)

    def _began(self, request: Request) -> None:
        self.asked += 1
        self._heard(request.url)
        if is_ours(request.url):
            self.open.add(request)

    # A request travels through other processes before `_began` hears of it. The page's own notice comes in order with
    # the answers to calls into the page, so that after such an answer every earlier request is known.

    def announce(self, event: dict[str, Any]) -> None:
        """The page sends a request (`Network.requestWillBeSent`)."""
        url = event["request"]["url"]
        if not is_ours(url) or url.endswith("/favicon.ico"):
            return
        self.asked += 1
        self.announced[event["requestId"]] = url
        if event.get("type") == "Script" and event["initiator"].get("stack"):
            self.imports.append(url)

    def arrived(self, event: dict[str, Any]) -> None:
        """An announced request has ended (`Network.loadingFinished`, `Network.loadingFailed`)."""
        self.announced.pop(event["requestId"], None)

    def _heard(self, url: str) -> None:
        known = next((id_ for id_, u in self.announced.items() if u == url), None)
        if known is not None:
            del self.announced[known]

    def forget(self) -> list[str]:
        """Wait no longer; the addresses that were waited for."""
        missing = sorted({*(r.url for r in self.open), *self.announced.values()})
        self.open.clear()
        self.announced.clear()
        return missing

    def _block(self) -> None:
        self._diagnostics.blocked += 1

    def _leave(self, url: str) -> None:
        if self.loaded:
            self.left_for = url

    def navigated(self, event: dict[str, Any]) -> None:
        """A frame shows another document."""
        if not event["frame"].get("parentId"):
            self._leave(event["frame"]["url"])

    async def _dismiss(self, dialog: Dialog) -> None:
        self._diagnostics.line(f"dialog dismissed: {dialog.type}: {dialog.message}")
        with contextlib.suppress(Error):
            await dialog.dismiss()

    async def _close_popup(self, popup: Page) -> None:
        self._diagnostics.line("a new window was closed")
        with contextlib.suppress(Error):
            await popup.close()
