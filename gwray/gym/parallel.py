"""One task of one game as a PettingZoo parallel environment: an agent for each of its roles, who act at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import ParallelEnv

from gwray.gym.world import TaskWorld, one_task


class GameParallelEnv(ParallelEnv[str, np.ndarray, int]):
    """Agents: the game's roles. Observation: the screen of a role, `uint8` of (height, width, 3). Action: one of its
    controls, by number; `action_names[agent]` says which. All actions are played over the same frames. Reward: what
    they added to the progress (0 to 1) of the one task that all roles have, the same for each. All agents end together:
    terminated on success or at an ending of the game, truncated when the budget is spent.

    The same seed and the same actions give the same pictures and rewards.
    """

    metadata = {"name": "gwray", "render_modes": ["rgb_array"], "render_fps": 5}  # noqa: RUF012, as PettingZoo has it

    def __init__(
        self, game: str, task: int | str = 1, *, render_mode: str | None = None, libraries: Sequence[str] = ()
    ):
        """`task`: its number within the game, or its id. `UsageError` for a task that does not exist."""
        self._world = TaskWorld(*one_task(game, task, libraries))
        self.render_mode = render_mode
        self.possible_agents = [role.name for role in self._world.game.roles]
        self.agents: list[str] = []
        self.action_names = {agent: tuple(self._world.actions[agent]) for agent in self.possible_agents}
        """What each action of an agent is, by its number."""
        self.action_spaces = {a: gymnasium.spaces.Discrete(len(n)) for a, n in self.action_names.items()}  # type: ignore[assignment]
        self.observation_spaces = {
            a: gymnasium.spaces.Box(0, 255, self._world.shape, np.uint8) for a in self.possible_agents
        }
        self._drawn = np.random.default_rng()

    def observation_space(self, agent: str) -> gymnasium.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, dict[str, Any]]]:
        """A new episode. `seed` is the game's; without one the next is drawn from the seed that was given last."""
        if seed is not None:
            self._drawn = np.random.default_rng(seed)
        info = self._world.begin(int(self._drawn.integers(2**31)) if seed is None else seed)
        self.agents = [*self.possible_agents]
        return self._screens(), self._each(info)

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, np.ndarray], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play one control of each agent. `ResetNeeded` once the episode is over; `KeyError` if an agent has none."""
        if self._world.over:
            raise gymnasium.error.ResetNeeded("the episode is over, or was not begun: call reset() first")
        chosen = {a: self._world.actions[a][self.action_names[a][int(actions[a])]] for a in self.possible_agents}
        reward, terminated, truncated, info = self._world.step(chosen)
        out = (self._screens(), *map(self._each, (reward, terminated, truncated)), self._each(info))
        if self._world.over:
            self.agents = []
        return out  # type: ignore[return-value]

    def render(self) -> np.ndarray | None:
        """The first role's screen as it was seen last."""
        return self._world.screens[self.possible_agents[0]] if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """End the browser."""
        self._world.close()

    def _screens(self) -> dict[str, np.ndarray]:
        return {agent: self._world.screens[agent] for agent in self.possible_agents}

    def _each(self, value: Any) -> dict[str, Any]:
        return {agent: dict(value) if isinstance(value, dict) else value for agent in self.possible_agents}
