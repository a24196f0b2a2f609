"""A scripted player for Block Valley: looks for the place and the direction from which mining gives most per step.

It reads the state that `getState()` gives, which a model never sees.
"""

from __future__ import annotations

import math
from typing import Any

TURN = 22.5
"""Degrees of one look step."""
STRIDE = 2.7
"""Blocks of one walking step."""
HOLD = 60
"""Updates of one mining step."""
REACH = 5.0
EYE = 1.6
LETTERS = {"dirt": "gd", "stone": "s", "wood_log": "l", "leaves": "v", "coal_ore": "c", "iron_ore": "i"}
TOOLS = {"dirt": 3, "stone": 1, "wood_log": 2, "leaves": 2, "coal_ore": 1, "iron_ore": 1}
SHARES = {"pickaxe": "sci", "axe": "lv", "shovel": "gd"}
QUICK = {"g": 11, "d": 11, "s": 14, "l": 13, "v": 6, "c": 18, "i": 24}
SLOW = {"g": 20, "d": 20, "s": 55, "l": 35, "v": 9, "c": 70, "i": 90}
PITCHES = [TURN * i for i in range(-4, 5)]

Point = tuple[float, float, float]
Look = tuple[int, int]
"""Yaw and pitch in look steps."""


class Land:
    """The blocks around the player."""

    def __init__(self, local: dict[str, Any]):
        self.local = local

    def at(self, x: int, y: int, z: int) -> str:
        """The letter of a block; nothing is known far away."""
        m = self.local
        i, k = x - m["x"], z - m["z"]
        if not (0 <= i < m["wide"] and 0 <= k < m["deep"] and 0 <= y < m["tall"]):
            return "."
        return m["blocks"][(y * m["deep"] + k) * m["wide"] + i]

    def known(self, x: float, z: float) -> bool:
        m = self.local
        return m["x"] + 1 <= x < m["x"] + m["wide"] - 1 and m["z"] + 1 <= z < m["z"] + m["deep"] - 1


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """A control that brings the item of the task's score."""
    item = task["score"][0]["field"].rsplit(".", 1)[1]
    if state["game_state"]["inventory"]["selected_slot"] != TOOLS[item]:
        return f"select_slot_{TOOLS[item]}"
    tool = state["metrics"]["selected_tool_type"]
    player = state["game_state"]["player"]
    land = Land(state["raw"]["local"])
    here = (player["x"], player["y"], player["z"])
    look = (round(player["yaw"] / TURN) % 16, round(player["pitch"] / TURN))

    rate, best = _best_look(here, look, land, item, tool, 0)
    if rate < 1.2:
        goal: tuple[float, str] = (rate, "")
        for yaw in range(16):
            turns = _around(look[0], yaw)
            place = here
            for steps in range(1, 6):
                place = _stride(place, yaw, land)
                if place is None:
                    break
                at, _ = _best_look(place, (yaw, look[1]), land, item, tool, steps + abs(turns))
                if at > goal[0] + 0.02:
                    control = "move_forward" if not turns else "look_right" if turns > 0 else "look_left"
                    goal = (at, control)
        if goal[1]:
            return goal[1]
    if rate > 0:
        turns, lift = _around(look[0], best[0]), best[1] - look[1]
        turns *= abs(best[1]) < 4
        if not turns and not lift:
            return "mine_target"
        if turns:
            return "look_right" if turns > 0 else "look_left"
        return "look_up" if lift > 0 else "look_down"
    return _search(here, look, land, item, state)


def _around(yaw: int, to: int) -> int:
    return (to - yaw + 8) % 16 - 8


def _best_look(place: Point, look: Look, land: Land, item: str, tool: str, before: int) -> tuple[float, Look]:
    """Most blocks per step, and the direction for it."""
    best: tuple[float, Look] = (0.0, look)
    for yaw in range(16):
        turns = abs(_around(look[0], yaw))
        for p in range(-4, 5):
            # Straight up and down all directions are one.
            cost = before + 1 + abs(p - look[1]) + (turns if abs(p) < 4 else 0)
            rate = _mined(place, yaw, p, land, item, tool) / cost
            if rate > best[0]:
                best = (rate, (yaw, p))
    return best


def _mined(place: Point, yaw: int, pitch: int, land: Land, item: str, tool: str) -> float:
    """Wanted blocks that one mining step in that direction gives."""
    a, b = math.radians(yaw * TURN), math.radians(pitch * TURN)
    d = (math.sin(a) * math.cos(b), math.sin(b), math.cos(a) * math.cos(b))
    o = (place[0], place[1] + EYE, place[2])
    cell = [math.floor(v) for v in o]
    step = [-1 if v < 0 else 1 for v in d]
    delta = [abs(1 / (v or 1e-9)) for v in d]
    ahead = [((o[i] - cell[i]) if d[i] < 0 else (cell[i] + 1 - o[i])) * delta[i] for i in range(3)]
    left, found, distance = float(HOLD), 0.0, 0.0
    while distance <= REACH:
        block = land.at(cell[0], cell[1], cell[2])
        if block == "b":
            break
        if block != ".":
            frames = (QUICK if block in SHARES.get(tool, "") else SLOW)[block]
            if frames > left:
                break
            left -= frames
            found += block in LETTERS[item]
        axis = ahead.index(min(ahead))
        distance = ahead[axis]
        ahead[axis] += delta[axis]
        cell[axis] += step[axis]
    return found


def _stride(place: Point, yaw: int, land: Land) -> Point | None:
    """Where one walking step ends, or None if something is in the way."""
    x, y, z = place
    a = math.radians(yaw * TURN)
    for _ in range(9):
        x, z = x + math.sin(a) * STRIDE / 9, z + math.cos(a) * STRIDE / 9
        if not land.known(x, z):
            return None
        if _wall(x, y, z, land):
            y += 1
            if _wall(x, y, z, land):
                return None
        while y > 1 and not _floor(x, y, z, land):
            y -= 1
    return x, y, z


def _wall(x: float, y: float, z: float, land: Land) -> bool:
    return any(
        land.at(math.floor(x + dx), int(y) + dy, math.floor(z + dz)) != "."
        for dx in (-0.3, 0.3)
        for dz in (-0.3, 0.3)
        for dy in (0, 1)
    )


def _floor(x: float, y: float, z: float, land: Land) -> bool:
    return any(
        land.at(math.floor(x + dx), int(y) - 1, math.floor(z + dz)) != "." for dx in (-0.3, 0.3) for dz in (-0.3, 0.3)
    )


def _search(here: Point, look: Look, land: Land, item: str, state: dict[str, Any]) -> str:
    """Towards the nearest wanted block, through what is in the way; without one, straight on."""
    m = land.local
    wanted = LETTERS[item]
    best, yaw = 1e9, look[0]
    for i, block in enumerate(m["blocks"]):
        if block in wanted:
            x = m["x"] + i % m["wide"] + 0.5 - here[0]
            z = m["z"] + i // m["wide"] % m["deep"] + 0.5 - here[2]
            y = i // (m["wide"] * m["deep"]) - here[1]
            d = math.hypot(x, z) + 2 * abs(y)
            if d < best:
                best, yaw = d, round(math.degrees(math.atan2(x, z)) / TURN) % 16
    turns = _around(look[0], yaw)
    if turns:
        return "look_right" if turns > 0 else "look_left"
    if _stride(here, yaw, land) is None and state["metrics"]["targeted_block_exists"]:
        return "mine_target"
    return "move_forward"
