"""A scripted player for a duel of Iron Bell: plays each side as the ladder's player does, and attacks an opponent who
only waits."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

State = dict[str, Any]
LATE = 40
"""Seconds left in a round below which a player without a lead no longer waits for an attack."""
KICK = 70
"""The gap up to which a medium kick of either fighter reaches, in pixels."""

_wait = runpy.run_path(str(Path(__file__).resolve().parents[1] / "p09_iron-bell" / "player.py"))["act"]


def act(state: State, role: str, task: State) -> str:
    """Returns the next action of a role."""
    game = state["game_state"]
    me, you = game["fighters"][role], game["fighters"]["left" if role == "right" else "right"]
    if game["seconds"] < LATE and me["health"] <= you["health"] and you["doing"] == "stand" and not me["in_air"]:
        return "medium_kick" if game["distance"] <= KICK else "move_closer"
    return _wait(state, role, task)
