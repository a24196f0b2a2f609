"""A game's page as a laboratory: `gameAPI.lab`, which plays at once what the clock would play step by step.

For search, contract tests, the contact sheet and measurements; nothing that is scored happens here. The page is open
in the sandbox as in an episode, its clock stands still and only the lab moves the game. Games of other libraries that
are not built on the kit have no lab and are refused.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Error, Page

from gwray.actions import events, merge
from gwray.agents.semantic import resolve
from gwray.catalog.game import Control, Game, Role, Task
from gwray.errors import GameError, UsageError
from gwray.sandbox import Browser, Lane, PageSource

LAB_JS = Path(__file__).with_name("lab.js").read_text(encoding="utf-8")
"""Defines `judge` and `playEpisode` inside a page's function."""


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


def rules(task: Task) -> dict[str, Any]:
    """How a task is scored, as `lab.js` takes it."""
    return {
        "score": [{"field": t.field, "cap": t.cap} for t in task.score],
        "start": task.start,
        "target": task.target,
        "end": {"field": task.end.field, "value": task.end.value} if task.end else None,
        "resetOnFail": task.reset_on_fail,
    }


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

    def __init__(self, lane: Lane, game: Game):
        self.lane = lane
        self.game = game

    @property
    def page(self) -> Page:
        """The lane's page."""
        return self.lane.page

    async def call(self, function: str, argument: Any = None) -> Any:
        """Call a JavaScript function in the page; `gameAPI` and its `lab` are there."""
        try:
            return await self.page.evaluate(function, argument)
        except Error as e:
            raise GameError(f"{self.game.id}: {e.message.splitlines()[0] if e.message else e}") from e

    async def reset(self, seed: int) -> None:
        await self.call("seed => gameAPI.lab.reset(seed)", seed)

    async def run(self, timeline: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
        """Play a timeline and return `getState()`."""
        return await self.call("events => gameAPI.lab.run(events)", list(timeline))

    async def close(self) -> None:
        await self.lane.close()


class Labs:
    """Laboratories in one browser."""

    def __init__(self, browser: Browser):
        self._browser = browser

    async def open(self, game: Game, options: str = "", seed: int = 42) -> Lab:
        """The game's page with a task's options, at its start. `GameError` if it cannot start or has no lab."""
        page = f"{game.folder.name}/{game.page}"
        canvas = game.observation == "canvas"
        source = PageSource(game.folder.parent, page, options, seed, game.viewport, canvas)
        lab = Lab(await self._browser.open(source, image="png"), game)
        if not await lab.call("() => !!gameAPI.lab"):
            await lab.close()
            raise GameError(f"{game.id}: the page has no gameAPI.lab, so it is not built on the kit")
        return lab


@asynccontextmanager
async def open_labs() -> AsyncIterator[Labs]:
    """A browser for labs, closed at the end."""
    browser = await Browser.launch()
    try:
        yield Labs(browser)
    finally:
        await browser.close()
