"""A scripted player for Ruin Runner: takes the next obstacle or corner as soon as one step can do it.

It reads the state that `getState()` gives, which a model never sees.
"""

from __future__ import annotations

from typing import Any

STEP = 30
"""Updates in one 500 ms step."""
AIR = 42
"""Updates of a jump and of a slide."""


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """The control for what comes first."""
    raw, player = state["raw"], state["game_state"]["player"]
    if not raw["started"]:
        return "start"
    speed = raw["speed"] + 0.001
    for item in state["game_state"]["entities"]:
        begin = (item["ahead"] - item["depth"] / 2 - 0.35) / speed
        end = (item["ahead"] + item["depth"] / 2 + 0.35) / speed
        if end < 0:
            continue
        if item["kind"] == "block":
            side = _side(player["lane"], item["lanes"])
            if side and begin < 2.5 * STEP:
                return "turn_right" if side > 0 else "turn_left"
            if side:
                break
            continue
        control, first, last = {"log": ("jump", 5, AIR - 5), "gap": ("jump", 1, AIR), "beam": ("slide", 1, AIR)}[
            item["kind"]
        ]
        if first <= begin and end <= last:
            return control
        if begin > 0:
            break
    corner = raw["corner"]
    if not player["order"] and corner["ahead"] < corner["zone"] - 0.1:
        return "turn_right" if corner["turn"] > 0 else "turn_left"
    return "wait"


def _side(lane: int, blocked: list[int]) -> int:
    """Towards the nearest free lane."""
    free = [f for f in (-1, 0, 1) if f not in blocked]
    goal = min(free, key=lambda f: (abs(f - lane), abs(f)))
    return (goal > lane) - (goal < lane)
