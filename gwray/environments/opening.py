"""Opens the environment of a game, whatever its kind."""

from __future__ import annotations

from collections.abc import Collection

from gwray.environments.base import Environment, EnvironmentKind, Opening
from gwray.errors import GameError, boundary
from gwray.registry import Registry

KINDS = Registry("environment", {"browser": "gwray.environments.browser:BrowserEnvironment"}, "gwray.environments")
"""Kinds of environment by name."""


async def open_environment(opening: Opening, *, trusted: Collection[str] | None = None) -> Environment:
    """The environment of `opening.game`, at the first instant of the task.

    Which class it is says `kind:` in `game.yaml`. A browser is started only for a kind that asks for one. The caller
    closes the environment. `trusted` as in `Registry.get`.

    Raises:
        NotTrusted: a kind that is not ours, and that nobody said may be imported.
        UsageError: no such kind.
        GameError: the game cannot be started.
        BrowserError: the machine is to blame.
    """
    game = opening.game
    kind: EnvironmentKind = KINDS.get(game.kind, trusted=trusted)
    with boundary(GameError, f"opening {game.id} (kind: {game.kind})"):
        return await kind.open(opening)
