"""A scripted driver for Turbo Goal: tries the next controls in a small copy of the game's physics.

It reads the state that `getState()` gives, which a model never sees. The rival is taken to drive by its
simplest rule: towards the ball, or back towards its goal when the ball is behind it.
"""

from __future__ import annotations

import math
from typing import Any

STEP = 12
"""Updates in one 200 ms step."""
DEPTH = 4
LEFT, RIGHT, FLOOR, BAR = 70.0, 1210.0, 630.0, 490.0
RADIUS, CAR_W, CAR_H = 34.0, 104.0, 44.0
TRIES = ("move_left", "move_right", "jump", "boost")

Car = list[float]
"""x, y, vx, vy, face, boost."""
Ball = list[float]
"""x, y, vx, vy."""


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """One of `move_left`, `move_right`, `jump`, `boost`."""
    game = state["game_state"]
    if game["cheering"]:
        return "move_right"
    me, rival, ball = (game[k] for k in ("player", "rival", "ball"))
    car = [me["x"], me["y"], me["vx"], me["vy"], me["face"], me["boost"]]
    other = [rival["x"], rival["y"], rival["vx"], rival["vy"], rival["face"], 0.0]
    return _best(car, other, [ball["x"], ball["y"], ball["vx"], ball["vy"]], DEPTH)[1]


def _best(car: Car, other: Car, ball: Ball, depth: int) -> tuple[float, str]:
    best = (-1e9, "move_right")
    for name in TRIES:
        if (name == "boost" and car[5] < 3) or (name == "jump" and not _grounded(car)):
            continue
        c, o, b = car[:], other[:], ball[:]
        goal = _play(c, o, b, name)
        if goal:
            value = goal * (3000.0 + 400.0 * depth)
        elif depth > 1:
            value = _best(c, o, b, depth - 1)[0]
        else:
            value = _value(c, b)
        if value > best[0]:
            best = (value, name)
    return best


def _value(c: Car, b: Ball) -> float:
    """Good: the ball far right and flying there, the car some way to the left of it."""
    gap = b[0] - c[0]
    place = abs(gap - 120) * 0.5 if gap > 60 else (180 - gap) * 1.2
    return b[0] + 25 * b[2] - place


def _play(c: Car, o: Car, b: Ball, name: str) -> int:
    """One step of the car, the rival and the ball; 1 or -1 when a goal falls."""
    for i in range(STEP):
        _drive(c, name, i == 0)
        _drive(o, "move_left" if o[0] > b[0] + 20 else "move_right", False, 0.84)
        _fly(b)
        _hit(c, b)
        _hit(o, b)
        if b[0] > RIGHT + 17:
            return 1
        if b[0] < LEFT - 17:
            return -1
    return 0


def _grounded(c: Car) -> bool:
    return c[1] >= FLOOR - CAR_H / 2


def _toward(v: float, goal: float, step: float) -> float:
    return min(goal, v + step) if v < goal else max(goal, v - step)


def _drive(c: Car, name: str, first: bool, top: float = 1.0) -> None:
    ground = _grounded(c)
    want = {"move_left": -1.0, "move_right": 1.0}.get(name, 0.0)
    if want:
        c[4] = want
        fast = c[2] * want > 8 * top
        c[2] = _toward(c[2], 8 * top * want, 0.15 if fast else 0.6 if ground else 0.35)
    elif name == "boost" and c[5] >= 1:
        c[5] -= 1.2
        c[2] = _toward(c[2], 13.5 * c[4], 0.85)
        c[3] -= 0 if ground else 0.42
    elif ground:
        c[2] = _toward(c[2], 0, 0.3)
    if name == "jump" and first and ground:
        c[3] = -11.5
    _roll(c)


def _roll(c: Car) -> None:
    c[3] += 0.55
    c[0] = min(RIGHT - CAR_W / 2, max(LEFT + CAR_W / 2, c[0] + c[2]))
    c[1] += c[3]
    if c[1] >= FLOOR - CAR_H / 2:
        c[1], c[3] = FLOOR - CAR_H / 2, min(0.0, c[3])


def _fly(b: Ball) -> None:
    b[3] += 0.34
    b[2] *= 0.998
    b[0] += b[2]
    b[1] += b[3]
    if b[1] > FLOOR - RADIUS:
        b[1], b[3] = FLOOR - RADIUS, (-0.7 * b[3] if b[3] > 1.2 else 0.0)
        b[2] *= 0.992
    if b[1] < 84 + RADIUS:
        b[1], b[3] = 84 + RADIUS, abs(b[3]) * 0.8
    outside = b[0] < LEFT + RADIUS or b[0] > RIGHT - RADIUS
    if outside and b[1] > BAR + 8:
        if b[1] < BAR + RADIUS:
            b[1], b[3] = BAR + RADIUS, abs(b[3]) * 0.5
    elif outside:
        b[0] = min(RIGHT - RADIUS, max(LEFT + RADIUS, b[0]))
        b[2] *= -0.8
    speed = math.hypot(b[2], b[3])
    if speed > 19:
        b[2] *= 19 / speed
        b[3] *= 19 / speed


def _hit(c: Car, b: Ball) -> None:
    px = min(c[0] + CAR_W / 2, max(c[0] - CAR_W / 2, b[0]))
    py = min(c[1] + CAR_H / 2, max(c[1] - CAR_H / 2, b[1]))
    nx, ny = b[0] - px, b[1] - py
    far = math.hypot(nx, ny)
    if far >= RADIUS:
        return
    nx, ny = (nx / far, ny / far) if far > 0.01 else (0.0, -1.0)
    b[0], b[1] = px + nx * RADIUS, min(FLOOR - RADIUS, py + ny * RADIUS)
    closing = (c[2] - b[2]) * nx + (c[3] - b[3]) * ny
    if closing > 0:
        b[2] += nx * closing * 1.45
        b[3] += ny * closing * 1.45 - abs(nx) * closing * 0.42
