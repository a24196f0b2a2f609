"""Opens games as labs: with `gameAPI.lab`, code in the page plays a step immediately, without the page's clock. Used by
search, contract tests, the contact sheet and difficulty measurements, never for scored episodes. The page is open in
the sandbox as in an episode, with its clock stopped. Games that are not built on the kit have no lab."""

import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Error, Page

from gwray.agents import Call, Refused, Semantic
from gwray.catalog import Control, EndRule, Game, Role, Task
from gwray.environments import Opening, joint_events, open_environment
from gwray.environments.browser import BrowserEnvironment
from gwray.errors import GameError, UsageError
from gwray.records import Action
from gwray.sandbox import Browser, GamePage
from gwray.settings import ObservationSpec

LAB_JS = Path(__file__).with_name("lab.js").read_text(encoding="utf-8")
"""Defines `holds`, `evaluate` and `playEpisode` inside a page's function."""

PNG = ObservationSpec(format="png")


@dataclass(frozen=True)
class Move:
    """A joint action of all roles and its timeline of input."""

    names: tuple[str, ...]
    """One entry per role, in the order of the game's roles: a control and its arguments, separated by spaces."""
    events: tuple[dict[str, Any], ...]


def timeline(game: Game, names: Sequence[str]) -> tuple[dict[str, Any], ...]:
    """Returns the input events of one step, as an environment makes them. Raises `UsageError` for an unknown
    control."""
    return tuple(e.model_dump() for e in joint_events(game, joint_action(game, names)))


def joint_action(game: Game, names: Sequence[str]) -> dict[str, Action]:
    """Returns the action of each role in one step. Raises `UsageError` for an unknown control."""
    actions: dict[str, Action] = {}
    for role, entry in zip(game.roles, names, strict=True):
        name, _, values = entry.partition(" ")
        found = Semantic.for_role(role.stepwise, game.viewport).to_action(Call(name, values))
        if isinstance(found, Refused):
            raise UsageError(f"{game.id}, role {role.name}: '{entry}': {found.reason}")
        actions[role.name] = found.action
    return actions


def rules(task: Task) -> dict[str, Any]:
    """Returns the scoring of a task in the format of `lab.js`. Each action counts as a reply."""
    dump = task.model_dump(mode="json", by_alias=True)
    end = dump["end"]
    return {
        **{k: dump[k] for k in ("score", "start", "target", "goal")},
        "end": {"field": end["field"], "is": end["value"]} if isinstance(task.end, EndRule) else end,
        "milestones": [{"name": m["name"], "when": m["when"]} for m in dump["milestones"]],
        "cap": task.progress.cap,
        "floor": task.progress.floor,
        "take": task.progress.take,
        "endsAtTarget": task.ends_at_target,
        "resetOnFail": task.reset_on_fail,
    }


def choices(role: Role) -> list[str]:
    """Returns all entries of a role for one step, with samples of the arguments; controls that type text have none."""
    return [entry for control in role.stepwise.controls for entry in _entries(control)]


def _entries(control: Control) -> list[str]:
    values = itertools.product(*(p.samples() for p in control.parameters.values()))
    return [" ".join([control.id, *map(str, chosen)]) for chosen in values]


def moves(game: Game) -> list[Move]:
    """Returns all joint actions of a game's roles. Raises `UsageError` for a game that is played by typing."""
    lists = [choices(role) for role in game.roles]
    if not all(lists):
        raise UsageError(
            f"{game.id} is played by typing, which cannot be searched; record a solution with a scripted player"
        )
    return [Move(names, timeline(game, names)) for names in itertools.product(*lists)]


class Lab:
    """A game page whose game only moves when the lab moves it."""

    def __init__(self, game_page: GamePage, game: Game):
        self.game_page = game_page
        self.game = game

    @property
    def page(self) -> Page:
        """The Playwright page."""
        return self.game_page.page

    async def call(self, function: str, argument: Any = None) -> Any:
        """Calls a JavaScript function in the page, which can use `gameAPI.lab`. Raises `GameError` if it fails."""
        try:
            return await self.page.evaluate(function, argument)
        except Error as e:
            raise GameError(f"{self.game.id}: {e.message.splitlines()[0] if e.message else e}") from e

    async def reset(self, seed: int) -> None:
        await self.call("seed => gameAPI.lab.reset(seed)", seed)

    async def run(self, timeline: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
        """Plays a timeline and returns `getState()`."""
        return await self.call("events => gameAPI.lab.run(events)", list(timeline))

    async def close(self) -> None:
        await self.game_page.close()


class Labs:
    """Opens labs in one browser."""

    def __init__(self, browser: Browser):
        self._browser = browser

    async def open(self, game: Game, options: str = "", seed: int = 42) -> Lab:
        """Opens a game with a task's options, at its start. Raises `GameError` if it cannot start or has no lab."""
        if game.kind != "browser":
            raise GameError(f"{game.id} has no lab, because its kind is {game.kind}; only browser games have labs")
        task = game.tasks[0].model_copy(update={"options": options})
        environment = await open_environment(Opening(game, task, seed, self._get_browser, observation=PNG))
        assert isinstance(environment, BrowserEnvironment)
        lab = Lab(environment.page, game)
        if not await lab.call("() => !!gameAPI.lab"):
            await lab.close()
            raise GameError(f"{game.id}: the page has no gameAPI.lab; only games built on the kit have labs")
        return lab

    async def _get_browser(self) -> Browser:
        return self._browser


@asynccontextmanager
async def open_labs() -> AsyncIterator[Labs]:
    """Opens a browser for labs and closes it at the end."""
    browser = await Browser.launch()
    try:
        yield Labs(browser)
    finally:
        await browser.close()
