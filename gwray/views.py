"""What an environment gives away: pictures for the roles, state for the score, and what a reader should know.

Neutral ground between environments, which make these, and agents and the loop, which take them. No behaviour here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class View:
    """A picture as it was taken."""

    name: str
    """front (the screen), previous (the screen one decision before), or a name that the game offers."""
    data: bytes = field(repr=False)
    mime: str
    width: int
    """In pixels."""
    height: int


@dataclass(frozen=True)
class Reading:
    """The game's state at one instant, for the score. No agent sees it."""

    state: dict[str, Any]
    """What `getState()` returned, or its like in a world that is no page: it has `status` and `terminal`."""
    state_hash: str
    """Hash over the state's canonical JSON."""
    game_time_ms: float


@dataclass(frozen=True)
class Diagnostics:
    """What a reader of an episode should know about its environment."""

    console: tuple[str, ...] = ()
    page_errors: tuple[str, ...] = ()
    blocked_requests: int = 0
    irreproducible: tuple[str, ...] = ()
    """What the environment could not control; empty: the same inputs give the same episode."""
    caveats: tuple[str, ...] = ()
    """Noteworthy, but repeatable."""
    renderer: str = ""
    """What made the pictures, with its version: those of two episodes can only be compared when it is the same."""
