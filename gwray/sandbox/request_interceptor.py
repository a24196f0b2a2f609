"""Intercepts the requests of a page: it can load its own files, and nothing else. Requests for files are answered in
order, all others are blocked. Dialogs are dismissed, new windows are closed, and navigation is detected. This module
does not change game time.

Requests are intercepted in the browser's own DevTools session, which sees those of all frames, workers and windows.
"""

import asyncio
import base64
import contextlib
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

from playwright.async_api import Dialog, Error, Page

from gwray.sandbox.devtools_pipe import DevToolsPipe
from gwray.sandbox.diagnostics import DiagnosticsCollector
from gwray.sandbox.files import find_file, is_page_origin, mime_type, part_of, read_file
from gwray.sandbox.types import PageSource

HELD_BACK_S = 5.0
"""Seconds after which a call without an answer is known to be held back."""
CLOSED_TREE = re.compile(rb"shadowrootmode\s*=\s*[\"']?\s*closed", re.IGNORECASE)
"""A shadow tree that no script can reach, so that the clock does not see what is animated or loaded in it."""
_HEADERS = {"last-modified": "Wed, 01 Jan 2025 00:00:00 GMT", "cache-control": "no-cache"}


class RequestRouter:
    """Passes each request in a browser to the interceptor of its page. `start` it once the pipe is attached."""

    def __init__(self, pipe: DevToolsPipe):
        self._pipe = pipe
        self._pages: dict[str, RequestInterceptor] = {}
        """By the id of each frame."""
        self._serving: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Intercepts all requests from now on."""
        self._pipe.on(self._pipe.root, "Fetch.requestPaused", self._paused)
        await self.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})

    def send(self, method: str, params: dict[str, Any]) -> asyncio.Future[Any]:
        """Sends a call of the browser's session."""
        return self._pipe.send(method, params, self._pipe.root)

    def add(self, frame: str, page: "RequestInterceptor") -> None:
        """Passes the requests of a frame to `page`."""
        self._pages[frame] = page

    def remove(self, page: "RequestInterceptor") -> None:
        """Blocks the requests of all frames of a page."""
        self._pages = {frame: owner for frame, owner in self._pages.items() if owner is not page}

    def _paused(self, event: dict[str, Any]) -> None:
        page = self._pages.get(event["frameId"])
        if page is None:
            self.send("Fetch.failRequest", {"requestId": event["requestId"], "errorReason": "BlockedByClient"})
            return
        task = asyncio.create_task(page.serve(event))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)


class RequestInterceptor:
    """Answers the requests of a page."""

    def __init__(self, source: PageSource, diagnostics: DiagnosticsCollector, router: RequestRouter):
        self._source = source
        self._router = router
        self._frame = ""
        self._diagnostics = diagnostics
        self.wait_for_turn: Callable[[str, str], Awaitable[None]] | None = None
        """`wait_for_turn(event, url)` waits until the page is `calm` or the file was `delivered`; None: no waiting."""
        self._serving = asyncio.Lock()
        self.loaded = False
        """Whether the page is loaded; after that it must not navigate."""
        self.reload_asked = asyncio.Event()
        """Set when the page wants to load itself again."""
        self.reload = asyncio.Event()
        """Set when it may: its time has ended."""
        self.call: asyncio.Timeout | None = None
        """The time limit of the call of the page's script under way. The browser holds calls back that it gets after
        `reload_asked`."""
        self.reloaded = asyncio.Event()
        """Set when it has."""
        self.left_for: str | None = None
        """The URL that the page navigated to, if any."""
        self.closed = False
        """Whether we have closed the page."""
        self.open: dict[str, str] = {}
        """URLs of requests for files that are not completed, by DevTools request id."""
        self.unawaited: list[str] = []
        """URLs of files whose arrival the page may notice, some in a way that the clock cannot observe: `import()`."""
        self.asked = 0
        """Number of requests so far."""

    @property
    def waiting(self) -> bool:
        """Whether a request is not completed."""
        return bool(self.open)

    def attach(self, page: Page) -> None:
        """Registers the handlers of a page."""
        page.on("console", lambda m: None if _is_of_driver(m.text) else self._diagnostics.line(f"{m.type}: {m.text}"))
        page.on("pageerror", lambda e: self._diagnostics.error(str(e)))
        page.on("dialog", self._dismiss)
        page.on("popup", self._close_popup)
        page.on("websocket", lambda _: self._block())

    def own(self, frame: str) -> None:
        """Serves the requests of the page's main frame."""
        self._frame = frame
        self._router.add(frame, self)

    def framed(self, event: dict[str, Any]) -> None:
        """Handles `Page.frameAttached`: serves the requests of the new frame, too."""
        self._router.add(event["frameId"], self)

    def end(self) -> None:
        """Blocks further requests, because the page is being closed."""
        self.closed = True
        self._router.remove(self)

    async def serve(self, event: dict[str, Any]) -> None:
        """Answers requests in order, each after the page has processed the previous file. Handles `Fetch.requestPaused`
        of the browser's session."""
        id_, url, method = event["requestId"], event["request"]["url"], event["request"]["method"]
        navigates = event["resourceType"] == "Document"
        try:
            if not is_page_origin(url) or method not in ("GET", "HEAD"):
                self._block()
                self._diagnostics.line(f"blocked: {method} {url}")
                self._diagnostics.unserved(f"blocked: {method} {url}")
                if navigates and event["frameId"] == self._frame:
                    self._leave(url)
                await self._router.send("Fetch.failRequest", {"requestId": id_, "errorReason": "BlockedByClient"})
                return
            if event["resourceType"] == "Media" and _is_sound(self._source, url):
                # The page's script loads sounds itself; a request of the element may stay open for ever.
                await self._router.send("Fetch.failRequest", {"requestId": id_, "errorReason": "Aborted"})
                return
            async with self._serving:
                if navigates and self.loaded and event["frameId"] == self._frame and self._is_page(url):
                    self.reload_asked.set()
                    if self.call is not None:
                        self.call.reschedule(asyncio.get_running_loop().time() + HELD_BACK_S)
                    await self.reload.wait()
                if self.wait_for_turn is None or navigates:
                    await self._answer(id_, event)
                else:
                    await self.wait_for_turn("calm", url)
                    await self._answer(id_, event)
                    await self.wait_for_turn("delivered", url)
        except Error:
            # The page or the browser is closing; pending calls get an error elsewhere.
            pass

    async def _answer(self, id_: str, event: dict[str, Any]) -> None:
        """Answers a request with a file or a part of it, or with 404."""
        url, asked = event["request"]["url"], event["request"]["headers"]
        path = find_file(self._source, url)
        if path is None:
            if not url.endswith("/favicon.ico"):
                self._diagnostics.missing(url)
            await self._fulfill(id_, 404, {"content-type": "text/plain"}, b"not found")
            return
        data = await asyncio.to_thread(read_file, path)
        mime = mime_type(path)
        if "html" in mime and CLOSED_TREE.search(data.replace(b"\0", b"")):  # also in UTF-16
            self._diagnostics.mark(f"a closed shadow tree in the HTML of {url}")
        if "svg" in mime and event["resourceType"] == "Image":
            self._check_svg(data, url)
        headers = {**_HEADERS, "content-type": mime, "accept-ranges": "bytes"}
        wanted = next((value for name, value in asked.items() if name.lower() == "range"), "")
        if part := part_of(data, wanted):
            headers["content-range"] = f"bytes {part[0]}-{part[1]}/{len(data)}"
            await self._fulfill(id_, 206, headers, data[part[0] : part[1] + 1])
        else:
            await self._fulfill(id_, 200, headers, data)

    def _check_svg(self, data: bytes, url: str) -> None:
        if b"keyframes" in data:
            self._diagnostics.mark(f"an image with CSS animations: {url}")

    async def _fulfill(self, id_: str, status: int, headers: Mapping[str, str], data: bytes) -> None:
        headers = {**headers, "content-length": str(len(data))}
        answer = {
            "requestId": id_,
            "responseCode": status,
            "responseHeaders": [{"name": name, "value": value} for name, value in headers.items()],
            "body": base64.b64encode(data).decode(),
        }
        await self._router.send("Fetch.fulfillRequest", answer)

    # DevTools events of the page are in order with the answers to calls, so that after an answer all earlier requests
    # are known.

    def announce(self, event: dict[str, Any]) -> None:
        """Handles `Network.requestWillBeSent`."""
        url = event["request"]["url"]
        if url.startswith("data:image/svg"):
            with contextlib.suppress(ValueError), urlopen(url) as file:
                self._check_svg(file.read(), url[:80])
        if not is_page_origin(url) or url.endswith("/favicon.ico") or event.get("type") == "Media":
            return
        if self.loaded and event.get("type") == "Document" and event.get("frameId") == self._frame:
            return  # it loads itself again, when the clock lets it
        self.asked += 1
        self.open[event["requestId"]] = url
        by = event["initiator"]  # what another file names is waited for with that file
        named = by.get("stack") or self._is_page(by.get("url", self._source.url))
        if named and event.get("type") in ("Script", "Stylesheet", "Other"):
            self.unawaited.append(url)

    def arrived(self, event: dict[str, Any]) -> None:
        """Handles `Network.loadingFinished` and `Network.loadingFailed`."""
        self.open.pop(event["requestId"], None)

    def forget(self) -> list[str]:
        """Stops waiting for pending requests and returns their URLs."""
        missing = sorted({*self.open.values()})
        self.open.clear()
        return missing

    def _block(self) -> None:
        self._diagnostics.blocked += 1

    def _leave(self, url: str) -> None:
        if self.loaded and not self._is_page(url):
            self.left_for = url

    def _is_page(self, url: str) -> bool:
        return urlsplit(url).path == urlsplit(self._source.url).path and is_page_origin(url)

    def load_ended(self, _event: dict[str, Any]) -> None:
        """Handles `Page.loadEventFired`."""
        self.reloaded.set()

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


def _is_of_driver(text: str) -> bool:
    """Whether a console line is a remark of the graphics driver, which has addresses and comes in real time."""
    return text.startswith("[.WebGL-")


def _is_sound(source: PageSource, url: str) -> bool:
    path = find_file(source, url)
    return path is not None and mime_type(path).startswith("audio/")
