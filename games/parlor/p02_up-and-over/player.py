"""A scripted player for Up and Over: searches the rules ahead for jump levels that keep the hare alive.

It reads the stage that `getState()` returns, all of it, and simulates `rules.js`. Of the ways known so far, the best by
distance and decisions is continued first; the way found is kept until the hare leaves it.
"""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

W, H, RUN, RISE, GRAVITY, BOUNCE, UNIT, MOST_HELD, BEHIND, AHEAD = 36, 44, 4, 6, 0.6, 5, 4, 24, 260, 1020
SIZES = {"snail": (40, 32), "wasp": (40, 36)}
LOW, BOB, PERIOD = 60, 70, 90
COST = 20
"""What a decision costs, in pixels."""
MOST_TRIED = 6000

Foe = tuple[str, float, float, float, int, bool]
"""Kind, x, y, speed, age, squashed."""


class World(NamedTuple):
    """What changes in an episode."""

    x: float
    y: float
    vy: float
    ground: bool
    foes: tuple[Foe, ...]
    over: str = ""


_plans: dict[tuple[str, float, float], list[int]] = {}
"""What is left of the ways found so far, by the options and the place of the hare."""


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """Returns the next jump level of a way that keeps the hare alive."""
    game = state["game_state"]
    hero, stage = game["player"], game["stage"]
    foes = tuple((f["kind"], f["x"], f["y"], f["vx"], f["age"], bool(f["flat"])) for f in game["entities"])
    key = (f"{task['options']} {state['seed']}", hero["x"], hero["y"])
    way = _plans.pop(key, None) or _search(World(hero["x"], hero["y"], hero["vy"], hero["on_ground"], foes), stage)
    after = play(World(hero["x"], hero["y"], hero["vy"], hero["on_ground"], foes), stage, way[0])
    if len(way) > 2:
        _plans[key[0], after.x, after.y] = way[1:]
    return f"jump {way[0]}"


def _search(start: World, stage: dict[str, Any]) -> list[int]:
    """Returns the levels of a way to the flag, or of the longest one found."""
    heap = [(0.0, 0, start, [])]
    seen, best, count = set(), (0.0, [0]), 0
    while heap and count < MOST_TRIED:
        _, _, world, way = heapq.heappop(heap)
        if world.over == "win":
            return way
        for level in range(7):
            after = play(world, stage, level)
            key = (after.x, after.y, len(way) // 8)
            if after.over == "fail" or key in seen:
                continue
            seen.add(key)
            count += 1
            longer = [*way, level]
            best = max(best, (after.x, longer), key=lambda b: b[0])
            heapq.heappush(heap, (COST * len(longer) - after.x, count, after, longer))
    return best[1]


def play(world: World, stage: dict[str, Any], level: int) -> World:
    """Returns the world after a jump level, as `jump` and `update` of rules.js make it."""
    x, y, vy, ground, foes, _ = world
    near = [s for s in stage["solids"] if x - 100 < s["x"] < x + 900]
    ditches = [d for d in stage["ditches"] if x - 300 < d["x"] < x + 900]
    thorns = [t for t in stage["thorns"] if t["x"] < x + 900 and t["x"] + t["w"] > x - 100]
    kept = [f for f in foes if f[1] >= x - BEHIND - 40]
    held, frame, most = 0, 0, UNIT * max(1, level)
    while frame < most or (level and not ground and frame < most + 160) or (level and frame % UNIT):
        if level and frame == 0 and ground:
            held, ground = MOST_HELD, False
        if held and frame < most:
            held, vy = held - 1, RISE
        else:
            held = 0
            if not ground:
                vy -= GRAVITY
        frame += 1
        to = x + RUN
        for s in near:
            if s["h"] > y and to + W > s["x"] and x < s["x"] + s["w"]:
                to = min(to, s["x"] - W)
        if y < 0:
            for d in ditches:
                if x < d["x"] + d["w"] < to + W:
                    to = min(to, d["x"] + d["w"] - W)
        x = max(x, to)
        below = -1e9 if any(d["x"] <= x and x + W <= d["x"] + d["w"] for d in ditches) else 0
        for s in near:
            if x + W > s["x"] and x < s["x"] + s["w"]:
                below = max(below, s["h"])
        ground = vy <= 0 and y >= below and y + vy <= below
        y = below if ground else y + vy
        vy = 0 if ground else vy
        over = ""
        for i, (kind, fx, fy, fv, age, flat) in enumerate(kept):
            w, h = SIZES[kind]
            if flat or fx > x + AHEAD or fx < x - BEHIND - w:
                continue
            age += 1
            if kind == "wasp":
                fy = LOW + BOB * (1 - abs(age % PERIOD - PERIOD / 2) / (PERIOD / 2))
            elif _blocked(stage, fx + fv, w):
                fv = -fv
            else:
                fx += fv
            if x + W > fx + 4 and x < fx + w - 4 and y + H > fy and y < fy + h:
                if vy < 0 and y > fy + h / 2 - 4:
                    flat, vy = True, BOUNCE
                else:
                    over = "fail"
            kept[i] = (kind, fx, fy, fv, age, flat)
        if over or y < -90 or any(x + W > t["x"] and x < t["x"] + t["w"] and y + H > t["low"] for t in thorns):
            return World(x, y, vy, ground, tuple(kept), "fail")
        if x + W >= stage["flag"]:
            return World(x, y, vy, ground, tuple(kept), "win")
    return World(x, y, vy, ground, tuple(kept))


def _blocked(stage: dict[str, Any], x: float, w: float) -> bool:
    """Whether a snail cannot be there."""
    things = (*stage["solids"], *stage["ditches"])
    return any(x < s["x"] + s["w"] and x + w > s["x"] for s in things)
