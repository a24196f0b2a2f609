"""Raw DevTools calls of one page, each with a time limit and an owner for its failure."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import CDPSession, Error

from gwray.errors import BrowserDisconnected, BrowserError, PageCrashed, PageHung

ANSWER_S = 5.0
"""How long a browser may take to say that it lives, after one of its pages did not answer."""
SETTLE_S = 0.3
"""A call to what has just died may fail before the death is reported."""
LOOKS = 20
"""A limit is waited for in so many parts: while this process itself is stopped (`docker pause`, a virtual machine that
is moved) nobody is heard, so however long that takes, it counts as one part."""


class BrowserHealth:
    """What is known against one browser; the first reason stays."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self.worn: str | None = None
        """Why it should get no further page, though those that are open may stay."""
        self.answers: Callable[[], Awaitable[Any]] | None = None
        """Asks it for a sign of life."""
        self.waiting: set[asyncio.Future[Any]] = set()
        self.ended_for = ""
        """Why a page's process was ended by us, until its page has told of its end."""

    def fail(self, reason: str) -> None:
        """Mark the browser for replacement and end every call that still waits for it."""
        self.reason = self.reason or reason
        _cancel(self.waiting)

    async def guard(self, work: Any, limit_s: float, what: str) -> Any:
        """Await `work`; `BrowserError` when it takes longer than `limit_s` or the browser breaks meanwhile."""
        if self.reason:
            raise _refused(work, BrowserDisconnected(f"the browser has to be replaced: {self.reason}"))
        try:
            return await _wait(work, limit_s, self.waiting)
        except TimeoutError as e:
            self.fail(f"hung: no answer to {what} within {limit_s:g} s")
            raise BrowserError(f"the browser hung: no answer to {what} within {limit_s:g} s") from e
        except asyncio.CancelledError as e:
            if self.reason:
                raise BrowserDisconnected(f"{what}: {self.reason}") from e
            raise

    async def lives(self) -> bool:
        """Whether it answers at all."""
        if self.reason or self.answers is None:
            return False
        try:
            await _wait(self.answers(), ANSWER_S)
        except (Error, TimeoutError):
            return False
        return True


class PageHealth:
    """What is known against one page. What it does to itself is its own affair: the others in its browser play on."""

    def __init__(self, browser: BrowserHealth, page: str):
        self.browser = browser
        self.page = page
        self.reason: str | None = None
        self._crashed = False
        self._waiting: set[asyncio.Future[Any]] = set()

    def fail(self, reason: str) -> None:
        """End every call that still waits for the page."""
        self.reason = self.reason or reason
        _cancel(self._waiting)

    def crash(self) -> None:
        """Its process has ended."""
        self._crashed = self.reason is None
        self.fail(" ".join(filter(None, ("the page crashed", self.browser.ended_for))))
        self.browser.ended_for = ""

    async def guard(self, work: Any, limit_s: float, what: str) -> Any:
        """Awaits `work`. Raises `PageHung` if it takes longer than `limit_s`, `BrowserDisconnected` if the
        browser breaks meanwhile, `PageCrashed` if the page does."""
        if self.browser.reason or self.reason:
            raise _refused(work, self._error(what))
        try:
            return await _wait(work, limit_s, self._waiting, self.browser.waiting)
        except TimeoutError as e:
            hung = f"hung: no answer to {what} within {limit_s:g} s"
            if await self.browser.lives():
                self.fail(hung)
                raise PageHung(f"{self.page} {hung}, while its browser lives") from e
            self.browser.fail(hung)
            raise self._error(what) from e
        except asyncio.CancelledError as e:
            if self.browser.reason or self.reason:
                raise self._error(what) from e
            raise

    async def explained(self, error: Error, what: str) -> BrowserError:
        """The owner of a failed call."""
        if not (self.browser.reason or self.reason):
            await asyncio.sleep(SETTLE_S)
        return self._error(what, error.message.strip().splitlines()[0])

    def _error(self, what: str, said: str = "") -> BrowserError:
        if self.browser.reason:
            return BrowserDisconnected(f"{self.page}: {what}: {self.browser.reason}")
        kind = PageCrashed if self._crashed else BrowserError
        return kind(f"{self.page}: {what}: {self.reason or said}")


def _cancel(waiting: set[asyncio.Future[Any]]) -> None:
    for future in list(waiting):
        future.cancel()


def _refused(work: Any, error: BrowserError) -> BrowserError:
    if hasattr(work, "close"):
        work.close()
    return error


async def _wait(work: Any, limit_s: float, *waiting: set[asyncio.Future[Any]]) -> Any:
    future = asyncio.ensure_future(work)
    for known in waiting:
        known.add(future)
    try:
        for _ in range(LOOKS):
            if (await asyncio.wait({future}, timeout=limit_s / LOOKS))[0]:
                return future.result()
        raise TimeoutError
    finally:
        for known in waiting:
            known.discard(future)
        if future.cancel():
            await asyncio.gather(future, return_exceptions=True)


class CdpSession:
    """A page's DevTools session."""

    def __init__(self, session: CDPSession, health: PageHealth, limit_s: float):
        self._session = session
        self._health = health
        self._limit_s = limit_s

    async def send(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """One call; `BrowserError` if it fails, hangs or the page is gone."""
        try:
            return await self._health.guard(self._session.send(method, params), self._limit_s, method)
        except Error as e:
            raise await self._health.explained(e, method) from e

    def on(self, event: str, handler: Callable[[dict[str, Any]], None]) -> None:
        """Call `handler` for each event of this name."""
        self._session.on(event, handler)
