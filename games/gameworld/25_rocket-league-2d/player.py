"""A scripted driver for Turbo Goal: tries the next controls in a small copy of the game's physics.

It reads the state that `getState()` gives, which a model never sees. The copy has the rival's rules in it, too, but
not what the rival saw a moment ago; that is taken from how the ball flies now.
"""

from __future__ import annotations

import math
from typing import Any

STEP = 12
"""Updates in one 200 ms step."""
DEPTH = 3
AFTER = 42
"""Updates that are played on after the last step tried, chasing the ball."""
LEFT, RIGHT, FLOOR, BAR = 70.0, 1210.0, 630.0, 490.0
RADIUS, CAR_W, CAR_H = 34.0, 104.0, 44.0
LATE = 6
POST = {"keeper": RIGHT - 110, "steady": RIGHT - 190, "eager": RIGHT - 300}
REACH = {"keeper": 780.0, "steady": 600.0, "eager": 420.0}
TRIES = ("move_right", "move_left", "jump", "boost")

Car = list[float]
"""x, y, vx, vy, face, boost, part of the full speed."""
Ball = list[float]
"""x, y, vx, vy, and who touched it last in this look ahead: 1 we, -1 the rival, 0 nobody."""


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """One of `move_left`, `move_right`, `jump`, `boost`."""
    game = state["game_state"]
    if game["cheering"]:
        return "move_right"
    me, rival, ball = (game[k] for k in ("player", "rival", "ball"))
    car = [me["x"], me["y"], me["vx"], me["vy"], me["face"], me["boost"], 1.0]
    other = [rival["x"], rival["y"], rival["vx"], rival["vy"], rival["face"], rival["boost"], 0.84]
    return _best(car, other, [ball["x"], ball["y"], ball["vx"], ball["vy"], 0.0], rival["temper"], DEPTH)[1]


def _best(car: Car, other: Car, ball: Ball, temper: str, depth: int) -> tuple[float, str]:
    best = (-1e9, "move_right")
    for name in TRIES:
        if (name == "boost" and car[5] < 3) or (name == "jump" and not _grounded(car)):
            continue
        c, o, b = car[:], other[:], ball[:]
        goal = _play(c, o, b, temper, name, STEP)
        if goal:
            value = goal * (3000.0 + 400.0 * depth)
        elif depth > 1:
            value = _best(c, o, b, temper, depth - 1)[0]
        else:
            value = _value(c, b)
            goal = _play(c, o, b, temper, "move_right" if c[0] < b[0] - 40 else "move_left", AFTER)
            value = goal * 2600.0 if goal else (value + _value(c, b)) / 2
        if value > best[0]:
            best = (value, name)
    return best


def _value(c: Car, b: Ball) -> float:
    """Good: the ball far right and flying there, the car some way to the left of it."""
    gap = b[0] - c[0]
    place = abs(gap - 120) * 0.5 if gap > 60 else (180 - gap) * 1.2
    return b[0] + 25 * b[2] - place


def _play(c: Car, o: Car, b: Ball, temper: str, name: str, updates: int) -> float:
    """The car, the rival and the ball for some updates; when a goal falls: 1 for us, -1 against us, less if the
    wrong one touched the ball last, because such a goal counts for nobody."""
    want = {"move_left": -1.0, "move_right": 1.0}.get(name, 0.0)
    for i in range(updates):
        _drive(c, want, name == "jump" and i == 0, name == "boost")
        _drive(o, *_think(o, b, temper))
        _bump(c, o)
        _fly(b)
        if _hit(c, b, 1.45):
            b[4] = 1.0
        if _hit(o, b, 1.05 if b[0] > o[0] + CAR_W / 2 else 1.45):
            b[4] = -1.0
        if b[0] > RIGHT + 17:
            return 0.05 if b[4] < 0 else 1.0 if b[4] else 0.8
        if b[0] < LEFT - 17:
            return -0.3 if b[4] > 0 else -1.0
    return 0.0


def _think(o: Car, b: Ball, temper: str) -> tuple[float, bool, bool]:
    """What the rival wants: direction, jump, boost."""
    x, y, vx = b[0] - LATE * b[2], min(FLOOR - RADIUS, b[1] - LATE * b[3]), b[2]
    ahead = o[0] - x
    low = y > FLOOR - 120
    if ahead > 20:
        if vx > 3 and y < 490:
            return _walk(o, RIGHT - 100), ahead < 190 and BAR - 90 < y < FLOOR - 90, False
        if x < REACH[temper] - 60 or o[0] < REACH[temper]:
            return _walk(o, POST[temper]), False, False
        rising = not low and ahead < 150 and BAR - 120 < y < FLOOR - 110
        return -1.0, rising, temper == "eager" and low and ahead > 260
    if low and -190 < ahead < -60 and o[2] - vx > 2:
        return 1.0, True, False
    return 1.0, False, ahead < -60 and vx > 3


def _walk(o: Car, x: float) -> float:
    return 0.0 if abs(o[0] - x) < 24 else math.copysign(1.0, x - o[0])


def _grounded(c: Car) -> bool:
    return c[1] >= FLOOR - CAR_H / 2


def _toward(v: float, goal: float, step: float) -> float:
    return min(goal, v + step) if v < goal else max(goal, v - step)


def _drive(c: Car, want: float, jump: bool, boost: bool) -> None:
    ground = _grounded(c)
    if want:
        c[4] = want
    if boost and c[5] >= 1:
        c[5] -= 1.2
        c[2] = _toward(c[2], 13.5 * c[4] * c[6], 0.85)
        c[3] -= 0 if ground else 0.42
    elif want:
        fast = c[2] * want > 8 * c[6]
        c[2] = _toward(c[2], 8 * c[6] * want, 0.15 if fast else 0.6 if ground else 0.35)
    elif ground:
        c[2] = _toward(c[2], 0, 0.3)
    c[5] = min(100.0, c[5] + 0.12)
    if jump and ground:
        c[3] = -11.5
    _roll(c)


def _bump(a: Car, b: Car) -> None:
    dx, dy = b[0] - a[0], b[1] - a[1]
    deep_x, deep_y = CAR_W - abs(dx), CAR_H - abs(dy)
    if deep_x <= 0 or deep_y <= 0:
        return
    if deep_y < deep_x and abs(dy) > CAR_H / 2:
        upper, lower = (a, b) if dy > 0 else (b, a)
        upper[1], upper[3] = lower[1] - CAR_H, min(upper[3], -4.0)
        return
    side = 1.0 if dx >= 0 else -1.0
    a[0] -= side * deep_x / 2
    b[0] += side * deep_x / 2
    a[2], b[2] = b[2] * 0.6 + a[2] * 0.2, a[2] * 0.6 + b[2] * 0.2


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


def _hit(c: Car, b: Ball, force: float) -> bool:
    px = min(c[0] + CAR_W / 2, max(c[0] - CAR_W / 2, b[0]))
    py = min(c[1] + CAR_H / 2, max(c[1] - CAR_H / 2, b[1]))
    nx, ny = b[0] - px, b[1] - py
    far = math.hypot(nx, ny)
    if far >= RADIUS:
        return False
    nx, ny = (nx / far, ny / far) if far > 0.01 else (0.0, -1.0)
    b[0], b[1] = px + nx * RADIUS, min(FLOOR - RADIUS, py + ny * RADIUS)
    if ny < -0.9:
        b[2] += -0.35 if b[0] < c[0] else 0.35
    closing = (c[2] - b[2]) * nx + (c[3] - b[3]) * ny
    if closing <= 0:
        return False
    b[2] += nx * closing * force
    b[3] += ny * closing * force - abs(nx) * closing * 0.42
    return True
