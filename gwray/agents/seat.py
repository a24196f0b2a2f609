"""Where a player sits. No behaviour."""

from __future__ import annotations

from dataclasses import dataclass, field

from gwray.catalog import Game, Role, Task
from gwray.spec import ActionSpec


@dataclass(frozen=True)
class Seat:
    """Where a player sits: plain facts of one role in one episode."""

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
