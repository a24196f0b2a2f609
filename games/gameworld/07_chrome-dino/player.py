"""A scripted player for Fennec Dash: tries jumping and not jumping a few steps ahead with the game's own numbers.

It reads the state that `getState()` gives, which a model never sees.
"""

from __future__ import annotations

from typing import Any

STEP = 15
"""Updates in one 250 ms step."""
DEPTH = 6


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """`start` first, then `jump` or `wait`, whichever survives longest with the most room."""
    if not state["raw"]["running"]:
        return "start"
    fox = state["game_state"]["player"]
    now = (fox["above_ground"], fox["speed_up"], 0.0, state["metrics"]["speed"])
    wait = _value(state, False, now, DEPTH)
    return "jump" if _value(state, True, now, DEPTH) > wait else "wait"


def _value(state: dict[str, Any], jump: bool, now: tuple[float, float, float, float], depth: int) -> float:
    """Steps survived by a decision and the best ones after it; a jump costs a little, so that it needs a reason."""
    raw = state["raw"]
    height, up, shift, speed = now
    for _ in range(STEP):
        if jump and height == 0 and up == 0:
            up = raw["jump"]
        if height > 0 or up:
            up -= raw["gravity"]
            height += up
            if height <= 0:
                height = up = 0.0
        speed = min(raw["fastest"], speed + raw["faster"])
        shift += speed
        if _hits(state, height, shift):
            return 0.0
    value = 100.0 - (1.0 if jump else 0.0)
    if depth > 1:
        value += max(_value(state, j, (height, up, shift, speed), depth - 1) for j in (False, True))
    return value


def _hits(state: dict[str, Any], height: float, shift: float) -> bool:
    """Whether the fox touches something, with boxes a few pixels larger than the game's."""
    fox, inset = state["game_state"]["player"], state["raw"]["inset"] - 3
    for o in state["game_state"]["entities"]:
        left = o["x"] - shift
        if left + inset > fox["x"] + fox["width"] - inset or left + o["width"] - inset < fox["x"] + inset:
            continue
        if height + inset < o["high"] and height + fox["height"] - inset > o["low"]:
            return True
    return False
