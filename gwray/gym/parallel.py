"""A task as a PettingZoo parallel environment, with an agent for each role."""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import ParallelEnv

from gwray.gym.world import TaskWorld, one_task


class GameParallelEnv(ParallelEnv[str, np.ndarray, int]):
    """Agents: the game's roles. Observation: the screen of a role, `uint8` of (height, width, 3). Action: one of its
    controls, by index in `action_names[agent]`. All actions are played over the same frames. Reward: the progress
    (0 to 1) that the step added to the common task, equal for all agents. All agents end together: terminated on
    success or at an end of the game, truncated when the budget is used up.

    The same seed and the same actions give the same observations and rewards.
    """

    metadata = {"name": "gwray", "render_modes": ["rgb_array"], "render_fps": 5}  # noqa: RUF012, as PettingZoo has it

    def __init__(
        self, game: str, task: int | str = 1, *, render_mode: str | None = None, libraries: Sequence[str] = ()
    ):
        """`task`: number within the game, or id. Raises `UsageError` for an unknown task."""
        self._world = TaskWorld(*one_task(game, task, libraries))
        self.render_mode = render_mode
        self.possible_agents = [role.name for role in self._world.game.roles]
        self.agents: list[str] = []
        self.action_names = {agent: tuple(self._world.actions[agent]) for agent in self.possible_agents}
        """Names of each agent's actions, by index."""
        self.action_spaces = {a: gymnasium.spaces.Discrete(len(n)) for a, n in self.action_names.items()}  # type: ignore[assignment]
        self.observation_spaces = {
            a: gymnasium.spaces.Box(0, 255, self._world.shape, np.uint8) for a in self.possible_agents
        }
        self._seeds = np.random.default_rng()

    def observation_space(self, agent: str) -> gymnasium.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, dict[str, Any]]]:
        """Starts an episode. The first call also starts the browser.

        Args:
            seed: the game's seed; None: drawn from a generator that the last given seed initialized.
            options: ignored.

        Returns:
            The screens and the info dicts by agent; see `GameEnv.reset`.
        """
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        info = self._world.begin(int(self._seeds.integers(2**31)) if seed is None else seed)
        self.agents = [*self.possible_agents]
        return self._screens(), self._each(info)

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, np.ndarray], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Plays one control of each agent; game time does not pass between steps.

        Args:
            actions: index in `action_names[agent]` by agent.

        Returns:
            Screens, added progress (0 to 1), terminated, truncated and info dicts, each by agent.

        Raises:
            ResetNeeded: no episode is running.
            KeyError: an agent has no action.
        """
        if self._world.over:
            raise gymnasium.error.ResetNeeded("no episode is running: call reset() first")
        chosen = {a: self._world.actions[a][self.action_names[a][int(actions[a])]] for a in self.possible_agents}
        reward, terminated, truncated, info = self._world.step(chosen)
        out = (self._screens(), *map(self._each, (reward, terminated, truncated)), self._each(info))
        if self._world.over:
            self.agents = []
        return out  # type: ignore[return-value]

    def render(self) -> np.ndarray | None:
        """Returns the last screen of the first role; None unless `render_mode` is `rgb_array`."""
        return self._world.screens[self.possible_agents[0]] if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Closes the browser."""
        self._world.close()

    def _screens(self) -> dict[str, np.ndarray]:
        return {agent: self._world.screens[agent] for agent in self.possible_agents}

    def _each(self, value: Any) -> dict[str, Any]:
        """Returns the same value for each agent; a dict is copied."""
        return {agent: dict(value) if isinstance(value, dict) else value for agent in self.possible_agents}
