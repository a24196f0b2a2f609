"""Facts about one role of one episode, and what a local player may read in one turn. No behaviour."""

from dataclasses import dataclass, field
from typing import Any

from gwray.agents.base import Observation
from gwray.catalog import Game, Role, Task
from gwray.settings import ActionSpec


@dataclass(frozen=True)
class RoleContext:
    """The role, game, task and seed that an agent plays."""

    game: Game
    role: Role
    task: Task
    seed: int
    repeat: int
    episode_key: str
    action: ActionSpec = field(default_factory=ActionSpec)

    @property
    def viewport(self) -> tuple[int, int]:
        """Width and height of the screen in pixels."""
        return self.game.viewport


@dataclass(frozen=True)
class Situation:
    """State that a local player (`random`, `scripted`, a person, …) may read in one turn, in addition to the prompt.
    The loop provides it. It is never hashed, never sent, and never passed to an agent."""

    observation: Observation
    state: dict[str, Any] = field(default_factory=dict)
    """The page's `getState()`."""
    last: str = ""
    """Why the role's previous decision was not possible; empty if it was."""

    @property
    def decision(self) -> int:
        """Number of the turn, counted from 0."""
        return self.observation.decision
