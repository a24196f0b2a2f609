"""Registers the games with Gymnasium, which is imported lazily."""

from __future__ import annotations

from gwray.errors import UsageError
from gwray.places import GAMES, user_libraries


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
            register(name, entry_point="gwray.plugins.gym.environment:GameEnv", kwargs={"game": file.parent.name})
