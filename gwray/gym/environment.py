"""One task of one game as a Gymnasium environment, over the sandbox that every run uses.

Game time is stepped, so the same seed and the same actions give the same pictures and rewards. What is not here:
models, prompts, logs. Scores are made by the same evaluation: the rewards add up to the progress that gwray reports.
"""

from __future__ import annotations

import asyncio
import io
import string
import threading
from collections.abc import Coroutine, Sequence
from itertools import product
from typing import Any, TypeVar

import gymnasium
import numpy as np
from PIL import Image

from gwray.actions import Action
from gwray.agents import Call, Refused, Semantic
from gwray.catalog import Control, Game, Role, load_catalog
from gwray.environments import Environment, Opening, open_environment
from gwray.errors import UsageError
from gwray.evaluation import BestSoFar, check_start, evaluate_step
from gwray.sandbox import BrowserOnDemand
from gwray.spec import ObservationSpec

T = TypeVar("T")


class GameEnv(gymnasium.Env[np.ndarray, int]):
    """Observation: the screen, `uint8` of (height, width, 3). Action: one of the role's controls, by number;
    `action_names` says which, with samples of its arguments. Reward: what the action added to the progress (0 to 1)
    that the task counts. Terminated on success or at an ending of the game, truncated when the budget is spent.

    A failed attempt is started again under the same budget where the task says so, as in every run.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 5}  # noqa: RUF012, as Gymnasium's own class has it

    def __init__(
        self, game: str, task: int | str = 1, *, render_mode: str | None = None, libraries: Sequence[str] = ()
    ):
        """`task`: its number within the game, or its id. `UsageError` for a game with several roles, whose players
        would have to act at once, and for a task that does not exist."""
        self._game, self._task = _one(game, task, libraries)
        (role,) = self._game.roles
        self._role, self.render_mode = role.name, render_mode
        self._actions = _actions(self._game, role)
        self.action_names = tuple(self._actions)
        """What each action is, by its number."""
        width, height = self._game.viewport
        self.action_space = gymnasium.spaces.Discrete(len(self._actions))  # type: ignore[assignment]
        self.observation_space = gymnasium.spaces.Box(0, 255, (height, width, 3), np.uint8)
        self._loop: _Loop | None = None
        self._world: Environment | None = None
        self._browser: BrowserOnDemand | None = None
        self._screen = np.zeros((height, width, 3), np.uint8)
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """A new episode. `seed` is the game's; without one the next is drawn from the seed that was given last."""
        super().reset(seed=seed)
        self._seed = int(self.np_random.integers(2**31)) if seed is None else seed
        self._loop = self._loop or _Loop()
        self._best, self._steps, self._over = BestSoFar(), 0, False
        self._loop.do(self._open())
        return self._screen, self._info(0.0, None)

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play one control for as long as it is held; game time stands still between two steps."""
        if self._over or self._loop is None:
            raise gymnasium.error.ResetNeeded("the episode is over, or was not begun: call reset() first")
        before = self._best.best
        result, game_time = self._loop.do(self._play(self._actions[self.action_names[int(action)]]))
        self._over = result.then == "end"
        spent = self._over and result.ended_by == "budget"
        info = self._info(game_time, result.ended_by)
        return self._screen, self._best.best - before, self._over and not spent, spent, info

    def render(self) -> np.ndarray | None:  # type: ignore[override]
        """The screen as it was seen last."""
        return self._screen if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """End the browser."""
        if self._loop is not None:
            self._loop.do(self._close())
            self._loop.end()
            self._loop = None
        self._over = True

    def _info(self, game_time: float, ended_by: str | None) -> dict[str, Any]:
        info: dict[str, Any] = {
            "progress": self._best.best, "success": self._best.success, "resets": self._best.resets,
            "game_time_ms": game_time, "task": self._task.id, "instruction": self._task.instruction.strip(),
        }  # fmt: skip
        return info | ({"ended_by": ended_by} if ended_by else {})

    async def _open(self) -> None:
        if self._world is not None:
            await self._world.close()
        self._browser = self._browser or BrowserOnDemand()
        self._world = await open_environment(
            Opening(self._game, self._task, self._seed, self._browser, observation=ObservationSpec())
        )
        check_start((await self._world.read()).state, self._task)
        await self._look(self._world)

    async def _play(self, action: Action) -> Any:
        assert self._world is not None
        reading = await self._world.step({self._role: action}, look=True)
        self._steps += 1
        left = self._task.left(self._steps, self._steps)
        result, self._best = evaluate_step(reading.state, self._task, left, self._best)
        if result.then == "reset":
            await self._world.reset(self._seed)
        await self._look(self._world)
        return result, reading.game_time_ms

    async def _look(self, world: Environment) -> None:
        seen = await world.observe(self._role, ObservationSpec())
        picture = Image.open(io.BytesIO(seen.views[0].data)).convert("RGB")
        self._screen = np.array(picture, np.uint8)

    async def _close(self) -> None:
        world, browser, self._world, self._browser = self._world, self._browser, None, None
        if world is not None:
            await world.close()
        if browser is not None:
            await browser.__aexit__()


def _one(game: str, task: int | str, libraries: Sequence[str]) -> Any:
    pairs = load_catalog(libraries).select([game], [str(task)])
    if len(pairs) != 1:
        raise UsageError(f"task '{task}' of {game} names {len(pairs)} tasks; an environment has one")
    if len(roles := pairs[0][0].roles) > 1:
        names = ", ".join(r.name for r in roles)
        raise UsageError(f"{game} has {len(roles)} roles ({names}) that act at once; this environment has one player")
    return pairs[0]


def _actions(game: Game, role: Role) -> dict[str, Action]:
    """Every control of a role in words, with samples of its arguments, and the input that it is."""
    space = Semantic.of(role, game.viewport)
    found: dict[str, Action] = {}
    for control in role.controls:
        for given in _given(control, role):
            parsed = space.parse(Call(control.id, given))
            if not isinstance(parsed, Refused):
                found[" ".join([control.id, *map(str, given.values())])] = parsed.action
    return found


def _given(control: Control, role: Role) -> list[dict[str, Any]]:
    letters = [k for k in role.keys if len(k) == 1] or [*string.ascii_lowercase]
    samples = [p.samples() or letters for p in control.parameters.values()]
    return [dict(zip(control.parameters, values, strict=True)) for values in product(*samples)]


class _Loop:
    """An event loop in a thread of its own: the sandbox is asynchronous, and Gymnasium is not."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="gwray-gym", daemon=True)
        self._thread.start()

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
