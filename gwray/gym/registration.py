"""Names of environments for Gymnasium; the environment itself is imported when one is made."""

from __future__ import annotations

from gwray.errors import UsageError
from gwray.places import GAMES, own_libraries


def register_games() -> None:
    """Register every game that is here as `gwray/ID`; one that is registered is left as it is."""
    try:
        from gymnasium.envs.registration import register, registry
    except ImportError as e:
        raise UsageError("the package gymnasium is not installed: pip install 'gwray[gym]'") from e
    folders = [*(f.parent for f in GAMES.glob("*/library.yaml")), *own_libraries()]
    for file in sorted(file for folder in folders for file in folder.glob("*/game.yaml")):
        name = f"gwray/{file.parent.name}"
        if name not in registry:
            register(name, entry_point="gwray.gym.environment:GameEnv", kwargs={"game": file.parent.name})
