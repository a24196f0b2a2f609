"""How environments are made: by name for Gymnasium, by a call for PettingZoo. What they are is imported only then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gwray.errors import UsageError
from gwray.places import GAMES, user_libraries

if TYPE_CHECKING:
    from gwray.gym.parallel import GameParallelEnv


def register_games() -> None:
    """Register every game that is here as `gwray/ID`; one that is registered is left as it is."""
    try:
        from gymnasium.envs.registration import register, registry
    except ImportError as e:
        raise UsageError("the package gymnasium is not installed: pip install 'gwray[gym]'") from e
    folders = [*(f.parent for f in GAMES.glob("*/library.yaml")), *user_libraries()]
    for file in sorted(file for folder in folders for file in folder.glob("*/game.yaml")):
        name = f"gwray/{file.parent.name}"
        if name not in registry:
            register(name, entry_point="gwray.gym.environment:GameEnv", kwargs={"game": file.parent.name})


def parallel_env(
    game: str, task: int | str = 1, *, render_mode: str | None = None, libraries: Sequence[str] = ()
) -> GameParallelEnv:
    """A task as a PettingZoo parallel environment, an agent for each role of the game.

    Example: `gwray.gym.parallel_env("12_fireboy-and-watergirl", task=1)`

    `task`: its number within the game, or its id. Raises `UsageError` for a task that does not exist, and if PettingZoo
    is not installed.
    """
    try:
        from gwray.gym.parallel import GameParallelEnv
    except ImportError as e:
        raise UsageError("the package pettingzoo is not installed: pip install 'gwray[gym]'") from e
    return GameParallelEnv(game.removeprefix("gwray/"), task, render_mode=render_mode, libraries=libraries)
