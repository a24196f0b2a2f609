"""A scripted player for Stone Keep: goes to the guard that is nearest on foot, turns to what it can see, and shoots.

It reads the state that `getState()` gives, which a model never sees.
"""

from __future__ import annotations

import math
from collections import deque
from typing import Any

NEAR = 3.9
"""From here one shot is enough."""
SHOOT = 6.5
"""Further away than this it is better to walk on."""

Cell = tuple[int, int]


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """A control."""
    player = state["game_state"]["player"]
    guards = [e for e in state["game_state"]["entities"] if e["kind"] == "guard" and e["alive"]]
    if not guards:
        return "wait"
    clips = [e for e in state["game_state"]["entities"] if e["kind"] == "ammo"]
    if player["ammo"] < 2 and clips:
        way = _way(state, clips)
        if len(way) > 1:
            return _walk(state, player, way)
    seen = [g for g in guards if g["visible"]]
    if seen:
        target = min(seen, key=lambda g: g["distance"] + abs(g["turn"]) / 12)
        if abs(target["turn"]) > 9.3:
            return _turn(target["turn"])
        if target["distance"] < (NEAR if not target["alert"] else SHOOT):
            return "shoot"
        return "move_forward"
    way = _way(state, guards)
    if len(way) < 2:
        return "wait"
    return _walk(state, player, way)


def _turn(degrees: float) -> str:
    return "turn_right" if degrees > 0 else "turn_left"


def _way(state: dict[str, Any], guards: list[dict[str, Any]]) -> list[Cell]:
    """Cells of the shortest way to any guard, from the player's own on."""
    board, player = state["game_state"]["board"], state["game_state"]["player"]
    goals = {(int(g["x"]), int(g["y"])) for g in guards}
    start = (int(player["x"]), int(player["y"]))
    came: dict[Cell, Cell] = {start: start}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        if at in goals:
            way = [at]
            while way[-1] != start:
                way.append(came[way[-1]])
            return way[::-1]
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            cell = (at[0] + dx, at[1] + dy)
            if cell not in came and board[cell[1]][cell[0]] not in "#BW":
                came[cell] = at
                queue.append(cell)
    return []


def _walk(state: dict[str, Any], player: dict[str, Any], way: list[Cell]) -> str:
    """Towards the furthest cell of the way that can be walked to in a straight line; doors are opened before."""
    board = state["game_state"]["board"]
    doors = {(d["x"], d["y"]): d["open"] for d in state["raw"]["doors"]}
    index = 1
    while index + 1 < len(way) and way[index] not in doors and _free(player, way[index + 1], board, doors):
        index += 1
    goal = way[index]
    dx, dy = goal[0] + 0.5 - player["x"], goal[1] + 0.5 - player["y"]
    turn = (math.degrees(math.atan2(dy, dx)) - player["angle"] + 180) % 360 - 180
    distance = math.hypot(dx, dy)
    if abs(turn) > 9.3 and distance > 0.3:
        return _turn(turn)
    if goal in doors and doors[goal] < 0.7 and distance < 1.9:
        return "open_door"
    return "move_forward"


def _free(player: dict[str, Any], cell: Cell, board: list[str], doors: dict[Cell, float]) -> bool:
    x, y = player["x"], player["y"]
    gx, gy = cell[0] + 0.5, cell[1] + 0.5
    n = max(1, int(math.hypot(gx - x, gy - y) / 0.15))
    side_x, side_y = -(gy - y), gx - x
    norm = math.hypot(side_x, side_y) or 1.0
    for i in range(1, n + 1):
        for side in (-0.3, 0.3):
            px = x + (gx - x) * i / n + side * side_x / norm
            py = y + (gy - y) * i / n + side * side_y / norm
            at = (int(px), int(py))
            if board[at[1]][at[0]] in "#BW" or doors.get(at, 1.0) < 0.7:
                return False
    return True
