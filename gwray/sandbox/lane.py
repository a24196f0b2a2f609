"""One page of one episode: its clock, input, picture and state.

All times are milliseconds of game time, kept as whole picoseconds so that sums stay exact. Nothing here knows
tasks, scores or models.
"""

from __future__ import annotations

import asyncio
import base64
import json
import secrets
import time
from itertools import groupby
from typing import Any

from playwright.async_api import BrowserContext, Error, Page

from gwray.actions import Event
from gwray.errors import BrowserError, GameError, GwrayError
from gwray.records import canonical, digest, storable
from gwray.sandbox.contract import Clock, Diagnostics, Frame, ImageKind, Limits, PageSource, Reading
from gwray.sandbox.diary import Diary
from gwray.sandbox.door import Door, own_lines
from gwray.sandbox.files import find_file
from gwray.sandbox.inputs import Inputs
from gwray.sandbox.script import page_script, seed_words
from gwray.sandbox.surroundings import Surroundings
from gwray.sandbox.wire import Health, Wire

MS = 1_000_000_000
"""Picoseconds in a millisecond: game time is counted in whole picoseconds, so that 600 times 1000/60 ms are 10 s."""
LONGEST_RUN_PS = 250 * MS
"""Longest stretch of game time asked of the page in one call, so that a slow game is not taken for a hang."""

TAKEN_UP_MS = 500
"""How long, in real time, the next file waits at most until the page has noticed the one before."""

CALM_LOOKS = 5
"""Looks at a page that is not ready yet, without a new request in between, before game time may pass: a module that
has arrived is compiled and run in tasks of the browser's own, which nothing announces."""

_ACT = "function(to, state, mime, quality) { return this.act(to, state, mime, quality) }"


class Lane:
    """An open game page. Made by `Browser.open`."""

    def __init__(
        self,
        context: BrowserContext,
        health: Health,
        limits: Limits,
        source: PageSource,
        clock: Clock,
        image: ImageKind,
        quality: int,
    ):
        self._context = context
        self._health = health
        self._limits = limits
        self._source = source
        self._clock: Clock = clock
        self._mime = f"image/{image}"
        self._image = image
        self._quality = quality
        self._diary = Diary(limits)
        self._time_ps = 0
        self._began = time.monotonic()
        self._wire: Wire
        self._inputs: Inputs
        self._door: Door
        self._surroundings = Surroundings(source, self._diary, self._in_turn if clock == "stepped" else None)
        self._ready_timeout_ms = 10_000.0

    # Opening

    async def load(self, ready_timeout_ms: float) -> None:
        """Open the page, call `init({seed})` and wait in game time until it can be played."""
        source, limit = self._source, self._limits.load_s
        if find_file(source.root, source.url) is None:
            raise GameError(f"the page '{source.page}' does not exist in {source.root}")
        self._ready_timeout_ms = ready_timeout_ms
        try:
            page = await self._prepare()
            await self._health.guard(
                page.goto(source.url, wait_until="load", timeout=0), limit, f"loading {source.page}"
            )
        except Error as e:
            raise BrowserError(f"opening {source.page}: {self._health.reason or e.message.splitlines()[0]}") from e
        self._surroundings.loaded = True
        if not await self._door.find():
            raise GameError(f"{source.page} is not an HTML page that runs scripts")
        self._began = time.monotonic()
        await self._until_ready("init", source.seed)

    async def _prepare(self) -> Page:
        context, guard, call_s = self._context, self._health.guard, self._limits.call_s
        token = secrets.token_hex(16)
        script = page_script(self._clock, self._source.seed, token, self._limits)
        await guard(context.add_init_script(script=script), call_s, "adding the clock")
        await guard(context.route("**/*", self._surroundings.serve), call_s, "routing requests")
        page = await guard(context.new_page(), call_s, "opening a page")
        page.on("crash", lambda _: self._health.fail("a page crashed"))
        self._surroundings.attach(page)
        session = await guard(context.new_cdp_session(page), call_s, "opening a session")
        self._wire = Wire(session, self._health, call_s)
        self._inputs = Inputs(self._wire)
        self._door = Door(self._wire, self._clock, token, self._source, self._surroundings, self._diary)
        self._wire.on("Page.frameNavigated", self._surroundings.navigated)
        self._wire.on("Network.requestWillBeSent", self._surroundings.announce)
        self._wire.on("Network.loadingFinished", self._surroundings.arrived)
        self._wire.on("Network.loadingFailed", self._surroundings.arrived)
        await self._wire.send("Page.enable")
        await self._wire.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})
        if self._clock == "stepped":
            await self._wire.send("Animation.enable")
            await self._wire.send("Animation.setPlaybackRate", {"playbackRate": 0})
        return page

    async def _in_turn(self, what: str, url: str) -> None:
        """Wait until the page has finished with what came before; while it loads it may not be able to tell."""
        try:
            if self._door.found or await self._door.find():
                function = "function(what, limit, url) { return this[what](limit, url) }"
                await self._door.call(function, what, TAKEN_UP_MS, url)
        except GwrayError:
            if not self._surroundings.loaded:
                self._door.lose()

    # Time

    async def _act(self, to_ps: int | None, *, state: bool, mime: str) -> dict[str, Any]:
        """Run to a time (None: stay), then read and draw, in as few calls as possible."""
        if to_ps is not None and self._clock == "native":
            await asyncio.sleep(max(0.0, (to_ps - self._time_ps) / MS / 1e3))
            self._time_ps, to_ps = to_ps, None
        if self._surroundings.waiting:
            await self._quiet()
        while to_ps is not None and to_ps - self._time_ps > LONGEST_RUN_PS:
            self._time_ps += LONGEST_RUN_PS
            await self._door.call(_ACT, self._time_ps / MS, False, "", 0)
        if to_ps is not None:
            self._time_ps = to_ps
        target = None if to_ps is None else to_ps / MS
        answer = await self._door.call(_ACT, target, state, mime, self._quality / 100)
        if self._surroundings.imports:
            await self._note_imports()
        return answer

    async def _note_imports(self) -> None:
        """The clock waits for what the page loads, but `import()` is syntax that no page script can watch."""
        urls = self._surroundings.imports.copy()
        self._surroundings.imports.clear()
        if self._clock != "stepped":
            return
        for url in await self._door.call("function(urls) { return this.unexpected(urls) }", urls):
            self._diary.mark(f"a module was imported while the clock ran: {url}")

    async def _quiet(self, looks: int = 1) -> None:
        """Wait, in real time, until every file the page asked for has arrived and has been taken up.

        The page is looked at `looks` times in a row; a new request in between starts the count again.
        """
        end = time.monotonic() + self._limits.io_s
        calm = 0
        while calm < looks:
            seen = self._surroundings.asked
            while self._surroundings.waiting:
                self._door.check()
                if time.monotonic() > end:
                    names = ", ".join(self._surroundings.forget()[:3])
                    self._diary.mark(f"a file did not arrive within {self._limits.io_s:g} s: {names}")
                    return
                await asyncio.sleep(0.002)
            if self._clock == "stepped":
                await self._door.call("function() { return this.settled() }")
            quiet = seen == self._surroundings.asked and not self._surroundings.waiting
            calm = calm + 1 if quiet else 0

    async def _until_ready(self, name: str, seed: int) -> None:
        """Call `init` or `reset` and step frame by frame until the game is ready or playing."""
        began_ps = self._time_ps
        limit_ms = self._ready_timeout_ms
        called = name == "reset"
        if called:
            await self._start(name, seed)
        else:
            await self._quiet()
        looked_at = -1
        while True:
            if self._surroundings.waiting:
                await self._quiet()
            progress = await self._door.call("function(asked) { return this.progress(asked) }", called)
            if not called and progress["api"]:
                called = True
                await self._start(name, seed)
                continue
            if progress["error"]:
                raise GameError(f"{self._source.page}: {own_lines(progress['error'])}")
            if called and progress["done"] and progress["status"] in ("ready", "playing"):
                self._surroundings.imports.clear()
                return
            if looked_at != self._surroundings.asked:
                await self._quiet(CALM_LOOKS)
                looked_at = self._surroundings.asked
                continue
            passed = (self._time_ps - began_ps) / MS
            if passed >= limit_ms:
                raise GameError(self._not_ready(name, progress, passed))
            next_frame = self._time_ps * 60 // (1000 * MS) + 1
            await self._act(-(-next_frame * 1000 * MS // 60), state=False, mime="")

    async def _start(self, name: str, seed: int) -> None:
        words = seed_words(seed) if self._clock == "stepped" else None
        await self._door.call("function(name, seed, words) { this.start(name, {seed}, words) }", name, seed, words)

    def _not_ready(self, name: str, progress: dict[str, Any], passed_ms: float) -> str:
        after = f"after {passed_ms / 1e3:.1f} s of game time"
        page = self._source.page
        if not progress["api"]:
            return f"{page}: window.gameAPI with getState() is still missing {after}"
        if not progress["done"]:
            return f"{page}: {name}() has not finished {after}"
        return f"{page}: still in status '{progress['status']}' {after}; a game must become 'ready' or 'playing'"

    @property
    def page(self) -> Page:
        """The page itself, for laboratories and contract tests. An episode never touches it: what a script does here
        is on no record."""
        return self._context.pages[0]

    # What an episode does

    async def observe(self) -> Frame:
        """The picture of this instant; the clock stands still."""
        if self._source.canvas:
            return await self._frame(await self._act(None, state=False, mime=self._mime))
        return await self._frame(await self._act(None, state=False, mime="draw"))

    async def read(self) -> Reading:
        """The game's state of this instant."""
        return self._reading(await self._act(None, state=True, mime=""))

    async def advance(self, ms: float) -> None:
        """Let `ms` of game time pass."""
        await self._act(self._after(self._time_ps, ms), state=False, mime="")

    async def perform(self, events: list[Event]) -> None:
        """Play a timeline of input; it lasts until the last event. What is still held then is released."""
        pending = await self._play(events)
        if pending is not None:
            await self._act(pending, state=False, mime="")

    async def step(self, events: list[Event], *, observe: bool) -> tuple[Reading, Frame | None]:
        """`perform`, then `read` and, if wanted, `observe`, in as few calls as possible."""
        pending = await self._play(events)
        mime = "" if not observe else self._mime if self._source.canvas else "draw"
        answer = await self._act(pending, state=True, mime=mime)
        return self._reading(answer), await self._frame(answer) if observe else None

    async def reset(self, seed: int) -> None:
        """Start the task again from its initial state; game time goes on."""
        await self._until_ready("reset", seed)

    def diagnostics(self) -> Diagnostics:
        """What happened so far."""
        d = self._diary
        return Diagnostics(d.console, d.errors, d.blocked, d.irreproducible, d.caveats)

    async def close(self) -> None:
        """Close the page and everything it opened."""
        if self._surroundings.closed:
            return
        self._surroundings.closed = True
        if self._health.reason:
            return
        try:
            await self._health.guard(self._context.close(), self._limits.close_s, "closing a page")
        except (Error, GwrayError):
            self._health.fail("a page did not close")

    # Parts of the above

    @staticmethod
    def _after(start_ps: int, ms: float) -> int:
        return start_ps + max(0, round(ms * MS))

    async def _play(self, events: list[Event]) -> int | None:
        """Play all events; returns a last stretch of time that has not been run yet, for the caller to fuse."""
        start = self._time_ps
        ordered = sorted(events, key=lambda e: e.at_ms)
        last: int | None = None
        try:
            for at_ms, group in groupby(ordered, key=lambda e: e.at_ms):
                now = [e for e in group if e.kind != "end"]
                target = self._after(start, at_ms)
                if not now:
                    last = target
                    continue
                if target > self._time_ps:
                    await self._act(target, state=False, mime="")
                await self._expect_pointer(now)
                if await self._inputs.dispatch(now):
                    await self._door.call("function() { return this.rendered() }")
        finally:
            if last is not None and self._inputs.holds and last > self._time_ps:
                # Held to the end of the timeline: the time has to pass before the release.
                await self._act(last, state=False, mime="")
            if self._inputs.holds:
                await self._inputs.release()
        return last if last is not None and last > self._time_ps else None

    async def _expect_pointer(self, events: list[Event]) -> None:
        points = [[e.x, e.y] for e in events if e.kind.startswith(("mouse", "wheel")) and e.x is not None]
        if points and self._clock == "stepped":
            moves = sum(e.kind == "mouse_move" for e in events)
            await self._door.call("function(points, moves) { this.expectPointer(points, moves) }", points, moves)

    def _reading(self, answer: dict[str, Any]) -> Reading:
        page = self._source.page
        try:
            state = json.loads(answer["state"])
        except ValueError as e:
            raise GameError(f"{page}: getState() is not JSON: {e}") from e
        if not isinstance(state, dict):
            raise GameError(f"{page}: getState() must be an object, not {type(state).__name__}")
        if not isinstance(state.get("status"), str):
            raise GameError(f"{page}: getState().status must be text, not {state.get('status')!r}")
        terminal = state.get("terminal")
        if not isinstance(terminal, dict) or not isinstance(terminal.get("isTerminal"), bool):
            raise GameError(f"{page}: getState().terminal.isTerminal must be true or false, not {terminal!r}")
        said = canonical(state)
        text = storable(said)
        if text != said:
            state = json.loads(text)
        return Reading(state, digest(text), self._now())

    def _now(self) -> float:
        if self._clock == "native":
            return (time.monotonic() - self._began) * 1e3
        return self._door.now_ms

    async def _frame(self, answer: dict[str, Any]) -> Frame:
        width, height = self._source.viewport
        if answer["image"]:
            data = base64.b64decode(answer["image"].partition(",")[2])
            return Frame(data, self._mime, width, height)
        params: dict[str, Any] = {"format": self._image, "captureBeyondViewport": False}
        if self._image == "jpeg":
            params["quality"] = self._quality
        else:
            params["optimizeForSpeed"] = True
        shot = await self._wire.send("Page.captureScreenshot", params)
        return Frame(base64.b64decode(shot["data"]), self._mime, width, height)
