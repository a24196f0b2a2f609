"""One browser for all tests here, and a helper that opens a test game."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from gwray.catalog import Game
from gwray.catalog.library import read_game
from gwray.environments import Environment, Opening, open_environment
from gwray.sandbox import BrowserOnDemand
from gwray.settings import ObservationSpec

WORLDS = Path(__file__).parent / "worlds"
OpenWorld = Callable[..., Awaitable[Environment]]


def world(name: str) -> Game:
    """A game of the test library."""
    return read_game(WORLDS / name / "game.yaml")


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[BrowserOnDemand]:
    async with BrowserOnDemand() as browser:
        yield browser


@pytest.fixture
async def opened(browser: BrowserOnDemand) -> AsyncIterator[OpenWorld]:
    """Open the first task of a game with further options; it is closed after the test."""
    environments: list[Environment] = []

    async def open_(name: str, *, options: str = "", seed: int = 42, **how: object) -> Environment:
        game = world(name)
        task = game.tasks[0].model_copy(update={"options": options})
        how.setdefault("observation", ObservationSpec(format="png"))
        environments.append(await open_environment(Opening(game, task, seed, browser, **how)))  # type: ignore
        return environments[-1]

    yield open_
    for environment in environments:
        await environment.close()
