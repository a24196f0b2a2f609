"""A scripted player for Reef Rider: plays the next steps in its head and takes the way with the fewest crashes.

It reads the state that `getState()` gives, which a model never sees.
"""

from __future__ import annotations

from typing import Any

STEP = 15
"""Updates in one 250 ms step."""
DEPTH = 5
SIDES = {"wait": 0, "turn_left": -1, "turn_right": 1, "boost": 0, "slow_down": 0}
BONUS = {"bolt": 30.0, "shield": 60.0, "heart": 60.0}


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """Boosts when a boosted ride is free as far as one can see, else the best way; brakes if every way ends in a crash."""
    surfer, raw = state["game_state"]["player"], state["raw"]
    if not raw["riding"]:
        return "boost"  # any key starts the ride, and this one does not turn
    things = [(e["x"], e["ahead"], e["radius"] + surfer["radius"], e["kind"]) for e in state["game_state"]["entities"]]
    now = (surfer["x"], surfer["vx"], surfer["pace"], 0.0, raw["boosting"])
    values = {w: _value(SIDES[w], w == "slow_down", now, DEPTH, things, raw) for w in SIDES if w != "boost"}
    best = max(values, key=lambda way: values[way])
    if state["metrics"]["boosts"] > 0 and raw["boosting"] == 0:
        fast = (*now[:4], raw["boost_time"])
        if _value(0, False, fast, DEPTH, things, raw) > max(values[best] - 100, -300.0):
            return "boost"
    return best


def _value(side: int, brake: bool, now: tuple, depth: int, things: list[tuple], raw: dict[str, Any]) -> float:
    x, vx, pace, way, boosting = now
    value = -15.0 if brake else 0.0
    near = [t for t in things if -80 < t[1] - way < 260]
    for frame in range(STEP):
        wish = raw["speed"] + (raw["boost_speed"] if boosting > 0 else 0.0)
        boosting = max(0, boosting - 1)
        pace += ((wish * raw["slow"] if brake else wish) - pace) * 0.15
        way += pace
        vx += (side * raw["steer"] - vx) * raw["turn"]
        x = min(raw["right"], max(raw["left"], x + vx))
        for tx, ty, reach, kind in near:
            if (tx - x) ** 2 + (ty - way) ** 2 < (reach + (0 if kind in BONUS else 4)) ** 2:
                if kind not in BONUS:
                    return value - 1000.0 * depth + 10 * frame
                value += BONUS[kind] / STEP
    if depth == 1:
        return value
    state = (x, vx, pace, way, boosting)
    return value + max(_value(s, False, state, depth - 1, things, raw) for s in (0, -1, 1))
