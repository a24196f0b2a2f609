"""A game's page as a laboratory: `gameAPI.lab` without the clock, for search, contract tests and measurements.

Nothing that is scored happens here. The page is the game's own, without network; its loop stands still and only the
lab moves it. Games of other libraries that are not built on the kit have no lab and are refused.
"""

from __future__ import annotations

import itertools
import mimetypes
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser as Chromium
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, Route, async_playwright

from gwray.actions import events, merge
from gwray.agents.semantic import resolve
from gwray.catalog.game import Control, Game, Role
from gwray.errors import BrowserError, GameError, UsageError

ORIGIN = "http://gwray.localhost"
STILL = "window.__gwray = {}; window.requestAnimationFrame = () => 0;"
"""The kit sees a stepped clock that nobody steps."""


@dataclass(frozen=True)
class Move:
    """One joint action: what each role does in a step, and its timeline."""

    names: tuple[str, ...]
    """One entry a role, in the order of the game's roles: a control, and its argument after a space."""
    events: tuple[dict[str, Any], ...]


def timeline(game: Game, names: Sequence[str]) -> tuple[dict[str, Any], ...]:
    """The events of one step, exactly as the episode loop makes them. `UsageError` for an unknown control."""
    lines = []
    for role, entry in zip(game.roles, names, strict=True):
        name, _, value = entry.partition(" ")
        decision = resolve(name, value, role, game.viewport)
        if decision.action is None:
            raise UsageError(f"{game.id}, role {role.name}: '{entry}': {decision.reason}")
        lines.append(events(decision.action, role.hold_ms))
    return tuple(e.model_dump() for e in merge(lines))


def choices(role: Role, only: Sequence[str] = ()) -> list[str]:
    """Everything a role can do in a step, as text; every cell of a board is a choice. Typing is left out."""
    out: list[str] = []
    for control in role.controls:
        if not only or control.id in only:
            out += _entries(control)
    return out


def _entries(control: Control) -> list[str]:
    if control.type_text:
        return []
    return [f"{control.id} {cell}" for cell in control.cells.names()] if control.cells else [control.id]


def moves(game: Game, only: Sequence[str] = ()) -> list[Move]:
    """All joint actions of a game's roles."""
    lists = [choices(role, only) or choices(role) for role in game.roles]
    if not all(lists):
        raise UsageError(
            f"{game.id} is played by typing, which is not searched; write its solution by a scripted player"
        )
    return [Move(names, timeline(game, names)) for names in itertools.product(*lists)]


class Lab:
    """One game page that stands still until the lab moves it."""

    def __init__(self, page: Page, game: Game):
        self.page = page
        self.game = game
        self.errors: list[str] = []
        page.on("pageerror", lambda e: self.errors.append(str(e)))

    async def call(self, script: str, argument: Any = None) -> Any:
        """Run a JavaScript function in the page; `gameAPI` and its `lab` are there."""
        try:
            return await self.page.evaluate(script, argument)
        except PlaywrightError as e:
            raise GameError(f"{self.game.id}: {e.message.splitlines()[0] if e.message else e}") from e

    async def reset(self, seed: int) -> None:
        await self.call("seed => gameAPI.lab.reset(seed)", seed)

    async def run(self, events: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Play a timeline and return `getState()`."""
        return await self.call("events => gameAPI.lab.run(events)", list(events))

    async def png(self) -> bytes:
        """The canvas, drawn now."""
        import base64

        url = await self.call("() => (gameAPI.draw(), document.querySelector('canvas').toDataURL('image/png'))")
        return base64.b64decode(url.partition(",")[2])

    async def close(self) -> None:
        await self.page.context.close()


class Labs:
    """One browser for labs."""

    def __init__(self, chromium: Chromium):
        self._chromium = chromium

    async def open(self, game: Game, options: str = "", seed: int = 42) -> Lab:
        """The game's page with a task's options, initialised. `GameError` if it cannot start or has no lab."""
        context = await self._chromium.new_context(
            viewport={"width": game.viewport[0], "height": game.viewport[1]}, device_scale_factor=1
        )
        page = await context.new_page()
        lab = Lab(page, game)
        root = game.folder.parent.resolve()

        async def serve(route: Route) -> None:
            await _serve(route, root)

        await context.route("**/*", serve)
        await page.add_init_script(STILL)
        await page.goto(f"{ORIGIN}/{game.folder.name}/{game.page}{options}", wait_until="load")
        if not await lab.call("() => !!window.gameAPI"):
            raise GameError(f"{game.id}: the page has no gameAPI; {'; '.join(lab.errors) or 'no error was reported'}")
        await lab.call("seed => gameAPI.init({seed})", seed)
        if not await lab.call("() => !!gameAPI.lab"):
            raise GameError(f"{game.id}: the page has no gameAPI.lab, so it cannot be searched")
        return lab


async def _serve(route: Route, root: Path) -> None:
    address = route.request.url.partition("?")[0].partition("#")[0]
    file = (root / address.removeprefix(ORIGIN).lstrip("/")).resolve()
    if not address.startswith(ORIGIN + "/") or not file.is_relative_to(root) or not file.is_file():
        await route.abort()
        return
    kind = "text/javascript" if file.suffix in (".js", ".mjs") else mimetypes.guess_type(file.name)[0]
    await route.fulfill(body=file.read_bytes(), content_type=kind or "application/octet-stream")


@asynccontextmanager
async def open_labs() -> AsyncIterator[Labs]:
    """A browser for labs, closed at the end."""
    args = ["--disable-background-networking", "--disable-sync", "--no-first-run", "--mute-audio", "--hide-scrollbars"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        args.append("--no-sandbox")
    async with async_playwright() as playwright:
        try:
            chromium = await playwright.chromium.launch(executable_path=_executable(), args=args)
        except PlaywrightError as e:
            raise BrowserError(f"the browser does not start: {e.message.splitlines()[0]}") from e
        try:
            yield Labs(chromium)
        finally:
            await chromium.close()


def _executable() -> str | None:
    try:
        from gwray.sandbox import find_browser  # the sandbox's choice is everybody's choice

        return str(find_browser().path)
    except ImportError:
        return "/usr/bin/chromium-headless-shell"
