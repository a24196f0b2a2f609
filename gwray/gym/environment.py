"""One task of one game as a Gymnasium environment, over the sandbox that every run uses.

Game time is stepped, so the same seed and the same actions give the same pictures and rewards. What is not here:
models, prompts, logs. Scores are made by the same evaluation: the rewards add up to the progress that gwray reports.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from gwray.errors import UsageError
from gwray.gym.world import TaskWorld, one_task


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
        found, its_task = one_task(game, task, libraries)
        if len(found.roles) > 1:
            names = ", ".join(r.name for r in found.roles)
            raise UsageError(
                f"{game} has {len(found.roles)} roles ({names}) that act at once; this environment has one player. "
                f"gwray.gym.parallel_env('{game}') has all of them."
            )
        self._world = TaskWorld(found, its_task)
        (self._role,) = self._world.actions
        self.render_mode = render_mode
        self.action_names = tuple(self._world.actions[self._role])
        """What each action is, by its number."""
        self.action_space = gymnasium.spaces.Discrete(len(self.action_names))  # type: ignore[assignment]
        self.observation_space = gymnasium.spaces.Box(0, 255, self._world.shape, np.uint8)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """A new episode. `seed` is the game's; without one the next is drawn from the seed that was given last."""
        super().reset(seed=seed)
        info = self._world.begin(int(self.np_random.integers(2**31)) if seed is None else seed)
        return self._world.screens[self._role], info

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play one control for as long as it is held; game time stands still between two steps."""
        if self._world.over:
            raise gymnasium.error.ResetNeeded("the episode is over, or was not begun: call reset() first")
        chosen = self._world.actions[self._role][self.action_names[int(action)]]
        reward, terminated, truncated, info = self._world.step({self._role: chosen})
        return self._world.screens[self._role], reward, terminated, truncated, info

    def render(self) -> np.ndarray | None:  # type: ignore[override]
        """The screen as it was seen last."""
        return self._world.screens[self._role] if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """End the browser."""
        self._world.close()
