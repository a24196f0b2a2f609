"""A game's page during an episode: input, screenshots and state. This module knows no tasks, scores or models.
`page_opening` opens pages, `page_clock` runs their time."""

import base64
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from playwright.async_api import Page

from gwray.errors import GameError
from gwray.records import CommandAnswer, Diagnostics, Event, Reading, canonical, digest, storable
from gwray.sandbox.cdp import CdpSession
from gwray.sandbox.diagnostics import DiagnosticsCollector
from gwray.sandbox.frames import Frames
from gwray.sandbox.free_turns import FORGOTTEN, Answers, FreeTurns
from gwray.sandbox.inputs import Inputs
from gwray.sandbox.page_bridge import PageBridge
from gwray.sandbox.page_clock import MS, PageClock
from gwray.sandbox.page_memory import PageMemory
from gwray.sandbox.request_interceptor import RequestInterceptor
from gwray.sandbox.types import Encoding, Frame, PageSource

STATE_DEPTH = 100
"""Maximum nesting depth of a state, which later readers process recursively."""
_NON_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[^][{}"]+')
"""Strings, and all other characters except brackets."""
_COMMAND = "function(role, name, args) { this.command(role, name, args) }"
_EXPECT_POINTER = "function(...expected) { this.expectPointer(...expected) }"
TOO_DEEP = f": getState() is nested deeper than {STATE_DEPTH} objects and lists"


class GamePage:
    """A game's page. Opened by `Browser.open`."""

    def __init__(
        self,
        page: Page,
        source: PageSource,
        encoding: Encoding,
        cdp: CdpSession,
        frames: Frames | None,
        bridge: PageBridge,
        clock: PageClock,
        requests: RequestInterceptor,
        diagnostics: DiagnosticsCollector,
        close: Callable[[], Awaitable[None]],
    ):
        self.page = page
        """The Playwright page, for labs and contract tests. Episodes never use it, because its use is not recorded."""
        self.memory = PageMemory(bridge, self._settled)
        """The page's WebAssembly memories."""
        self._source = source
        self._encoding = encoding
        self._cdp = cdp
        self._frames = frames
        self._inputs = Inputs(cdp, frames)
        self._bridge = bridge
        self._clock = clock
        self._requests = requests
        self._diagnostics = diagnostics
        self._close = close
        self.turns = FreeTurns(source.page, clock, self._dispatch, self._answers, self._inputs.release)
        """Input of roles that act at different times."""

    async def observe(self, encoding: Encoding | None = None) -> Frame:
        """Takes a screenshot. `encoding`: default is that of the page. The clock does not move."""
        encoding = encoding or self._encoding
        return await self._frame(await self._clock.act(None, state=False, picture=encoding), encoding)

    async def look(self, view: str, encoding: Encoding | None = None) -> Frame:
        """Takes an image of a further view, drawn by `gameAPI.look(view)`. Raises `GameError` unless the result is a
        canvas of the viewport's size, and drawing did not change the page."""
        encoding = encoding or self._encoding
        width, height = self._source.viewport
        function = "function(view, size, mime, quality) { return this.look(view, size, mime, quality) }"
        url = await self._look(function, view, [width, height], encoding.mime, encoding.quality / 100)
        return Frame(_decode(url), encoding.mime, width, height)

    async def describe(self, role: str) -> str:
        """Returns the screen in words, for a role: `gameAPI.describe(role)`. Raises `GameError` unless the result is a
        text of at most `Limits.text_chars`, and the page did not change."""
        return storable(await self._look("function(role) { return this.describe(role) }", role))

    async def _look(self, function: str, *args: Any) -> str:
        await self._settled()
        return (await self._bridge.call(function, *args))["answer"]

    async def _settled(self) -> None:
        if self._requests.waiting:
            await self._clock.settle()

    async def read(self) -> Reading:
        """Reads the game's state."""
        return self._reading(await self._clock.act(None, state=True))

    async def advance(self, ms: float) -> None:
        """Advances game time by `ms`."""
        await self._clock.act(self._clock.after(ms))

    async def perform(self, events: list[Event]) -> Mapping[str, CommandAnswer]:
        """Plays a timeline of input, up to its last event and the end of its commands. Keys and buttons that are still
        pressed are released. Returns the answers to commands, by role."""
        return (await self._perform(events))[1]

    async def step(self, events: list[Event], *, observe: bool) -> tuple[Reading, Frame | None]:
        """Runs `perform`, `read` and, if requested, `observe`, in as few calls to the page as possible."""
        picture = self._encoding if observe else None
        answer, answers = await self._perform(events, state=True, picture=picture)
        frame = await self._frame(answer, picture) if picture else None
        return replace(self._reading(answer), answers=answers), frame

    async def _perform(
        self, events: list[Event], *, state: bool = False, picture: Encoding | None = None
    ) -> tuple[dict[str, Any], Mapping[str, CommandAnswer]]:
        """Plays a timeline to the end of its events and commands, then reads state and picture."""
        if not events:
            return await self._clock.act(None, state=state, picture=picture), {}
        began = self._clock.time_ps
        pending = await self._play(events)
        commands = [e for e in events if e.kind == "command"]
        if not commands:
            return await self._clock.act(pending, state=state, picture=picture), {}
        if pending is not None:
            await self._clock.act(pending)
        limit_ms = max(e.max_ms for e in commands)
        answer = await self._clock.finish_commands(began + round(limit_ms * MS), state=state, picture=picture)
        answered, running = await self._answers()
        if running:
            role, name = next(iter(running.items()))
            raise GameError(
                f"{self._source.page}: command '{name}' of {role} has not ended within {limit_ms:g} ms of game time; "
                "let the game end it, or set a longer `max_ms` in its control"
            )
        return answer, {e.role: FORGOTTEN for e in commands} | answered

    async def _answers(self) -> Answers:
        found = await self._bridge.call("function() { return this.answers() }")
        answered = {r: CommandAnswer(a["ok"], storable(a["feedback"])) for r, a in found["answered"].items()}
        return answered, found["running"]

    def run_every(self, per_s: int, work: Callable[[], Awaitable[None]] | None) -> None:
        """Awaits `work` every 1/`per_s` s of game time (`per_s` >= 4); None: stops."""
        self._clock.periodic = (per_s, work) if work else None

    async def reset(self, seed: int) -> None:
        """Resets the task to its initial state; game time continues. Actions that are under way are dropped."""
        if self.turns.busy:
            await self.turns.clear()
        await self._clock.until_ready("reset", seed)

    def diagnostics(self) -> Diagnostics:
        """Returns console output, errors and caveats so far."""
        return self._diagnostics.snapshot()

    async def close(self) -> None:
        """Closes the page and its context."""
        if not self._requests.closed:
            self._requests.end()
            await self._close()

    async def _play(self, events: list[Event]) -> int | None:
        """Plays all events. Returns the end time if it is not reached yet, so that the next call can run to it."""
        due = {e.at_ms: self._clock.after(e.at_ms) for e in events}
        ordered = sorted(events, key=lambda e: e.at_ms)
        last: int | None = None
        try:
            for at_ms, group in groupby(ordered, key=lambda e: e.at_ms):
                now = [e for e in group if e.kind != "end"]
                target = due[at_ms]
                if not now:
                    last = target
                    continue
                if target > self._clock.time_ps:
                    await self._clock.act(target)
                await self._dispatch(now)
        finally:
            if last is not None and self._inputs.holds and last > self._clock.time_ps:
                # Pressed until the end of the timeline: the time must pass before the release.
                await self._clock.act(last)
            if self._inputs.holds:
                await self._inputs.release()
        return last if last is not None and last > self._clock.time_ps else None

    async def _dispatch(self, events: list[Event]) -> None:
        """Begins the commands and sends the input of one instant."""
        for e in events:
            if e.kind == "command":
                await self._bridge.call(_COMMAND, e.role, e.command, e.args)
        await self._expect_pointer(events)
        if await self._inputs.dispatch(events):
            await self._bridge.call("function() { return this.rendered() }")

    async def _expect_pointer(self, events: list[Event]) -> None:
        points = [[e.x, e.y] for e in events if e.kind.startswith(("mouse", "wheel")) and e.x is not None]
        if points and self._clock.stepped:
            moves, wheel = (sum(e.kind == kind for e in events) for kind in ("mouse_move", "wheel"))
            begins = any(e.at_ms == 0 for e in events)
            await self._bridge.call(_EXPECT_POINTER, points, moves, wheel > 0, begins)

    def _reading(self, answer: dict[str, Any]) -> Reading:
        """Returns the state of an answer of the page. Raises `GameError` if it violates the contract."""
        page = self._source.page
        try:
            state = json.loads(answer["state"])
        except ValueError as e:
            raise GameError(f"{page}: getState() is not JSON: {e}") from e
        except RecursionError as e:
            raise GameError(page + TOO_DEEP) from e
        if _too_deep(answer["state"]):
            raise GameError(page + TOO_DEEP)
        if not isinstance(state, dict):
            raise GameError(f"{page}: getState() must be an object, not {type(state).__name__}")
        if not isinstance(state.get("status"), str):
            raise GameError(f"{page}: getState().status must be text, not {state.get('status')!r}")
        terminal = state.get("terminal")
        if not isinstance(terminal, dict) or not isinstance(terminal.get("isTerminal"), bool):
            raise GameError(f"{page}: getState().terminal.isTerminal must be true or false, not {terminal!r}")
        original = canonical(state)
        text = storable(original)
        if text != original:
            state = json.loads(text)
        return Reading(state, digest(text), self._clock.now_ms)

    async def _frame(self, answer: dict[str, Any], encoding: Encoding) -> Frame:
        """Returns the screenshot of an answer; takes one if the page did not encode it."""
        data = _decode(answer["image"]) if answer["image"] else await self._screenshot(encoding)
        return Frame(data, encoding.mime, *self._source.viewport)

    async def _screenshot(self, encoding: Encoding) -> bytes:
        params: dict[str, Any] = {"format": encoding.image}
        if encoding.image == "jpeg":
            params["quality"] = encoding.quality
        else:
            params["optimizeForSpeed"] = True
        if self._frames:
            data = await self._frames.screenshot(params)
        else:
            data = (await self._cdp.send("Page.captureScreenshot", params | {"captureBeyondViewport": False}))["data"]
        return base64.b64decode(data)


def _too_deep(text: str) -> bool:
    """Whether JSON text is nested deeper than `STATE_DEPTH`."""
    depth = 0
    for bracket in _NON_BRACKETS.sub("", text):
        depth += 1 if bracket in "[{" else -1
        if depth > STATE_DEPTH:
            return True
    return False


def _decode(url: str) -> bytes:
    """Returns the bytes of a `data:` URL."""
    return base64.b64decode(url.partition(",")[2])
