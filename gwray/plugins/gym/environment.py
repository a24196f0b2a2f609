"""A task as a Gymnasium environment, in the sandbox that all runs use. Game time is stepped, so the same seed and the
same actions give the same observations and rewards. There are no models, prompts or logs. Scoring is that of runs: the
rewards add up to the progress that gwray reports."""

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

from gwray.agents import Call, Refused, Semantic
from gwray.catalog import Game, Role, load_catalog
from gwray.environments import Environment, Opening, open_environment
from gwray.errors import UsageError
from gwray.evaluation import BestSoFar, StepResult, check_start, evaluate_step
from gwray.records import Action
from gwray.sandbox import BrowserOnDemand
from gwray.settings import ObservationSpec

T = TypeVar("T")


class GameEnv(gymnasium.Env[np.ndarray, int]):
    """Observation: the screen, `uint8` of (height, width, 3). Action: one of the role's controls, by index in
    `action_names`, which has samples of its arguments. Reward: the progress (0 to 1) that the action added. Terminated
    on success or at an end of the game, truncated when the budget is used up.

    As in runs, a failed attempt is restarted under the same budget, unless the task ends then.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 5}  # noqa: RUF012, as Gymnasium's own class has it

    def __init__(
        self, game: str, task: int | str = 1, *, render_mode: str | None = None, libraries: Sequence[str] = ()
    ):
        """`task`: number within the game, or id. Raises `UsageError` for an unknown task, and for a game with several
        roles."""
        pairs = load_catalog(libraries).select([game], [str(task)])
        if len(pairs) != 1:
            raise UsageError(f"task '{task}' of {game} matches {len(pairs)} tasks; choose one")
        self._game, self._task = pairs[0]
        if len(self._game.roles) > 1:
            names = ", ".join(r.name for r in self._game.roles)
            raise UsageError(
                f"{game} has {len(self._game.roles)} roles ({names}) that act simultaneously; an environment of "
                "Gymnasium has one. Play it with `gwray run`, or choose another game."
            )
        (self._role,) = list(self._game.roles)
        self._actions = named_actions(self._game, self._role)
        self.render_mode = render_mode
        self.action_names = tuple(self._actions)
        """Names of the actions, by index."""
        self.action_space = gymnasium.spaces.Discrete(len(self.action_names))  # type: ignore[assignment]
        width, height = self._game.viewport
        self._screen = np.zeros((height, width, 3), np.uint8)
        self.observation_space = gymnasium.spaces.Box(0, 255, self._screen.shape, np.uint8)
        self._seed, self._steps, self._best, self._over = 0, 0, BestSoFar(), True
        self._loop: _Loop | None = None
        self._world: Environment | None = None
        self._browser: BrowserOnDemand | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Starts an episode. The first call also starts the browser.

        Args:
            seed: the game's seed; None: drawn from a generator that the last given seed initialized.
            options: ignored.

        Returns:
            The screen, and an info dict with `progress` (0 to 1), `success`, `resets`, `game_time_ms`, `task` and
            `instruction`.
        """
        super().reset(seed=seed)
        self._seed = int(self.np_random.integers(2**31)) if seed is None else seed
        self._steps, self._best, self._over = 0, BestSoFar(), False
        self._loop = self._loop or _Loop()
        self._loop.run(self._open())
        return self._screen, self._info(0.0)

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Plays one control for its duration; game time does not pass between steps.

        Args:
            action: index in `action_names`.

        Returns:
            The screen after the step, the progress that it added (0 to 1), terminated, truncated, and the info dict of
            `reset`, with `ended_by` once the episode has ended.

        Raises:
            ResetNeeded: no episode is running.
        """
        if self._over or self._loop is None:
            raise gymnasium.error.ResetNeeded("no episode is running: call reset() first")
        before = self._best.best
        result, game_time_ms = self._loop.run(self._play(self._actions[self.action_names[int(action)]]))
        self._over = result.then == "end"
        spent = self._over and result.ended_by == "budget"
        info = self._info(game_time_ms) | ({"ended_by": result.ended_by} if result.ended_by else {})
        return self._screen, self._best.best - before, self._over and not spent, spent, info

    def render(self) -> np.ndarray | None:  # type: ignore[override]
        """Returns the last screen; None unless `render_mode` is `rgb_array`."""
        return self._screen if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Closes the browser."""
        if self._loop is not None:
            self._loop.run(self._close())
            self._loop.end()
            self._loop = None
        self._over = True

    def _info(self, game_time_ms: float) -> dict[str, Any]:
        return {
            "progress": self._best.best, "success": self._best.success, "resets": self._best.resets,
            "game_time_ms": game_time_ms, "task": self._task.id, "instruction": self._task.instruction.strip(),
        }  # fmt: skip

    async def _open(self) -> None:
        """Opens the task at its start, closes an earlier episode, and takes the first screen. Raises `GameError` if the
        task is already solved."""
        if self._world is not None:
            await self._world.close()
        self._browser = self._browser or BrowserOnDemand()
        self._world = await open_environment(
            Opening(self._game, self._task, self._seed, self._browser, observation=ObservationSpec())
        )
        check_start((await self._world.read()).state, self._task)
        await self._look(self._world)

    async def _play(self, action: Action) -> tuple[StepResult, float]:
        """Plays and scores one step, resets the game after a failed attempt, and takes the screen. Returns the scored
        step and the game time in ms."""
        assert self._world is not None
        reading = await self._world.step({self._role.name: action}, look=True)
        self._steps += 1
        left = self._task.remaining(self._steps, self._steps)
        result, self._best = evaluate_step(reading.state, self._task, left, self._best)
        if result.then == "reset":
            await self._world.reset(self._seed)
        elif result.then == "end":
            await self._world.confirm()
        await self._look(self._world)
        return result, reading.game_time_ms

    async def _look(self, world: Environment) -> None:
        seen = await world.observe(self._role.name, ObservationSpec())
        self._screen = np.array(Image.open(io.BytesIO(seen.views[0].data)).convert("RGB"), np.uint8)

    async def _close(self) -> None:
        world, browser, self._world, self._browser = self._world, self._browser, None, None
        if world is not None:
            await world.close()
        if browser is not None:
            await browser.__aexit__()


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
