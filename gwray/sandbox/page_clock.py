"""The game time of a page: runs it, waits for loading files, and starts the game. All times are milliseconds of game
time, kept as whole picoseconds so that sums stay exact."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from gwray.errors import GameError
from gwray.sandbox.diagnostics import DiagnosticsCollector
from gwray.sandbox.files import seed_words
from gwray.sandbox.page_bridge import PageBridge, own_lines
from gwray.sandbox.request_interceptor import RequestInterceptor
from gwray.sandbox.types import Clock, Encoding, Limits, PageSource

MS = 1_000_000_000
"""Picoseconds per millisecond. Game time is counted in whole picoseconds, so that 600 times 1000/60 ms are 10 s."""
MAX_RUN_PS = 250 * MS
"""Maximum game time per call, so that a slow game is not considered hung."""

QUIET_CHECKS = 5
"""Checks without a new request before game time may pass in a page that is not ready: the browser compiles and runs
loaded modules in tasks of its own, which cannot be observed."""

MAX_RESTARTS = 100
"""Maximum number of times that a page loads itself again."""
_ACT = "function(...args) { return this.act(...args) }"
FRAMES_PER_CALL = 15
"""Frames per call while a command runs, for the same reason."""


class PageClock:
    """The time of a loaded page. It starts at 0."""

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
        """Whether time passes only in `act`; otherwise the browser's own clock runs."""
        self.time_ps = 0
        """Requested game time so far."""
        self.periodic: tuple[int, Callable[[], Awaitable[None]]] | None = None
        """Work to await during runs, and how often per second of game time. The game is not affected."""
        self._source = source
        self._limits = limits
        self._bridge = bridge
        self._requests = requests
        self._diagnostics = diagnostics
        self._ready_limit_ms = ready_limit_ms
        self._origin_ps = 0
        """Game time at which the current document began."""
        self._left_ps = self._reached_ps = 0
        """Game time at which the last document ended, and that this one has reached."""
        self._restarts = 0
        bridge.on_reload = self._restart
        self._began = time.monotonic()

    @property
    def now_ms(self) -> float:
        """Game time of the page; with the native clock, real time since it was loaded."""
        return self._bridge.now_ms if self.stepped else (time.monotonic() - self._began) * 1e3

    def after(self, ms: float) -> int:
        """Returns the game time in `ms` milliseconds from now, in picoseconds."""
        return self.time_ps + max(0, round(ms * MS))

    async def act(self, to_ps: int | None, *, state: bool = False, picture: Encoding | None = None) -> dict[str, Any]:
        """Runs to a time (None: stays), then reads the state and takes a screenshot, in as few calls as possible."""
        if to_ps is not None and not self.stepped:
            await asyncio.sleep(max(0.0, (to_ps - self.time_ps) / MS / 1e3))
            self.time_ps, to_ps = to_ps, None
        if self._requests.waiting:
            await self.settle()
        while to_ps is not None and (stop := self._stop(to_ps)) is not None:
            self.time_ps = stop
            await self._act(self.time_ps, False, None)
            if self.periodic:
                await self.periodic[1]()
        if to_ps is not None:
            self.time_ps = to_ps
        answer = await self._act(to_ps, state, picture)
        if self.stepped and self._requests.unawaited:
            await self._note_unawaited()
        return answer

    async def _act(
        self, to_ps: int | None, state: bool, picture: Encoding | None, frames: Sequence[int] = (), first: bool = False
    ) -> dict[str, Any]:
        """Calls `act` of the page. If the page loads itself again, the new document does the rest."""
        while True:
            times = [max(0.0, (t - self._origin_ps) / MS) for t in frames]
            target = None if to_ps is None else max(0.0, (to_ps - self._origin_ps) / MS)
            more = (times, first) if times else ()
            answer = await self._bridge.call(_ACT, target, state, *self._wanted(picture), *more)
            if not answer["leaving"]:
                self._reached_ps = self._origin_ps + round(answer["now"] * MS)
                return answer
            self._left_ps = self._origin_ps + round(answer["now"] * MS)
            await self._restart()

    async def _restart(self) -> None:
        """Lets the page load itself again, and starts the game in the new document, at the time that the old one had
        reached."""
        self._restarts += 1
        if self._restarts > MAX_RESTARTS:
            raise GameError(f"{self._source.page} loaded itself again more than {MAX_RESTARTS} times")
        self._origin_ps = max(self._left_ps, self._reached_ps)
        self._bridge.detach()
        await self._wait_for(self._requests.reload_asked)
        self._requests.reload_asked.clear()
        self._requests.reloaded.clear()
        self._requests.reload.set()
        await self._wait_for(self._requests.reloaded)
        self._requests.reload.clear()
        if not await self._bridge.find():
            raise GameError(f"{self._source.page} is not an HTML page that runs scripts")
        self._bridge.began_ms = self._origin_ps / MS
        asked, self.time_ps = self.time_ps, self._origin_ps
        self._reached_ps = self._origin_ps
        self._diagnostics.line("the page loaded itself again: a restart")
        await self.until_ready("init", self._source.seed)
        self.time_ps = max(asked, self.time_ps)

    async def _wait_for(self, event: asyncio.Event) -> None:
        try:
            await asyncio.wait_for(event.wait(), self._limits.load_s)
        except TimeoutError:
            page = self._source.page
            raise GameError(f"{page} did not load again within {self._limits.load_s:g} s") from None

    async def finish_commands(
        self, limit_ps: int, *, state: bool = False, picture: Encoding | None = None
    ) -> dict[str, Any]:
        """Runs frame by frame, at least one, until no command runs, then does the same as `act`.

        Stops without state and screenshot, with `running` set, after the first frame at or after `limit_ps`.
        """
        if self._requests.waiting:
            await self.settle()
        while True:
            frames = [self.time_ps, _next_instant(self.time_ps, self._source.fps)]
            while frames[-1] < limit_ps and len(frames) <= FRAMES_PER_CALL and self.stepped and not self.periodic:
                frames.append(_next_instant(frames[-1], self._source.fps))
            if not self.stepped:
                await asyncio.sleep((frames[1] - self.time_ps) / MS / 1e3)
            answer = await self._act(None, state, picture, frames[1:])
            self.time_ps = frames[answer["stops"]]
            if not answer["running"] or self.time_ps >= limit_ps:
                return answer
            if self.periodic and _next_instant(frames[0], self.periodic[0]) <= self.time_ps:
                await self.periodic[1]()

    async def until_command_ends(self, until_ps: int) -> None:
        """Runs frame by frame to the first frame after which one of the running commands has ended, at most to a time.
        For the stepped clock."""
        if self._requests.waiting:
            await self.settle()
        last_ps = until_ps + MS // 1000  # the tolerance of the page's clock
        while (frame := _next_instant(self.time_ps, self._source.fps)) <= last_ps:
            frames = [self.time_ps, frame]
            while len(frames) <= FRAMES_PER_CALL and not self.periodic:
                if (frame := _next_instant(frames[-1], self._source.fps)) > last_ps:
                    break
                frames.append(frame)
            answer = await self._act(None, False, None, frames[1:], first=True)
            self.time_ps = frames[answer["stops"]]
            if self.periodic and _next_instant(frames[0], self.periodic[0]) <= self.time_ps:
                await self.periodic[1]()
            if not answer["running"]:
                return
        if until_ps > self.time_ps:
            await self.act(until_ps)

    def _wanted(self, picture: Encoding | None) -> tuple[str, float]:
        """Returns the arguments of `act` for a screenshot: type and quality."""
        if picture is None:
            return "", 0
        return picture.mime if self._source.canvas else "draw", picture.quality / 100

    def _stop(self, to_ps: int) -> int | None:
        """Returns the next stop of a run to a time; None: no stop before it."""
        if self.periodic:
            return at if (at := _next_instant(self.time_ps, self.periodic[0])) <= to_ps else None
        longest = self.time_ps + MAX_RUN_PS
        return longest if longest < to_ps else None

    async def _note_unawaited(self) -> None:
        """Marks files that the clock did not wait for: scripts cannot observe `import()`."""
        urls, self._requests.unawaited = self._requests.unawaited, []
        for url in await self._bridge.call("function(urls) { return this.unexpected(urls) }", urls):
            self._diagnostics.mark(f"a file was loaded while the clock ran: {url}")

    async def settle(self, checks: int = 1) -> None:
        """Waits, in real time, until all requested files have been delivered and processed. The page must be quiet in
        `checks` consecutive checks; a new request restarts the count."""
        end = time.monotonic() + self._limits.io_s
        calm = 0
        while calm < checks:
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
        """Calls `init` or `reset` and advances frame by frame until the game is ready or playing. Raises `GameError` if
        that takes longer than `ready_limit_ms` of game time."""
        began_ps = self.time_ps
        called = name == "reset"
        if called:
            await self._start(name, seed)
            if self._source.probe:  # it is loading itself again
                self._restarts -= 1
                return await self._restart()
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
                self._requests.unawaited.clear()
                return
            if looked_at != self._requests.asked:
                await self.settle(QUIET_CHECKS)
                looked_at = self._requests.asked
                continue
            passed = (self.time_ps - began_ps) / MS
            if passed >= self._ready_limit_ms:
                raise GameError(self._not_ready(name, progress, passed) + self._diagnostics.why())
            await self.act(_next_instant(self.time_ps, self._source.fps))

    async def _start(self, name: str, seed: int) -> None:
        words = seed_words(seed) if self.stepped else None
        await self._bridge.call("function(name, seed, words) { this.start(name, {seed}, words) }", name, seed, words)

    def _not_ready(self, name: str, progress: dict[str, Any], passed_ms: float) -> str:
        """Returns why a page is not ready after `passed_ms` of game time."""
        after = f"after {passed_ms / 1e3:.1f} s of game time"
        page = self._source.page
        if not progress["api"]:
            return f"{page}: window.gameAPI with getState() is still missing {after}"
        if not progress["done"]:
            return f"{page}: {name}() has not finished {after}"
        return f"{page}: still in status '{progress['status']}' {after}; a game must become 'ready' or 'playing'"


def _next_instant(after_ps: int, per_s: int) -> int:
    """Returns the next multiple of 1/`per_s` s of game time after a time."""
    return -(-(after_ps * per_s // (1000 * MS) + 1) * 1000 * MS // per_s)
