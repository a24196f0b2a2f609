"""A task as a Gymnasium environment, in the sandbox that all runs use. Game time is stepped, so the same seed and the
same actions give the same observations and rewards. There are no models, prompts or logs. Scoring is that of runs: the
rewards add up to the progress that gwray reports."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from gwray.errors import UsageError
from gwray.plugins.gym.world import TaskWorld, one_task


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
        found, its_task = one_task(game, task, libraries)
        if len(found.roles) > 1:
            names = ", ".join(r.name for r in found.roles)
            raise UsageError(
                f"{game} has {len(found.roles)} roles ({names}) that act simultaneously; an environment of Gymnasium "
                "has one. Play it with `gwray run`, or choose another game."
            )
        self._world = TaskWorld(found, its_task)
        (self._role,) = self._world.actions
        self.render_mode = render_mode
        self.action_names = tuple(self._world.actions[self._role])
        """Names of the actions, by index."""
        self.action_space = gymnasium.spaces.Discrete(len(self.action_names))  # type: ignore[assignment]
        self.observation_space = gymnasium.spaces.Box(0, 255, self._world.shape, np.uint8)

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
        info = self._world.begin(int(self.np_random.integers(2**31)) if seed is None else seed)
        return self._world.screens[self._role], info

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
        if self._world.over:
            raise gymnasium.error.ResetNeeded("no episode is running: call reset() first")
        chosen = self._world.actions[self._role][self.action_names[int(action)]]
        reward, terminated, truncated, info = self._world.step({self._role: chosen})
        return self._world.screens[self._role], reward, terminated, truncated, info

    def render(self) -> np.ndarray | None:  # type: ignore[override]
        """Returns the last screen; None unless `render_mode` is `rgb_array`."""
        return self._world.screens[self._role] if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Closes the browser."""
        self._world.close()
