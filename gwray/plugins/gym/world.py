"""Synchronous access to a task in the sandbox."""

import asyncio
import io
import string
import threading
from collections.abc import Coroutine, Mapping, Sequence
from itertools import product
from typing import Any, TypeVar

import numpy as np
from PIL import Image

from gwray.agents import Call, Refused, Semantic
from gwray.catalog import Game, Role, Task, load_catalog
from gwray.environments import Environment, Opening, open_environment
from gwray.errors import UsageError
from gwray.evaluation import BestSoFar, StepResult, check_start, evaluate_step
from gwray.records import Action
from gwray.sandbox import BrowserOnDemand
from gwray.settings import ObservationSpec

T = TypeVar("T")


class TaskWorld:
    """A task in the sandbox, with the last screens of its roles and the progress of the episode."""

    def __init__(self, game: Game, task: Task):
        if game.turns == "free":
            raise UsageError(
                f"{game.id}: its roles act independently (turns: free), but an environment of Gymnasium "
                "takes one action of each at the same instants. Play it with `gwray run`, or choose another game."
            )
        self.game, self.task = game, task
        self.actions = {role.name: named_actions(game, role) for role in game.roles}
        """Actions of each role, by name."""
        width, height = game.viewport
        self.shape = (height, width, 3)
        self.screens = {role.name: np.zeros(self.shape, np.uint8) for role in game.roles}
        self.best, self.over = BestSoFar(), True
        """`over`: no episode is running."""
        self._loop: _Loop | None = None
        self._world: Environment | None = None
        self._browser: BrowserOnDemand | None = None

    def begin(self, seed: int) -> dict[str, Any]:
        """Starts an episode and returns its info dict. The first call also starts the browser."""
        self._loop = self._loop or _Loop()
        self._seed, self._steps, self.best, self.over = seed, 0, BestSoFar(), False
        self._loop.run(self._open())
        return self._info(0.0, None)

    def step(self, actions: Mapping[str, Action]) -> tuple[float, bool, bool, dict[str, Any]]:
        """Plays one action of each role over the same frames. Returns the added progress (0 to 1), terminated,
        truncated and the info dict. Updates `screens`, `best` and `over`."""
        assert self._loop is not None
        before = self.best.best
        result, game_time = self._loop.run(self._play(actions))
        self.over = result.then == "end"
        spent = self.over and result.ended_by == "budget"
        return self.best.best - before, self.over and not spent, spent, self._info(game_time, result.ended_by)

    def close(self) -> None:
        """Closes the browser."""
        if self._loop is not None:
            self._loop.run(self._close())
            self._loop.end()
            self._loop = None
        self.over = True

    def _info(self, game_time: float, ended_by: str | None) -> dict[str, Any]:
        """Returns the info dict of an episode; `game_time` in ms."""
        info: dict[str, Any] = {
            "progress": self.best.best, "success": self.best.success, "resets": self.best.resets,
            "game_time_ms": game_time, "task": self.task.id, "instruction": self.task.instruction.strip(),
        }  # fmt: skip
        return info | ({"ended_by": ended_by} if ended_by else {})

    async def _open(self) -> None:
        """Opens the task at its start, closes an earlier episode, and takes the first screens. Raises `GameError` if
        the task is already solved."""
        if self._world is not None:
            await self._world.close()
        self._browser = self._browser or BrowserOnDemand()
        self._world = await open_environment(
            Opening(self.game, self.task, self._seed, self._browser, observation=ObservationSpec())
        )
        check_start((await self._world.read()).state, self.task)
        await self._look(self._world)

    async def _play(self, actions: Mapping[str, Action]) -> tuple[StepResult, float]:
        """Plays and scores one step, resets the game after a failed attempt, and takes the screens. Returns the scored
        step and the game time in ms."""
        assert self._world is not None
        reading = await self._world.step(dict(actions), look=True)
        self._steps += 1
        left = self.task.remaining(self._steps, self._steps)
        result, self.best = evaluate_step(reading.state, self.task, left, self.best)
        if result.then == "reset":
            await self._world.reset(self._seed)
        elif result.then == "end":
            await self._world.confirm()
        await self._look(self._world)
        return result, reading.game_time_ms

    async def _look(self, world: Environment) -> None:
        """Replaces the screen of each role by the current one."""
        for role in self.screens:
            seen = await world.observe(role, ObservationSpec())
            picture = Image.open(io.BytesIO(seen.views[0].data)).convert("RGB")
            self.screens[role] = np.array(picture, np.uint8)

    async def _close(self) -> None:
        world, browser, self._world, self._browser = self._world, self._browser, None, None
        if world is not None:
            await world.close()
        if browser is not None:
            await browser.__aexit__()


def one_task(game: str, task: int | str, libraries: Sequence[str]) -> tuple[Game, Task]:
    """Returns a task by its number within the game, or its id. Raises `UsageError` unless exactly one task matches."""
    pairs = load_catalog(libraries).select([game], [str(task)])
    if len(pairs) != 1:
        raise UsageError(f"task '{task}' of {game} matches {len(pairs)} tasks; choose one")
    return pairs[0]


def named_actions(game: Game, role: Role) -> dict[str, Action]:
    """Returns all actions of a role by name: each control with samples of its arguments."""
    space = Semantic.for_role(role, game.viewport)
    found: dict[str, Action] = {}
    letters = [k for k in role.keys if len(k) == 1] or [*string.ascii_lowercase]
    for control in role.controls:
        for values in product(*(p.samples() or letters for p in control.parameters.values())):
            arguments = dict(zip(control.parameters, values, strict=True))
            parsed = space.parse(Call(control.id, arguments))
            if not isinstance(parsed, Refused):
                found[" ".join([control.id, *map(str, arguments.values())])] = parsed.action
    return found


class _Loop:
    """An event loop in a separate thread: the sandbox is asynchronous, Gymnasium is not."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="gwray-gym", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
