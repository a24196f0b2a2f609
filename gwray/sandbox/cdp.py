"""Raw DevTools calls of one page, each with a time limit and an owner for its failure."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from playwright.async_api import CDPSession, Error

from gwray.errors import BrowserError


class BrowserHealth:
    """What is known against one browser; the first reason stays."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self._waiting: set[asyncio.Future[Any]] = set()

    def fail(self, reason: str) -> None:
        """Mark the browser for replacement and end every call that still waits for it."""
        self.reason = self.reason or reason
        for future in list(self._waiting):
            future.cancel()

    async def guard(self, work: Any, limit_s: float, what: str) -> Any:
        """Await `work`; `BrowserError` when it takes longer than `limit_s` or the browser breaks meanwhile."""
        if self.reason:
            if hasattr(work, "close"):
                work.close()
            raise BrowserError(f"the browser has to be replaced: {self.reason}")
        future = asyncio.ensure_future(work)
        self._waiting.add(future)
        try:
            return await asyncio.wait_for(future, limit_s)
        except TimeoutError as e:
            self.fail(f"hung: no answer to {what} within {limit_s:g} s")
            raise BrowserError(f"the browser hung: no answer to {what} within {limit_s:g} s") from e
        except asyncio.CancelledError as e:
            if self.reason:
                raise BrowserError(f"{what}: {self.reason}") from e
            raise
        finally:
            self._waiting.discard(future)


class CdpSession:
    """A page's DevTools session."""

    def __init__(self, session: CDPSession, health: BrowserHealth, limit_s: float):
        self._session = session
        self._health = health
        self._limit_s = limit_s

    async def send(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """One call; `BrowserError` if it fails, hangs or the page is gone."""
        try:
            return await self._health.guard(self._session.send(method, params), self._limit_s, method)
        except Error as e:
            raise BrowserError(f"{method}: {self._health.reason or e.message.splitlines()[0]}") from e

    def on(self, event: str, handler: Callable[[dict[str, Any]], None]) -> None:
        """Call `handler` for each event of this name."""
        self._session.on(event, handler)
