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

from gwray.actions import Action
from gwray.agents import Call, Refused, Semantic
from gwray.catalog import Control, EndRule, Game, Role, Task
from gwray.environments import Opening, joint_events, open_environment
from gwray.environments.browser import BrowserEnvironment
from gwray.errors import GameError, UsageError
from gwray.sandbox import Browser, GamePage
from gwray.spec import ObservationSpec

LAB_JS = Path(__file__).with_name("lab.js").read_text(encoding="utf-8")
"""Defines `holds`, `judge` and `playEpisode` inside a page's function."""

PNG = ObservationSpec(format="png")


@dataclass(frozen=True)
class Move:
    """One joint action: what each role does in a step, and its timeline."""

    names: tuple[str, ...]
    """One entry a role, in the order of the game's roles: a control, and its argument after a space."""
    events: tuple[dict[str, Any], ...]


def timeline(game: Game, names: Sequence[str]) -> tuple[dict[str, Any], ...]:
    """The events of one step, exactly as an environment makes them. `UsageError` for an unknown control."""
    return tuple(e.model_dump() for e in joint_events(game, joint_action(game, names)))


def joint_action(game: Game, names: Sequence[str]) -> dict[str, Action]:
    """What each role does in one step. `UsageError` for an unknown control."""
    actions: dict[str, Action] = {}
    for role, entry in zip(game.roles, names, strict=True):
        name, _, values = entry.partition(" ")
        found = Semantic.for_role(role, game.viewport).to_action(Call(name, values))
        if isinstance(found, Refused):
            raise UsageError(f"{game.id}, role {role.name}: '{entry}': {found.reason}")
        actions[role.name] = found.action
    return actions


def rules(task: Task) -> dict[str, Any]:
    """How a task is scored, as `lab.js` takes it; every action counts as a reply."""
    said = task.model_dump(mode="json", by_alias=True)
    end = said["end"]
    return {
        **{k: said[k] for k in ("score", "start", "target", "goal")},
        "end": {"field": end["field"], "is": end["value"]} if isinstance(task.end, EndRule) else end,
        "milestones": [{"name": m["name"], "when": m["when"]} for m in said["milestones"]],
        "cap": task.progress.cap,
        "take": task.progress.take,
        "endsAtTarget": task.ends_at_target,
        "resetOnFail": task.reset_on_fail,
    }


def choices(role: Role, only: Sequence[str] = ()) -> list[str]:
    """Everything a role can do in a step, as text; every cell of a board is a choice, of a number's values a few are.
    Typing is left out."""
    out: list[str] = []
    for control in role.controls:
        if not only or control.id in only:
            out += _entries(control)
    return out


def _entries(control: Control) -> list[str]:
    values = itertools.product(*(p.samples() for p in control.parameters.values()))
    return [" ".join([control.id, *map(str, chosen)]) for chosen in values]


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

    def __init__(self, lane: GamePage, game: Game):
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
        if game.kind != "browser":
            raise GameError(f"{game.id} is played in {game.kind}, which is no page, so it has no lab")
        task = game.tasks[0].model_copy(update={"options": options})
        environment = await open_environment(Opening(game, task, seed, self._lend, observation=PNG))
        assert isinstance(environment, BrowserEnvironment)
        lab = Lab(environment.page, game)
        if not await lab.call("() => !!gameAPI.lab"):
            await lab.close()
            raise GameError(f"{game.id}: the page has no gameAPI.lab, so it is not built on the kit")
        return lab

    async def _lend(self) -> Browser:
        return self._browser


@asynccontextmanager
async def open_labs() -> AsyncIterator[Labs]:
    """A browser for labs, closed at the end."""
    browser = await Browser.launch()
    try:
        yield Labs(browser)
    finally:
        await browser.close()
