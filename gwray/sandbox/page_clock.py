"""The game time of one page: runs it, waits for what it has to wait for, and starts the game on it.

All times are milliseconds of game time, kept as whole picoseconds so that sums stay exact.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from gwray.errors import GameError
from gwray.sandbox.diagnostics import DiagnosticsCollector
from gwray.sandbox.page_bridge import PageBridge, own_lines
from gwray.sandbox.request_interceptor import RequestInterceptor
from gwray.sandbox.script import seed_words
from gwray.sandbox.types import Clock, Encoding, Limits, PageSource

MS = 1_000_000_000
"""Picoseconds in a millisecond: game time is counted in whole picoseconds, so that 600 times 1000/60 ms are 10 s."""
LONGEST_RUN_PS = 250 * MS
"""Longest stretch of game time asked of the page in one call, so that a slow game is not taken for a hang."""

CALM_LOOKS = 5
"""Looks at a page that is not ready yet, without a new request in between, before game time may pass: a module that
has arrived is compiled and run in tasks of the browser's own, which nothing announces."""

_ACT = "function(to, state, mime, quality) { return this.act(to, state, mime, quality) }"


class PageClock:
    """The time of a page that has been loaded; it counts from now."""

    def __init__(
        self,
        clock: Clock,
        source: PageSource,
        limits: Limits,
        bridge: PageBridge,
        requests: RequestInterceptor,
        diagnostics: DiagnosticsCollector,
        ready_limit_ms: float,
    ):
        self.stepped = clock == "stepped"
        """Whether time passes only when it is told to; otherwise the browser's own clock runs."""
        self.time_ps = 0
        """Game time that was asked for so far."""
        self.periodic: tuple[int, Callable[[], Awaitable[None]]] | None = None
        """How often a second of game time a run stops, for something to be done that the game does not notice."""
        self._source = source
        self._limits = limits
        self._bridge = bridge
        self._requests = requests
        self._diagnostics = diagnostics
        self._ready_limit_ms = ready_limit_ms
        self._began = time.monotonic()

    @property
    def now_ms(self) -> float:
        """Game time as the page has it; real time since it was loaded if the native clock runs."""
        return self._bridge.now_ms if self.stepped else (time.monotonic() - self._began) * 1e3

    def after(self, ms: float) -> int:
        """The time in `ms` milliseconds from now, in picoseconds."""
        return self.time_ps + max(0, round(ms * MS))

    async def act(self, to_ps: int | None, *, state: bool = False, picture: Encoding | None = None) -> dict[str, Any]:
        """Run to a time (None: stay), then read and draw, in as few calls as possible."""
        if to_ps is not None and not self.stepped:
            await asyncio.sleep(max(0.0, (to_ps - self.time_ps) / MS / 1e3))
            self.time_ps, to_ps = to_ps, None
        if self._requests.waiting:
            await self.settle()
        while to_ps is not None and (stop := self._stop(to_ps)) is not None:
            self.time_ps = stop
            await self._bridge.call(_ACT, self.time_ps / MS, False, "", 0)
            if self.periodic:
                await self.periodic[1]()
        if to_ps is not None:
            self.time_ps = to_ps
        target = None if to_ps is None else to_ps / MS
        mime = "" if picture is None else picture.mime if self._source.canvas else "draw"
        answer = await self._bridge.call(_ACT, target, state, mime, picture.quality / 100 if picture else 0)
        if self._requests.imports:
            await self._note_imports()
        return answer

    def _stop(self, to_ps: int) -> int | None:
        """Where a run to that time stops next, on the way."""
        if self.periodic:
            return at if (at := _instant(self.time_ps, self.periodic[0])) <= to_ps else None
        longest = self.time_ps + LONGEST_RUN_PS
        return longest if longest < to_ps else None

    async def _note_imports(self) -> None:
        """The clock waits for what the page loads, but `import()` is syntax that no page script can watch."""
        urls = self._requests.imports.copy()
        self._requests.imports.clear()
        if not self.stepped:
            return
        for url in await self._bridge.call("function(urls) { return this.unexpected(urls) }", urls):
            self._diagnostics.mark(f"a module was imported while the clock ran: {url}")

    async def settle(self, looks: int = 1) -> None:
        """Wait, in real time, until every file the page asked for has arrived and has been taken up.

        The page is looked at `looks` times in a row; a new request in between starts the count again.
        """
        end = time.monotonic() + self._limits.io_s
        calm = 0
        while calm < looks:
            seen = self._requests.asked
            while self._requests.waiting:
                self._bridge.check()
                if time.monotonic() > end:
                    names = ", ".join(self._requests.forget()[:3])
                    self._diagnostics.mark(f"a file did not arrive within {self._limits.io_s:g} s: {names}")
                    return
                await asyncio.sleep(0.002)
            if self.stepped:
                await self._bridge.call("function() { return this.settled() }")
            quiet = seen == self._requests.asked and not self._requests.waiting
            calm = calm + 1 if quiet else 0

    async def until_ready(self, name: str, seed: int) -> None:
        """Call `init` or `reset` and step frame by frame until the game is ready or playing.

        `GameError` if that takes longer than `ready_limit_ms` of game time.
        """
        began_ps = self.time_ps
        called = name == "reset"
        if called:
            await self._start(name, seed)
        else:
            await self.settle()
        looked_at = -1
        while True:
            if self._requests.waiting:
                await self.settle()
            progress = await self._bridge.call("function(asked) { return this.progress(asked) }", called)
            if not called and progress["api"]:
                called = True
                await self._start(name, seed)
                continue
            if progress["error"]:
                raise GameError(f"{self._source.page}: {own_lines(progress['error'])}{self._diagnostics.why()}")
            if called and progress["done"] and progress["status"] in ("ready", "playing"):
                self._requests.imports.clear()
                return
            if looked_at != self._requests.asked:
                await self.settle(CALM_LOOKS)
                looked_at = self._requests.asked
                continue
            passed = (self.time_ps - began_ps) / MS
            if passed >= self._ready_limit_ms:
                raise GameError(self._not_ready(name, progress, passed) + self._diagnostics.why())
            await self.act(_instant(self.time_ps, 60))

    async def _start(self, name: str, seed: int) -> None:
        words = seed_words(seed) if self.stepped else None
        await self._bridge.call("function(name, seed, words) { this.start(name, {seed}, words) }", name, seed, words)

    def _not_ready(self, name: str, progress: dict[str, Any], passed_ms: float) -> str:
        after = f"after {passed_ms / 1e3:.1f} s of game time"
        page = self._source.page
        if not progress["api"]:
            return f"{page}: window.gameAPI with getState() is still missing {after}"
        if not progress["done"]:
            return f"{page}: {name}() has not finished {after}"
        return f"{page}: still in status '{progress['status']}' {after}; a game must become 'ready' or 'playing'"


def _instant(after_ps: int, per_s: int) -> int:
    """The next of so many instants a second of game time."""
    return -(-(after_ps * per_s // (1000 * MS) + 1) * 1000 * MS // per_s)
