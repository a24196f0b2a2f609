"""What a player without a model gets beside the question: the game's state, and where it sits.

It comes from the loop, is never hashed and never sent, and no agent can reach it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gwray.agents.base import Observation


@dataclass(frozen=True)
class Situation:
    """One role's situation in one turn."""

    seen: Observation
    state: dict[str, Any] = field(default_factory=dict)
    """The page's `getState()`."""
    last: str = ""
    """What the role's decision before came to, where it was not possible."""

    @property
    def decision(self) -> int:
        """Which turn it is, counted from 0."""
        return self.seen.decision
