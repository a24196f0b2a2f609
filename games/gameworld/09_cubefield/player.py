"""A scripted player for Cube Storm: looks some steps ahead and keeps to the ways with most exits.

It reads the state that `getState()` gives, which a model never sees.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

STEP = 12
"""Updates in one 200 ms step."""
DEPTH = 9
STEERING = {"wait": 0, "move_left": -1, "move_right": 1}


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """The control after which the ship can live longest; of several, the one that leaves most ways open."""
    player, raw = state["game_state"]["player"], state["raw"]
    cubes = [(c["x"], c["ahead"]) for c in state["game_state"]["entities"]]
    # Ways that come to the same place are one: (value, first control, place, drift).
    ways = [(0.0, "", 0.0, player["side"])]
    best = "wait"
    ahead, frame = 0.0, int(raw["frames"])
    for _ in range(DEPTH):
        speeds = [_speed(frame + i + 1, raw) for i in range(STEP)]
        near = [c for c in cubes if -raw["reach_z"] < c[1] - ahead < sum(speeds) + raw["reach_z"]]
        further: dict[tuple[int, float, str], tuple[float, str, float, float]] = {}
        for value, first, x, side in ways:
            for control, push in STEERING.items():
                end = _fly(x, side, push, ahead, speeds, near, raw)
                if end is None:
                    continue
                to_x, to_side, room = end
                score = value + 1000 + room - 0.2 * abs(push)
                key = (round(to_x * 3), round(to_side, 1), first or control)
                if key not in further or further[key][0] < score:
                    further[key] = (score, first or control, to_x, to_side)
        if not further:
            break
        ways = list(further.values())
        # Of several controls that live equally long, the one that leaves most places open.
        open_ways = Counter(first for _, first, _, _ in ways)
        best = max(STEERING, key=lambda c: (open_ways[c], c == "wait"))
        ahead += sum(speeds)
        frame += STEP
    return best


def _speed(frame: int, raw: dict[str, Any]) -> float:
    level = min(raw["last_level"], 1 + frame // raw["level_frames"])
    return raw["first_speed"] + raw["faster"] * (level - 1)


def _fly(
    x: float, side: float, push: int, ahead: float, speeds: list[float], cubes: list[tuple[float, float]], raw: dict
) -> tuple[float, float, float] | None:
    """Place, drift and room after one step, or None after a crash."""
    room = 4.0
    for speed in speeds:
        side += (push * raw["side_speed"] - side) * raw["side_ease"]
        x += side
        ahead += speed
        for cube_x, cube_z in cubes:
            if abs(cube_z - ahead) < raw["reach_z"] + 0.1:
                gap = abs(cube_x - x) - raw["reach_x"]
                if gap < 0.05:
                    return None
                room = min(room, gap)
    return x, side, room
