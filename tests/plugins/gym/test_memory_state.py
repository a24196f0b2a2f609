"""Values read from a game's memory count only if they were read at the game's own location."""

from __future__ import annotations

from pathlib import Path

import pytest

from gwray.catalog import read_game
from gwray.errors import GameError
from gwray.plugins.gym.world import TaskWorld

TURNCOAT = read_game(Path(__file__).parents[2] / "signatures" / "worlds" / "turncoat" / "game.yaml")


def test_moved_signature_raises():
    world = TaskWorld(TURNCOAT, TURNCOAT.tasks[0].model_copy(update={"max_steps": 1}))
    world.begin(42)
    try:
        with pytest.raises(GameError, match="and is now there and at 0x64 of another memory"):
            world.step({"player": world.actions["player"]["leave_both"]})
    finally:
        world.close()
