"""Outputs of an environment: screenshots for the roles, state for the score, and diagnostics. Environments create them;
agents and the loop consume them. There is no behavior here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class View:
    """A screenshot."""

    name: str
    """front (the screen), previous (the screen one decision before), or a name that the game offers."""
    data: bytes = field(repr=False)
    mime: str
    width: int
    """In pixels."""
    height: int


@dataclass(frozen=True)
class CommandAnswer:
    """The game's answer to a command."""

    ok: bool
    """Whether the command did what it is for."""
    feedback: str
    """Description of what happened, for the agent."""


@dataclass(frozen=True)
class Reading:
    """The game's state at one instant, for the score. No agent sees it."""

    state: dict[str, Any]
    """Result of `getState()`, or its equivalent in an environment without a page; has `status` and `terminal`."""
    state_hash: str
    """Hash over the state's canonical JSON."""
    game_time_ms: float
    answers: Mapping[str, CommandAnswer] = field(default_factory=dict)
    """Answers to the commands of the step that led here, by role."""


@dataclass(frozen=True)
class Diagnostics:
    """Facts about an episode's environment that readers of its results need."""

    console: tuple[str, ...] = ()
    page_errors: tuple[str, ...] = ()
    blocked_requests: int = 0
    missing_files: tuple[str, ...] = ()
    """Files that the page requested and that do not exist."""
    irreproducible: tuple[str, ...] = ()
    """Inputs that the environment could not control; empty: the same inputs give the same episode."""
    caveats: tuple[str, ...] = ()
    """Remarks that do not affect reproducibility."""
    renderer: str = ""
    """Name and version of the renderer. Screenshots are comparable only between equal renderers."""
