"""Creates environments: by name for Gymnasium, by a call for PettingZoo. Both are imported lazily."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gwray.errors import UsageError
from gwray.places import GAMES, user_libraries

if TYPE_CHECKING:
    from gwray.gym.parallel import GameParallelEnv


def register_games() -> None:
    """Registers all games as `gwray/ID`, unless the name is registered already."""
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
    """Returns a task as a PettingZoo parallel environment, with an agent for each role of the game.

    Example: `gwray.gym.parallel_env("12_fireboy-and-watergirl", task=1)`

    `task`: number within the game, or id. Raises `UsageError` for an unknown task, or if PettingZoo is not installed.
    """
    try:
        from gwray.gym.parallel import GameParallelEnv
    except ImportError as e:
        raise UsageError("the package pettingzoo is not installed: pip install 'gwray[gym]'") from e
    return GameParallelEnv(game.removeprefix("gwray/"), task, render_mode=render_mode, libraries=libraries)
