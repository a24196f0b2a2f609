"""Intercepts the requests of a page: it can load its own files, and nothing else. Requests for files are answered in
order, all others are blocked. Dialogs are dismissed, new windows are closed, and navigation is detected. This module
does not change game time."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import Dialog, Error, Page, Request, Route

from gwray.sandbox.diagnostics import DiagnosticsCollector
from gwray.sandbox.files import find_file, is_page_origin, mime_type
from gwray.sandbox.types import PageSource

_HEADERS = {"last-modified": "Wed, 01 Jan 2025 00:00:00 GMT", "cache-control": "no-cache"}


class RequestInterceptor:
    """Answers the requests of a page."""

    def __init__(self, source: PageSource, diagnostics: DiagnosticsCollector):
        self._source = source
        self._diagnostics = diagnostics
        self.wait_for_turn: Callable[[str, str], Awaitable[None]] | None = None
        """`wait_for_turn(event, url)` waits until the page is `calm` or the file was `delivered`; None: no waiting."""
        self._serving = asyncio.Lock()
        self._page: Page | None = None
        self.loaded = False
        """Whether the page is loaded; after that it must not navigate."""
        self.left_for: str | None = None
        """The URL that the page navigated to, if any."""
        self.closed = False
        """Whether we have closed the page."""
        self.open: set[Request] = set()
        """Requests for files that are not completed."""
        self.announced: dict[str, str] = {}
        """URLs by DevTools request id, for requests that only DevTools has reported so far."""
        self.imports: list[str] = []
        """URLs of scripts requested by code of the page, some of them by `import()`, which the clock cannot observe."""
        self.asked = 0
        """Number of requests so far."""

    @property
    def waiting(self) -> bool:
        """Whether a request is not completed."""
        return bool(self.open or self.announced)

    def attach(self, page: Page) -> None:
        """Registers the handlers of a page."""
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
        """Answers requests in order, each after the page has processed the previous file."""
        request = route.request
        try:
            if not is_page_origin(request.url) or request.method not in ("GET", "HEAD"):
                self._block()
                self._diagnostics.unserved(f"blocked: {request.method} {request.url}")
                if self._page and request.is_navigation_request() and request.frame == self._page.main_frame:
                    self._leave(request.url)
                await route.abort("blockedbyclient")
                return
            async with self._serving:
                if self.wait_for_turn is None or request.is_navigation_request():
                    await self._answer(route, request)
                else:
                    await self.wait_for_turn("calm", request.url)
                    await self._answer(route, request)
                    await self.wait_for_turn("delivered", request.url)
        except Error:
            # The page or the browser is closing; pending calls get an error elsewhere.
            pass

    async def _answer(self, route: Route, request: Request) -> None:
        """Answers a request with a file, or with 404."""
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
        """Counts a request, and waits for its file from now on."""
        self.asked += 1
        known = next((id_ for id_, url in self.announced.items() if url == request.url), None)
        if known is not None:
            del self.announced[known]
        if is_page_origin(request.url):
            self.open.add(request)

    # `_began` is called late, because requests pass through other processes. DevTools events of the page are in order
    # with the answers to calls, so that after an answer all earlier requests are known.

    def announce(self, event: dict[str, Any]) -> None:
        """Handles `Network.requestWillBeSent`."""
        url = event["request"]["url"]
        if not is_page_origin(url) or url.endswith("/favicon.ico"):
            return
        self.asked += 1
        self.announced[event["requestId"]] = url
        if event.get("type") == "Script" and event["initiator"].get("stack"):
            self.imports.append(url)

    def arrived(self, event: dict[str, Any]) -> None:
        """Handles `Network.loadingFinished` and `Network.loadingFailed`."""
        self.announced.pop(event["requestId"], None)

    def forget(self) -> list[str]:
        """Stops waiting for pending requests and returns their URLs."""
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
        """Handles the navigation of a frame."""
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
