"""DevTools calls of a page, each with a time limit; failures are attributed to the page or the browser."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import Error

from gwray.errors import BrowserDisconnected, BrowserError, PageCrashed, PageHung
from gwray.sandbox.devtools_pipe import DevToolsPipe, EventHandler

LIVENESS_TIMEOUT_S = 5.0
"""Time limit of the liveness check after a page did not respond."""
CRASH_REPORT_S = 0.3
"""A call can fail before the crash that caused it is reported; wait this long for the report."""
WAIT_PARTS = 20
"""Time limits are waited for in this many parts. A pause of this process (`docker pause`, a virtual machine that is
moved) counts as one part at most."""


class BrowserHealth:
    """The health of a browser. The first failure reason is kept."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self.worn_out: str | None = None
        """Why the browser should get no further pages; open pages can continue."""
        self.answers: Callable[[], Awaitable[Any]] | None = None
        """Sends a liveness check."""
        self.waiting: set[asyncio.Future[Any]] = set()
        self.ended_for = ""
        """Why we killed a page process, until the page's crash is reported."""

    def fail(self, reason: str) -> None:
        """Marks the browser for replacement and cancels all pending calls."""
        self.reason = self.reason or reason
        _cancel(self.waiting)

    async def guard(self, work: Any, limit_s: float, what: str) -> Any:
        """Awaits `work`. Raises `BrowserError` if it takes longer than `limit_s` or the browser fails."""
        if self.reason:
            raise _reject(work, BrowserDisconnected(f"the browser has to be replaced: {self.reason}"))
        try:
            return await _wait(work, limit_s, self.waiting)
        except TimeoutError as e:
            self.fail(f"hung: no answer to {what} within {limit_s:g} s")
            raise BrowserError(f"the browser hung: no answer to {what} within {limit_s:g} s") from e
        except asyncio.CancelledError as e:
            if self.reason:
                raise BrowserDisconnected(f"{what}: {self.reason}") from e
            raise

    async def is_alive(self) -> bool:
        """Whether the browser responds."""
        if self.reason or self.answers is None:
            return False
        try:
            await _wait(self.answers(), LIVENESS_TIMEOUT_S)
        except (Error, TimeoutError):
            return False
        return True


class PageHealth:
    """The health of a page. A page's failure does not affect other pages of its browser."""

    def __init__(self, browser: BrowserHealth, page: str):
        self.browser = browser
        self.page = page
        self.reason: str | None = None
        self._crashed = False
        self._waiting: set[asyncio.Future[Any]] = set()

    def fail(self, reason: str) -> None:
        """Marks the page as failed and cancels all pending calls."""
        self.reason = self.reason or reason
        _cancel(self._waiting)

    def crash(self) -> None:
        """Marks the page as crashed. Called when the page's process has ended."""
        self._crashed = self.reason is None
        self.fail(" ".join(filter(None, ("the page crashed", self.browser.ended_for))))
        self.browser.ended_for = ""

    async def guard(self, work: Any, limit_s: float, what: str) -> Any:
        """Awaits `work`. Raises `PageHung` if it takes longer than `limit_s`, `BrowserDisconnected` if the
        browser breaks meanwhile, `PageCrashed` if the page does."""
        if self.browser.reason or self.reason:
            raise _reject(work, self._error(what))
        try:
            return await _wait(work, limit_s, self._waiting, self.browser.waiting)
        except TimeoutError as e:
            hung = f"hung: no answer to {what} within {limit_s:g} s"
            if await self.browser.is_alive():
                self.fail(hung)
                raise PageHung(f"{self.page} {hung}, while its browser lives") from e
            self.browser.fail(hung)
            raise self._error(what) from e
        except asyncio.CancelledError as e:
            if self.browser.reason or self.reason:
                raise self._error(what) from e
            raise

    async def explain(self, error: Error, what: str) -> BrowserError:
        """Returns the error of a failed call, attributed to the page or its browser."""
        if not (self.browser.reason or self.reason):
            await asyncio.sleep(CRASH_REPORT_S)
        return self._error(what, error.message.strip().splitlines()[0])

    def _error(self, what: str, message: str = "") -> BrowserError:
        if self.browser.reason:
            return BrowserDisconnected(f"{self.page}: {what}: {self.browser.reason}")
        kind = PageCrashed if self._crashed else BrowserError
        return kind(f"{self.page}: {what}: {self.reason or message}")


def _cancel(waiting: set[asyncio.Future[Any]]) -> None:
    for future in list(waiting):
        future.cancel()


def _reject(work: Any, error: BrowserError) -> BrowserError:
    if hasattr(work, "close"):
        work.close()
    return error


async def _wait(work: Any, limit_s: float, *waiting: set[asyncio.Future[Any]]) -> Any:
    """Awaits work for at most `limit_s` seconds of running time. It can be cancelled through the sets `waiting`. Raises
    `TimeoutError`."""
    future = asyncio.ensure_future(work)
    for known in waiting:
        known.add(future)
    try:
        for _ in range(WAIT_PARTS):
            if (await asyncio.wait({future}, timeout=limit_s / WAIT_PARTS))[0]:
                return future.result()
        raise TimeoutError
    finally:
        for known in waiting:
            known.discard(future)
        if future.cancel():
            await asyncio.gather(future, return_exceptions=True)


class CdpSession:
    """A DevTools session of a page."""

    def __init__(self, pipe: DevToolsPipe, session: str, health: PageHealth, limit_s: float):
        self._pipe = pipe
        self._session = session
        self._health = health
        self._limit_s = limit_s

    async def send(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """Sends a call. Events of the page before its answer have been handled then, those of the driver, too. Raises
        `BrowserError` if it fails or hangs, or if the page is gone."""
        return await self._answer(self._pipe.send(method, params, self._session), method)

    async def draw(self, params: dict[str, Any]) -> Any:
        """Draws a frame of a page that draws on request. Raises as `send` does; waiting for other pages does not count
        as hanging."""
        return await self._answer(await self._pipe.start_frame(self._session, params), "drawing a frame")

    async def _answer(self, call: asyncio.Future[Any], method: str) -> Any:
        try:
            answer = await self._health.guard(call, self._limit_s, method)
            if self._pipe.behind:
                await self._health.guard(self._pipe.catch_up(), self._limit_s, method)
            return answer
        except Error as e:
            raise await self._health.explain(e, method) from e

    def post(self, method: str, params: dict[str, Any]) -> None:
        """Sends a call whose answer is of no interest."""
        self._pipe.send(method, params, self._session)

    def on(self, event: str, handler: EventHandler) -> None:
        """Calls `handler` for each event of this name."""
        self._pipe.on(self._session, event, handler)
